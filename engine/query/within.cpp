#include <query/batch/lists.hpp>

namespace sphaera {
namespace {

struct Within : index::PointWalk, query::SphereFilter {
  query::PointPlaces places;
  exact::Counts counts;
  const Ball& ball;
  std::vector<std::int64_t>& found;

  Within(const Ball& b, Visit v, const query::PointPlaces& at, const query::SphereFilter& e,
         std::vector<std::int64_t>& f)
      : PointWalk(b.center, v), SphereFilter(e), places(at), ball(b), found(f) {
    reach = b.radius, time = at.time;
  }

  template <class Arithmetic>
  SPHAERA_INLINE static index::Next test(Within& q, std::uint32_t id) {
    if (q.admits(id) && q.places.sign_gap(q.ball, id, q.counts) <= 0 && q.accepts(id)) q.found.push_back(id);
    return index::Next::go_on;
  }
};

template <class Arithmetic>
SPHAERA_INLINE void answer(const query::SceneState& state, const Ball& ball, const QueryOptions& options,
                           std::size_t i, std::vector<std::int64_t>& ids, QueryStats& stats) {
  if (query::sees_nothing(state, options)) return;
  const auto before = static_cast<std::ptrdiff_t>(ids.size());
  Within walk(ball, query::visit_of<Within, index::PointWalk, Arithmetic>(),
              query::point_places(state, options, i), {state, options, i}, ids);
  query::walk_scene<Arithmetic>(state, options, walk, &index::SceneIndex::around,
                                &embree_index::EmbreeIndex::around);
  std::sort(ids.begin() + before, ids.end());
  query::count(walk, stats);
}

/// Appends the ids of a single query.
void answer_one(const query::SceneState& state, const Ball& ball, const QueryOptions& options,
                std::vector<std::int64_t>& ids) {
  const base::FloatingPointEnvironment mode;
  query::run_single(state, ball, options, [&](auto arithmetic, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
    answer<decltype(arithmetic)>(state, ball, options, 0, ids, stats);
  });
}

}  // namespace

void Scene::within(std::span<const Ball> balls, IdLists& lists, const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::run_lists<query::WalkOrder::as_given>(
      state(), balls, lists, options,
      [&](auto arithmetic, const query::ListPiece<Ball, std::int64_t>& piece, QueryStats& stats)
          SPHAERA_INLINE_LAMBDA {
            piece.each([&](std::size_t i) SPHAERA_INLINE_LAMBDA {
              answer<decltype(arithmetic)>(state(), balls[i], options, i, piece.items, stats);
            });
          });
}

IdLists Scene::within(std::span<const Ball> balls, const QueryOptions& options) const {
  return query::lists_of<std::int64_t>([&](IdLists& lists) { within(balls, lists, options); });
}

std::vector<std::int64_t> Scene::within(const Ball& ball, const QueryOptions& options) const {
  std::vector<std::int64_t> ids;
  answer_one(state(), ball, options, ids);
  return ids;
}

std::size_t Scene::within(const Ball& ball, std::span<std::int64_t> out, const QueryOptions& options) const {
  query::SingleScratch scratch(options);
  std::vector<std::int64_t>& ids = (*scratch).ids;
  ids.clear();
  answer_one(state(), ball, options, ids);
  std::copy_n(ids.begin(), std::min(ids.size(), out.size()), out.begin());
  return ids.size();
}

}  // namespace sphaera
