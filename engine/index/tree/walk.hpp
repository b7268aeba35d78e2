#pragma once
/// \file The interface between a query and the index during a walk.

#include <cstdint>
#include <index/boxes/frame.hpp>
#include <index/boxes/leaf_filter.hpp>
#include <index/tree/cone.hpp>
#include <index/tree/prepared_rays.hpp>

namespace sphaera::index {

class FrameBvh;
class PathView;
class FlightView;
template <class View, class Walk>
class WalkTogether;

/// Traversal control, returned by a visit: go on, go on with a smaller t_limit or search radius, or stop.
enum class TraversalControl : std::uint8_t { go_on, limit_reduced, stop };

/// In no particular order, or nearer boxes first.
enum class VisitOrder : std::uint8_t { any, nearest_first };

/// The functions of a query that the index calls. `Walk` is PathWalk, PointWalk or ConeWalk.
template <class Walk>
struct Callbacks {
  using Called = Walk;
  using Visit = TraversalControl (*)(Walk&, const LeafIds&, LaneHits);
  using StandsForEquals = bool (*)(const Walk&, std::uint32_t id);

  /// Called with a leaf block and its spheres that may matter.
  Visit visit;
  /// Does a visit of the sphere with this id also settle what the walk is to find of all equal spheres with
  /// higher ids, such as the first hit, which is the one with the lowest id? Not if the query must not find
  /// this sphere, but may find the others. Null: no sphere does.
  StandsForEquals stands_for_equals = nullptr;
  /// The walk computes with exact::Fused, else with exact::Plain: as `visit` does.
  bool fused = exact::has_fma();
};

/// A walk along a path. Queries derive from it. It visits leaf blocks with spheres that the path may touch up
/// to t_limit.
struct PathWalk : Callbacks<PathWalk> {
  PathWalk(const exact::Path& p, const Callbacks& query) : Callbacks(query), path(p) {}

  const exact::Path& path;
  PreparedRay prepared;             ///< for the frame in which the walk begins; used once
  LocalRay local;                   ///< the path in the current frame
  double t_limit = infinity;        ///< nearest_first: spheres entered later do not matter
  std::uint64_t candidates = 0;     ///< spheres tested so far
  bool in_viewpoint_index = false;  ///< whether a ViewpointFaces has answered
  LeafEntries entries;              ///< nearest_first: entries of the visited leaf block, where known
};

/// The leaf block of one sphere alone, for a visit without the float filter's knowledge.
inline LeafIds block_of_one(std::uint32_t id) {
  LeafIds ids;
  ids.fill(no_sphere);
  ids[0] = id;
  return ids;
}
inline constexpr LaneHits first_lane_only{1, 0, 0};

/// A walk along a bullet's flight. t is the bullet's own time, `start` is the scene's time at t = 0. Spheres
/// are tested where they are at that time and count as hit within `margin` of the path.
struct FlightWalk : PathWalk {
  using PathWalk::PathWalk;

  double start = 0, margin = 0;
  double rate = 1;  ///< scene time per unit of t; 0 for a ray that sees one instant, `start`
};

/// Walks that are made together: path_group.hpp.
using PathGroup = WalkTogether<PathView, PathWalk>;
using FlightGroup = WalkTogether<FlightView, FlightWalk>;

/// A walk about a point. Queries derive from it. It visits leaf blocks with spheres that may have a point
/// within the search radius.
struct PointWalk : Callbacks<PointWalk> {
  PointWalk(const Vec3& p, const Callbacks& query) : Callbacks(query), point(p) {}

  Vec3 point;
  double search_radius = infinity;          ///< spheres farther away do not matter; −∞ ends the walk
  const FrameBvh* skipped_child = nullptr;  ///< a child frame that the walk leaves out
  double drift = 0;                         ///< largest distance of a sphere from its place at time 0
  double time = 0;                          ///< the scene's time at which the walk sees moving spheres
  std::uint64_t candidates = 0;
  LeafDistances distances;  ///< of the visited leaf block, where known
};

/// A walk through a cone. Queries derive from it. It visits leaf blocks with spheres that the cone may touch;
/// no hit is certain.
struct ConeWalk : Callbacks<ConeWalk> {
  ConeWalk(const Cone& c, const Callbacks& query) : Callbacks(query), cone(c) {}

  const Cone& cone;
  std::uint64_t candidates = 0;     ///< spheres tested so far
  bool in_viewpoint_index = false;  ///< whether a ViewpointFaces has answered
};

}  // namespace sphaera::index
