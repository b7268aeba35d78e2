/// \file Filter functions are shown the entry of each sphere and, if they reject it, the exit.

#include <algorithm>
#include <cmath>
#include <map>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/embree/walls_and_spheres.hpp>
#include <tests/oracle/roots.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;
using embree::Contexts, embree::Granularity, embree::SphereGeometry;

namespace {

/// A filter's rule: entries and exits that it rejects.
struct Rule {
  unsigned salt = 0, share = 0;  ///< rejects `share` in 8
  bool rejects(unsigned sphere, bool exit) const {
    return (sphere * 2654435761U + salt * 40503U + exit * 97U) % 8 < share;
  }
};

struct FilterContext : QueryContext {
  Rule rule;
  std::map<std::pair<unsigned, bool>, int> shown;  ///< how often each entry or exit was shown
  unsigned spheres = 0;                            ///< id of the geometry that the rule is for
  bool strange = false;                            ///< the filter was shown something impossible
};

void filter(const RTCFilterFunctionNArguments* args) {
  auto& context = *static_cast<FilterContext*>(static_cast<QueryContext*>(args->context));
  for (unsigned i = 0; i < args->N; ++i) {
    if (!args->valid[i] || RTCHitN_geomID(args->hit, args->N, i) != context.spheres) continue;
    const unsigned sphere = RTCHitN_primID(args->hit, args->N, i);
    const bool exit = RTCHitN_u(args->hit, args->N, i) != 0;
    ++context.shown[{sphere, exit}];
    if (exit && !context.rule.rejects(sphere, false)) context.strange = true;  // its entry was accepted
    if (context.rule.rejects(sphere, exit)) args->valid[i] = 0;
  }
}

/// Where a ray meets a sphere; t in double.
struct Event {
  const SphereSight* seen;
  bool exit;
  double t;
};

/// Does the ray leave the sphere before t? Decided exactly, since the exit rounded to a double may equal t.
bool leaves_before(const oracle::Sight& sight, double t) {
  return oracle::sign_power(sight, t) > 0 && oracle::sign_slope(sight, t) > 0;
}

/// The events that the rule accepts and that come before the wall. At most one a sphere: the entry, or, if
/// that is rejected, the exit.
std::vector<Event> events_of(const std::vector<SphereSight>& seen, const Rule& rule, double wall) {
  std::vector<Event> events;
  for (const SphereSight& s : seen) {
    if (!oracle::meets(s.sight)) continue;
    const auto roots = *oracle::roots(s.sight);
    const auto id = static_cast<unsigned>(s.id);
    if (!rule.rejects(id, false)) {
      if (enters_before(s.sight, wall))
        events.push_back({&s, false, std::max(s.sight.t_min, static_cast<double>(roots.t1))});
    } else if (!rule.rejects(id, true) && enters_before(s.sight, wall)) {
      const bool inside =
          oracle::sign_power(s.sight, s.sight.t_max) < 0 || oracle::sign_slope(s.sight, s.sight.t_max) < 0;
      const bool before_wall = wall == infinity || leaves_before(s.sight, wall);
      if (!inside && before_wall) events.push_back({&s, true, static_cast<double>(roots.t2)});
    }
  }
  return events;
}

bool before(const Event& a, const Event& b) {
  if (!a.exit && !b.exit) {
    const int order = oracle::compare_entries(a.seen->sight, b.seen->sight);
    return order != 0 ? order < 0 : a.seen->id < b.seen->id;
  }
  return a.t != b.t ? a.t < b.t : a.seen->id < b.seen->id;
}

bool near(double a, double b) { return std::fabs(a - b) <= 0x1p-50 * std::max(std::fabs(a), std::fabs(b)); }

class FilterTrial {
 public:
  FilterTrial(SceneKind scene_kind, Granularity granularity, bool by_context, Random& random)
      : random_(random),
        device_(rtcNewDevice(nullptr)),
        spheres_(make_spheres(scene_kind, static_cast<std::size_t>(random.whole(1, 30)), random)),
        scene_(Scene::build(spheres_)),
        geometry_(device_.get(), scene_, {.granularity = granularity, .contexts = Contexts::extended}),
        walls_(make_walls(spheres_, 6, random)),
        alone_(wall_scene(device_.get(), walls_, true)),
        both_(wall_scene(device_.get(), walls_, false)),
        granularity_(granularity),
        by_context_(by_context) {
    if (!by_context) {
      rtcSetGeometryIntersectFilterFunction(geometry_.get(), filter);
      rtcSetGeometryOccludedFilterFunction(geometry_.get(), filter);
    }
    id_ = rtcAttachGeometry(both_.get(), geometry_.get());
#if RTC_VERSION_MAJOR < 4
    rtcSetSceneFlags(both_.get(), RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION);
#endif
    rtcCommitScene(both_.get());
  }

