/// \file Near misses against all spheres in a hundred digits: which sphere, how far, when and where, to the
/// errors that <sphaera/bullet.hpp> states.

#include <algorithm>
#include <cstdio>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/moving_scene.hpp>
#include <tests/oracle/place.hpp>
#include <tests/oracle/worst_errors.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;
using oracle::along, oracle::Place, oracle::real, oracle::Real;

namespace {

const Real half_ulp = 0x1p-53;

/// A sphere where it comes closest to a bullet until the bullet's first impact.
struct Approach {
  Real gap, t;           ///< t: since the bullet's start
  Real reach;            ///< |L| + radii
  Real time_from_L = 0;  ///< |L| ÷ relative speed; 0 if that is 0
  Place from_center;     ///< of the sphere to that of the bullet
};

Approach approach(const oracle::Sight& sight, const Real& end) {
  const Place l = real(sight.l), d = real(sight.d);
  const Real r = to_real(sight.r), far = oracle::length(l), speed = oracle::length(d);
  Approach a;
  a.reach = far + r;
  a.t = std::clamp(oracle::closest_approach(sight).value_or(0), Real(0), end);
  if (speed > 0) a.time_from_L = far / speed;
  a.from_center = along(l, a.t, d);
  a.gap = oracle::length(a.from_center) - r;
  return a;
}

/// The end of the flight or its first impact; and the spheres that the bullet touches then, which do not
/// count.
struct Way {
  Real end;
  std::vector<bool> touched;
};

Way way_of(const std::vector<oracle::ExpandedSight>& sights) {
  const oracle::Sight& any = sights[0].sight;
  Way way{Real(any.t_max) + to_real(any.t_max_more), std::vector<bool>(sights.size())};
  const oracle::ExpandedSight* first = nullptr;
  for (std::size_t i = 0; i < sights.size(); ++i) {
    if (oracle::contact(sights[i]) == Contact::miss) continue;
    const int order = first ? oracle::compare_entries(sights[i], *first) : -1;
    if (order > 0) continue;
    if (order < 0) first = &sights[i], way.touched.assign(sights.size(), false);
    way.touched[i] = true;
  }
  if (!first) return way;
  const auto roots = oracle::roots(first->sight);
  way.end = roots ? std::max(roots->t1, Real(0)) : Real(0);
  return way;
}

struct WorstNearMiss {
  double distance = 0, time = 0, point = 0;  ///< in units of the stated errors
};

/// Is this the least gap, as far as its stated error can tell, and are the numbers as good as stated?
void check(const NearMiss& found, const MovingScene& world, const Bullet& bullet, double max_distance,
           WorstNearMiss& worst) {
  std::vector<oracle::ExpandedSight> sights;
  for (std::size_t i = 0; i < world.spheres.size(); ++i) sights.emplace_back(world.sight(bullet, i));
  const Way way = way_of(sights);
  for (std::size_t i = 0; i < sights.size(); ++i) {
    if (way.touched[i]) continue;
    const Approach a = approach(sights[i].sight, way.end);
    // The gap of this sphere, as computed, is at most this; the least is reported.
    const Real most = a.gap + 18 * half_ulp * a.reach;
    CHECK((found.sphere < 0 ? most > max_distance : found.distance <= most));
  }
  if (found.sphere < 0) return;
  const auto id = static_cast<std::size_t>(found.sphere);
  REQUIRE(!way.touched[id]);
  CHECK(found.distance <= max_distance);
  const Approach a = approach(sights[id].sight, way.end);
  const Place velocity = real(world.velocity(id)), center = real(world.spheres[id].center);
  const Real time = bullet.start + a.t,
             time_error = 13 * half_ulp * a.time_from_L + half_ulp * (abs(time) + a.t),
             radius = world.spheres[id].radius, speed = oracle::length(velocity);
  const Place point =
      along(along(center, time, velocity), radius / oracle::length(a.from_center), a.from_center);
  note(worst.distance, found.distance - a.gap, 18 * half_ulp * a.reach);
  if (time_error > 0)
    note(worst.time, found.time - time, time_error);
  else
    CHECK(found.time == 0);
  note(worst.point, oracle::length(along(real(found.point), -1, point)),
       16 * half_ulp * (a.reach + oracle::length(point) + abs(time) * speed) + speed * time_error);
}

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

TEST_CASE("near misses are the least gaps, good to what is stated, against a hundred digits", "[query]") {
  WorstNearMiss worst;
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
    const std::vector<NearMiss> found = scene.near_misses(bullets, max_distance);
    CHECK(all_same(found, scene.near_misses(bullets, max_distance, {.search = Search::brute_force})));
    for (std::size_t i = 0; i < bullets.size(); ++i) {
      INFO("round " << round << ", bullet " << i << ", seed " << seed());
      check(found[i], world, bullets[i], max_distance, worst);
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
