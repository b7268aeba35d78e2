#pragma once
/// \file Common parts of all queries: the sphere filter, the walk, and the arithmetic of visits.

#include <bit>
#include <exact/numbers/arithmetic.hpp>
#include <exact/predicates/counts.hpp>
#include <exception>
#include <index/viewpoint/viewpoint_faces.hpp>
#include <query/batch/scene_path.hpp>
#include <query/batch/spheres_at_time.hpp>
#include <scene/state.hpp>
#include <type_traits>

namespace sphaera::query {

/// Item i of an option that has one for each query; −1 if the option is not given.
inline std::int64_t item_or_none(std::span<const std::int64_t> items, std::size_t i) {
  return items.empty() ? -1 : items[i];
}
/// The sphere that a query ignores, −1: none.
inline std::int64_t ignored_by(const QueryOptions& options, std::size_t query) {
  return item_or_none(options.ignore, query);
}

/// May a query ignore an owner?
SPHAERA_INLINE bool ignores_owners(const QueryOptions& options) {
  return !options.ignore_owners.empty() || !options.also_ignore_owners.empty();
}

/// The spheres of up to two owners, which a query ignores.
struct IgnoredOwners {
  const std::uint32_t* owners = nullptr;              ///< by id; null: none is ignored
  std::uint32_t first = no_owner, second = no_owner;  ///< the same owner if only one is ignored

  IgnoredOwners() = default;
  /// An owner is given as in QueryOptions::ignore_owners.
  IgnoredOwners(const SceneState& state, std::int64_t one, std::int64_t other)
      : owners(exists(one) || exists(other) ? state.owners.data_or_null() : nullptr),
        first(static_cast<std::uint32_t>(exists(one) ? one : other)),
        second(static_cast<std::uint32_t>(exists(other) ? other : one)) {}

  SPHAERA_INLINE bool hold(std::uint32_t id) const {
    return owners && (owners[id] == first || owners[id] == second);
  }

 private:
  static bool exists(std::int64_t owner) { return owner >= 0 && owner < std::int64_t{no_owner}; }
};

/// Sphere filter: the spheres that one query may hit.
struct SphereFilter {
  const Sphere* spheres;
  const std::uint8_t* layers;  ///< null: all pass
  LayerMask mask;
  std::int64_t ignore;
  IgnoredOwners ignored_owners;
  bool nothing;                   ///< all spheres are on layer 0, which this query does not see
  const SpherePredicate* accept;  ///< null: all pass
  std::size_t number;             ///< of the query

  SphereFilter(const SceneState& state, const QueryOptions& options, std::size_t query)
      : spheres(state.spheres.span().data()),
        layers(state.layers.data_or_null()),
        mask(options.layers_each.empty() ? options.layers : options.layers & options.layers_each[query]),
        ignore(ignored_by(options, query)),
        nothing(!layers && !(mask & 1)),
        accept(options.accept ? &options.accept : nullptr),
        number(query) {
    if (mask == all_layers) layers = nullptr;
    if (ignores_owners(options)) [[unlikely]]
      ignored_owners = {state, item_or_none(options.ignore_owners, query),
                        item_or_none(options.also_ignore_owners, query)};
  }

