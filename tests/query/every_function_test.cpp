/// \file Every public function gives the same bytes without FMA, and the same bytes and errors under every
/// floating-point mode of a host, which it leaves as it was. The last test reads the public headers and fails
/// if a function is missing here.

#include <tests/answer_bytes.hpp>
#include <tests/folders.hpp>
#include <tests/host_mode.hpp>
#include <tests/instruction_set.hpp>
#include <tests/queries/every_query.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <set>
#include <sphaera/sphaera.hpp>
#include <string>
#include <thread>
#include <tools/workload/workload.hpp>

#include <tests/catch.hpp>

namespace sphaera {
namespace {

using test::Bytes, test::Query, test::Questions;

constexpr double tiny = 0x1p-1074;  ///< the least denormal

/// What a call puts into it, and the rows of a query.
struct Answer : Bytes {
  std::vector<Bytes> rows;

  void add(std::vector<Bytes> more) { std::ranges::move(more, std::back_inserter(rows)); }
  bool operator==(const Answer&) const = default;
};

struct Call {
  std::string name;
  std::function<void(Answer&)> ask;
};
using Calls = std::vector<Call>;

/// Paths and spheres of everyday size, and with denormals that denormals-are-zero would take for zeros.
struct Closed {
  std::vector<Ray> rays{{{0.1, 0.2, -3.3}, {0.01, 0.02, 1}, 0, infinity},
                        {{0.1, 0.2, -3.3}, {0.3, 0.1, 1}, 0.7, 1.3},
                        {{1, 2, 0}, {0, 0, 1e-310}},
                        {{1, 2, 0}, {tiny, 0, 3e-309}, -infinity, infinity},
                        {{0, 0, -1e-309}, {0, 0, 1}}};
  std::vector<Segment> segments{{{0.1, 0.2, -3.3}, {0.31, 0.17, 5.1}},
                                {{0.9, 0.3, 0.2}, {0.1, 0.2, 0.3}},
                                {{0, 0, -1e-309}, {0, 0, 1e-309}},
                                {{0, 0, 0}, {tiny, 0, 0}}};
  std::vector<Sphere> spheres{
      {{0, 0, 0}, 1}, {{0.3, 0.1, 0.2}, 0.7}, {{1, 2, 3}, 1e-310}, {{0, 0, 0}, 1e-310}, {{0, 0, 0}, tiny}};
  std::vector<Vec3> places{{0.3, -0.2, 0.9}, {0, 0, 1e-310}, {1, 2, 3}};
  std::vector<Shot> shots{{{0.1, 0.2, -3.3}, {0.12, 0.23, 0}, 1.1},
                          {{0.1, 0.2, -3.3}, {0.12, 0.23, 0}, 1e-310},
                          {{0, 0, -3e-310}, {0, 0, 1e-310}, 1e-320}};
  Convention conventions[3]{{}, jhitsphere, bartlett};

