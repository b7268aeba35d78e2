#pragma once
/// \file Spheres in anybody's Embree scene: an RTCGeometry of a Scene's spheres that is attached to an
/// RTCScene beside triangles.
///
/// The only header that includes Embree: 3.13 or 4, the one that Sphaera was built with (another major
/// version does not link). In CMake: `find_package(sphaera COMPONENTS embree)`, link `sphaera::embree`.
///
/// ```cpp
/// const sphaera::Scene crowd = sphaera::Scene::build(people);
/// const sphaera::embree::SphereGeometry geometry(device, crowd);
/// const unsigned crowd_id = rtcAttachGeometry(level, geometry.get());  // a scene that holds walls
/// rtcCommitScene(level);
///
/// RTCRayHit ray = …;
/// sphaera::embree::QueryContext context;
/// sphaera::embree::intersect1(level, context, ray);  // or rtcIntersect1, 4, 8, 16 with any context
/// if (ray.hit.geomID == crowd_id) std::printf("person %u after %g\n", ray.hit.primID, ray.ray.tfar);
/// ```
///
/// **What a hit holds.** `primID` is the sphere's id, for both granularities. `tfar` is the largest float
/// that is not above the exact t at which the ray enters the closed ball (coherent packets: below); a ray
/// that starts inside hits at its start. `Ng` is the outward unit normal there, (point − center)/|point −
/// center|, 0 at the center. u is 0, or 1 where a filter left only the exit (below); v is 0. `geomID` and
/// `instID` are Embree's.
///
/// **What is exact.** Hit or miss and the first of the geometry's spheres equal those of exact arithmetic,
/// ties to the lowest id, for
/// - the ray in doubles, if it travels in a `QueryContext` (GeometryOptions::contexts);
/// - else the float ray, its floats taken as doubles, from tnear to tfar.
/// The caller may flush denormals to zero or read them as zero: it changes no decision. The rounding mode
/// must be to nearest: Embree tests boxes in the caller's mode.
///
/// **A wall and a sphere.** The sphere is nearer if its exact entry lies before the wall's tfar, which is a
/// float taken as a double; at a tie the wall stays. tfar is rounded down, so this holds whichever Embree
/// visits first. A second SphereGeometry in the same RTCScene counts as a wall.
/// Embree may report a triangle an ulp behind the end of the ray: then float rays meet spheres up to there.
///
/// **Where it holds.** Embree culls boxes in float. The boxes are inflated such that no sphere that a ray
/// touches is lost (engine/bridge/proofs.md) if
/// - every coordinate of spheres and of ray origins is within `GeometryOptions::extent`;
/// - the largest component of the direction is between 2^-30 and 2^60;
/// - the float ray is the double ray rounded as `float_ray` does;
/// - in coherent packets, no component of a float direction is between −10^-18 and 0 (`float_ray` makes these
/// 0):
///   one such ray would make Embree lose spheres of the whole packet.
/// A ray from outside the extent may lose a sphere that it only grazes (by less than its distance · 2^-19);
/// its answer is exact among the spheres that Embree found. `RTC_SCENE_FLAG_ROBUST` makes no difference
/// to user geometry, and is not needed. Proven for rtcIntersect1/4/8/16 and rtcOccluded1/4/8/16, coherent or
/// not; not for the streams of Embree 3 (rtcIntersect1M, NM, Np), which work. Where an RTCScene holds one
/// SphereGeometry of granularity `scene` and no other user geometry, Embree tests no box, and there is no
/// such condition.
///
/// **Ray packets** (4, 8, 16). Embree skips rays with tnear = tfar. Where a packet is flagged coherent,
/// - a hit of granularity `spheres` leaves tfar no less than the float after tnear, nor less than 2^-126
///   (unless the ray ended before): else Embree would visit no other sphere. A wall with exactly this tfar
///   wins if Embree visits it later: not a triangle, but one in an instance, or other user geometry. Embree 4
///   does not show the flag: there, so it is in all packets;
/// - other user geometry that is met before a tfar below 2^-126 is skipped if denormals are read as zero;
/// - rtcOccluded16 in a scene with instances may not return, in Debian's Embree 3.13.5 with AVX-512 (its
///   compiler's fault; `isa=avx2` in rtcNewDevice avoids it);
/// - in packets of 8 and 16 rays, Debian's Embree 3.13.5 for aarch64 traces rays that are not valid, too.
///
/// **Instances.** The ray that is decided in an instance is the float ray in object space that Embree's
/// transform gives, exactly as above, or what `QueryContext::in_instance` returns. Embree transforms rays and
/// boxes in float without margin. Where an instance rotates, mirrors, translates and scales all axes by s, no
/// hit is lost if the extent is at least 8·W/s, W the largest world coordinate of ray origins, of the
/// instance's box and of its translation. Proven for one level of instances; in coherent packets no component
/// may be between −10^-18 and 0 in object space, either. Elements of an instance array (Embree 4.3) count as
/// instances: `in_instance` gets the array's id, and finds the element in the context's instPrimID.
///
/// **Filters** of the geometry and of the query are called for the entry of a sphere, and if they reject it,
/// for its exit; if they reject both, the search goes on behind. They may be called for hits that are not the
/// first, in any order, but once for each entry and exit. A ray that starts inside has its entry at its
/// start. Exits compare by their t in double, good to 1 ulp. The query's filter is `filter` of its context:
/// Embree's own field in Embree 3, which asks for RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION; that of a
/// `QueryContext` in Embree 4, which does not hand the filter of a call's arguments to user geometry.
///
/// **Motion.** With GeometryOptions::time, ray.time 0 … 1 stands for an instant of the scene's time; each
/// sphere is where it is at that instant, exactly.
///
/// Thread safety: callbacks only read, so any number of threads may query. They throw nothing and allocate
/// nothing. Nothing else may run on the RTCScene or on the Scene during `update`, as for any RTCGeometry.

