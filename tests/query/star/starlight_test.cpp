/// \file Starlight of a scene: that of the list of its spheres, whatever the threads, the order or the
/// batch.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <sphaera/sphaera.hpp>
#include <string>
#include <tests/inputs/skies.hpp>

#include <tests/catch.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::refusal, test::Refusal, test::same;

/// A belt of small bodies and three stars: one of the bodies, a point and a star at infinity. The observers
/// are among the bodies, a third of them on one.
struct BeltWorld {
  std::vector<Sphere> bodies;
  std::vector<Star> stars;
  std::vector<Observer> observers;

  explicit BeltWorld(std::size_t people = 300) {
    std::mt19937_64 random(test::seed());
    std::uniform_real_distribution<double> unit(-1, 1);
    const auto place = [&] { return 20 * Vec3{unit(random), unit(random), 0.2 * unit(random)}; };
    bodies.push_back({{0, 0, 0}, 1.5});
    while (bodies.size() < 200) {
      const Sphere body{place(), 0.3 + 0.25 * unit(random)};
      if (dot(body.center, body.center) > 9) bodies.push_back(body);
    }
    stars = {Star::at({0, 0, 0}, 1.5, LimbDarkening::quadratic(0.4, 0.26)), Star::at({40, 3, 1}, 0),
             Star::at_infinity({-1, 0.2, 0.1}, 0.05)};
    while (observers.size() < people) {
      const auto ground = static_cast<std::int64_t>(random() % bodies.size());
      const Vec3 up = place();
      const Sphere& body = bodies[static_cast<std::size_t>(ground)];
      const double height = body.radius / std::sqrt(dot(up, up));
      const bool stands = observers.size() % 3 == 0;
      observers.push_back(stands ? Observer{body.center + height * up, ground} : Observer{place()});
    }
  }
  Scene scene() const { return Scene::build(bodies); }
  std::vector<Visibility> expected() const {
    std::vector<Visibility> all;
    for (const Observer& observer : observers)
      for (const Star& star : stars) all.push_back(starlight(star, observer, bodies));
    return all;
  }
};

}  // namespace

TEST_CASE("starlight of a scene is that of the list of its spheres", "[query][stars]") {
  const BeltWorld world;
  const Scene scene = world.scene();
  const std::vector<Visibility> expected = world.expected();
  const auto is = [&](EclipsePhase phase) {
    return std::ranges::count_if(
        expected, [&](const Visibility& v) { return v.phase == phase && v.status == StarStatus::ok; });
  };
  CHECK(is(EclipsePhase::lit) > 0);
  CHECK(is(EclipsePhase::penumbra) > 0);
  CHECK(is(EclipsePhase::umbra) > 0);
  for (const int threads : {1, 2, 8}) {
    for (const Search search : {Search::index, Search::brute_force}) {
      CHECK(test::all_same(
          scene.starlight(world.stars, world.observers, {.search = search, .threads = threads, .grain = 7}),
          expected));
    }
  }
  for (std::size_t i = 0; i < expected.size(); i += 11) {
    const std::size_t stars = world.stars.size();
    CHECK(same(scene.starlight(world.stars[i % stars], world.observers[i / stars]), expected[i]));
  }
}

TEST_CASE("starlight of random skies by a scene", "[query][stars]") {
  test::Random random(test::seed());
  for (int i = 0; i < 200; ++i) {
    const test::StarSky sky = test::random_sky(random, 1 + i % 6);
    const Scene scene = Scene::build(sky.bodies);
    CHECK(same(scene.starlight(sky.star, sky.observer), starlight(sky.star, sky.observer, sky.bodies)));
  }
}