  SPHAERA_INLINE bool admits(std::uint32_t id) const {
    if (layers && !(mask >> layers[id] & 1)) return false;
    if (ignored_owners.hold(id)) return false;
    return id != ignore && !nothing;
  }
  /// Does the caller's `accept` take the sphere? Called only for an admitted sphere that would count
  /// otherwise.
  SPHAERA_INLINE bool accepts(std::uint32_t id) const {
    return !accept || base::call_out(*accept, number, std::int64_t{id});
  }
};

/// True if no sphere can be hit by any query: none is enabled, or the scene has no layers (all spheres are
/// on layer 0) and the mask excludes layer 0.
inline bool sees_nothing(const SceneState& state, const QueryOptions& options) {
  return !state.scene_index || (state.layers.span().empty() && !(options.layers & 1));
}

/// Calls Query::test<Arithmetic> for the sphere of a leaf block's lane. If the query has test_entered and the
/// float filter knows bounds of the entry, calls that instead.
template <class Arithmetic, class Query>
SPHAERA_INLINE index::TraversalControl test_lane(Query& query, std::uint32_t id, const index::LaneHits& hits,
                                                 index::LaneSet lane) {
  if constexpr (requires { Query::template test_entered<Arithmetic>(query, id, 0, 0); }) {
    if (hits.bounded & lane) {
      const auto i = static_cast<unsigned>(std::countr_zero(lane));
      const index::LocalRay& local = query.local;
      return Query::template test_entered<Arithmetic>(query, id, local.from(query.entries.low[i]),
                                                      local.to(query.entries.high[i]));
    }
  }
  return Query::template test<Arithmetic>(query, id);
}

/// Tests the spheres of a leaf block that the float filter lets through. A query with `test_block` tests
/// them all at once. A query with `accept_hit` stops at the first sphere hit for certain that it accepts.
template <class Query, class Arithmetic>
SPHAERA_INLINE index::TraversalControl test_leaf_block(Query& query, const index::LeafIds& ids,
                                                       const index::LaneHits& hits) {
  if constexpr (requires { query.template test_block<Arithmetic>(ids, hits); })
    return query.template test_block<Arithmetic>(ids, hits);
  const auto id_of = [&](index::LaneSet lanes) {
    return ids[static_cast<unsigned>(std::countr_zero(lanes))];
  };
  if constexpr (requires { query.accept_hit(std::uint32_t{}); }) {
    for (index::LaneSet lanes = hits.surely; lanes != 0; lanes &= lanes - 1)
      if (query.accept_hit(id_of(lanes))) return index::TraversalControl::stop;
  }
  index::TraversalControl next = index::TraversalControl::go_on;
  for (index::LaneSet lanes = hits.maybe; lanes != 0; lanes &= lanes - 1) {
    const std::uint32_t id = id_of(lanes);
    if (id == index::no_sphere) break;  // the float filter did not run: all lanes are given, empty ones last
    ++query.candidates;
    const index::TraversalControl one = test_lane<Arithmetic>(query, id, hits, lanes & -lanes);
    if (one == index::TraversalControl::stop) return one;
    if (one == index::TraversalControl::limit_reduced) next = one;
  }
  return next;
}

/// The same as functions that the index can call.
template <class Query, class Walk>
SPHAERA_TARGET_FMA index::TraversalControl visit_fused(Walk& walk, const index::LeafIds& ids,
                                                       index::LaneHits hits) {
  return test_leaf_block<Query, exact::Fused>(static_cast<Query&>(walk), ids, hits);
}
template <class Query, class Walk>
index::TraversalControl visit_plain(Walk& walk, const index::LeafIds& ids, index::LaneHits hits) {
  return test_leaf_block<Query, exact::Plain>(static_cast<Query&>(walk), ids, hits);
}
template <class Query, class Walk, class Arithmetic>
constexpr typename Walk::Visit visit_of() {
  return std::is_same_v<Arithmetic, exact::Fused> ? visit_fused<Query, Walk> : visit_plain<Query, Walk>;
}

/// Lets the index visit one sphere of many equal ones, if the query says when that is enough: a query has
/// settles_equals(id), true if its answer is the same without the equal spheres with higher ids.
template <class Query, class Walk>
bool stands_for_equals(const Walk& walk, std::uint32_t id) {
  return static_cast<const Query&>(walk).settles_equals(id);
}
template <class Query>
SPHAERA_INLINE void settle_equals(Query& query) {
  if constexpr (requires { query.settles_equals(std::uint32_t{}); }) {
    using Walk =
        std::conditional_t<std::is_base_of_v<index::PointWalk, Query>, index::PointWalk, index::PathWalk>;
    query.stands_for_equals = stands_for_equals<Query, Walk>;
  }
}

/// Brute force: tests every sphere in order until a test returns stop.
template <class Arithmetic, class Query>
SPHAERA_INLINE void walk_all(const SceneState& state, Query& query) {
  const auto count = static_cast<std::uint32_t>(state.spheres.span().size());
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!state.is_enabled(i)) continue;
    ++query.candidates;
    if (Query::template test<Arithmetic>(query, i) == index::TraversalControl::stop) return;
  }
}

