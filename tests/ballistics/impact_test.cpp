/// \file The numbers of impacts against a hundred digits, in units of the errors that <sphaera/bullet.hpp>
/// states.

#include <cstdio>
#include <sphaera/scene.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/oracle/decide.hpp>
#include <tests/oracle/place.hpp>
#include <tests/oracle/radicals.hpp>
#include <tests/oracle/rebound.hpp>
#include <tests/oracle/roots.hpp>
#include <tests/oracle/worst_errors.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;
using oracle::along, oracle::dot, oracle::length, oracle::Place, oracle::real, oracle::Real;

namespace {

/// The impact by textbook formulas in 100 digits, for a bullet that enters.
struct Truth {
  Place w, point, center, normal, velocity, exit_point;
  Real time, exit_time, distance, angle, speed;

  Truth(const Bullet& b, const Sphere& s, const Vec3& sphere_velocity, const FlightOptions& rules)
      : w(real(sphere_velocity)) {
    const oracle::Sight sight = oracle::sight(b, s, sphere_velocity);
    const Place l = real(sight.l), d = real(sight.d);
    const Real reach = to_real(sight.r), a = dot(d, d), half = dot(l, d), c = dot(l, l) - reach * reach,
               root = sqrt(half * half - a * c), t = (-half - root) / a, t2 = (-half + root) / a;
    time = b.start + t, exit_time = b.start + t2, distance = t * length(real(b.velocity));
    const Place from_center = along(l, t, d), out = along(l, t2, d);
    normal = along({}, 1 / reach, from_center);
    const Real r = s.radius;
    point = along(along(real(s.center), time, w), r / reach, from_center);
    center = along(along(real(s.center), time, w), 1, from_center);
    exit_point = along(along(real(s.center), exit_time, w), r / reach, out);
    const Real inward = -dot(d, normal);
    velocity = along(oracle::rebound(d, normal, rules.restitution, rules.friction), 1, w);
    speed = length(d);
    angle = asin(inward / speed);
  }
};

void compare(const Impact& m, const Truth& truth, const Bullet& b, const Sphere& s, bool keeps_speed,
             WorstErrors& worst) {
  const Real u = 0x1p-53, flight = abs(truth.time - b.start), drift = abs(truth.time) * length(truth.w),
             radii = s.radius + b.radius;
  const auto apart = [](const Vec3& x, const Place& y) { return length(along(real(x), -1, y)); };
  note(worst.time, m.time - truth.time, 1.1 * u * (abs(truth.time) + flight));
  const Real later = abs(truth.exit_time) + abs(truth.exit_time - b.start);
  note(worst.exit_time, m.exit_time - truth.exit_time, 8 * u * later);
  note(worst.distance, m.distance - truth.distance, 4 * u * truth.distance);
  note(worst.angle, m.angle - truth.angle, 8 * u * truth.angle);
  const Real place = length(truth.point) + drift + radii;
  note(worst.point, apart(m.point, truth.point), 2 * u * place);
  note(worst.center, apart(m.center, truth.center), 2 * u * place);
  note(worst.normal, apart(m.normal, truth.normal), 4 * u);
  const Real speeds = truth.speed + length(truth.w);
  note(worst.velocity, apart(m.velocity, truth.velocity), 4 * u * speeds);
  if (keeps_speed)
    note(worst.length, length(along(real(m.velocity), -1, truth.w)) - truth.speed,
         Real(1.01) * u * length(real(m.velocity)));
  const Real drifts = (abs(truth.time) + (truth.exit_time - truth.time)) * length(truth.w);
  const Real exit_place = length(truth.exit_point) + drifts + radii;
  note(worst.exit_point, apart(m.exit_point, truth.exit_point), 8 * u * exit_place);
}

/// Starts about `range` radii away. The bullet's center passes the sphere's center at m times the sum of the
/// radii; m is random in 1 − `grazing` … 1 or, if `grazing` is 0, in 0 … 1.
Bullet bullet_from(const Sphere& s, const Vec3& w, double range, double grazing, Random& random) {
  const Vec3 way = random.in_cube(1), across = cross(way, random.in_cube(1));
  const double radius = random.one_in(2) ? 0 : s.radius * random.unit(), reach = s.radius + radius,
               start = random.between(-1, 1), t = random.log_uniform(0.01, 1);
  const double miss = grazing > 0 ? 1 - grazing * random.unit() : random.unit();
  const Vec3 d = (range * s.radius / t) * way;
  const Vec3 aim = s.center + (start + t) * w + (miss * reach / std::sqrt(dot(across, across))) * across;
  return {aim - t * (d + w), d + w, radius, start};
}

}  // namespace