TEST_CASE("starlight does not depend on the order of spheres or observers, or how a batch is split",
          "[query][stars]") {
  const BeltWorld world;
  const std::vector<Visibility> expected = world.expected();
  const std::size_t stars = world.stars.size();
  std::mt19937_64 random(test::seed());

  std::vector<std::size_t> order(world.observers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  std::vector<Observer> shuffled;
  for (const std::size_t i : order) shuffled.push_back(world.observers[i]);
  const std::vector<Visibility> seen = world.scene().starlight(world.stars, shuffled);
  for (std::size_t i = 0; i < order.size(); ++i)
    CHECK(test::all_same(std::span(seen).subspan(i * stars, stars),
                         std::span(expected).subspan(order[i] * stars, stars)));

  std::vector<Visibility> split;
  for (std::size_t begin = 0; begin < world.observers.size(); begin += 77) {
    const auto part = std::span(world.observers)
                          .subspan(begin)
                          .first(std::min<std::size_t>(77, world.observers.size() - begin));
    const std::vector<Visibility> some = world.scene().starlight(world.stars, part);
    split.insert(split.end(), some.begin(), some.end());
  }
  CHECK(test::all_same(split, expected));

  // Spheres in another order: numbers are the same, ids follow.
  BeltWorld reversed = world;
  std::ranges::reverse(reversed.bodies);
  const auto last = static_cast<std::int64_t>(reversed.bodies.size()) - 1;
  for (Observer& observer : reversed.observers)
    if (observer.on >= 0) observer.on = last - observer.on;
  const std::vector<Visibility> again = reversed.scene().starlight(reversed.stars, reversed.observers);
  for (std::size_t i = 0; i < again.size(); ++i) {
    CHECK(same(again[i].fraction, expected[i].fraction));
    CHECK(same(again[i].flux, expected[i].flux));
    CHECK(again[i].phase == expected[i].phase);
    CHECK(again[i].occluders == expected[i].occluders);
  }
}

TEST_CASE("spheres on other layers, or ignored, hide nothing of a star", "[query][stars]") {
  const std::vector<Sphere> bodies{{{0, 0, 0}, 1}, {{5, 0, 0}, 1}, {{8, 0, 0}, 1}};
  const std::vector<std::uint8_t> layers{0, 1, 2};
  const Scene scene = Scene::build(bodies, {.layers = layers});
  const Star star = Star::at({100, 0, 0}, 1);
  const Observer away{{3, 0, 0}, Observer::nowhere}, night{{-1, 0, 0}, 0};
  CHECK(scene.starlight(star, away).occluders == 2);
  CHECK(scene.starlight(star, away, {.layers = 0b010}).dominant == 1);
  CHECK(scene.starlight(star, away, {.layers = 0b001}).phase == EclipsePhase::lit);

  const std::vector<std::int64_t> nearer{1};
  CHECK(scene.starlight(star, away, {.ignore = nearer}).dominant == 2);
  CHECK(scene.starlight(star, away, {.layers = 0b011, .ignore = nearer}).phase == EclipsePhase::lit);

  // The ground is a sphere as any other.
  const std::vector<std::int64_t> ground{0};
  CHECK(scene.starlight(star, night).occluders == 3);
  CHECK(scene.starlight(star, night, {.layers = 0b110}).occluders == 2);
  CHECK(scene.starlight(star, night, {.layers = 0b001, .ignore = ground}).phase == EclipsePhase::lit);

  const std::vector<Star> stars{star, star};
  const std::vector<Observer> observers{away, away, night};
  const std::vector<std::int64_t> each{1, -1, 0};
  const std::vector<Visibility> seen = scene.starlight(stars, observers, {.ignore = each});
  const int occluders[] = {1, 1, 2, 2, 2, 2};
  for (std::size_t i = 0; i < seen.size(); ++i) CHECK(seen[i].occluders == occluders[i]);
  const Scene plain = Scene::build(bodies);  // without layers all are on layer 0
  CHECK(plain.starlight(star, away, {.layers = 0b010}).phase == EclipsePhase::lit);
}

TEST_CASE("a star that is a sphere of the scene hides other stars but not itself", "[query][stars]") {
  const Sphere sun{{0, 0, 0}, 2}, dwarf{{10, 0, 0}, 1};
  const Scene scene = Scene::build(std::vector<Sphere>{sun, dwarf});
  const std::vector<Star> stars{Star::at(sun.center, sun.radius), Star::at(dwarf.center, dwarf.radius)};
  const std::vector<Observer> observers{{{30, 0, 0}}, {{0, 30, 0}}, {{0, 0, 1}}};
  const std::vector<Visibility> seen = scene.starlight(stars, observers);
  CHECK(seen[0].dominant == 1);
  CHECK(seen[1].phase == EclipsePhase::lit);
  CHECK(seen[2].phase == EclipsePhase::lit);
  CHECK(seen[3].phase == EclipsePhase::lit);
  CHECK(seen[4].status == StarStatus::inside_star);
  CHECK(seen[5].phase == EclipsePhase::umbra);  // within the Sun, whose ball bars the way
}

TEST_CASE("starlight refuses the first bad star or observer before any work", "[query][stars]") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const BeltWorld world(5000);
  const Scene scene = world.scene();
  std::vector<Visibility> out(world.observers.size() * world.stars.size());
  const auto ask = [&](const BeltWorld& w) {
    return refusal([&] { scene.starlight(w.stars, w.observers, out, {.threads = 2}); });
  };
  BeltWorld bad = world;
  bad.stars[1].radius = bad.stars[2].radius = -1;
  CHECK(ask(bad).element == 1);
  CHECK(ask(bad).message.find("star 1: radius is -1") == 0);

  bad = world;
  bad.observers[3000].position.y = bad.observers[4000].position.y = nan;
  CHECK(ask(bad).element == 3000);
  CHECK(ask(bad).message.find("observer 3000: position.y is nan") == 0);

  for (const std::int64_t on :
       {std::int64_t{-2}, std::int64_t{200}, std::numeric_limits<std::int64_t>::max()}) {
    bad = world;
    bad.observers[3000].on = bad.observers[4000].on = on;
    CHECK(ask(bad).element == 3000);
    CHECK(refusal([&] { (void)scene.starlight(bad.stars[0], bad.observers[3000]); }).code ==
          ErrorCode::invalid_argument);
  }
  bad = world;
  bad.observers[3000] = {bad.bodies[7].center, 7};
  CHECK(ask(bad).element == 3000);

  CHECK(std::ranges::all_of(out, [](const Visibility& v) { return same(v, Visibility{}); }));
  out.pop_back();
  CHECK(ask(world).message.find("the output span") == 0);
  CHECK(refusal([&] {
          const std::vector<std::int64_t> ignore{1};
          (void)scene.starlight(world.stars, world.observers, {.ignore = ignore});
        }).code == ErrorCode::invalid_argument);
  CHECK(refusal([&] { (void)Scene{}.starlight(world.stars[0], Observer{{}, 0}); }).code ==
        ErrorCode::invalid_argument);
}

