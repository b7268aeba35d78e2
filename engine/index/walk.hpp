#pragma once
/// \file What a query and the index tell each other while one walks the other.

#include <cstdint>
#include <index/embree.hpp>
#include <index/frame.hpp>
#include <index/packet.hpp>

namespace sphaera::index {

/// What a visit tells the walk: go on as before, t_limit or reach has shrunk, or no more is wanted.
enum class Next : std::uint8_t { go_on, shrunk, stop };

/// A leaf that a walk has come to.
struct Leaf {
  const PacketIds& ids;
  const PacketFloats* floats;  ///< null: all spheres are candidates
};

/// A walk along a path; queries derive from it. Embree carries it to the callbacks as its context.
struct PathWalk : RayContext {
  /// Spheres touched after τ = tfar (of `ray`, of `local`) are of no interest.
  using Visit = Next (*)(PathWalk&, const Leaf&, float tfar);

  PathWalk(const exact::Path& p, Visit v) : path(p), visit(v) { init_context(*this); }

  const exact::Path& path;
  Visit visit;
  LocalRay local;  ///< in the frame walked through
  PacketRay ray;
  double t_limit = infinity;     ///< nearest_first: spheres entered after it are of no interest
  std::uint64_t candidates = 0;  ///< spheres tested so far
};

class Level;

/// A walk about a point; queries derive from it.
struct PointWalk {
  /// Spheres farther than `radius`, in local units, are of no interest.
  using Visit = Next (*)(PointWalk&, const Leaf&, float radius);

  PointWalk(const Vec3& p, Visit v) : point(p), visit(v) {}

  Vec3 point;
  Visit visit;
  LocalPoint local{};            ///< in the frame walked through
  const Level* level = nullptr;  ///< walked through
  double reach = infinity;       ///< spheres farther than it are of no interest; −∞: no more is wanted
  std::uint64_t candidates = 0;
};

}  // namespace sphaera::index