/// The index if the options ask for it, else null.
inline const index::SceneIndex* index_for(const SceneState& state, const QueryOptions& options) {
  return options.search == Search::index ? state.scene_index.get() : nullptr;
}
/// The same, but null for paths at an instant: only paths among spheres at rest are prepared.
template <class ScenePath>
const index::SceneIndex* index_for(const SceneState& state, const QueryOptions& options) {
  return std::is_same_v<ScenePath, PathAtRest> ? index_for(state, options) : nullptr;
}

/// The path of query i among the spheres.
template <class ScenePath>
SPHAERA_INLINE ScenePath scene_path_of(const SceneState& state, const exact::Path& path,
                                       const QueryOptions& options, std::size_t i) {
  const Sphere* const spheres = state.spheres.span().data();
  if constexpr (std::is_same_v<ScenePath, PathAtRest>) {
    return {path, spheres};
  } else {
    return {path, spheres, state.velocities.span().data(), options.times[i]};
  }
}
/// Calls use(scene_path) for query i, among spheres at rest or at the instant of the query.
template <class Use>
SPHAERA_INLINE void with_scene_path(const SceneState& state, const exact::Path& path,
                                    const QueryOptions& options, std::size_t i, const Use& use) {
  if (options.times.empty() || !state.moves()) return use(scene_path_of<PathAtRest>(state, path, options, i));
  use(scene_path_of<PathAtInstant>(state, path, options, i));
}
/// The spheres at the time of query i, for points and balls.
SPHAERA_INLINE SpheresAtTime spheres_at_time(const SceneState& state, const QueryOptions& options,
                                             std::size_t i) {
  const Sphere* const spheres = state.spheres.span().data();
  if (options.times.empty() || !state.moves() || options.times[i] == 0) return {spheres};
  return {spheres, state.velocities.span().data(), options.times[i]};
}

/// A query as the Embree index calls it. An exception from a test is kept until Embree has returned.
template <class Arithmetic, class Query>
struct EmbreeQuery {
  const SceneState& state;  ///< its Embree index also holds the ids that are not enabled
  Query& query;
  std::exception_ptr thrown{};

  SPHAERA_INLINE embree_index::TraversalControl test(std::uint32_t id) noexcept {
    if (!state.is_enabled(id)) return embree_index::TraversalControl::go_on;
    try {
      ++query.candidates;
      return static_cast<embree_index::TraversalControl>(Query::template test<Arithmetic>(query, id));
    } catch (...) {
      thrown = std::current_exception();
      return embree_index::TraversalControl::stop;
    }
  }
  SPHAERA_TARGET_FMA static embree_index::TraversalControl test_fused(void* self, std::uint32_t id) noexcept {
    return static_cast<EmbreeQuery*>(self)->test(id);
  }
  static embree_index::TraversalControl test_plain(void* self, std::uint32_t id) noexcept {
    return static_cast<EmbreeQuery*>(self)->test(id);
  }
  static constexpr embree_index::Test function() {
    return std::is_same_v<Arithmetic, exact::Fused> ? test_fused : test_plain;
  }
};

static_assert(static_cast<int>(embree_index::TraversalControl::go_on) ==
              static_cast<int>(index::TraversalControl::go_on));
static_assert(static_cast<int>(embree_index::TraversalControl::limit_reduced) ==
              static_cast<int>(index::TraversalControl::limit_reduced));
static_assert(static_cast<int>(embree_index::TraversalControl::stop) ==
              static_cast<int>(index::TraversalControl::stop));

