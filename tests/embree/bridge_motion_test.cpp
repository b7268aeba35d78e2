/// \file Rays that see moving spheres at an instant.

#include <cmath>
#include <exact/numbers/dispatch.hpp>
#include <exact/predicates/at_instant.hpp>
#include <exact/predicates/counts.hpp>
#include <exact/predicates/decide.hpp>
#include <exact/roots/roots.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/embree/walls_and_spheres.hpp>
#include <tests/oracle/roots.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;
using embree::Contexts, embree::Granularity, embree::SphereGeometry;

namespace {

oracle::Sight sight_at(const Ray& ray, const Sphere& sphere, const Vec3& velocity, double time) {
  oracle::Sight s = oracle::sight(ray, sphere);
  for (int i = 0; i < 3; ++i)
    s.l[static_cast<std::size_t>(i)] =
        s.l[static_cast<std::size_t>(i)] - oracle::Dyadic(velocity[i]) * oracle::Dyadic(time);
  return s;
}

std::vector<Sphere> moved(const std::vector<Sphere>& spheres, const std::vector<Vec3>& velocities,
                          double time) {
  std::vector<Sphere> there = spheres;
  for (std::size_t i = 0; i < spheres.size(); ++i) there[i].center = spheres[i].center + time * velocities[i];
  return there;
}

bool is_promised_root(double t, const oracle::Real& reference) {
  return oracle::error_in_half_ulps(t, reference) <= oracle::promised_half_ulps_of_root(reference);
}

template <class Arithmetic>
int wrong_decisions(const Ray& ray, const Sphere& a, const Vec3& wa, const Sphere& b, const Vec3& wb,
                    double time) {
  exact::Counts counts;
  const exact::Path path = exact::path_of(ray);
  const exact::AtInstant one(Arithmetic{}, path, a, wa, time), other(Arithmetic{}, path, b, wb, time);
  const oracle::Sight s = sight_at(ray, a, wa, time), o = sight_at(ray, b, wb, time);
  const Contact how = exact::contact(one, counts), how_other = exact::contact(other, counts);
  int wrong = how != oracle::contact(s);
  if (how != Contact::miss) {
    const exact::Roots t = exact::roots(one);
    const auto reference = *oracle::roots(s);
    wrong += !is_promised_root(t.t1, reference.t1) || !is_promised_root(t.t2, reference.t2);
    if (how_other == oracle::contact(o) && how_other != Contact::miss)
      wrong += exact::compare_entries(one, how, other, how_other, counts) != oracle::compare_entries(s, o);
  }
  return wrong;
}

/// A geometry of moving spheres, and rays at one instant.
class MotionTrial {
 public:
  MotionTrial(RTCDevice device, SceneKind scene_kind, Random& random)
      : spheres_(make_spheres(scene_kind, static_cast<std::size_t>(random.whole(1, 40)), random)),
        velocities_(make_velocities(spheres_, random)),
        scene_(Scene::build(spheres_, {.velocities = velocities_, .horizon = {-1, 2}})),
        options_(options(random)),
        geometry_(device, scene_, options_),
        level_(rtcNewScene(device)),
        id_(rtcAttachGeometry(level_.get(), geometry_.get())) {
    rtcCommitScene(level_.get());
  }

  /// Number of wrong answers to n rays and more.
  int shoot(std::size_t n, Random& random) {
    const float time =
        random.one_in(3) ? static_cast<float>(random.below(2)) : static_cast<float>(random.between(0, 1));
    instant_ = geometry_.scene_time(time);
    rays_ = embree_rays(moved(spheres_, velocities_, instant_), geometry_.extent(), n, random);
    ask(time, random);
    int wrong = 0;
    for (std::size_t i = 0; i < rays_.size(); ++i) wrong += is_wrong(i);
    return wrong;
  }
  std::size_t rays() const { return rays_.size(); }

 private:
  static embree::GeometryOptions options(Random& random) {
    embree::GeometryOptions options{.time = {-0.5, 1.75}};
    options.granularity = random.one_in(2) ? Granularity::scene : Granularity::spheres;
    options.contexts = random.one_in(4) ? Contexts::plain : Contexts::extended;
    options.filters = random.one_in(2);
    return options;
  }

  /// The time travels in the rays or, if the context is extended, in the context.
  void ask(float time, Random& random) {
    const std::vector<double> times(random.one_in(2) ? rays_.size() : 0, instant_);
    const bool plain = options_.contexts == Contexts::plain;
    QueryContext context;
    context.rays = rays_, context.times = times;
    for (std::size_t i = 0; i < rays_.size(); ++i) {
      const float in_ray = plain || times.empty() ? time : 0;
      found_.push_back(embree::float_ray_hit(rays_[i], static_cast<unsigned>(i), in_ray));
      floats_.push_back(found_[i].ray);
    }
    shadows_ = floats_;
    const unsigned width = widths[random.below(4)];
    const std::vector<int> valid(rays_.size(), -1);
    const bool coherent = random.one_in(3);
    intersect(level_.get(), context, found_, valid, width, coherent);
    occluded(level_.get(), context, shadows_, valid, width, coherent);
    ends_late_ = coherent && width > 1 && options_.granularity == Granularity::spheres;
  }

  bool ends_at(const SphereSight& sphere, std::size_t i, float tfar) const {
    return ends_late_ ? is_coherent_entry(sphere.sight, floats_[i], tfar) : is_entry(sphere.sight, tfar);
  }

