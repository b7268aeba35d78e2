/// \file Near misses against the oracle: which sphere, how far, when and where, to the errors that
/// <sphaera/bullet.hpp> states, with lengths, speeds and times of any size.

#include <cstdio>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/moving_scene.hpp>
#include <tests/oracle/near_miss.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

/// What is wrong with the near miss by index and by brute force.
std::string fault_of(const MovingScene& world, const Bullet& bullet, double reach) {
  const Scene scene = world.build();
  const NearMiss found = scene.near_misses({&bullet, 1}, reach).at(0),
                 forced = scene.near_misses({&bullet, 1}, reach, {.search = Search::brute_force}).at(0);
  if (!same(found, forced)) return "brute force finds another";
  return oracle::fault_in({world.spheres, world.velocities, world.horizon}, bullet, reach, found);
}

/// A few spheres of one size, at any scale, and a bullet of any speed that passes close to one of them.
struct Passage {
  MovingScene world;
  Bullet bullet;
  double reach;

  explicit Passage(Random& random) {
    const auto [scale, speed] = exponents(random);
    const double unit = std::ldexp(1.0, scale), rate = std::ldexp(1.0, speed);
    for (int i = random.whole(2, 8); i > 0; --i)
      world.spheres.push_back({(4 * unit) * random.in_cube(1), unit * random.log_uniform(1e-3, 1)});
    const Sphere& aim =
        world.spheres[static_cast<std::size_t>(random.below(static_cast<int>(world.spheres.size())))];
    bullet.origin = (8 * unit) * random.in_cube(1);
    const Vec3 way = aim.center + (2 * aim.radius) * random.in_cube(1) - bullet.origin;
    bullet.velocity = rate * ((1 / (8 * unit)) * way);
    bullet.radius = random.one_in(2) ? 0 : 0.3 * unit * random.unit();
    bullet.duration = random.one_in(2)
                          ? infinity
                          : std::ldexp(random.between(0, 20), std::clamp(scale - speed, -1074, 1000));
    reach = std::min(unit * random.log_uniform(0.1, 8), domain_limit);
    if (random.one_in(2)) move(unit, rate, random);
  }

 private:
  /// Powers of two of lengths and speeds: like those of daily life, any, for times near or below the least
  /// doubles, for times near or above the greatest.
  static std::pair<int, int> exponents(Random& random) {
    const int kind = random.below(4), tiny = random.whole(-1000, -830), large = random.whole(-50, 190);
    if (kind == 0) return {random.whole(-10, 10), random.whole(-10, 10)};
    if (kind == 1) return {random.whole(-1000, 190), random.whole(-1074, 198)};
    if (kind == 2) return {tiny, std::min(tiny + random.whole(1000, 1100), 198)};
    return {large, std::max(large - random.whole(1000, 1100), -1074)};
  }

  /// Lets the spheres move, some of them nearly with the bullet.
  void move(double unit, double rate, Random& random) {
    const double most = std::min(unit / rate, domain_limit), from = -most * random.unit();
    constexpr double later_than_tiny = 0x1p-700;  // where `most` underflows, flights last nevertheless
    world.horizon = {from, std::max(most * random.unit(), random.one_in(2) ? later_than_tiny : 0)};
    bullet.start = random.one_in(3) ? 0 : from * random.unit();
    for (Sphere& s : world.spheres) {
      const double share = random.one_in(3) ? random.log_uniform(1e-18, 1e-3) : random.unit();
      const Vec3 w = (share * rate) * random.in_cube(1);
      world.velocities.push_back(random.one_in(3) ? w + bullet.velocity : w);
      if (random.one_in(2)) s.center = s.center - bullet.start * world.velocities.back();
    }
  }
};

/// A small sphere whose way until the bullet's start cancels its distance from the bullet, but for the last
/// bits.
struct Return {
  MovingScene world;
  Bullet bullet;

  explicit Return(Random& random) {
    const double radius = random.log_uniform(1e-24, 1e-12);
    bullet.start = random.between(1, 2), world.horizon = {0, 4};
    const Vec3 w = random.in_cube(1), start = bullet.start * w;
    const Vec3 center{step(-start.x, random.whole(-2, 2)), step(-start.y, random.whole(-2, 2)),
                      step(-start.z, random.whole(-2, 2))};
    const Vec3 place{std::fma(bullet.start, w.x, center.x), std::fma(bullet.start, w.y, center.y),
                     std::fma(bullet.start, w.z, center.z)};
    world.spheres = {{center, radius}}, world.velocities = {w};
    bullet.origin = place + (4 * radius) * random.in_cube(1);
    bullet.velocity = w + (random.one_in(2) ? 1 : radius) * random.in_cube(1);
  }
};

