#pragma once
/// \file A frame as an Embree scene: one user geometry with a primitive for each sphere and each child frame.
/// Callbacks call the query's test for a sphere and walk on in a child frame.

#include <base/arena.hpp>
#include <embree_index/embree_nesting.hpp>
#include <embree_index/embree_rays.hpp>
#include <embree_index/embree_walk.hpp>
#include <index/device/device.hpp>

namespace sphaera::embree_index {

/// What all frames of an index are built with.
struct Build {
  const index::Device& device;
  std::span<const Sphere> spheres;
  const base::LastingContext& context;
  std::stop_token stop;
};

/// A path's walk as the callbacks see it. Embree passes them a pointer to the first member, `context`.
struct PathVisit {
  explicit PathVisit(const PathWalk& w) : walk(w), path(w.path) { init_context(context); }

  RayContext context;
  const PathWalk& walk;
  ScaledPath path;
  LocalRay local;  ///< in the frame that is walked now; nearest_first only
  bool stopped = false;
  bool out_of_memory = false;  ///< a thick walk has stopped for lack of memory

  TraversalControl test(std::uint32_t sphere) {
    const TraversalControl next = walk.test(walk.query, sphere);
    stopped = next == TraversalControl::stop;
    return next;
  }
  double limit() const { return path.at(walk.t_limit); }
};

class FrameScene {
 public:
  FrameScene(const Build& build, NestedFrame&& plan);
  FrameScene(const FrameScene&) = delete;

  /// Tests the spheres that the path may touch, in no particular order.
  void any(PathVisit& visit) const;
  /// The same, nearer boxes first, as long as they can be entered by the walk's limit.
  void nearest_first(PathVisit& visit) const;
  /// Tests the spheres within the search radius, nearer boxes first; true if the walk goes on.
  bool around(const PointWalk& walk) const;
  /// Tests the spheres within the walk's margin of the path, each once.
  void thick(PathVisit& visit) const;

  /// Bytes of this frame's and its children's lists, without Embree's memory.
  std::uint64_t list_bytes() const;

 private:
  struct Thick;
  struct Around;
  static void bound(const RTCBoundsFunctionArguments* arguments);
  static void occluded(const RTCOccludedFunctionNArguments* arguments);
  static void intersect(const RTCIntersectFunctionNArguments* arguments);
  static bool reached(RTCPointQueryFunctionArguments* arguments);
  static bool covered(RTCPointQueryFunctionArguments* arguments);

  GeometryHandle geometry(const Build& build) const;
  void commit(const Build& build);

  std::uint32_t own() const { return own_; }
  std::uint32_t sphere(std::uint32_t primitive) const { return holds_all_ ? primitive : ids_[primitive]; }
  const FrameScene& child(std::uint32_t primitive) const { return *children_[primitive - own_]; }
  /// Calls use(primitive) for each primitive until `use` returns false.
  template <class Use>
  void each_primitive(const Use& use) const;
  template <class Walk>
  void all_of(PathVisit& visit, const Walk& walk) const;
  /// Calls thick.meet for every primitive within `search_radius` of the point x, which is relative to the
  /// frame's center.
  void ball(Thick& thick, const Vec3& x, double search_radius) const;

  Frame frame_;
  const Sphere* spheres_;
  bool holds_all_;
  std::uint32_t own_;
  std::vector<std::uint32_t> ids_;
  std::vector<std::unique_ptr<FrameScene>> children_;
  SceneHandle scene_;
};

}  // namespace sphaera::embree_index
