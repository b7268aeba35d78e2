/// \file Embree's built-in sphere points: float centers, float radii, float rays.

#include <bench/measure/engine.hpp>
#include <bench/measure/huge_vector.hpp>
#include <bench/peers/embree_ways.hpp>
#include <mutex>

namespace sphaera::bench {
namespace {

struct Crossing {
  unsigned sphere;
  bool enters;  // false: the ray leaves the sphere
  float t;
};

/// Context of an all-hits ray. Embree passes `context` to the filter, whose cast to Collector needs it as the
/// first member.
struct Collector {
  RayContext context;
  std::vector<Crossing> crossings;
};

/// Records each crossing of a surface and rejects it as an occluder, so that Embree continues.
void note_crossing(const RTCFilterFunctionNArguments* arguments) {
  RTCRayN* ray = arguments->ray;
  RTCHitN* hit = arguments->hit;
  const float along_normal = RTCRayN_dir_x(ray, 1, 0) * RTCHitN_Ng_x(hit, 1, 0) +
                             RTCRayN_dir_y(ray, 1, 0) * RTCHitN_Ng_y(hit, 1, 0) +
                             RTCRayN_dir_z(ray, 1, 0) * RTCHitN_Ng_z(hit, 1, 0);
  reinterpret_cast<Collector*>(arguments->context)
      ->crossings.push_back({RTCHitN_primID(hit, 1, 0), along_normal < 0, RTCRayN_tfar(ray, 1, 0)});
  arguments->valid[0] = 0;
}

/// Merges the one or two crossings of each sphere into one hit.
void append_hits(std::vector<Crossing>& crossings, double t_min, std::vector<Hit>& hits) {
  std::sort(crossings.begin(), crossings.end(), [](const Crossing& a, const Crossing& b) {
    return a.sphere != b.sphere ? a.sphere < b.sphere : a.enters > b.enters;
  });
  const auto start = static_cast<std::ptrdiff_t>(hits.size());
  for (const auto& [sphere, enters, t] : crossings) {
    if (enters || hits.size() == static_cast<std::size_t>(start) || hits.back().sphere != sphere) {
      hits.push_back({.sphere = sphere, .contact = enters ? Contact::enters : Contact::starts_inside});
      hits.back().t_enter = enters ? static_cast<double>(t) : t_min;
    }
    if (!enters) hits.back().t_exit = static_cast<double>(t);
  }
  std::sort(hits.begin() + start, hits.end(), [](const Hit& a, const Hit& b) {
    return a.t_enter != b.t_enter ? a.t_enter < b.t_enter : a.sphere < b.sphere;
  });
}

/// See Piece.
struct BuiltinLanes {
  RayContext context;

  static RTCRay set(std::size_t, const Ray& ray) { return float_ray(ray); }
  static void answer(std::size_t, const Found& found, std::uint8_t& out) { out = found.t_far < 0; }
  static void answer(std::size_t, const Found& found, Hit& out) {
    out = Hit{};
    if (found.geometry == RTC_INVALID_GEOMETRY_ID) return;
    out.t_enter = static_cast<double>(found.t_far);
    out.sphere = found.primitive;
    out.contact = Contact::enters;
  }
};

class Builtin final : public EmbreeEngine<BuiltinLanes> {
 public:
  InsideStart inside_start() const override { return InsideStart::differs; }

  void build(std::span<const Sphere> spheres) override {
    points_.resize(spheres.size());
    for_each_in_parallel(spheres.size(), [&](std::size_t i) {
      points_[i] = float_point(spheres[i].center, spheres[i].radius);
    });
    peer_.commit(geometry(peer_));
  }

  double bytes() const override {
    return peer_.bytes() + static_cast<double>(points_.size() * sizeof(FloatPoint));
  }

  HitLists all_hits(std::span<const Ray> rays) const override {
    // In Embree a filter belongs to a geometry. A separate index keeps filter calls out of the other queries.
    // It is built on first use, which is never measured.
    std::call_once(all_hits_peer_built_, [&] {
      GeometryHandle spheres = geometry(all_hits_peer_);
      rtcSetGeometryOccludedFilterFunction(spheres.get(), note_crossing);
      all_hits_peer_.commit(std::move(spheres));
    });
    return gather<Hit>(rays.size(), [&](std::size_t i, std::vector<Hit>& hits) {
      thread_local Collector collector;
      collector.crossings.clear();
      init_context(collector.context);
      RTCRay ray = float_ray(rays[i]);
      occluded1(all_hits_peer_.scene(), ray, collector.context);
      append_hits(collector.crossings, rays[i].t_min, hits);
    });
  }

 private:
  GeometryHandle geometry(const EmbreePeer& peer) const {
    GeometryHandle geometry(rtcNewGeometry(peer.device(), RTC_GEOMETRY_TYPE_SPHERE_POINT));
    rtcSetSharedGeometryBuffer(geometry.get(), RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, points_.data(),
                               0, sizeof(FloatPoint), points_.size());
    return geometry;
  }

  HugeVector<FloatPoint> points_;
  mutable EmbreePeer all_hits_peer_;
  mutable std::once_flag all_hits_peer_built_;
};

}  // namespace

std::unique_ptr<Engine> make_builtin() { return std::make_unique<Builtin>(); }

}  // namespace sphaera::bench