/// A walk of the index as the Embree index takes it.
inline embree_index::PathWalk embree_walk(const index::PathWalk& walk, void* query, embree_index::Test test) {
  return {walk.path, query, test, walk.t_limit};
}
inline embree_index::PathWalk embree_walk(const index::FlightWalk& walk, void* query,
                                          embree_index::Test test) {
  return {walk.path, query, test, walk.t_limit, walk.margin};
}
inline embree_index::PointWalk embree_walk(const index::PointWalk& walk, void* query,
                                           embree_index::Test test) {
  return {walk.point, query, test, walk.search_radius};
}

/// Functions that walk an index.
template <class Walk>
using IndexFunction = void (index::SceneIndex::*)(Walk&) const;
template <class EmbreeWalk>
using EmbreeFunction = void (embree_index::EmbreeIndex::*)(const EmbreeWalk&) const;

/// Walks the Embree index, which `prepare_search` has built.
template <class Arithmetic, class Walk, class Query, class EmbreeWalk>
[[gnu::noinline]] void walk_embree(const SceneState& state, Query& query,
                                   EmbreeFunction<EmbreeWalk> embree_function) {
  EmbreeQuery<Arithmetic, Query> asked{state, query};
  const EmbreeWalk walk = embree_walk(static_cast<const Walk&>(query), &asked, asked.function());
  (state.embree.get()->*embree_function)(walk);
  if (asked.thrown) std::rethrow_exception(asked.thrown);
}

/// Walks the index with the given function, or uses brute force.
template <class Arithmetic, class Query, class Walk>
SPHAERA_INLINE void walk_scene(const SceneState& state, const QueryOptions& options, Query& query,
                               IndexFunction<Walk> index_function) {
  if (const index::SceneIndex* const scene_index = index_for(state, options)) {
    settle_equals(query);
    return (scene_index->*index_function)(query);
  }
  walk_all<Arithmetic>(state, query);
}

/// The same for queries that the Embree index answers, too.
template <class Arithmetic, class Query, class Walk, class EmbreeWalk>
SPHAERA_INLINE void walk_scene(const SceneState& state, const QueryOptions& options, Query& query,
                               IndexFunction<Walk> index_function,
                               EmbreeFunction<EmbreeWalk> embree_function) {
  if (options.search == Search::embree) [[unlikely]]
    return walk_embree<Arithmetic, Walk>(state, query, embree_function);
  walk_scene<Arithmetic, Query, Walk>(state, options, query, index_function);
}

/// The walks of each index for one kind of query along a path.
template <class ScenePath>
struct PathWalks {
  IndexFunction<typename ScenePath::Walk> index_function;
  bool (index::ViewpointFaces::*star_function)(index::PathWalk&) const;
  EmbreeFunction<embree_index::PathWalk> embree_function;
};
template <class ScenePath>
inline constexpr PathWalks<ScenePath> any_walks{ScenePath::any, &index::ViewpointFaces::any,
                                                &embree_index::EmbreeIndex::any};
template <class ScenePath>
inline constexpr PathWalks<ScenePath> nearest_first_walks{ScenePath::nearest_first,
                                                          &index::ViewpointFaces::nearest_first,
                                                          &embree_index::EmbreeIndex::nearest_first};

/// What a batch has computed for the walk of one query.
struct WalkContext {
  index::PreparedRay prepared{};
  const index::ViewpointFaces* star = nullptr;  ///< null: none
};

/// The walk of a query along a path. Uses the viewpoint index if there is one that can answer the path.
/// `prepare_search` has refused the Embree index for queries at an instant.
template <class Arithmetic, class ScenePath, class Query>
SPHAERA_INLINE void walk_path(const SceneState& state, const QueryOptions& options, Query& query,
                              const WalkContext& context, const PathWalks<ScenePath>& walks) {
  using Walk = typename ScenePath::Walk;
  query.prepared = context.prepared;
  const auto [index_function, star_function, embree_function] = walks;
  if constexpr (std::is_same_v<ScenePath, PathAtRest>) {
    if (context.star && (context.star->*star_function)(query)) return;
    walk_scene<Arithmetic, Query, Walk>(state, options, query, index_function, embree_function);
  } else {
    walk_scene<Arithmetic, Query, Walk>(state, options, query, index_function);
  }
}

}  // namespace sphaera::query
