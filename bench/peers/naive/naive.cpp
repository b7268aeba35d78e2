/// \file The straightforward user geometry: one primitive per sphere, bounds rounded outward to float, and a
/// certified test in double in the callbacks (binary128 where double is unsure). The double ray is passed in
/// the context.

#include <bench/measure/engine.hpp>
#include <bench/measure/huge_vector.hpp>
#include <bench/peers/embree_ways.hpp>
#include <bench/peers/naive/certified.hpp>
#include <bench/peers/outward_rounding.hpp>
#include <cmath>

namespace sphaera::bench {
namespace {

struct Candidate {
  std::int64_t sphere = -1;
  CertifiedHit hit;
};

/// Contexts of rays that are passed together; `id` of a float ray is its lane. Embree passes `context` to the
/// callbacks; their cast to NaiveLanes needs it as the first member. See Piece.
struct NaiveLanes {
  RayContext context;
  std::vector<Candidate>* found = nullptr;  ///< list of all hits; null: any hit suffices
  std::array<CertifiedRay, rays_together> rays;
  std::array<Candidate, rays_together> best;  ///< for first hits

  RTCRay set(std::size_t lane, const Ray& ray) {
    rays[lane] = CertifiedRay(ray), best[lane] = {};
    return outward_ray(ray);
  }
  static void answer(std::size_t, const Found& found, std::uint8_t& out) { out = found.t_far < 0; }
  void answer(std::size_t lane, const Found&, Hit& out) const;
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

void NaiveLanes::answer(std::size_t lane, const Found&, Hit& out) const { out = hit_of(best[lane]); }

void occluded(const RTCOccludedFunctionNArguments* arguments) {
  auto* lanes = reinterpret_cast<NaiveLanes*>(arguments->context);
  const Sphere& sphere = sphere_of(arguments->geometryUserPtr, arguments->primID);
  for (unsigned i = 0; i < arguments->N; ++i) {
    if (arguments->valid[i] == 0) continue;
    const CertifiedHit hit = certified_hit(lanes->rays[RTCRayN_id(arguments->ray, arguments->N, i)], sphere);
    if (!hit.is_hit) continue;
    if (lanes->found)
      lanes->found->push_back({arguments->primID, hit});
    else
      RTCRayN_tfar(arguments->ray, arguments->N, i) = -float_infinity;
  }
}

void intersect(const RTCIntersectFunctionNArguments* arguments) {
  auto* lanes = reinterpret_cast<NaiveLanes*>(arguments->context);
  const auto* spheres = static_cast<const Sphere*>(arguments->geometryUserPtr);
  RTCRayN* rays = RTCRayHitN_RayN(arguments->rayhit, arguments->N);
  for (unsigned i = 0; i < arguments->N; ++i) {
    if (arguments->valid[i] == 0) continue;
    const unsigned lane = RTCRayN_id(rays, arguments->N, i);
    const CertifiedRay& ray = lanes->rays[lane];
    const Candidate candidate{arguments->primID, certified_hit(ray, spheres[arguments->primID])};
    Candidate& best = lanes->best[lane];
    if (!candidate.hit.is_hit) continue;
    if (best.sphere >= 0 && !before(ray.ray, spheres, candidate, best)) continue;
    best = candidate;
    RTCRayN_tfar(rays, arguments->N, i) = above(candidate.hit.enter + candidate.hit.error);
  }
}

class Naive final : public EmbreeEngine<NaiveLanes> {
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

  HitLists all_hits(std::span<const Ray> rays) const override {
    return gather<Hit>(rays.size(), [&](std::size_t i, std::vector<Hit>& hits) {
      thread_local std::vector<Candidate> found;
      thread_local NaiveLanes lanes;
      found.clear(), lanes.found = &found;
      init_context(lanes.context);
      RTCRay ray = lanes.set(0, rays[i]);
      occluded1(peer_.scene(), ray, lanes.context);
      std::sort(found.begin(), found.end(), [&](const Candidate& a, const Candidate& b) {
        return before(rays[i], spheres_.data(), a, b);
      });
      for (const Candidate& candidate : found) hits.push_back(hit_of(candidate));
    });
  }

 private:
  HugeVector<Sphere> spheres_;
};

}  // namespace

std::unique_ptr<Engine> make_naive() { return std::make_unique<Naive>(); }

}  // namespace sphaera::bench