  bool is_wrong(std::size_t i) const {
    Ray ray = options_.contexts == Contexts::plain ? in_double(floats_[i]) : rays_[i];
    ray.t_min = std::max(ray.t_min, 0.0), ray.t_max = std::min<double>(ray.t_max, floats_[i].tfar);
    std::vector<SphereSight> seen;
    for (std::size_t j = 0; j < spheres_.size(); ++j)
      seen.push_back({static_cast<std::int64_t>(j), sight_at(ray, spheres_[j], velocities_[j], instant_)});
    const SphereSight* const first = first_of(seen);
    const RTCRayHit& found = found_[i];
    const bool hit = found.hit.geomID == id_;
    if (hit != (first != nullptr)) return true;
    if (hit && (found.hit.primID != first->id || !ends_at(*first, i, found.ray.tfar))) return true;
    return !(floats_[i].tfar < 0) && (shadows_[i].tfar < 0) != hit;
  }

  std::vector<Sphere> spheres_;
  std::vector<Vec3> velocities_;
  Scene scene_;
  embree::GeometryOptions options_;
  SphereGeometry geometry_;
  SceneHandle level_;
  unsigned id_;
  double instant_ = 0;
  bool ends_late_ = false;  ///< tfar is that of a coherent packet over single spheres
  std::vector<Ray> rays_;
  std::vector<RTCRayHit> found_;
  std::vector<RTCRay> floats_, shadows_;
};

void shoot_motion(std::size_t n) {
  Random random(seed(), 3);
  const DeviceHandle device(rtcNewDevice(nullptr));
  std::size_t shot = 0;
  for (std::size_t round = 0; shot < n; ++round) {
    const SceneKind scene_kind = embree_scene_kinds[round % std::size(embree_scene_kinds)];
    INFO(test::name(scene_kind) << ", round " << round);
    MotionTrial trial(device.get(), scene_kind, random);
    REQUIRE(trial.shoot(160, random) == 0);
    shot += trial.rays();
  }
}

}  // namespace

TEST_CASE("a ray and spheres at an instant are decided as in exact arithmetic", "[embree][bridge]") {
  Random random(seed(), 2);
  int wrong = 0;
  for (int round = 0; round < fewer_in_repeats(100); ++round) {
    const SceneKind scene_kind = static_cast<SceneKind>(round % scene_kind_count);
    const std::vector<Sphere> spheres = make_spheres(scene_kind, 12, random);
    const std::vector<Vec3> velocities = make_velocities(spheres, random);
    const double time = random.one_in(3) ? random.whole(-2, 2) : random.between(-2, 2);
    for (const Ray& ray : make_rays(moved(spheres, velocities, time), 200, random)) {
      const auto i = static_cast<std::size_t>(random.below(12)),
                 j = static_cast<std::size_t>(random.below(12));
      const Sphere &a = spheres[i], &b = spheres[j];
      const Vec3 &wa = velocities[i], &wb = velocities[j];
      wrong += wrong_decisions<exact::Plain>(ray, a, wa, b, wb, time);
      if (exact::has_fma())
        exact::with_arithmetic([&](auto arithmetic) {
          wrong += wrong_decisions<decltype(arithmetic)>(ray, a, wa, b, wb, time);
        });
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("roots below the least normal double may be rounded twice", "[embree][bridge]") {
  const Ray ray{{0x0.0000000e3c80ap-1022, 0x0.0000000102819p-1022, 0x0.0000000475341p-1022},
                {0, 0, -0x1.f5e74037d263cp-34},
                0,
                0};
  const Sphere sphere{{0x0.0000000f931a7p-1022, 0x0.0000000091eebp-1022, 0x0.00000004c51bdp-1022},
                      0x0.000000004ec9bp-1022};
  const Vec3 velocity{-0x0.00000000a228ep-1022, 0x0.000000004943fp-1022, -0x0.000000002c724p-1022};
  const double time = 0x1.f5e74037d263cp+0;
  CHECK(wrong_decisions<exact::Plain>(ray, sphere, velocity, sphere, velocity, time) == 0);
}

TEST_CASE("a sphere that drifts onto the ray's origin is decided as in exact arithmetic",
          "[embree][bridge]") {
  Random random(seed(), 11);
  int wrong = 0;
  for (int i = 0; i < fewer_in_repeats(40'000); ++i) {
    const Vec3 center = random.in_cube(2), velocity = random.in_cube(4);
    const double time = random.between(-2, 2);
    // The center of both spheres at that time, rounded. The radii are about as small as the rounding errors.
    const Vec3 there = center + time * velocity;
    const auto some_ulps = [&] { return random.log_uniform(0x1p-60, 0x1p-48); };
    const Sphere sphere{center, some_ulps()}, other{center, some_ulps()};
    const Vec3 direction = random.direction();
    const Ray ray{there - some_ulps() * direction, direction, 0, random.one_in(2) ? infinity : some_ulps()};
    wrong += wrong_decisions<exact::Plain>(ray, sphere, velocity, other, velocity, time);
  }
  CHECK(wrong == 0);
}

TEST_CASE("rays among moving spheres find them where they are at the ray's time", "[embree][bridge]") {
  shoot_motion(fewer_in_repeats(std::size_t{12'800}));
}

TEST_CASE("a million rays among moving spheres", "[.bridge-long]") { shoot_motion(1'000'000); }
