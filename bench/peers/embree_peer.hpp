#pragma once
/// \file Shared code of the Embree peers: a device that counts its bytes, rays and boxes rounded outward to
/// float, a scene of one geometry, and batches over it.

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <bench/peers/outward_rounding.hpp>
#include <cstdint>
#include <embree_index/embree_rays.hpp>
#include <sphaera/hit.hpp>
#include <sphaera/ray.hpp>
#include <sphaera/sphere.hpp>

namespace sphaera::bench {

using embree_index::GeometryHandle, embree_index::SceneHandle, embree_index::RayContext;
using embree_index::init_context, embree_index::intersect1, embree_index::occluded1;

/// An Embree device that counts the bytes it holds.
class CountingDevice {
 public:
  CountingDevice();

  RTCDevice get() const { return device_.get(); }
  double bytes() const { return static_cast<double>(bytes_.load()); }

 private:
  std::atomic<std::int64_t> bytes_{0};  // outlives the device, which reports to it
  index::DeviceHandle device_;
};

/// A sphere as Embree's sphere points store it.
struct FloatPoint {
  float x, y, z, r;
};

/// The sphere in float, rounded to nearest.
inline FloatPoint float_point(const Vec3& center, double radius) {
  return {static_cast<float>(center.x), static_cast<float>(center.y), static_cast<float>(center.z),
          static_cast<float>(radius)};
}

/// A ray that all masks admit: origin and direction rounded to nearest.
inline RTCRay float_ray(const Vec3& origin, const Vec3& direction, float t_near, float t_far) {
  RTCRay out{};
  out.org_x = static_cast<float>(origin.x);
  out.org_y = static_cast<float>(origin.y);
  out.org_z = static_cast<float>(origin.z);
  out.dir_x = static_cast<float>(direction.x);
  out.dir_y = static_cast<float>(direction.y);
  out.dir_z = static_cast<float>(direction.z);
  out.tnear = t_near;
  out.tfar = t_far;
  out.mask = 0xffffffffu;
  return out;
}

/// The ray in float, rounded to nearest.
inline RTCRay float_ray(const Ray& ray) {
  return float_ray(ray.origin, ray.direction, static_cast<float>(ray.t_min), static_cast<float>(ray.t_max));
}

/// The ray in float: tnear rounded down, tfar up, origin and direction to nearest.
inline RTCRay outward_ray(const Ray& ray) {
  return float_ray(ray.origin, ray.direction, std::max(0.0f, below(ray.t_min)), above(ray.t_max));
}

/// The box of a sphere, rounded outward.
inline void set_outward_box(RTCBounds& box, const Sphere& sphere) {
  const auto& [c, r] = sphere;
  box.lower_x = below(c.x - r);
  box.lower_y = below(c.y - r);
  box.lower_z = below(c.z - r);
  box.upper_x = above(c.x + r);
  box.upper_y = above(c.y + r);
  box.upper_z = above(c.z + r);
}

/// One geometry on its own device.
class EmbreePeer {
 public:
  /// Builds the index over `geometry` in the caller's arena. Quality medium: on crowd 1e6, belt 1e5 and
  /// uniform 1e5 high quality answered any-hit no faster and often 5–10 % slower, low quality up to twice as
  /// slow.
  void commit(GeometryHandle geometry);

  RTCDevice device() const { return device_.get(); }
  RTCScene scene() const { return scene_.get(); }
  double bytes() const { return device_.bytes(); }

 private:
  CountingDevice device_;
  SceneHandle scene_;
};

/// Rays per task: at least 50 µs of work, compared with about 1 µs of overhead per task.
inline constexpr std::size_t peer_grain = 512;

/// Calls answer(i) for each of n rays, in parallel.
template <class Answer>
void for_each_in_parallel(std::size_t n, const Answer& answer) {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, peer_grain), [&](const auto& range) {
    for (std::size_t i = range.begin(); i != range.end(); ++i) answer(i);
  });
}

/// Builds lists of hits; collect(i, hits) appends the hits of ray i in order.
template <class Item, class Collect>
Lists<Item> gather(std::size_t n, const Collect& collect) {
  Lists<Item> lists;
  lists.offsets.assign(n + 1, 0);
  const std::size_t pieces = (n + peer_grain - 1) / peer_grain;
  std::vector<std::vector<Item>> found(pieces);
  tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t piece) {
    for (std::size_t i = piece * peer_grain; i < std::min(n, (piece + 1) * peer_grain); ++i) {
      const std::size_t before = found[piece].size();
      collect(i, found[piece]);
      lists.offsets[i + 1] = found[piece].size() - before;
    }
  });
  for (std::size_t i = 0; i < n; ++i) lists.offsets[i + 1] += lists.offsets[i];
  lists.items.resize(lists.offsets[n]);
  tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t piece) {
    std::copy(found[piece].begin(), found[piece].end(),
              lists.items.begin() + static_cast<std::ptrdiff_t>(lists.offsets[piece * peer_grain]));
  });
  return lists;
}

}  // namespace sphaera::bench
