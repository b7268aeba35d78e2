/// \file The straightforward user geometry: one primitive per sphere, bounds rounded outward to float, and a
/// certified test in double in the callbacks (binary128 where double is unsure). The double ray is passed in
/// the context.

#include <bench/measure/engine.hpp>
#include <bench/measure/huge_vector.hpp>
#include <bench/peers/embree_peer.hpp>
#include <bench/peers/naive/certified.hpp>
#include <bench/peers/outward_rounding.hpp>
#include <cmath>

namespace sphaera::bench {
namespace {

struct Candidate {
  std::int64_t sphere = -1;
  CertifiedHit hit;
};

/// Context of a ray. Embree passes `context` to the callbacks; their cast to Query needs it as the first
/// member.
struct Query {
  explicit Query(const Ray& r) : ray(r) { init_context(context); }

  RayContext context;
  CertifiedRay ray;
  Candidate best;                           ///< for first hit
  std::vector<Candidate>* found = nullptr;  ///< list of all hits; null: any hit suffices
};

const Sphere& sphere_of(const void* spheres, unsigned id) { return static_cast<const Sphere*>(spheres)[id]; }

/// The order of hits: entry, then id, decided in binary128 where double is unsure.
bool before(const Ray& ray, const Sphere* spheres, const Candidate& a, const Candidate& b) {
  const double gap = b.hit.enter - a.hit.enter;
  if (std::abs(gap) > a.hit.error + b.hit.error) return gap > 0;
  const Sphere &first = spheres[a.sphere], &second = spheres[b.sphere];
  if (enters_before(ray, first, second)) return true;
  return !enters_before(ray, second, first) && a.sphere < b.sphere;
}

Hit hit_of(const Candidate& candidate) {
  const CertifiedHit& hit = candidate.hit;
  if (candidate.sphere < 0) return {};
  return {hit.enter, hit.exit, candidate.sphere,
          hit.starts_inside ? Contact::starts_inside : Contact::enters};
}

void bound(const RTCBoundsFunctionArguments* arguments) {
  set_outward_box(*arguments->bounds_o, sphere_of(arguments->geometryUserPtr, arguments->primID));
}

void occluded(const RTCOccludedFunctionNArguments* arguments) {
  auto* query = reinterpret_cast<Query*>(arguments->context);
  const CertifiedHit hit =
      certified_hit(query->ray, sphere_of(arguments->geometryUserPtr, arguments->primID));
  if (!hit.is_hit) return;
  if (query->found) {
    query->found->push_back({arguments->primID, hit});
  } else {
    RTCRayN_tfar(arguments->ray, 1, 0) = -float_infinity;
  }
}

void intersect(const RTCIntersectFunctionNArguments* arguments) {
  auto* query = reinterpret_cast<Query*>(arguments->context);
  const auto* spheres = static_cast<const Sphere*>(arguments->geometryUserPtr);
  const Candidate candidate{arguments->primID, certified_hit(query->ray, spheres[arguments->primID])};
  if (!candidate.hit.is_hit) return;
  if (query->best.sphere >= 0 && !before(query->ray.ray, spheres, candidate, query->best)) return;
  query->best = candidate;
  RTCRayN* ray = RTCRayHitN_RayN(arguments->rayhit, 1);
  RTCRayN_tfar(ray, 1, 0) = above(candidate.hit.enter + candidate.hit.error);
}

class Naive final : public Engine {
 public:
  void build(std::span<const Sphere> spheres) override {
    spheres_.assign(spheres.begin(), spheres.end());
    GeometryHandle geometry(rtcNewGeometry(peer_.device(), RTC_GEOMETRY_TYPE_USER));
    rtcSetGeometryUserPrimitiveCount(geometry.get(), static_cast<unsigned>(spheres_.size()));
    rtcSetGeometryUserData(geometry.get(), spheres_.data());
    rtcSetGeometryBoundsFunction(geometry.get(), bound, nullptr);
    rtcSetGeometryIntersectFunction(geometry.get(), intersect);
    rtcSetGeometryOccludedFunction(geometry.get(), occluded);
    peer_.commit(std::move(geometry));
  }

  double bytes() const override { return peer_.bytes(); }

  void blocked(std::span<const Ray> rays, std::span<std::uint8_t> out) const override {
    for_each_in_parallel(rays.size(), [&](std::size_t i) {
      Query query(rays[i]);
      RTCRay ray = outward_ray(rays[i]);
      occluded1(peer_.scene(), ray, query.context);
      out[i] = ray.tfar < 0;
    });
  }

  void first_hit(std::span<const Ray> rays, std::span<Hit> out) const override {
    for_each_in_parallel(rays.size(), [&](std::size_t i) {
      Query query(rays[i]);
      RTCRayHit ray{};
      ray.ray = outward_ray(rays[i]);
      ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
      intersect1(peer_.scene(), ray, query.context);
      out[i] = hit_of(query.best);
    });
  }

  HitLists all_hits(std::span<const Ray> rays) const override {
    return gather<Hit>(rays.size(), [&](std::size_t i, std::vector<Hit>& hits) {
      thread_local std::vector<Candidate> found;
      found.clear();
      Query query(rays[i]);
      query.found = &found;
      RTCRay ray = outward_ray(rays[i]);
      occluded1(peer_.scene(), ray, query.context);
      std::sort(found.begin(), found.end(), [&](const Candidate& a, const Candidate& b) {
        return before(rays[i], spheres_.data(), a, b);
      });
      for (const Candidate& candidate : found) hits.push_back(hit_of(candidate));
    });
  }

 private:
  HugeVector<Sphere> spheres_;
  EmbreePeer peer_;
};

}  // namespace

std::unique_ptr<Engine> make_naive() { return std::make_unique<Naive>(); }

}  // namespace sphaera::bench