TEST_CASE("starlight of empty scenes and batches; statistics; a stop", "[query][stars]") {
  const BeltWorld world;
  const Scene scene = world.scene();
  CHECK(scene.starlight(std::span<const Star>{}, world.observers).empty());
  CHECK(scene.starlight(world.stars, std::span<const Observer>{}).empty());
  for (const Scene& empty : {Scene{}, Scene::build({})}) {
    const Visibility v = empty.starlight(world.stars[0], Observer{{9, 0, 0}});
    CHECK(v.phase == EclipsePhase::lit);
    CHECK(v.fraction == 1);
    CHECK(v.dominant == -1);
  }
  QueryStats stats;
  (void)scene.starlight(world.stars, world.observers, {.search = Search::brute_force, .stats = &stats});
  CHECK(stats.queries == world.stars.size() * world.observers.size());
  CHECK(stats.candidates >= stats.queries * (world.bodies.size() - 1));
  (void)scene.starlight(std::span<const Star>{}, world.observers, {.stats = &stats});
  CHECK(stats.queries == world.stars.size() * world.observers.size());

  std::stop_source stop;
  stop.request_stop();
  CHECK(refusal([&] {
          (void)scene.starlight(world.stars, world.observers, {.stop = stop.get_token()});
        }).code == ErrorCode::cancelled);
}

}  // namespace sphaera
