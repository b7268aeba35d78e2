#include <query/neighbors/nearest_answers.hpp>

namespace sphaera {
namespace {

/// The size of the output: k neighbors for each id.
std::size_t rows_of_all(const query::SceneState& state, std::size_t k) {
  const std::size_t ids = state.spheres.span().size();
  if (k > 0 && ids > SIZE_MAX / k) base::throw_out_of_memory();
  return ids * k;
}

/// Writes the rows of ids without an enabled sphere.
void fill_disabled(const query::SceneState& state, std::size_t k, std::span<Neighbor> out) {
  if (state.presence.size() == 0) return;
  for (std::size_t id = 0; id < state.presence.size(); ++id)
    if (!state.is_enabled(static_cast<std::uint32_t>(id)))
      std::ranges::fill(out.subspan(id * k, k), Neighbor{});
}

}  // namespace

void Scene::nearest_to_spheres(std::size_t k, std::span<Neighbor> out, const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::check_output(out.size(), rows_of_all(state(), k));
  query::refuse_times(options, "nearest_to_spheres");
  query::refuse_ignore(options);
  const std::span<const Sphere> spheres = state().spheres.span();
  query::run_pieces<query::WalkOrder::leaf_blocks>(
      state(), spheres, options,
      [&](auto arithmetic, const query::QueryPiece<Sphere>& piece, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
        query::NearestAnswers<decltype(arithmetic)> answers(state(), options, out, k, piece.scratch, stats);
        const auto answer = [&](std::size_t i) SPHAERA_INLINE_LAMBDA {
          query::SphereFilter others(state(), options, i);
          others.ignore = static_cast<std::int64_t>(i);
          answers.answer(spheres[i].center, i, i, others);
        };
        piece.each_into(out, answer, k);
        answers.finish();
      });
  fill_disabled(state(), k, out);
}

std::vector<Neighbor> Scene::nearest_to_spheres(std::size_t k, const QueryOptions& options) const {
  return query::filled<Neighbor>(rows_of_all(state(), k),
                                 [&](auto out) { nearest_to_spheres(k, out, options); });
}

}  // namespace sphaera
