#pragma once
/// \file The interface between a query and the Embree index during a walk.

#include <cstdint>
#include <exact/predicates/path.hpp>

namespace sphaera::embree_index {

/// What a test of a sphere means for the walk: go on, go on with a smaller limit or search radius, or stop.
enum class TraversalControl : std::uint8_t { go_on, limit_reduced, stop };

/// A query's test of a candidate. It must not throw: Embree, which calls it, is C code.
using Test = TraversalControl (*)(void* query, std::uint32_t sphere) noexcept;

/// A walk along a path.
struct PathWalk {
  const exact::Path& path;
  void* query;
  Test test;
  const double& t_limit;  ///< nearest_first, thick: spheres entered later do not matter
  double margin = 0;      ///< thick walks: spheres within this distance of the path are candidates, too
};

/// A walk about a point.
struct PointWalk {
  const Vec3& point;
  void* query;
  Test test;
  const double& search_radius;  ///< spheres farther away do not matter
};

}  // namespace sphaera::embree_index
