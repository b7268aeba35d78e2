#include <exact/predicates/decide.hpp>
#include <query/batch/lists.hpp>

namespace sphaera {
namespace {

struct Within : index::PointWalk, query::SphereFilter {
  exact::Counts counts;
  const Ball& ball;
  std::vector<std::int64_t>& found;

  Within(const Ball& b, Visit v, const query::SphereFilter& e, std::vector<std::int64_t>& f)
      : PointWalk(b.center, v), SphereFilter(e), ball(b), found(f) {
    reach = b.radius;
  }

  template <class Arithmetic>
  SPHAERA_INLINE static index::Next test(Within& q, std::uint32_t id) {
    const Sphere& s = q.spheres[id];
    if (!q.admits(id) || exact::sign_gap(q.ball, {s.center, s.radius}, q.counts) > 0)
      return index::Next::go_on;
    q.found.push_back(id);
    return index::Next::go_on;
  }
};

template <class Arithmetic>
SPHAERA_INLINE void answer(const query::SceneState& state, const Ball& ball, const QueryOptions& options,
                           std::size_t i, std::vector<std::int64_t>& ids, QueryStats& stats) {
  if (query::sees_nothing(state, options)) return;
  const auto before = static_cast<std::ptrdiff_t>(ids.size());
  Within walk(ball, query::visit_of<Within, index::PointWalk, Arithmetic>(), {state, options, i}, ids);
  query::walk_scene<Arithmetic>(state, options, walk, &index::SceneIndex::around,
                                &embree_index::EmbreeIndex::around);
  std::sort(ids.begin() + before, ids.end());
  query::count(walk, stats);
}

}  // namespace

IdLists Scene::within(std::span<const Ball> balls, const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  return query::run_lists<query::WalkOrder::as_given, std::int64_t>(
      state(), balls, options,
      [&](auto arithmetic, const query::ListPiece<Ball, std::int64_t>& piece, QueryStats& stats)
          SPHAERA_INLINE_LAMBDA {
            piece.each([&](std::size_t i) SPHAERA_INLINE_LAMBDA {
              answer<decltype(arithmetic)>(state(), balls[i], options, i, piece.items, stats);
            });
          });
}

std::vector<std::int64_t> Scene::within(const Ball& ball, const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  std::vector<std::int64_t> ids;
  query::run_single(state(), ball, options, [&](auto arithmetic, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
    answer<decltype(arithmetic)>(state(), ball, options, 0, ids, stats);
  });
  return ids;
}

}  // namespace sphaera
