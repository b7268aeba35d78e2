/// \file The ends of the horizon, against an oracle that does not round them: which spheres are touched in
/// the instant in which the horizon ends or a bullet starts, and what is refused.

#include <algorithm>
#include <sphaera/scene_buffer.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/moving_scene.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

/// Checks first impacts, of single bullets and of a batch, by index and by brute force, against the oracle.
void check_first(const MovingScene& world, const std::vector<Bullet>& bullets) {
  const Scene scene = world.build();
  const QueryOptions forced{.search = Search::brute_force};
  std::vector<Impact> found(bullets.size());
  scene.first_impact(bullets, found);
  const ImpactLists lists = scene.all_impacts(bullets, {.pierces = 1});
  for (std::size_t i = 0; i < bullets.size(); ++i) {
    INFO("bullet " << i << ", seed " << seed());
    const Impact expected = first_by_oracle(world, bullets[i]);
    REQUIRE(found[i].sphere == expected.sphere);
    REQUIRE(found[i].contact == expected.contact);
    REQUIRE(same(found[i], scene.first_impact(bullets[i])));
    REQUIRE(same(found[i], scene.first_impact(bullets[i], {}, forced)));
    REQUIRE((lists[i].empty() ? -1 : lists[i][0].sphere) == expected.sphere);
  }
}

/// A start for which `to` − start is usually not a double; 0 in one case of eight.
double odd_start(Random& random) {
  const double share = random.one_in(2) ? random.unit() : random.whole(1, 7);
  return random.one_in(8) ? 0 : std::ldexp(share, -random.whole(1, 70));
}

Vec3 whole_vector(Random& random, int most) {
  return {double(random.whole(-most, most)), double(random.whole(-most, most)),
          double(random.whole(-most, most))};
}

/// A resting or flying bullet, and spheres that touch it exactly at the time `to`. Coordinates are short, so
/// that the contact is exact. Some spheres or the horizon's end are then changed by an ulp.
struct Touch {
  MovingScene world;
  Bullet bullet;

  explicit Touch(Random& random) {
    const double to = random.whole(1, 1000);
    world.horizon = {0, to};
    bullet.start = odd_start(random), bullet.radius = random.whole(0, 2);
    // At the time `to` the bullet is at `place`, if its origin below is not rounded.
    const Vec3 near = 0.25 * whole_vector(random, 3);
    bullet.velocity = random.one_in(2) ? Vec3{} : whole_vector(random, 4);
    bullet.origin = near + bullet.start * bullet.velocity;
    const Vec3 place = near + to * bullet.velocity;
    if (random.one_in(4)) bullet.duration = random.between(0.9, 1.1) * to;
    for (int i = random.whole(1, 4); i > 0; --i) add_sphere(place, random);
    if (random.one_in(4)) world.horizon.to = step(to, random.whole(-1, 1));
  }

 private:
  /// Vectors of a whole length.
  static constexpr Vec3 ways[] = {{1, 0, 0}, {1, 2, 2}, {2, 3, 6}, {-4, 4, 7}, {0, 3, 4}};

  void add_sphere(const Vec3& place, Random& random) {
    const Vec3 way = ways[random.below(5)];
    const double length = std::sqrt(dot(way, way)), share = random.whole(3, 9);
    Sphere s{place + share * way, share * length - bullet.radius};
    Vec3 w = random.one_in(3) ? -way : whole_vector(random, 5);
    if (random.one_in(4)) w = bullet.velocity + cross(way, whole_vector(random, 2));  // a tangent
    s.center = s.center - world.horizon.to * w;
    if (random.one_in(4)) s.radius = step(s.radius, random.whole(-1, 1));
    if (random.one_in(8)) s.center.x = step(s.center.x, random.whole(-1, 1));
    world.spheres.push_back(s), world.velocities.push_back(w);
  }
};

}  // namespace

TEST_CASE("a sphere touched in the instant that the horizon ends is hit", "[query]") {
  const MovingScene world{{{{11, 0, 0}, 1}}, {{-1, 0, 0}}, {0, 10}};
  std::vector<Bullet> bullets;
  for (const double start : {0.0, 0.1, 1.0, 0x1p-60, 0x1p-51, 1e-3}) bullets.push_back({{}, {}, 0, start});
  std::vector<Impact> found(bullets.size());
  world.build().first_impact(bullets, found);
  for (const Impact& m : found) {
    CHECK(m.sphere == 0);
    CHECK(m.contact == Contact::enters);
    CHECK(m.time == 10);
    CHECK(m.point == Vec3{0, 0, 0});
  }
  check_first(world, bullets);
  MovingScene shorter = world;
  shorter.horizon.to = 0x1.3ffffffffffffp+3;
  check_first(shorter, bullets);
}

TEST_CASE("a sphere left in the instant that a bullet starts, or met in the last, is hit", "[query]") {
  // The bullet leaves the first sphere at exactly 0 and meets the second at exactly 10. 0.1 · 3 is no double.
  MovingScene world{{{{-1, 0, 0}, 1}, {{32, 0, 0}, 2}}, {{-3, 0, 0}, {-3, 0, 0}}, {0, 10}};
  check_first(world, {{{}, {}, 0, 0}, {{}, {}, 0, 0x1p-60}, {{}, {}, 0, 0.1}, {{}, {}, 0, 10}});
  world.horizon.from = 0x1p-1074;
  check_first(world, {{{}, {}, 0, 0x1p-1074}, {{}, {}, 0, 0x1p-60}});
}

