#include <query/batch/lists.hpp>
#include <query/batch/rank.hpp>

namespace sphaera {
namespace {

/// Appends the ids to a list.
class FoundIds {
 public:
  explicit FoundIds(std::vector<std::int64_t>& list) : list_(list), first_(list.size()) {}

  SPHAERA_INLINE void add(std::uint32_t id) { list_.push_back(id); }
  /// Puts them in ascending order.
  SPHAERA_INLINE std::span<const std::int64_t> sorted() {
    const std::span<std::int64_t> ids = std::span(list_).subspan(first_);
    if (ids.size() <= few || ids.size() > query::most_ranked) {
      std::sort(ids.begin(), ids.end());
      return ids;
    }
    query::RankedKeys<std::uint32_t> ranked;
    for (std::size_t i = 0; i < ids.size(); ++i) ranked.keys[i] = static_cast<std::uint32_t>(ids[i]);
    ranked.rank(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i)
      ids[static_cast<std::size_t>(ranked.ranks[i])] = ranked.keys[i];
    return ids;
  }

 private:
  static constexpr std::size_t few = 4;

  std::vector<std::int64_t>& list_;
  std::size_t first_;
};

/// A walk through the spheres that meet a ball.
struct Within : index::PointWalk, query::SphereFilter {
  query::PointPlaces places;
  exact::Counts counts;
  const Ball& ball;
  FoundIds& found;

  Within(const Ball& b, Visit v, const query::PointPlaces& at, const query::SphereFilter& e, FoundIds& f)
      : PointWalk(b.center, v), SphereFilter(e), places(at), ball(b), found(f) {
    reach = b.radius, time = at.time;
  }

  template <class Arithmetic>
  SPHAERA_INLINE static index::Next test(Within& q, std::uint32_t id) {
    if (q.admits(id) && q.places.sign_gap(q.ball, id, q.counts) <= 0 && q.accepts(id)) q.found.add(id);
    return index::Next::go_on;
  }

  template <class Arithmetic>
  SPHAERA_INLINE index::Next test_block(const index::LeafIds& ids, const index::LaneHits& hits) {
    for (index::LaneSet lanes = hits.maybe; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      const std::uint32_t id = ids[lane];
      if (id == index::no_sphere) break;  // without floats: the empty lanes come last
      ++candidates;
      if (!(hits.surely >> lane & 1)) {
        test<Arithmetic>(*this, id);
      } else if (admits(id) && accepts(id)) {
        found.add(id);
      }
    }
    return index::Next::go_on;
  }
};

template <class Arithmetic>
SPHAERA_INLINE void find(const query::SceneState& state, const Ball& ball, const QueryOptions& options,
                         std::size_t i, FoundIds& found, QueryStats& stats) {
  if (query::sees_nothing(state, options)) return;
  Within walk(ball, query::visit_of<Within, index::PointWalk, Arithmetic>(),
              query::point_places(state, options, i), {state, options, i}, found);
  query::walk_scene<Arithmetic>(state, options, walk, &index::SceneIndex::around,
                                &embree_index::EmbreeIndex::around);
  query::count(walk, stats);
}

/// Appends the ids of a single query.
void answer_one(const query::SceneState& state, const Ball& ball, const QueryOptions& options,
                std::vector<std::int64_t>& ids) {
  const base::FloatingPointEnvironment mode;
  query::run_single(state, ball, options, [&](auto arithmetic, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
    FoundIds found(ids);
    find<decltype(arithmetic)>(state, ball, options, 0, found, stats);
    found.sorted();
  });
}

}  // namespace

void Scene::within(std::span<const Ball> balls, IdLists& lists, const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::run_lists<query::WalkOrder::coherent_points>(
      state(), balls, lists, options,
      [&](auto arithmetic, const query::ListPiece<Ball, std::int64_t>& piece, QueryStats& stats)
          SPHAERA_INLINE_LAMBDA {
            piece.each([&](std::size_t i) SPHAERA_INLINE_LAMBDA {
              FoundIds found(piece.items);
              find<decltype(arithmetic)>(state(), balls[i], options, i, found, stats);
              found.sorted();
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
