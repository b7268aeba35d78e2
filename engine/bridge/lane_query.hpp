#pragma once
/// \file The query of one lane of a callback: a path, and the spheres that count.

#include <algorithm>
#include <base/validate.hpp>
#include <bridge/data.hpp>
#include <cmath>
#include <limits>

namespace sphaera::bridge {

struct LaneQuery {
  exact::Path path;  ///< ends at tfar at the latest
  LayerMask layers = all_layers;
  std::int64_t ignore = -1;
  std::int64_t ignore_owner = -1, also_ignore_owner = -1;
  double time = 0;  ///< instant of the scene's time
};

/// The least tfar with which Embree's coherent packets go on after tnear: they test tnear < tfar, and may
/// read denormals as 0.
inline float least_tfar(float tnear) {
  return std::max(std::nextafter(tnear, std::numeric_limits<float>::infinity()),
                  std::numeric_limits<float>::min());
}

/// The innermost instance that the ray is in; RTC_INVALID_GEOMETRY_ID outside of all.
SPHAERA_INLINE unsigned instance_of(const embree::PlainContext& context) {
#if RTC_MAX_INSTANCE_LEVEL_COUNT > 1
  return context.instStackSize > 0 ? context.instID[context.instStackSize - 1] : RTC_INVALID_GEOMETRY_ID;
#else
  return context.instID[0];
#endif
}

/// The float ray in doubles; t_max is infinite, since the caller sets the end.
SPHAERA_INLINE Ray in_double(const RTCRay& r) {
  return {{r.org_x, r.org_y, r.org_z}, {r.dir_x, r.dir_y, r.dir_z}, r.tnear, infinity};
}

/// The ray to answer: the caller's ray in doubles if there is one, with t_min at least 0, else the floats.
/// Within an instance that ray in doubles is what `in_instance` returns; without this function, the floats.
SPHAERA_INLINE Ray ray_of(const RTCRay& floats, const QueryContext* extended, unsigned instance) {
  if (!extended || floats.id >= extended->rays.size()) return in_double(floats);
  Ray ray = extended->rays[floats.id];
  if (instance != RTC_INVALID_GEOMETRY_ID) {
    if (!extended->in_instance) return in_double(floats);
    ray = extended->in_instance(*extended, floats.id, instance);
  }
  ray.t_min = ray.t_min > 0 ? ray.t_min : 0;
  return ray;
}

/// Sets `lane_query` to the query of a ray; returns false if the answer is a miss for certain. The path
/// ends at `t_far` or at the t_max of a ray in doubles, whichever is smaller.
SPHAERA_INLINE bool prepare_query(const Data& data, const embree::PlainContext& context, const RTCRay& floats,
                                  double t_far, LaneQuery& lane_query) {
  if (!(floats.mask & data.options.mask)) return false;
  const QueryContext* const extended = data.extended(context);
  Ray ray = ray_of(floats, extended, instance_of(context));
  ray.t_max = std::min(ray.t_max, t_far);
  if (!(ray.t_min <= ray.t_max) || !base::valid(ray)) return false;
  lane_query.path = exact::path_of(ray);
  lane_query.layers = data.options.layers;
  if (extended) {
    lane_query.layers &= extended->layers;
    const auto item_of = [&](std::span<const std::int64_t> items) {
      return floats.id < items.size() ? items[floats.id] : -1;
    };
    lane_query.ignore = item_of(extended->ignore);
    lane_query.ignore_owner = item_of(extended->ignore_owners);
    lane_query.also_ignore_owner = item_of(extended->also_ignore_owners);
  }
  if (!data.moving) return true;
  const bool given = extended && floats.id < extended->times.size();
  lane_query.time = given ? extended->times[floats.id] : data.instant(floats.time);
  return data.options.time.from <= lane_query.time && lane_query.time <= data.options.time.to;
}

}  // namespace sphaera::bridge