  template <class Use>
  void each_path(const Use& use) const {
    for (const Ray& ray : rays) use(ray);
    for (const Segment& segment : segments) use(segment);
  }
  /// The hits of each ray. Comparisons of denormals stand outside the calls, whose modes may trap them.
  std::vector<std::vector<Hit>> hits() const {
    std::vector<std::vector<Hit>> all;
    for (const Ray& ray : rays) {
      std::vector<Hit>& own = all.emplace_back();
      for (const Sphere& sphere : spheres) {
        const Intersection met = intersect(ray, sphere);
        if (met.contact != Contact::miss)
          own.push_back({std::max(ray.t_min, met.t1), met.t2, 0, met.contact});
      }
      std::ranges::sort(own, {}, &Hit::t_enter);
    }
    return all;
  }
  template <class Use>
  void each_pair(const Use& use) const {
    each_path([&](const auto& path) {
      for (const Sphere& sphere : spheres) use(path, sphere);
    });
  }
};

void add_path_calls(Calls& calls) {
  static const Closed in;
  const auto pairs = [&](const std::string& name, auto ask) {
    calls.push_back({name, [ask](Bytes& out) {
                       in.each_pair([&](const auto& path, const Sphere& s) { out.put(ask(path, s)); });
                     }});
  };
  pairs("meets", [](const auto& path, const Sphere& s) { return meets(path, s); });
  for (const Convention& c : in.conventions)
    pairs("meets", [&c](const auto& path, const Sphere& s) { return meets(path, s, c); });
  pairs("contact", [](const auto& path, const Sphere& s) { return contact(path, s); });
  pairs("root_count", [](const auto& path, const Sphere& s) { return root_count(path, s); });
  pairs("intersect", [](const auto& path, const Sphere& s) { return intersect(path, s); });
  pairs("closest_approach",
        [](const auto& path, const Sphere& s) { return closest_approach(path, s.center); });
  pairs("point_at", [](const auto& path, const Sphere& s) { return point_at(path, s.radius); });
  pairs("pierce", [](const auto& path, const Sphere& s) { return pierce(path, s); });
  pairs("hit_point", [](const auto& path, const Sphere& s) { return hit_point(path, s); });
  calls.push_back({"closest_point", [](Bytes& out) {
                     for (const Segment& s : in.segments)
                       for (const Vec3& p : in.places) out.put(closest_point(s, p));
                   }});
  static const std::vector<std::vector<Hit>> hits = in.hits();
  calls.push_back({"chord_sums", [](Bytes& out) {
                     for (std::size_t i = 0; i < in.rays.size(); ++i)
                       out.put(chord_sums(in.rays[i], hits[i]));
                   }});
  calls.push_back({"intersection_circle", [](Bytes& out) {
                     for (const Sphere& a : in.spheres)
                       for (const Sphere& b : in.spheres) out.put(intersection_circle(a, b));
                   }});
  calls.push_back({"ricochet", [](Bytes& out) {
                     for (const Shot& shot : in.shots)
                       for (const Sphere& s : {in.spheres[3], in.spheres[4]}) out.put(ricochet(shot, s));
                     for (const Shot& shot : {in.shots[0], in.shots[1]})
                       out.put(ricochet(shot, in.spheres[0]));
                   }});
}

/// An eclipse, and stars and bodies whose places, sizes or laws are denormal.
struct Sky {
  std::vector<Sphere> bodies{{{0.9, 0.1, 0}, 0.21}, {{0.8, -0.2, 0.1}, 0.15}, {{-3, 0, 0}, 1}};
  std::vector<Star> stars{Star::at({5, 0, 0}, 1.3, LimbDarkening::quadratic(0.4, 0.26)),
                          Star::at({5, 0, 0}, 1.1, LimbDarkening::power2(0.5, 0.7)),
                          Star::at({5, 0, 0}, 1.1, LimbDarkening::claret4(0.1, 0.2, 0.3, -0.1)),
                          Star::at_infinity({1e-310, 0, 0}, 0.2, LimbDarkening::sqrt(0.3, 0.2)),
                          Star::at_infinity({1, 0.05, 0}, 0.3, LimbDarkening::linear(1e-310)),
                          Star::at({5, 0, 0}, 1e-310)};
  std::vector<Observer> observers{{{0.1, 0.05, 0.02}}, {{0, 0, 1e-310}}, {{-2, 0.1, 0.01}, 2}};
  std::vector<double> times{-1.7, 0, 1e-310, 0.3, 1.9, 1e9};
  Spin spin{{0.1, 0.2, 1}, 3.3}, slow{{0, 0, 1e-310}, -1e3};
  Motion hermite{{{0, {0, 0, 0}, {1, 0.2, 0}}, {0.7, {0.6, 0.1, 0.1}, {0.9, 0.1, 0}}}};
  Motion turning = Motion::fixed_in(Motion::linear({0, 0, 0}, {0.01, 0.02, 0}), spin, {0.1, 0, 0.01});
  MovingStar star{Star::at({500, 0, 0}, 5)};
  std::vector<MovingSphere> bodies_moving{{Motion::linear({100, -10, 0.1}, {0, 1, 0}), 1.1},
                                          {Motion::linear({90, -9, -0.1}, {0, 0.9, 0}), 1e-310}};
  MovingObserver watcher{turning};
  Source source{Star::at({5, 0.3, 0}, 1), 12.5}, dim{Star::at({5, 0, 0}, 1), 1e-310};
  std::vector<Receiver> receivers{{{{0.1, 0.05, 0.02}}, {1, 0.1, 0.2}},
                                  {{{0, 0, 0}}, {1e-310, 0, 3e-310}},
                                  {{{-2, 0.1, 0.01}, 2}, {1, 0, 0}}};
};

void add_sky_calls(Calls& calls) {
  static const Sky in;
  calls.push_back({"intensity", [](Bytes& out) {
                     for (const Star& star : in.stars)
                       for (const double mu : {0.0, 1e-310, 0.1, 0.77, 1.0})
                         out.put(star.limb_darkening.intensity(mu));
                   }});
  calls.push_back({"turned", [](Bytes& out) {
                     for (const double t : in.times)
                       out.put(in.spin.turned({0.3, -0.2, 1e-310}, t)), out.put(in.slow.turned({1, 0, 0}, t));
                   }});
  calls.push_back({"at", [](Bytes& out) {
                     for (const double t : in.times) out.put(in.hermite.at(t)), out.put(in.turning.at(t));
                   }});
  calls.push_back({"beside", [](Bytes& out) {
                     const Motion once = Motion::beside(in.hermite, {0.1, -0.7, 1e-310});
                     const Motion twice = Motion::beside(once, {0.2, 0.3, 2e-310});
                     for (const double t : in.times) out.put(once.at(t)), out.put(twice.at(t));
                   }});
  calls.push_back({"starlight", [](Bytes& out) {
                     for (const Star& star : in.stars)
                       for (const Observer& o : in.observers) out.put(starlight(star, o, in.bodies));
                   }});
  calls.push_back({"normal_irradiance", [](Bytes& out) {
                     for (const Receiver& r : in.receivers)
                       for (const Source& source : {in.source, in.dim})
                         out.put(normal_irradiance(source, r.observer.position, 0.3));
                   }});
  calls.push_back({"irradiance", [](Bytes& out) {
                     for (const Receiver& r : in.receivers)
                       for (const Source& source : {in.source, in.dim}) out.put(irradiance(source, r, 0.3));
                   }});
  calls.push_back({"contact_times", [](Bytes& out) {
                     out.put(contact_times(in.star, in.watcher, in.bodies_moving, -1e-310, 20));
                   }});
  calls.push_back(
      {"shadow_contacts", [](Bytes& out) {
         out.put(shadow_contacts(in.star, {in.watcher.motion, 0x1p-10}, in.bodies_moving, -1e-310, 20));
       }});
  calls.push_back({"phase_changes", [](Bytes& out) {
                     out.put(phase_changes(in.star, in.watcher, in.bodies_moving, -1e-310, 20));
                   }});
}

/// A crowd, and spheres, rays and bullets with denormals.
struct World {
  std::vector<Sphere> spheres = workload::spheres(workload::Kind::crowd, 300, 1);
  std::vector<Vec3> velocities, centers;
  std::vector<std::uint8_t> layers;
  std::vector<Ray> rays = workload::rays(workload::Kind::crowd, 300, 40, 1);
  std::vector<Bullet> bullets;
  std::vector<double> resistances;
  Questions questions;  ///< about all but light
  Questions flights;    ///< by other rules; and of some spheres only
  Scene scene;

