#pragma once
/// \file One ray of a callback's N: its floats, its hit, its filters.

#include <algorithm>
#include <bridge/call_mode.hpp>
#include <bridge/entry_or_exit.hpp>
#include <cmath>

namespace sphaera::bridge {

/// Calls the filters of the geometry and, in Embree 3, of the context.
#if RTC_VERSION_MAJOR >= 4
inline void embree_filters(const RTCIntersectFunctionNArguments& args,
                           const RTCFilterFunctionNArguments& filter_args) {
  rtcInvokeIntersectFilterFromGeometry(&args, &filter_args);
}
inline void embree_filters(const RTCOccludedFunctionNArguments& args,
                           const RTCFilterFunctionNArguments& filter_args) {
  rtcInvokeOccludedFilterFromGeometry(&args, &filter_args);
}
#else
inline void embree_filters(const RTCIntersectFunctionNArguments& args,
                           const RTCFilterFunctionNArguments& filter_args) {
  rtcFilterIntersection(&args, &filter_args);
}
inline void embree_filters(const RTCOccludedFunctionNArguments& args,
                           const RTCFilterFunctionNArguments& filter_args) {
  rtcFilterOcclusion(&args, &filter_args);
}
#endif

/// Calls all filters for one ray. With Embree 4, this function must call the filter of the context itself.
template <class Args>
void filter(const Args& args, const RTCFilterFunctionNArguments& filter_args, const QueryContext* context) {
  embree_filters(args, filter_args);
#if RTC_VERSION_MAJOR >= 4
  if (context && context->filter && *filter_args.valid != 0) context->filter(&filter_args);
#else
  static_cast<void>(context);  // Embree 3 has called its filter above
#endif
}

SPHAERA_INLINE RTCRayN* rays_of(const RTCIntersectFunctionNArguments& args) {
  return RTCRayHitN_RayN(args.rayhit, args.N);
}
SPHAERA_INLINE RTCRayN* rays_of(const RTCOccludedFunctionNArguments& args) { return args.ray; }

/// The floats of a crossing, except tfar.
template <class Spheres>
RTCHit hit_at(const Spheres& spheres, const EntryOrExit& crossing, unsigned geometry,
              const embree::PlainContext& context) {
  const auto id = static_cast<std::uint32_t>(crossing.hit.sphere);
  const Vec3 normal = spheres.offset(id) + crossing.t() * spheres.path().direction;
  const double square = dot(normal, normal), inverse = square > 0 ? 1 / std::sqrt(square) : 0;
  RTCHit hit{};
  hit.Ng_x = static_cast<float>(normal.x * inverse), hit.Ng_y = static_cast<float>(normal.y * inverse);
  hit.Ng_z = static_cast<float>(normal.z * inverse);
  hit.u = crossing.exit ? 1 : 0, hit.v = 0;
  hit.primID = id, hit.geomID = geometry;
  for (unsigned level = 0; level < RTC_MAX_INSTANCE_LEVEL_COUNT; ++level) {
    hit.instID[level] = context.instID[level];
#if defined(RTC_GEOMETRY_INSTANCE_ARRAY)
    hit.instPrimID[level] = context.instPrimID[level];
#endif
  }
  return hit;
}

/// One ray of N. `Args` are those of an intersect or occluded function.
template <class Args>
class Lane {
 public:
  SPHAERA_INLINE Lane(const Data& data, const Args& args, unsigned i, const CallMode& mode)
      : data_(data), args_(args), i_(i), mode_(mode), floats_(rtcGetRayFromRayN(rays_of(args), args.N, i)) {}

  const Data& data() const { return data_; }
  const RTCRay& floats() const { return floats_; }
  const embree::PlainContext& context() const { return *args_.context; }
  static constexpr bool occluded = std::is_same_v<Args, RTCOccludedFunctionNArguments>;

  /// The hit that the ray has.
  RTCHit hit() const
    requires(!occluded)
  {
    return rtcGetHitFromHitN(RTCRayHitN_HitN(args_.rayhit, args_.N), args_.N, i_);
  }
  /// Is this a hit with this geometry, in the instance in which the ray is now?
  bool is_ours(const RTCHit& hit) const {
    const auto same = [](const auto& a, const auto& b) {
      return std::equal(std::begin(a), std::end(a), std::begin(b));
    };
    if (hit.geomID != args_.geomID || !same(hit.instID, args_.context->instID)) return false;
#if defined(RTC_GEOMETRY_INSTANCE_ARRAY)  // Embree 4.3: elements of an instance array share an instID
    return same(hit.instPrimID, args_.context->instPrimID);
#else
    return true;
#endif
  }

  /// Shows a crossing to the filters. If they let it through, returns true and makes it the ray's hit, unless
  /// `occluded`.
  template <class Spheres>
  bool offer(const Spheres& spheres, const EntryOrExit& crossing, exact::Counts& counts) const {
    const float tfar = tfar_of(spheres, crossing, counts);
    RTCHit hit = hit_at(spheres, crossing, args_.geomID, *args_.context);
    if (data_.options.filters && !passes(hit, tfar)) return false;
    if constexpr (!occluded) {
      RTCRayN_tfar(rays_of(args_), args_.N, i_) = goes_on(tfar);
      rtcCopyHitToHitN(RTCRayHitN_HitN(args_.rayhit, args_.N), &hit, args_.N, i_);
      report(crossing.hit);
    }
    return true;
  }
  /// Marks the ray as occluded.
  void mark_occluded() const {
    RTCRayN_tfar(rays_of(args_), args_.N, i_) = -std::numeric_limits<float>::infinity();
  }

 private:
  /// tfar with which Embree still visits the spheres that are met before this one (proofs.md, section 2).
  float goes_on(float tfar) const {
    if (data_.options.granularity == Granularity::scene || !may_be_coherent()) return tfar;
    return std::max(tfar, std::min(least_tfar(floats_.tnear), floats_.tfar));
  }
  /// Embree 4 does not show the flags of the call.
  bool may_be_coherent() const {
#if RTC_VERSION_MAJOR >= 4
    return args_.N > 1;
#else
    return args_.N > 1 && (args_.context->flags & RTC_INTERSECT_CONTEXT_FLAG_COHERENT) != 0;
#endif
  }
  /// Filters get a single ray in place, because the caller may keep data next to it. They get a ray of a
  /// packet as a copy.
  bool passes(RTCHit& hit, float tfar) const {
    RTCRay copy = floats_;
    auto* const ray = args_.N == 1 ? reinterpret_cast<RTCRay*>(rays_of(args_)) : &copy;
    const float before = ray->tfar;
    ray->tfar = tfar;
    int valid = -1;
    RTCFilterFunctionNArguments filter_args{};
    filter_args.valid = &valid, filter_args.geometryUserPtr = args_.geometryUserPtr;
    filter_args.context = args_.context, filter_args.N = 1;
    filter_args.ray = reinterpret_cast<RTCRayN*>(ray), filter_args.hit = reinterpret_cast<RTCHitN*>(&hit);
    mode_.outside([&] { filter(args_, filter_args, data_.extended(*args_.context)); });
    ray->tfar = before;
    return valid != 0;
  }
  void report(const Hit& hit) const {
    const QueryContext* const context = data_.extended(*args_.context);
    if (context && floats_.id < context->hits.size()) context->hits[floats_.id] = hit;
  }

  const Data& data_;
  const Args& args_;
  unsigned i_;
  const CallMode& mode_;
  RTCRay floats_;
};

using HitLane = Lane<RTCIntersectFunctionNArguments>;
using ShadowLane = Lane<RTCOccludedFunctionNArguments>;

}  // namespace sphaera::bridge