  int shoot(std::size_t n) {
    const std::vector<Ray> rays = embree_rays(spheres_, geometry_.extent(), n, random_);
    int wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong += !nearest_right(rays, i) + !shadow_right(rays, i);
    return wrong;
  }

 private:
  void prepare(FilterContext& context, const std::vector<Ray>& rays) {
    context.rays = rays, context.spheres = id_;
    context.rule = {static_cast<unsigned>(random_.below(1000)), static_cast<unsigned>(random_.below(9))};
    if (by_context_) context.filter = filter;
  }
  std::vector<SphereSight> seen_by(const Ray& given, const RTCRayHit& wall) const {
    std::vector<SphereSight> seen;
    Ray ray = given;
    ray.t_min = std::max(ray.t_min, 0.0), ray.t_max = std::min<double>(ray.t_max, wall.ray.tfar);
    for (std::size_t id = 0; id < spheres_.size(); ++id)
      seen.push_back({static_cast<std::int64_t>(id), oracle::sight(ray, spheres_[id])});
    return seen;
  }
  static bool once_each(const FilterContext& context) {
    return !context.strange &&
           std::ranges::all_of(context.shown, [](const auto& s) { return s.second == 1; });
  }

  static bool is_end(const Event& event, float tfar) {
    return event.exit ? std::fabs(tfar - event.t) <= 0x1p-22 * std::fabs(event.t) + 1e-44
                      : is_entry(event.seen->sight, tfar);
  }
  /// The same for coherent packets over single spheres, where tfar is that of an entry after tnear.
  static bool is_late_end(const Event& event, const RTCRay& ray, float tfar) {
    return event.exit ? is_end(event, tfar) || tfar <= std::nextafter(ray.tnear, ray.tfar) || tfar <= 0x1p-126
                      : is_coherent_entry(event.seen->sight, ray, tfar);
  }

  bool nearest_right(const std::vector<Ray>& rays, std::size_t i) {
    FilterContext context;
    prepare(context, rays);
    const RTCRayHit floats = embree::float_ray_hit(rays[i], static_cast<unsigned>(i));
    std::vector<RTCRayHit> wall{floats}, found{floats};
    PlainContext plain;
    init(plain);
    const unsigned width = widths[random_.below(4)];
    const bool coherent = random_.one_in(3);
    intersect(alone_.get(), plain, wall, {-1}, width, coherent);  // triangles round otherwise by width
    intersect(both_.get(), context, found, {-1}, width, coherent);
    if (!once_each(context)) return false;
    const bool hit = wall[0].hit.geomID != RTC_INVALID_GEOMETRY_ID;
    const std::vector<SphereSight> seen = seen_by(rays[i], wall[0]);
    const std::vector<Event> events = events_of(seen, context.rule, hit ? wall[0].ray.tfar : infinity);
    const auto first = std::min_element(events.begin(), events.end(), before);
    if (first == events.end())
      return found[0].hit.geomID == wall[0].hit.geomID && found[0].ray.tfar == wall[0].ray.tfar;
    if (found[0].hit.geomID != id_) return false;
    const bool exit = found[0].hit.u != 0;
    if (found[0].hit.primID == first->seen->id && exit == first->exit)
      return coherent && width > 1 && granularity_ == Granularity::spheres
                 ? is_late_end(*first, wall[0].ray, found[0].ray.tfar)
                 : is_end(*first, found[0].ray.tfar);
    // Exits are ordered by rounded t, so another event with nearly the same t is right, too.
    return std::ranges::any_of(events, [&](const Event& e) {
      return e.seen->id == found[0].hit.primID && e.exit == exit && (e.exit || first->exit) &&
             near(e.t, first->t);
    });
  }

