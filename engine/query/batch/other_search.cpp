#include <exception>
#include <query/batch/other_search.hpp>

namespace sphaera::query {
namespace {

/// Visits blocks of spheres of which the float filter knows nothing.
template <class Walk>
void search_all(const SceneState& state, Walk& walk) {
  constexpr index::LaneHits unknown{index::all_lanes, 0, 0};
  const auto count = static_cast<std::uint32_t>(state.spheres.span().size());
  index::LeafIds ids;
  std::size_t filled = 0;
  for (std::uint32_t id = 0; id < count; ++id) {
    if (!state.is_enabled(id)) continue;
    ids[filled++] = id;
    if (filled < ids.size()) continue;
    if (walk.visit(walk, ids, unknown) == index::TraversalControl::stop) return;
    filled = 0;
  }
  std::fill(ids.begin() + static_cast<std::ptrdiff_t>(filled), ids.end(), index::no_sphere);
  if (filled > 0) walk.visit(walk, ids, unknown);
}

static_assert(static_cast<int>(embree_index::TraversalControl::go_on) ==
              static_cast<int>(index::TraversalControl::go_on));
static_assert(static_cast<int>(embree_index::TraversalControl::limit_reduced) ==
              static_cast<int>(index::TraversalControl::limit_reduced));
static_assert(static_cast<int>(embree_index::TraversalControl::stop) ==
              static_cast<int>(index::TraversalControl::stop));

/// A walk as the Embree index calls it. An exception from a visit is kept until Embree has returned.
template <class Walk>
struct EmbreeVisits {
  const SceneState& state;  ///< its Embree index also holds the ids that are not enabled
  Walk& walk;
  std::exception_ptr thrown{};

  static embree_index::TraversalControl test(void* self, std::uint32_t id) noexcept {
    auto& [state, walk, thrown] = *static_cast<EmbreeVisits*>(self);
    if (!state.is_enabled(id)) return embree_index::TraversalControl::go_on;
    try {
      return static_cast<embree_index::TraversalControl>(
          walk.visit(walk, index::block_of_one(id), index::first_lane_only));
    } catch (...) {
      thrown = std::current_exception();
      return embree_index::TraversalControl::stop;
    }
  }
};

/// Calls search(index, visits).
template <class Walk, class Search>
void search_embree(const SceneState& state, Walk& walk, const Search& search) {
  EmbreeVisits<Walk> visits{state, walk};
  search(*state.embree.get(), visits);
  if (visits.thrown) std::rethrow_exception(visits.thrown);
}

}  // namespace

void search_otherwise(const SceneState& state, const QueryOptions& options, index::PathWalk& walk,
                      index::VisitOrder order) {
  if (options.search != Search::embree) return search_all(state, walk);
  search_embree(state, walk, [&](const embree_index::EmbreeIndex& embree, auto& visits) {
    const embree_index::PathWalk path{walk.path, &visits, visits.test, walk.t_limit};
    order == index::VisitOrder::any ? embree.any(path) : embree.nearest_first(path);
  });
}

void search_otherwise(const SceneState& state, const QueryOptions& options, index::FlightWalk& walk,
                      index::VisitOrder) {
  if (options.search != Search::embree) return search_all<index::PathWalk>(state, walk);
  search_embree<index::PathWalk>(state, walk, [&](const embree_index::EmbreeIndex& embree, auto& visits) {
    embree.thick({walk.path, &visits, visits.test, walk.t_limit, walk.margin});
  });
}

void search_otherwise(const SceneState& state, const QueryOptions& options, index::PointWalk& walk) {
  if (options.search != Search::embree) return search_all(state, walk);
  search_embree(state, walk, [&](const embree_index::EmbreeIndex& embree, auto& visits) {
    embree.around({walk.point, &visits, visits.test, walk.search_radius});
  });
}

void search_otherwise(const SceneState& state, index::ConeWalk& walk) { search_all(state, walk); }

}  // namespace sphaera::query
