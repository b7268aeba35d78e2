#include <query/neighbors/nearest_answers.hpp>

namespace sphaera {

void Scene::nearest(std::span<const Vec3> points, std::size_t k, std::span<Neighbor> out,
                    const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  if (k > 0 && points.size() > SIZE_MAX / k) base::throw_out_of_memory();
  query::check_output(out.size(), points.size() * k);
  query::run_pieces<query::WalkOrder::coherent_points>(
      state(), points, options,
      [&](auto arithmetic, const query::QueryPiece<Vec3>& piece, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
        query::NearestAnswers<decltype(arithmetic)> answers(state(), options, out, k, piece.scratch, stats);
        answers.answer(piece, 0,
                       [&](std::size_t i) SPHAERA_INLINE_LAMBDA { return query::ignored_by(options, i); });
        answers.finish();
      });
  query::put_misses(options, out, {}, k);
}

std::vector<Neighbor> Scene::nearest(std::span<const Vec3> points, std::size_t k,
                                     const QueryOptions& options) const {
  if (k > 0 && points.size() > SIZE_MAX / k) base::throw_out_of_memory();
  return query::filled<Neighbor>(points.size() * k, [&](auto out) { nearest(points, k, out, options); });
}

void Scene::nearest(const Vec3& point, std::span<Neighbor> out, const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::SingleScratch scratch(options);
  std::fill(out.begin(), out.end(), Neighbor{});
  query::run_single(state(), point, options, [&](auto arithmetic, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
    query::NearestAnswers<decltype(arithmetic)> answers(state(), options, out, out.size(), *scratch, stats);
    answers.answer_single(point, 0, query::ignored_by(options, 0));
  });
}

Neighbor Scene::nearest(const Vec3& point, const QueryOptions& options) const {
  Neighbor neighbor;
  nearest(point, std::span(&neighbor, 1), options);
  return neighbor;
}

}  // namespace sphaera