#include <sphaera/config/requirements.hpp>

#if !defined(RTC_VERSION_MAJOR)
#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif
#endif

#include <cstdint>
#include <memory>
#include <span>
#include <sphaera/config/export.hpp>
#include <sphaera/hit.hpp>
#include <sphaera/ray.hpp>
#include <sphaera/scene.hpp>

#if RTC_VERSION_MAJOR >= 4
#define SPHAERA_EMBREE_ABI embree_4
#else
#define SPHAERA_EMBREE_ABI embree_3
#endif

namespace sphaera::inline SPHAERA_ABI::embree {
inline namespace SPHAERA_EMBREE_ABI {

/// What a primitive of the geometry is.
enum class Granularity : std::uint8_t {
  /// The whole Scene is one primitive, and Sphaera's index finds the sphere: Embree needs no memory for
  /// spheres.
  scene,
  /// One primitive a sphere, found by Embree's BVH: needed for rtcCollide; rtcPointQuery works with both.
  spheres,
};

/// Type of query context passed to Embree; Embree cannot detect it.
enum class Contexts : std::uint8_t {
  plain,     ///< Embree's own, or QueryContext, whose fields are then not read
  extended,  ///< QueryContext in every query; a plain one is undefined behavior
};

/// Primitives, boxes, filters and motion of a SphereGeometry.
struct GeometryOptions {
  Granularity granularity = Granularity::scene;
  Contexts contexts = Contexts::plain;
  /// The largest magnitude of a coordinate of spheres and ray origins in the RTCScene to which the geometry
  /// is attached (for an instanced one in its object space). Boxes are inflated by 24·2^-24 of it. 0: 256
  /// times (`scene`) or 4 times (`spheres`) the largest coordinate of the spheres' bounds, computed again by
  /// each update. At most 2^60; less than 2^-40 counts as 2^-40.
  double extent = 0;
  LayerMask layers = all_layers;  ///< spheres on other layers are not in the geometry
  /// A ray meets the geometry if (ray.mask & mask) != 0, also if Embree was built without ray masks (as
  /// Debian's, which ignores the masks of triangles, too). Give the mask here and not by rtcSetGeometryMask.
  unsigned mask = ~0u;
  /// Call filters. false: filters are not called; occlusion rays cost less.
  bool filters = true;
  /// For spheres with velocities: the scene times of ray.time 0 and 1, within the horizon of the Scene. Not
  /// given: all spheres are where they are at time 0.
  Horizon time = Horizon::not_given();
  /// How Embree rebuilds its part when the spheres have moved; RTC_BUILD_QUALITY_REFIT refits where the
  /// RTCScene is dynamic.
  RTCBuildQuality quality = RTC_BUILD_QUALITY_MEDIUM;
};

/// The spheres of a Scene as an RTCGeometry: committed, to be attached to any RTCScenes of its device.
///
/// Embree counts references to the RTCGeometry, but its callbacks use this object's data: it and the Scene
/// must outlive the last query on an RTCScene that the geometry is attached to. May be moved while attached.
/// An empty Scene is allowed.
class SPHAERA_API SphereGeometry {
 public:
  /// Throws Error: invalid_argument (no device; an option out of range; spheres beyond ±2^60 or the extent;
  /// times for a Scene without velocities or beyond its horizon), out_of_memory, internal (another error of
  /// the device, with Embree's number for it).
  SphereGeometry(RTCDevice device, const Scene& scene, const GeometryOptions& options = {});
  SphereGeometry(RTCDevice device, Scene&& scene, const GeometryOptions& options = {}) = delete;
  ~SphereGeometry();
  SphereGeometry(SphereGeometry&&) noexcept;  ///< the other can only be destroyed or assigned to
  SphereGeometry& operator=(SphereGeometry&&) noexcept;

  RTCGeometry get() const;  ///< for rtcAttachGeometry and rtcSetGeometry…Filter…; not for its callbacks

  /// After Scene::update: commits the geometry again; the caller then commits the RTCScenes. Errors as above;
  /// after an error the geometry is as it was. With walls that stay, make the RTCScene dynamic and of quality
  /// RTC_BUILD_QUALITY_LOW before its first commit: a later commit then keeps their index (0.05 ms beside
  /// 61,250 triangles). Otherwise it builds all triangles again (18 ms).
  void update();
  /// The same for another Scene that replaces the old one: the current one of a SceneBuffer.
  void update(const Scene& scene);
  void update(Scene&& scene) = delete;

  const Scene& scene() const;
  double extent() const;  ///< for which the boxes are inflated
  /// The instant of the scene's time for a ray's time: from + time·(to − from) in double, clamped to
  /// [from, to]; 0 without times.
  double scene_time(float ray_time) const;

  struct Data;
  const Data& data() const { return *data_; }  ///< for Sphaera's own functions

 private:
  std::unique_ptr<Data> data_;
};

#if RTC_VERSION_MAJOR >= 4
using PlainContext = RTCRayQueryContext;
#else
using PlainContext = RTCIntersectContext;
#endif

/// Embree's query context with what Sphaera adds. Spans are indexed by RTCRay::id; a ray whose id is beyond
/// the end of a span has none. The spans refer to arrays of the caller, which must outlive the calls. Of
/// Sphaera's geometries only those made with Contexts::extended read these fields; for others (`plain`, the
/// default) they have no effect.
struct QueryContext : PlainContext {
  /// A context without doubles, as rtcInitIntersectContext and rtcInitRayQueryContext make.
  QueryContext() noexcept : PlainContext() {
#if RTC_VERSION_MAJOR >= 4
    rtcInitRayQueryContext(this);
#else
    rtcInitIntersectContext(this);
#endif
  }

  /// The rays in doubles. A sphere counts from max(t_min, 0) to the lesser of t_max and the float ray's tfar,
  /// which a nearer wall shortens. A ray without doubles is decided by its floats. A ray that is not
  /// valid hits nothing.
  std::span<const Ray> rays;
  /// Receives the exact hit (t to 1 ulp) when a sphere becomes the nearest so far; rtcOccluded… does not
  /// write it. Holds the answer if hit.geomID is the geometry's in the end.
  std::span<Hit> hits;
  std::span<const std::int64_t> ignore;  ///< for each ray the id of a sphere that it ignores (−1: none)
  /// Instants of the scene's time, in place of ray.time. Outside the options' time a ray hits nothing.
  std::span<const double> times;
  LayerMask layers = all_layers;  ///< the layers seen, of those of the geometry
  /// The ray with this id in the object space of an instance, in doubles, with the same t. Null: the float
  /// ray. May not throw. The id of the innermost instance is given.
  Ray (*in_instance)(const QueryContext& context, unsigned ray_id, unsigned instance_id) = nullptr;
#if RTC_VERSION_MAJOR >= 4
  /// Called for the geometry's hits after the filter of the geometry itself; null: none. `intersect1` and
  /// `occluded1` give it to Embree for all other geometries, too.
  RTCFilterFunctionN filter = nullptr;
#endif
  void* user = nullptr;  ///< for the caller
  /// For each ray two owners whose spheres it ignores, as in QueryOptions: a line of sight ignores the looker
  /// and the target.
  std::span<const std::int64_t> ignore_owners, also_ignore_owners;
};

/// rtcIntersect1 with a QueryContext, for Embree 3 and 4.
inline void intersect1(RTCScene scene, QueryContext& context, RTCRayHit& ray) {
#if RTC_VERSION_MAJOR >= 4
  RTCIntersectArguments arguments;
  rtcInitIntersectArguments(&arguments);
  arguments.context = &context;
  arguments.filter = context.filter;
  if (context.filter) arguments.flags = RTC_RAY_QUERY_FLAG_INVOKE_ARGUMENT_FILTER;
  rtcIntersect1(scene, &ray, &arguments);
#else
  rtcIntersect1(scene, &context, &ray);
#endif
}
/// rtcOccluded1 with a QueryContext, for Embree 3 and 4.
inline void occluded1(RTCScene scene, QueryContext& context, RTCRay& ray) {
#if RTC_VERSION_MAJOR >= 4
  RTCOccludedArguments arguments;
  rtcInitOccludedArguments(&arguments);
  arguments.context = &context;
  arguments.filter = context.filter;
  if (context.filter) arguments.flags = RTC_RAY_QUERY_FLAG_INVOKE_ARGUMENT_FILTER;
  rtcOccluded1(scene, &ray, &arguments);
#else
  rtcOccluded1(scene, &context, &ray);
#endif
}

/// A ray's floats: origin and direction rounded to nearest, components of the direction between −10^-18 and 0
/// to 0; tnear rounded down, at least 0; tfar rounded up, and to the next float if it would equal tnear,
/// since Embree's packets skip rays of no length; mask ~0, flags 0. Not checked. Components beyond 3.4e38
/// become ±∞; the ranges for exact hits are at the top of this file.
SPHAERA_API RTCRay float_ray(const Ray& ray, unsigned id = 0, float time = 0);
/// The same with an empty hit.
SPHAERA_API RTCRayHit float_ray_hit(const Ray& ray, unsigned id = 0, float time = 0);

/// A search for the nearest sphere: the userPtr of rtcPointQuery with `point_query` as its function. For
/// walls call `point_query` from a function of your own if geomID is the geometry's.
struct PointQuery {
  const SphereGeometry* geometry = nullptr;
  unsigned geometry_id = 0;  ///< from rtcAttachGeometry; primitives of other geometries are passed over
  /// The point in doubles, whose floats the RTCPointQuery holds; null: those floats.
  const Vec3* point = nullptr;
  LayerMask layers = all_layers;
  std::int64_t ignore = -1;
  Neighbor nearest;  ///< the answer: exact among the spheres that reach into the query's radius, ties to the
                     ///< lowest id
  std::int64_t ignore_owner = -1;  ///< an owner whose spheres are ignored, as in QueryOptions::ignore_owners
};
/// Shrinks the query's radius to the nearest sphere found. Returns true if it found a nearer one. Time 0 of
/// the scene. In instances, and for a point beyond `domain_limit`, it does nothing and returns false.
SPHAERA_API bool point_query(RTCPointQueryFunctionArguments* arguments);

/// Do two closed balls touch? For the pairs that rtcCollide reports between geometries of granularity
/// `spheres`, whose boxes overlap: every pair that touches is reported. Exact, at time 0 of the scene.
/// Precondition: sphere_a < a.scene().spheres().size(), and the same for b; not checked. Layers
/// are not considered.
SPHAERA_API bool touch(const SphereGeometry& a, unsigned sphere_a, const SphereGeometry& b,
                       unsigned sphere_b);

}  // namespace SPHAERA_EMBREE_ABI
}  // namespace sphaera::inline SPHAERA_ABI::embree