TEST_CASE("impacts are good to what is stated, against a hundred digits", "[ballistics]") {
  Random random(seed(), 11);
  int enter = 0, slowed = 0;
  WorstErrors worst;
  for (int i = 0; i < fewer_unless_all(20'000); ++i) {
    const double size = random.log_uniform(1e-3, 1e9);
    const Sphere s{100 * size * random.in_cube(1), size};
    // At rest, slow, or so fast that its velocity takes most digits of the bullet's.
    const Vec3 w = random.one_in(3)
                       ? Vec3{}
                       : (size * random.log_uniform(1e-3, random.one_in(2) ? 10 : 1e12)) * random.in_cube(1);
    const Bullet b = bullet_from(s, w, random.log_uniform(3, 1e9),
                                 random.one_in(2) ? random.log_uniform(1e-12, 1) : 0, random);
    const Scene scene =
        Scene::build(std::span(&s, 1), {.velocities = std::span(&w, 1), .horizon = Horizon{-2, 1e6}});
    FlightOptions rules;
    if (random.one_in(2)) rules.restitution = random.one_in(4) ? 0 : random.unit();
    if (random.one_in(2)) rules.friction = random.log_uniform(1e-3, 10);
    const Impact m = scene.first_impact(b, rules);
    if (m.contact != Contact::enters) continue;
    ++enter, slowed += rules.restitution < 1 && rules.friction > 0;
    compare(m, Truth(b, s, w, rules), b, s, rules.restitution == 1 && rules.friction == 0, worst);
  }
  CHECK(enter > fewer_unless_all(10'000));
  CHECK(slowed > enter / 5);
  std::printf("impacts: %d", enter);
  print(worst);
  CHECK(worst.most() <= 1);
}

TEST_CASE("velocities after impacts of bullets that start inside are good to what is stated",
          "[ballistics]") {
  Random random(seed(), 12);
  double worst = 0;
  int inward = 0;
  const int cases = fewer_unless_all(8'000);
  for (int i = 0; i < cases; ++i) {
    const double size = random.log_uniform(1e-3, 1e9);
    const Sphere s{100 * size * random.in_cube(1), size};
    const Vec3 w = random.one_in(2) ? Vec3{} : (size * random.log_uniform(1e-3, 1e6)) * random.in_cube(1);
    const double radius = random.one_in(2) ? 0 : size * random.unit(), start = random.between(-1, 1);
    const double depth = random.one_in(2) ? random.unit() : 1 - random.log_uniform(1e-12, 1);
    const Bullet b{s.center + start * w + (depth * (size + radius)) * random.direction(),
                   w + (size * random.log_uniform(1e-3, 1e3)) * random.in_cube(1), radius, start};
    const FlightOptions rules{.restitution = random.one_in(3) ? 1 : random.unit(),
                              .friction = random.one_in(3) ? 0 : random.log_uniform(1e-3, 10)};
    const Scene scene =
        Scene::build(std::span(&s, 1), {.velocities = std::span(&w, 1), .horizon = Horizon{-2, 1e6}});
    const Impact m = scene.first_impact(b, rules);
    if (m.contact != Contact::starts_inside) continue;
    INFO("case " << i << ", seed " << seed());
    const oracle::Sight sight = oracle::sight(b, s, w);
    const Place l = real(sight.l), d = real(sight.d);
    const Place velocity =
        along(oracle::rebound(d, along({}, 1 / length(l), l), rules.restitution, rules.friction), 1, real(w));
    inward += dot(l, d) < 0;
    note(worst, length(along(real(m.velocity), -1, velocity)),
         4 * Real(0x1p-53) * (length(d) + length(real(w))));
  }
  CHECK(inward > cases / 4);
  std::printf("starts inside: worst error of the velocity in units of what is stated: %.2f\n", worst);
  CHECK(worst <= 1);
}
