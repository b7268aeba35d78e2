#include <query/neighbors/ball_answers.hpp>

namespace sphaera {
namespace {

struct FoundCount {
  std::uint64_t count = 0;

  SPHAERA_INLINE void add(std::uint32_t) { ++count; }
  SPHAERA_INLINE void add_in_order(std::span<const std::uint32_t> ids) { count += ids.size(); }
  SPHAERA_INLINE void add_lanes(index::LaneSet lanes) {
    count += static_cast<std::uint64_t>(std::popcount(lanes));
  }
  void finish(const query::SpheresAtTime&, const exact::Counts&) const {}
};

}  // namespace

void Scene::count_within(std::span<const Ball> balls, std::span<std::uint64_t> out,
                         const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::check_output(out.size(), balls.size());
  query::run_pieces<query::WalkOrder::coherent_points>(
      state(), balls, options,
      [&](auto arithmetic, const query::QueryPiece<Ball>& piece, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
        query::BallAnswers<decltype(arithmetic)> answers(state(), options, piece.scratch, stats,
                                                         query::NearbySpheres::Order::any);
        const auto answer = [&](std::size_t i, std::size_t j) SPHAERA_INLINE_LAMBDA {
          FoundCount found;
          answers.answer(piece, i, j, found);
          out[i] = found.count;
        };
        piece.each_numbered_into(out, answer);
      });
  query::put_misses(options, out);
}

std::vector<std::uint64_t> Scene::count_within(std::span<const Ball> balls,
                                               const QueryOptions& options) const {
  return query::filled<std::uint64_t>(balls.size(), [&](auto out) { count_within(balls, out, options); });
}

std::uint64_t Scene::count_within(const Ball& ball, const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  FoundCount found;
  query::run_single(state(), ball, options, [&](auto, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
    query::find_in_ball(state(), query::PeriodicBox(state(), options), ball, options, 0, found, stats);
  });
  return found.count;
}

}  // namespace sphaera