  World() {
    spheres.push_back({{1, 2, 3}, 1e-310});
    rays.push_back({{1, 2, 0}, {0, 0, 1e-310}});
    for (const Ray& ray : rays) {
      questions.segments.push_back({ray.origin, ray.origin + 100.0 * ray.direction});
      questions.balls.push_back({ray.origin, 3.3});
      bullets.push_back({ray.origin, 40.0 * ray.direction, 0.01, 0.1, 2.5});
    }
    questions.balls.push_back({{1, 2, 3}, tiny});
    bullets.push_back({{1, 2, 0}, {0, 0, 3}, 1e-310, 0, 2});
    for (std::size_t i = 0; i < spheres.size(); ++i) {
      velocities.push_back({0.01 * static_cast<double>(i % 7), -0.3, 1e-310});
      centers.push_back(spheres[i].center + Vec3{0.1, 0.7, -0.3});
      layers.push_back(i % 3);
      resistances.push_back(i % 2 == 0 ? 1e-310 : 1);
    }
    questions.rays = rays, questions.points = centers;
    for (Questions* some : {&questions, &flights}) some->bullets = some->fallers = bullets;
    questions.flight = {.bounces = 2, .pierces = 1, .budget = 3, .resistances = resistances};
    questions.max_distance = 0.5;
    flights.flight = {.restitution = 0.4, .friction = 0.1};
    flights.gravity = {0, 0, -9.81}, flights.max_distance = tiny, flights.spheres = spheres.size() / 2;
    scene = build();
  }
  Scene build() const {
    return Scene::build(spheres, {.layers = layers, .velocities = velocities, .horizon = {0, 3}});
  }
};

const World& world() {
  static const World in;
  return in;
}

void change_with_bad_rows(Scene& s, std::span<const std::int64_t> ids, const std::vector<Sphere>& some,
                          const std::vector<Vec3>& centers) {
  std::vector<RowStatus> statuses(3);
  std::vector<Vec3> there(centers);
  there[1].y = std::numeric_limits<double>::quiet_NaN();
  s.update(ids, there, {}, {.statuses = statuses});
  std::vector<Sphere> strangers(some);
  strangers[0].radius = 1e-310, strangers[2].center.x = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::int64_t> added(3);
  s.insert(strangers, added, {.statuses = statuses});
  s.erase(std::vector<std::int64_t>{added[0], added[1]});
  const float rows[2][4] = {{1, 2, 3, 1e-40f}, {3, 2, 1, 1e-40f}};
  std::vector<std::int64_t> more(2);
  s.insert(
      {.centers = Strided{&rows[0][0], 2, sizeof rows[0]}, .radii = Strided{&rows[0][3], 2, sizeof rows[0]}},
      more);
}

void add_edit_calls(Calls& calls) {
  const World& in = world();
  // Each call edits a scene and puts what the scene then holds and answers.
  const auto add = [&](const char* name,
                       const std::function<void(Scene&, std::span<const std::int64_t>)>& edit) {
    calls.push_back({name, [&in, edit](Bytes& out) {
                       Scene scene = in.build();
                       const std::vector<std::int64_t> ids{1, 5, 3};
                       edit(scene, ids);
                       out.put(std::uint64_t{scene.size()}), out.put(scene.contains(3)),
                           out.put(scene.is_enabled(3));
                       out.put(scene.info()), out.put(scene.first_hit(in.rays)), out.put(scene.spheres());
                       out.put(scene.layers());
                     }});
  };
  const std::vector<Sphere> some(in.spheres.begin(), in.spheres.begin() + 3);
  const std::vector<Vec3> centers(in.centers.begin(), in.centers.begin() + 3);
  for (const char* name : {"erase", "size", "contains"}) add(name, [](Scene& s, auto ids) { s.erase(ids); });
  for (const char* name : {"set_enabled", "is_enabled"})
    add(name, [](Scene& s, auto ids) { s.set_enabled(ids, false); });
  for (const char* name : {"owners", "owners_of"})
    calls.push_back({name, [&in, some](Bytes& out) {
                       Scene scene = in.build();
                       const std::vector<std::uint32_t> owners{7, 8, 9};
                       scene.insert(some, {.owners = owners});
                       for (const std::uint32_t owner : scene.owners()) out.put(std::uint64_t{owner});
                       for (const std::uint32_t owner : scene.owners_of(scene.first_hit(in.rays)))
                         out.put(std::uint64_t{owner});
                     }});
  calls.push_back({"generations", [&in](Bytes& out) {
                     Scene scene = Scene::build(in.spheres, {.generations = true});
                     scene.erase(std::vector<std::int64_t>{1, 3});
                     for (const std::uint32_t erased : scene.generations()) out.put(std::uint64_t{erased});
                   }});
  add("insert", [some](Scene& s, auto ids) {
    s.erase(ids);
    s.insert(some);
    std::vector<std::int64_t> back(some.size());
    s.insert(some, back);
  });
  add("update", [centers](Scene& s, auto ids) { s.update(ids, centers); });
  // Rows that are not valid are found in the mode that the proofs assume.
  add("statuses", [some, centers](Scene& s, auto ids) { change_with_bad_rows(s, ids, some, centers); });
  add("set_radii", [](Scene& s, auto ids) { s.set_radii(ids, std::vector<double>{1e-310, 2, 0x1p199}); });
  add("set_layers", [](Scene& s, auto ids) { s.set_layers(ids, std::vector<std::uint8_t>{1, 0, 63}); });
}

void add_buffer_calls(Calls& calls) {
  const World& in = world();
  const std::vector<Sphere> some(in.spheres.begin(), in.spheres.begin() + 3);
  const std::vector<Vec3> centers(in.centers.begin(), in.centers.begin() + 3);
  for (const char* name : {"change", "adopt", "past", "snapshots"}) {
    calls.push_back({name, [&in, some, centers](Bytes& out) {
                       SceneBuffer buffer(in.build(), {.keep = 2});
                       const std::vector<std::int64_t> ids{1, 5, 3};
                       buffer.change([&](Scene& scene) { scene.erase(ids), scene.update(in.centers); });
                       out.put(buffer.insert(some)), buffer.set_enabled(ids, false);
                       buffer.erase(ids), buffer.insert(some), buffer.update(ids, centers);
                       buffer.set_radii(ids, std::vector<double>{1e-310, 2, 0x1p199});
                       buffer.set_layers(ids, std::vector<std::uint8_t>{1, 0, 63});
                       out.put(buffer.update(in.centers));
                       out.put(buffer.update(in.centers, {}, {}, [&](Scene& scene) { scene.erase(ids); }));
                       out.put(std::uint64_t{buffer.snapshots()});
                       for (std::size_t k = 0; k < 3; ++k)
                         out.put(buffer.past(k)->info()), out.put(buffer.past(k)->first_hit(in.rays));
                       buffer.adopt(in.build());
                       out.put(buffer.current()->info()), out.put(buffer.current()->first_hit(in.rays));
                     }});
  }
}

void add_scene_calls(Calls& calls) {
  const World& in = world();
  const auto lists = [](const Scene& s, Bytes& out) { out.put(s.spheres()), out.put(s.velocities()); };
  calls.push_back({"build", [&, lists](Bytes& out) {
                     const Scene built = in.build();
                     out.put(built.info()), out.put(built.first_hit(in.rays)), lists(built, out);
                     out.put(built.layers());
                   }});
  calls.push_back({"update", [&, lists](Bytes& out) {
                     Scene built = in.build();
                     out.put(built.update(in.centers));
                     out.put(built.update(in.centers, {}, {.rebuild = UpdateOptions::Rebuild::always}));
                     out.put(built.info()), out.put(built.first_hit(in.rays)), lists(built, out);
                   }});
  add_edit_calls(calls);
  calls.push_back({"SceneBuffer", [&](Bytes& out) {
                     SceneBuffer buffer(in.spheres, {.velocities = in.velocities, .horizon = {0, 3}});
                     for (int i = 0; i < 3; ++i) out.put(buffer.update(in.centers));
                     out.put(buffer.current()->info()), out.put(buffer.current()->first_hit(in.rays));
                   }});
  add_buffer_calls(calls);
  calls.push_back({"info", [&](Bytes& out) { out.put(in.scene.info()); }});
  for (const char* name : {"viewpoint_index", "star", "point", "bytes", "boxes", "pays"})
    calls.push_back({name, [&](Bytes& out) {
                       const std::vector<ViewpointIndex> held{in.scene.viewpoint_index({1, 2, 3})};
                       std::vector<Segment> ways;
                       for (const Ray& ray : in.rays) ways.push_back({ray.origin, {1, 2, 3}});
                       out.put(held[0].bytes()), out.put(held[0].boxes()), out.put(held[0].pays());
                       out.put(in.scene.first_hit(ways, {.viewpoint_indexes = held}));
                       const std::vector<ViewpointIndex> sun{
                           in.scene.viewpoint_index(Star::at_infinity({1, 2, 3}, 0))};
                       std::vector<Ray> rays;
                       for (const Ray& ray : in.rays) rays.push_back({ray.origin, sun[0].star().direction});
                       out.put(in.scene.first_hit(rays, {.viewpoint_indexes = sun}));
                     }});
}

/// A query by batches and alone, with and without storage of the caller's, and on one thread, which takes no
/// arena of oneTBB's.
void put_answers(Answer& out, const Query& query, const Scene& scene, const Questions& questions,
                 QueryOptions options) {
  const auto place = query.place(scene, questions);
  out.add(query.rows(scene, questions, options));
  for (const int threads : {0, 1}) {
    options.threads = threads;
    place->ask(scene, questions, options), out.add(place->rows());
  }
  // About fifty of them alone, and the last, which has denormals.
  const std::size_t n = query.count(scene, questions), stride = (n + 49) / 50;
  for (std::size_t left = n; left > 0; left -= std::min(left, stride)) {
    const std::size_t i = left - 1;
    const QueryOptions one = query.of_one(options, i);
    place->ask_alone(scene, questions, i, one);
    out.add({query.alone(scene, questions, i, one), place->row()});
  }
}

/// All queries about `questions`, which must stay; each at an instant, too, if it can be.
void add_queries(Calls& calls, const Scene& scene, const Questions& questions,
                 const QueryOptions& options = {}) {
  for (const Query* query : test::every_query()) {
    const std::size_t n = query->count(scene, questions);
    if (n == 0 || !query->takes(scene, options)) continue;
    const bool has_times = !query->refuses.times && options.box == Vec3{};  // also where denormals are 0
    calls.push_back({query->function, [=, &scene, &questions](Answer& out) {
                       put_answers(out, *query, scene, questions, options);
                       if (!has_times) return;
                       const std::vector<double> times(n, 0.3);
                       QueryOptions then = options;
                       then.times = times;
                       put_answers(out, *query, scene, questions, then);
                     }});
  }
}

void add_query_calls(Calls& calls) {
  const World& in = world();
  add_queries(calls, in.scene, in.questions), add_queries(calls, in.scene, in.flights);
  static const Sky sky;
  static const Scene bodies = Scene::build(sky.bodies);
  static const Questions light = [] {
    Questions questions;
    questions.stars = sky.stars, questions.observers = sky.observers;
    questions.sources = {sky.source, sky.dim}, questions.receivers = sky.receivers;
    return questions;
  }();
  add_queries(calls, bodies, light);
  static const Scene gas =
      Scene::build({{{0, 0, 0}, 3 * tiny}, {{38 * tiny, 0, 0}, 2 * tiny}, {{20 * tiny, 1e-310, 0}, tiny}});
  static const Questions in_gas = [] {
    Questions questions;
    questions.points = {{tiny, 0, 0}, {39 * tiny, 1e-310, 0}};
    questions.balls = {{{39 * tiny, 0, 0}, 4 * tiny}, {{20 * tiny, 0, 0}, 0}};
    questions.k = 2, questions.max_distance = tiny;
    return questions;
  }();
  add_queries(calls, gas, in_gas, {.box = {40 * tiny, 2e-310, 0}});
  calls.push_back({"of", [&](Bytes& out) {  // by status_of
                     Hit hit;
                     out.put(status_of([&] { hit = in.scene.first_hit(in.rays.back()); }).ok()), out.put(hit);
                     const Status status = status_of([&] { (void)in.scene.within(Ball{{0, 0, 0}, -tiny}); });
                     out.put(status.ok()), out.put(status.error().code());
                   }});
}

/// Calls that must be refused, most for a denormal on the wrong side of 0.
void add_refused_flights(Calls& calls) {
  const World& in = world();
  const Scene& s = in.scene;
  static const std::vector<double> costs(in.spheres.size(), -tiny);
  const auto refused = [&](const std::string& name, const FlightOptions& flight) {
    calls.push_back({name, [&, flight](Bytes&) { (void)s.all_impacts(in.bullets, flight); }});
    // A single shot checks only the resistance of the sphere that it hits. At least one bullet hits a sphere.
    calls.push_back({name + " of one", [&, flight](Bytes&) {
                       for (const Bullet& bullet : in.bullets) (void)s.first_impact(bullet, flight);
                     }});
    calls.push_back({name + " of first impacts", [&, flight](Bytes&) {
                       std::vector<Impact> impacts(in.bullets.size());
                       s.first_impact(in.bullets, impacts, flight);
                     }});
  };
  refused("restitution", {.restitution = -tiny});
  refused("friction", {.friction = -tiny});
  refused("budget", {.budget = -tiny});
  refused("resistance", {.resistances = costs});
  calls.push_back({"max_distance", [&](Bytes&) { (void)s.near_misses(in.bullets, -tiny); }});
  calls.push_back({"start", [&](Bytes&) {
                     Bullet early = in.bullets[0];
                     early.start = -tiny;
                     (void)s.all_impacts(early, in.questions.falling());
                   }});
}

Calls refused_calls() {
  Calls calls;
  const World& in = world();
  const Scene& s = in.scene;
  add_refused_flights(calls);
  const auto add = [&](const std::string& name, auto ask) {
    calls.push_back({name, [=](Bytes&) { ask(); }});
  };
  static const Sphere flat{{0, 0, 0}, -tiny}, ball{{0, 0, 0}, 1};
  static const Ray still{{0, 0, 0}, {0, 0, 0}};
  add("horizon",
      [&in] { (void)Scene::build(in.spheres, {.velocities = in.velocities, .horizon = {tiny, 0}}); });
  add("buffer", [&in] { SceneBuffer(in.spheres, {.velocities = in.velocities, .horizon = {tiny, 0}}); });
  add("sphere", [] { (void)Scene::build({&flat, 1}); });
  add("meets", [] { (void)meets(still, ball); });
  add("contact", [] { (void)contact(still, flat); });
  add("closest point", [] { (void)closest_point({{0, 0, 0}, {1, 0, 0}}, {infinity, 0, 0}); });
  add("circle", [] { (void)intersection_circle(ball, flat); });
  add("shot", [] { (void)ricochet({{0, 0, -3}, {0, 0, 1}, -tiny}, ball); });
  add("point at", [] { (void)point_at(Ray{{0, 0, 0}, {1, 0, 0}}, infinity); });
  add("star", [] { (void)starlight(Star::at({5, 0, 0}, -tiny), {}, {}); });
  add("star of a scene", [&s] { (void)s.starlight(Star::at({5, 0, 0}, -tiny), {}); });
  add("luminosity", [] { (void)normal_irradiance({Star::at({5, 0, 0}, 1), -tiny}, {}); });
  add("normal", [] { (void)irradiance({Star::at({5, 0, 0}, 1), 1}, {{}, {0, 0, 0}}); });
  add("resolution", [] {
    (void)contact_times({Star::at({5, 0, 0}, 1)}, {Motion::at_rest({})}, {}, 0, 1, {.resolution = -tiny});
  });
  add("interval", [] { (void)phase_changes({Star::at({5, 0, 0}, 1)}, {Motion::at_rest({})}, {}, tiny, 0); });
  add("ball", [&s] { (void)s.within(Ball{{0, 0, 0}, -tiny}); });
  add("bullet", [&s] { (void)s.first_impact(Bullet{{0, 0, 0}, {1, 0, 0}, -tiny}); });
  add("centers", [&in] { in.build().update(std::vector<Vec3>(in.centers.size(), {infinity, 0, 0})); });
  return calls;
}

/// Queries by Search::embree: of a scene that is built in each mode, and of a scene that is built once.
void add_embree_calls(Calls& calls) {
  const World& in = world();
  static const Scene at_rest = Scene::build(in.spheres, {.layers = in.layers});
  const QueryOptions by_embree{.search = Search::embree};
  calls.push_back({"Search::embree, built", [&in, by_embree](Answer& out) {
                     const Scene built = Scene::build(in.spheres, {.layers = in.layers});
                     for (const auto& [query, rows] : test::all_rows(built, in.questions, by_embree))
                       out.add(rows);
                   }});
  add_queries(calls, at_rest, in.questions, by_embree);
}

Calls all_calls() {
  Calls calls;
  add_embree_calls(calls);
  add_path_calls(calls), add_sky_calls(calls), add_scene_calls(calls), add_query_calls(calls);
  return calls;
}

/// The message and element of the error that a call throws; empty if it throws none.
std::string complaint_of(const Call& call) {
  try {
    Answer none;
    call.ask(none);
  } catch (const Error& error) {
    return error.what() + (' ' + std::to_string(error.element()));
  }
  return {};
}

/// The results of all calls in one floating-point mode. They run in a new thread, so that oneTBB makes an
/// arena in this mode. Calls that change the mode are added to `spoilt`.
template <class Result, class Use>
std::vector<Result> in_mode(unsigned mode, const Calls& calls, std::vector<std::string>& spoilt,
                            const Use& use) {
  std::vector<Result> results(calls.size());
  std::thread([&] {
    const unsigned x87 = test::x87_mode();
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const test::HostMode host(mode);
      results[i] = use(calls[i]);
      if (!host.kept() || test::x87_mode() != x87) spoilt.push_back(calls[i].name);
    }
  }).join();
  return results;
}

template <class Result, class Use>
void compare_modes(const Calls& calls, const Use& use) {
  std::vector<std::string> spoilt;
  const std::vector<Result> plain = in_mode<Result>(test::default_mode, calls, spoilt, use);
  const auto modes = test::host_modes();
  // Every mode runs the same code. Under a sanitizer only the last mode is compared: every setting in it
  // differs from the default.
  for (std::size_t m = test::sanitized() ? modes.size() - 1 : 0; m < modes.size(); ++m) {
    const unsigned mode = modes[m];
    const std::vector<Result> other = in_mode<Result>(mode, calls, spoilt, use);
    INFO("mode " << std::hex << mode);
    for (std::size_t i = 0; i < calls.size(); ++i) {
      INFO(calls[i].name);
      const bool same = other[i] == plain[i];
      CHECK(same);
    }
    CHECK(spoilt == std::vector<std::string>{});
    spoilt.clear();
  }
}

}  // namespace