/// Lengths and times in other units: powers of two, which change no bit of a significand.
void scale(MovingScene& world, std::vector<Bullet>& bullets, double length, double time) {
  const double speed = length / time;
  for (Sphere& s : world.spheres) s = {length * s.center, length * s.radius};
  for (Vec3& v : world.velocities) v = speed * v;
  world.horizon = {time * world.horizon.from, time * world.horizon.to};
  for (Bullet& b : bullets)
    b = {length * b.origin, speed * b.velocity, length * b.radius, time * b.start, time * b.duration};
}

}  // namespace

TEST_CASE("a sphere behind an impact at a time beyond all doubles is no near miss", "[query]") {
  const double unit = 0x1p20, speed = 0x1p-1020;
  const MovingScene world{{{{10 * unit, 0, 0}, unit}, {{20 * unit, 1.5 * unit, 0}, unit}}, {}};
  CHECK(fault_of(world, {{}, {speed, 0, 0}}, unit).empty());
  const Bullet bullet{{}, {speed, 0, 0}};
  CHECK(world.build().near_misses({&bullet, 1}, unit).at(0).sphere == -1);
}

TEST_CASE("near misses at times below all doubles", "[query]") {
  const double unit = 0x1p-880, speed = 0x1p200;
  const MovingScene world{{{{10 * unit, 3 * unit, 0}, unit}, {{0, 0, 4.5 * unit}, unit}}, {}};
  CHECK(fault_of(world, {{}, {speed, 0, 0}}, 4 * unit).empty());
  const Bullet bullet{{}, {speed, 0, 0}};
  const NearMiss found = world.build().near_misses({&bullet, 1}, 4 * unit).at(0);
  CHECK(found.sphere == 0);
  CHECK(found.distance == 2 * unit);
}

TEST_CASE("near misses are those of the oracle, at any scale and speed", "[query]") {
  Random random(seed(), 400);
  int near = 0;
  for (int i = 0; i < fewer_unless_all(20'000); ++i) {
    const Passage p(random);
    INFO("passage " << i << ", seed " << seed());
    REQUIRE(fault_of(p.world, p.bullet, p.reach) == "");
    near += p.world.build().near_misses({&p.bullet, 1}, p.reach).at(0).sphere >= 0;
  }
  CHECK(near > 0);
}

TEST_CASE("near misses are those of the oracle where a sphere's drift cancels its distance", "[query]") {
  Random random(seed(), 401);
  for (int i = 0; i < fewer_in_repeats(10'000); ++i) {
    const Return r(random);
    INFO("return " << i << ", seed " << seed());
    REQUIRE(fault_of(r.world, r.bullet, 1) == "");
  }
}

TEST_CASE("near misses are the least gaps, good to what is stated, against a hundred digits", "[query]") {
  oracle::NearMissErrors worst;
  int near = 0, cut_short = 0;
  const int scenes = fewer_in_repeats(30);
  for (int round = 0; round < scenes; ++round) {
    Random random(seed(), 70'000 + round);
    MovingScene world;
    const Vec3 middle = random.in_cube(random.one_in(2) ? 0 : random.log_uniform(1, 1e9));
    for (int i = 0; i < 8; ++i) {
      world.spheres.push_back({middle + random.in_cube(1), random.log_uniform(0.01, 0.3)});
      if (round % 2) world.velocities.push_back(random.log_uniform(1e-3, 10) * random.in_cube(1));
    }
    std::vector<Bullet> bullets = bullets_at(world, 40, random);
    const double length = std::ldexp(1, random.whole(-100, 100)), time = std::ldexp(1, random.whole(-90, 90)),
                 max_distance = random.one_in(6) ? 0 : length * random.log_uniform(1e-3, 10);
    scale(world, bullets, length, time);
    const Scene scene = world.build();
    const oracle::World exact{world.spheres, world.velocities, world.horizon};
    const std::vector<NearMiss> found = scene.near_misses(bullets, max_distance);
    CHECK(all_same(found, scene.near_misses(bullets, max_distance, {.search = Search::brute_force})));
    for (std::size_t i = 0; i < bullets.size(); ++i) {
      INFO("round " << round << ", bullet " << i << ", seed " << seed());
      CHECK(oracle::fault_in(exact, bullets[i], max_distance, found[i], &worst) == "");
      near += found[i].sphere >= 0;
      cut_short += found[i].sphere >= 0 && scene.first_impact(bullets[i]).sphere >= 0;
    }
  }
  std::printf(
      "near misses: %d, worst errors in units of what is stated: distance %.2f, time %.2f, point %.2f\n",
      near, worst.distance, worst.time, worst.point);
  CHECK((worst.distance <= 1 && worst.time <= 1 && worst.point <= 1));
  if (scenes < 10) return;  // too few for these
  CHECK(near > 3 * scenes);
  CHECK(cut_short > scenes / 3);
}
