#pragma once
/// \file What a query and the index tell each other while one walks the other.

#include <cstdint>
#include <index/frames/frame.hpp>
#include <index/layout/leaf_block.hpp>
#include <index/walk/cone.hpp>
#include <index/walk/prepared_rays.hpp>

namespace sphaera::index {

class FrameBvh;

/// Traversal control, returned by a visit: go on, go on with a smaller t_limit or reach, or stop.
enum class Next : std::uint8_t { go_on, shrunk, stop };

/// A walk along a path; queries derive from it.
struct PathWalk {
  /// A leaf block with spheres that the path may touch, up to t_limit.
  using Visit = Next (*)(PathWalk&, const LeafIds&, LaneHits);

  PathWalk(const exact::Path& p, Visit v) : path(p), visit(v) {}

  const exact::Path& path;
  Visit visit;
  PreparedRay prepared;          ///< for the frame that the walk begins in, once
  LocalRay local;                ///< in the frame walked through
  double t_limit = infinity;     ///< nearest_first: spheres entered after it are of no interest
  std::uint64_t candidates = 0;  ///< spheres tested so far
  LeafEntries entries;           ///< nearest_first: of the leaf block visited, where they are known
};

/// A walk along the way of a bullet: t is its own time, `start` where that begins in the scene's, and the
/// spheres are where they are then; they count as met within `margin` of the path.
struct FlightWalk : PathWalk {
  FlightWalk(const exact::Path& p, double s, double g, Visit v) : PathWalk(p, v), start(s), margin(g) {}

  double start, margin;
};

/// A walk about a point; queries derive from it.
struct PointWalk {
  /// A leaf block with spheres that may have a point within reach, none for certain.
  using Visit = Next (*)(PointWalk&, const LeafIds&, LaneHits);

  PointWalk(const Vec3& p, Visit v) : point(p), visit(v) {}

  Vec3 point;
  Visit visit;
  double reach = infinity;  ///< spheres farther than it are of no interest; −∞: no more is wanted
  const FrameBvh* except =
      nullptr;  ///< a BVH whose frame the point lies in, and whose spheres are not wanted
  double drift =
      0;  ///< boxes hold what spheres sweep, leaf blocks where they are at time 0: no more than this away
  std::uint64_t candidates = 0;
};

/// A walk through a cone; queries derive from it.
struct ConeWalk {
  /// A leaf block with spheres that the cone may touch, none for certain.
  using Visit = Next (*)(ConeWalk&, const LeafIds&, LaneHits);

  ConeWalk(const Cone& c, Visit v) : cone(c), visit(v) {}

  const Cone& cone;
  Visit visit;
  std::uint64_t candidates = 0;  ///< spheres tested so far
};

}  // namespace sphaera::index