  bool shadow_right(const std::vector<Ray>& rays, std::size_t i) {
    FilterContext context;
    prepare(context, rays);
    const RTCRay floats = embree::float_ray(rays[i], static_cast<unsigned>(i));
    std::vector<RTCRay> wall{floats}, found{floats};
    PlainContext plain;
    init(plain);
    const unsigned width = widths[random_.below(4)];
    const bool coherent = random_.one_in(3);
    occluded(alone_.get(), plain, wall, {-1}, width, coherent);
    occluded(both_.get(), context, found, {-1}, width, coherent);
    if (floats.tfar < 0) return true;
    const std::vector<SphereSight> seen = seen_by(rays[i], {floats, {}});
    return once_each(context) &&
           (found[0].tfar < 0) == (wall[0].tfar < 0 || !events_of(seen, context.rule, infinity).empty());
  }

  Random& random_;
  DeviceHandle device_;
  std::vector<Sphere> spheres_;
  Scene scene_;
  SphereGeometry geometry_;
  std::vector<Vec3> walls_;
  SceneHandle alone_, both_;
  Granularity granularity_;
  bool by_context_;
  unsigned id_ = 0;
};

void shoot_filters(std::size_t n) {
  constexpr std::size_t rays = 60;
  Random random(seed(), 1);
  for (std::size_t round = 0, shot = 0; shot < n; ++round) {
    for (const SceneKind scene_kind : embree_scene_kinds) {
      const Granularity granularity = round & 1 ? Granularity::spheres : Granularity::scene;
      INFO(test::name(scene_kind) << ", round " << round);
      FilterTrial trial(scene_kind, granularity, round % 4 >= 2, random);
      REQUIRE(trial.shoot(rays) == 0);
      shot += rays;
    }
  }
}

}  // namespace