TEST_CASE("a bullet of long ago meets what it would have met had it just started", "[query]") {
  // The flight lasts 10 − start = 2^57 + 10, which is no double. Rounded down, it ends ten units too early;
  // rounded up, 22 units too late.
  const double long_ago = -0x1p57;
  for (const double from : {long_ago, -0x1.8p58}) {
    const MovingScene world{{{{11, 0, 0}, 1}, {{0, 12, 0}, 1}, {{0, 0, 20}, 1}},
                            {{-1, 0, 0}, {0, -1.25, 0}, {0, 0, -1}},
                            {from, 10}};
    check_first(world, {{{}, {}, 0, long_ago},
                        {{0, 2, 0}, {}, 0, long_ago},
                        {{0, 0, 9}, {}, 0, long_ago},
                        {{0, 0, 8}, {}, 0, long_ago},
                        {{}, {}, 0, long_ago, 0x1p57}});
    const Impact m = world.build().first_impact(Bullet{{}, {}, 0, long_ago});
    CHECK(m.sphere == 1);
    CHECK(m.time == Approx(8.8));
  }
}

TEST_CASE("bullets and spheres that touch at the end of the horizon, or miss by a bit", "[query]") {
  int touched = 0, missed = 0;
  for (int i = 0; i < fewer_in_repeats(4000); ++i) {
    Random random(seed(), static_cast<std::uint64_t>(40'000 + i));
    const Touch touch(random);
    check_first(touch.world, {touch.bullet});
    ++(first_by_oracle(touch.world, touch.bullet).sphere < 0 ? missed : touched);
  }
  CHECK(touched > fewer_in_repeats(1000));
  CHECK(missed > fewer_in_repeats(500));
}

TEST_CASE("the sphere touched first is no near miss, and the sphere that would be touched next is one",
          "[query]") {
  const MovingScene world{
      {{{11, 0, 0}, 1}, {{0, 11, 0}, 1}, {{0, 0, 0x1.6000000000001p+3}, 1}, {{0, -11, 0}, 0.5}},
      {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}, {0, 1, 0}},
      {0, 10}};
  const Scene scene = world.build();
  for (const double start : {0.0, 0.1, 1.0, 0x1p-60, 0x1p-51, 1e-3}) {
    INFO("start " << start);
    const Bullet bullet{{}, {}, 0, start};
    for (const Search search : {Search::index, Search::brute_force}) {
      const NearMiss miss = scene.near_misses({&bullet, 1}, 1, {.search = search}).at(0);
      CHECK(miss.sphere == 2);  // it comes 2^-49 too late
      CHECK(miss.distance <= 0x1p-48);
    }
  }
}

TEST_CASE("moving spheres need a horizon, and bullets a start within it or after it", "[query]") {
  const std::vector<Sphere> spheres{{{5, 0, 0}, 1}};
  const std::vector<Vec3> velocities{{-1, 0, 0}};
  const std::string no_horizon =
      "spheres have velocities, but there is no horizon; give the interval of time in which queries see them";
  CHECK(refusal([&] { (void)Scene::build(spheres, {.velocities = velocities}); }).message == no_horizon);
  CHECK(refusal([&] { SceneBuffer(spheres, {.velocities = velocities}); }).message == no_horizon);

  const MovingScene world{spheres, velocities, {0, 1}};
  const Scene scene = world.build();
  const std::vector<Bullet> bullets{{{}, {9, 0, 0}}, {{}, {9, 0, 0}, 0, -0.2}, {{}, {9, 0, 0}, -1, -0.2}};
  std::vector<Impact> out(bullets.size());
  const std::string early =
      "start is -0.2, before the horizon begins at 0; let the horizon begin no later than the earliest start";
  for (const FlightOptions& flight : {FlightOptions{}, FlightOptions{.gravity = {0, 0, -1}}}) {
    CHECK(refusal([&] { (void)scene.all_impacts(bullets, flight); }).message == "bullet 1: " + early);
    CHECK(refusal([&] { (void)scene.all_impacts(bullets, flight); }).element == 1);
    CHECK(refusal([&] { scene.first_impact(bullets, out, flight); }).element == 1);
    CHECK(refusal([&] { (void)scene.first_impact(bullets[1], flight); }).message == "bullet: " + early);
  }
  CHECK(refusal([&] { (void)scene.near_misses(bullets, 1); }).element == 1);
  // Of several that are wrong the first is named.
  const std::vector<Bullet> both{{{}, {9, 0, 0}, -1, 0}, bullets[1]};
  CHECK(refusal([&] { (void)scene.all_impacts(both); }).message ==
        "bullet 0: radius is -1; give a finite one, 0 or more and at most 2^200");
  // After the horizon no sphere is met. A scene at rest has no horizon.
  CHECK(scene.first_impact(Bullet{{}, {9, 0, 0}, 0, 1.5}).sphere == -1);
  CHECK(Scene::build(spheres, {.horizon = Horizon{0, 1}}).first_impact(bullets[1]).sphere == 0);
}