TEST_CASE("every public function gives the same bytes in every floating-point mode and leaves it as it was",
          "[query][modes]") {
  compare_modes<Answer>(all_calls(), [](const Call& call) {
    Answer out;
    try {
      call.ask(out);
    } catch (const Error& error) {
      out.put(error.code());  // wrong: the input is valid
    }
    return out;
  });
}

TEST_CASE("every public function gives the same bytes with and without FMA", "[query][modes]") {
  bool taken = false;
  for (const Call& call : all_calls()) {
    INFO(call.name);
    Answer fused, plain;
    call.ask(fused);
    {
      const test::Baseline baseline;
      call.ask(plain);
      taken = taken || baseline.taken();
    }
    const bool same = plain == fused;
    CHECK(same);
  }
  CHECK(taken);
}

TEST_CASE("bad input is refused in every floating-point mode alike, and the mode left as it was",
          "[query][modes]") {
  const Calls calls = refused_calls();
  for (const Call& call : calls) {
    INFO(call.name);
    CHECK(!complaint_of(call).empty());
  }
  compare_modes<std::string>(calls, complaint_of);
}

TEST_CASE("every public function of the headers is among those that are tried in every floating-point mode",
          "[query][modes]") {
  // A file that is saved holds the bytes of memory.
  std::set<std::string> asked{"spheres", "layers", "velocities", "current", "version", "save"};
  for (const Call& call : all_calls()) asked.insert(call.name);
  // Functions of the library: exported ones, and the methods of exported classes.
  const std::regex exported(R"(SPHAERA_API [\w:<>, ]*?(\w+)\()"),
      method(R"(^  [\w:<>, ]+ (\w+)\([^;{]*$|^  [\w:<>, ]+ (\w+)\(.*;)");
  std::set<std::string> missing;
  for (const auto& file : std::filesystem::recursive_directory_iterator(test::public_headers())) {
    const std::string name = file.path().filename().string();
    // Tried in tests/embree/bridge_geometry_test.cpp and tests/io/scene_file_test.cpp.
    if (name == "embree.hpp" || name == "scene_file.hpp") continue;
    std::ifstream in(file.path());
    bool in_class = false;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("class SPHAERA_API")) in_class = line.find("Error") == std::string::npos;
      if (line.starts_with("};") || line.starts_with(" private:")) in_class = false;
      std::smatch found;
      const bool hit =
          std::regex_search(line, found, exported) || (in_class && std::regex_search(line, found, method));
      if (!hit) continue;
      const std::string function = found[1].matched ? found[1] : found[2];
      if (function != "__attribute__" && !asked.contains(function)) missing.insert(function);
    }
  }
  CHECK(missing == std::set<std::string>{});
}

}  // namespace sphaera