TEST_CASE("filters see the entry and then the exit of each sphere once", "[embree][bridge]") {
  shoot_filters(fewer_in_repeats(std::size_t{6'000}));
}

TEST_CASE("a million rays past filters", "[.bridge-long]") { shoot_filters(1'000'000); }

TEST_CASE("filters are not called if the options switch them off", "[embree][bridge]") {
  const DeviceHandle device(rtcNewDevice(nullptr));
  const Scene scene = Scene::build({{{0, 0, 0}, 1}});
  for (const Granularity granularity : {Granularity::scene, Granularity::spheres}) {
    const SphereGeometry geometry(device.get(), scene, {.granularity = granularity, .filters = false});
    rtcSetGeometryIntersectFilterFunction(geometry.get(), [](const auto* args) { args->valid[0] = 0; });
    const SceneHandle both(rtcNewScene(device.get()));
    rtcAttachGeometry(both.get(), geometry.get());
    rtcCommitScene(both.get());
    std::vector<RTCRayHit> rays{embree::float_ray_hit({{-3, 0, 0}, {1, 0, 0}})};
    PlainContext context;
    init(context);
    intersect(both.get(), context, rays, {-1}, 1);
    CHECK(rays[0].hit.primID == 0);
    CHECK(rays[0].ray.tfar == 2);
    CHECK(rays[0].hit.Ng_x == -1);
  }
}

namespace {

struct Rejecting : QueryContext {
  bool spheres = false, walls = false;
};

void reject(const RTCFilterFunctionNArguments* args) {
  const auto& context = *static_cast<Rejecting*>(static_cast<QueryContext*>(args->context));
  const bool sphere = RTCHitN_geomID(args->hit, args->N, 0) == 1;
  if (sphere ? context.spheres : context.walls) args->valid[0] = 0;
}

}  // namespace

TEST_CASE("the query's filter meets spheres and walls", "[embree][bridge]") {
  const DeviceHandle device(rtcNewDevice(nullptr));
  const Scene scene = Scene::build({{{0, 0, 0}, 1}});
  const SphereGeometry geometry(device.get(), scene, {.contexts = Contexts::extended});
  const SceneHandle level = wall_scene(device.get(), {{5, -9, -9}, {5, 9, -9}, {5, 0, 9}}, false);
  REQUIRE(rtcAttachGeometry(level.get(), geometry.get()) == 1);
#if RTC_VERSION_MAJOR < 4
  rtcSetSceneFlags(level.get(), RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION);
#endif
  rtcCommitScene(level.get());
  for (const bool spheres : {false, true}) {
    for (const bool walls : {false, true}) {
      CAPTURE(spheres, walls);
      Rejecting context;
      context.filter = reject, context.spheres = spheres, context.walls = walls;
      RTCRayHit ray = embree::float_ray_hit({{-3, 0, 0}, {1, 0, 0}});
      embree::intersect1(level.get(), context, ray);
      CHECK(ray.hit.geomID == (!spheres ? 1 : !walls ? 0 : RTC_INVALID_GEOMETRY_ID));
      CHECK(ray.ray.tfar == (!spheres ? 2 : !walls ? 8 : std::numeric_limits<float>::infinity()));
      RTCRay shadow = embree::float_ray({{-3, 0, 0}, {1, 0, 0}});
      embree::occluded1(level.get(), context, shadow);
      CHECK((shadow.tfar < 0) == !(spheres && walls));
    }
  }
}

TEST_CASE("an exit at t = -0 does not end the search", "[embree][bridge]") {
  const std::vector<Sphere> spheres{{{20, -4, -3}, 5}, {{20, -4, 3}, 5}, {{20, 4, -3}, 5}, {{30, 4, 3}, 6},
                                    {{10, -3, -4}, 5}, {{20, 3, -4}, 4}, {{20, -3, 4}, 6}, {{10, 3, 4}, 4},
                                    {{20, -4, -3}, 6}, {{20, -4, 3}, 6}};
  const Ray ray{{20, -4, 3}, {-0x1.230e5e6707d6p+0, 0x1.17269be61fde9p+0, 0x1.ca6ea137d4744p-1}, 0, infinity};
  const DeviceHandle device(rtcNewDevice(nullptr));
  const Scene scene = Scene::build(spheres);
  const SphereGeometry geometry(device.get(), scene, {.granularity = Granularity::spheres});
  rtcSetGeometryIntersectFilterFunction(geometry.get(), [](const RTCFilterFunctionNArguments* args) {
    const bool entry = RTCHitN_u(args->hit, args->N, 0) == 0;
    if (entry && RTCHitN_primID(args->hit, args->N, 0) == 8) args->valid[0] = 0;  // it starts on this sphere
  });
  const SceneHandle level(rtcNewScene(device.get()));
  rtcAttachGeometry(level.get(), geometry.get());
  rtcCommitScene(level.get());
  for (const unsigned width : widths) {
    PlainContext context;
    init(context);
    std::vector<RTCRayHit> rays{embree::float_ray_hit(ray)};
    intersect(level.get(), context, rays, {-1}, width);
    CHECK(rays[0].hit.primID == 1);
    CHECK_FALSE(std::signbit(rays[0].ray.tfar));
  }
}
