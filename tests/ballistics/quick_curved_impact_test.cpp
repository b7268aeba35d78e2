/// \file The fast numbers of impacts under gravity against a hundred digits, in units of the errors that
/// <sphaera/bullet.hpp> states.

#include <ballistics/arc_length.hpp>
#include <ballistics/impact.hpp>
#include <bit>
#include <cstdio>
#include <cstring>
#include <exact/curves/curve_piece.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/oracle/fall.hpp>
#include <tests/oracle/place.hpp>
#include <tests/oracle/radicals.hpp>
#include <tests/oracle/rebound.hpp>
#include <tests/oracle/roots.hpp>
#include <tests/oracle/worst_errors.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;
using oracle::along, oracle::dot, oracle::length, oracle::Fall, oracle::Place, oracle::real, oracle::Real;

namespace {

/// A bullet that falls towards a sphere.
struct FallingBullet {
  Sphere sphere;
  Vec3 drift, gravity;
  Bullet bullet;
};

/// Aimed into the sphere, or to graze it.
FallingBullet bullet_from_outside(Random& random) {
  const double size = random.log_uniform(1e-3, 1e9), t = random.log_uniform(1e-3, 1e3),
               radius = random.one_in(2) ? 0 : size * random.unit(), start = random.between(-1, 1),
               speed = size / t * random.log_uniform(10, 1e5);
  const Sphere s{100 * size * random.in_cube(1), size};
  const Vec3 velocity = speed * random.direction(),
             gravity = (speed / t * random.log_uniform(1e-6, 1)) * random.direction(),
             drift = random.one_in(2) ? Vec3{} : (size / t * random.unit()) * random.direction(),
             across = cross(velocity + t * gravity - drift, random.direction());
  const double miss = random.one_in(2) ? 1 - random.log_uniform(1e-12, 1) : random.unit();
  const Vec3 aim =
      s.center + (start + t) * drift + (miss * (size + radius) / std::sqrt(dot(across, across))) * across;
  return {s, drift, gravity, {aim - t * velocity - (0.5 * t * t) * gravity, velocity, radius, start}};
}

/// Enters a ball of some size, in its units, after a flight about as long as the way through it.
FallingBullet bent_bullet_at(const Vec3& normal, const Vec3& way, const Vec3& gravity, Random& random) {
  const double size = random.log_uniform(1e-3, 1e3), speed = size * random.log_uniform(1e-3, 1e3),
               t = size / speed * random.log_uniform(0.1, 10);
  const Vec3 velocity = speed * way, g = (speed * speed / size) * gravity;
  const Sphere s{10 * size * random.in_cube(1), size};
  return {s, {}, g, {s.center + size * normal - t * velocity + (0.5 * t * t) * g, velocity - t * g}};
}

/// Bent strongly while it is inside. With δ the time since the entry, f is δ times a cubic, which rises,
/// falls and rises again before its root, the exit: Newton's method wanders on the way.
FallingBullet bent_bullet(Random& random) {
  for (;;) {
    const Vec3 normal = random.direction(), down = random.direction();  // of the entry, for a unit ball
    Vec3 way = random.direction();                                      // at unit speed
    if (dot(way, normal) > 0) way = -way;
    const double strength = random.between(0.2, 2), b = dot(normal, way),
                 k = 1 + strength * dot(normal, down), c = strength * dot(way, down),
                 q = 0.25 * strength * strength, turns = c * c - 3 * k * q;
    if (c > 0 || turns < 0) continue;
    const double top = (-c - std::sqrt(turns)) / (3 * q);
    if (2 * b + top * (k + top * (c + top * q)) > 0) continue;
    return bent_bullet_at(normal, way, strength * down, random);
  }
}

/// Anywhere in the sphere, or almost on its surface.
FallingBullet bullet_from_inside(Random& random) {
  const double size = random.log_uniform(1e-3, 1e9), radius = random.one_in(2) ? 0 : size * random.unit(),
               reach = size + radius, speed = random.log_uniform(1e-3, 1e3), start = random.between(-1, 1);
  const Sphere s{100 * size * random.in_cube(1), size};
  const Vec3 drift = random.one_in(2) ? Vec3{} : (0.1 * speed * random.unit()) * random.direction(),
             gravity = (speed * speed / reach * random.log_uniform(1e-6, 0.05)) * random.direction();
  const double depth = random.one_in(2) ? random.unit() : 1 - random.log_uniform(1e-12, 1);
  return {s,
          drift,
          gravity,
          {s.center + start * drift + (depth * reach) * random.direction(), speed * random.direction(),
           radius, start}};
}

}  // namespace

TEST_CASE("fast numbers under gravity are good to what is stated, whatever the bounds of the entry",
          "[ballistics]") {
  WorstErrors worst;
  int decided = 0, fast = 0, bent = 0;
  for (int i = 0; i < fewer_in_repeats(9'000); ++i) {
    Random random(seed(), static_cast<std::uint64_t>(30'000 + i));
    const bool is_bent = i % 3 == 2;
    const auto [s, drift, gravity, b] = is_bent ? bent_bullet(random) : bullet_from_outside(random);
    const exact::Flight flight(exact::prepared({b.origin, b.velocity, {}, 0, infinity, 0, 0}), b.radius,
                               b.start);
    const exact::InMotion pair(exact::Plain{}, flight, s, &drift);
    const exact::Curve curve{pair.relative(), gravity, {infinity, 0}};
    exact::Counts counts;
    const exact::InsideIntervals found = exact::inside_intervals(curve, counts);
    if (found.contact() != Contact::enters || found.interval[0].enter.slope >= 0) continue;
    INFO("case " << i << ", seed " << seed());
    const double nearest = exact::time(curve, found.interval[0].enter, counts);
    const exact::PieceEntry entry =
        exact::CurvePiece(flight, gravity, nearest * random.unit(), nearest * random.between(1, 1.2))
            .entry(s, &drift);
    if (entry.contact != exact::PieceContact::enters) continue;
    (is_bent ? bent : decided) += 1;
    Impact wide, narrow;
    double elapsed = 0, elapsed_narrow = 0;
    const ballistics::Bounce smooth{random.one_in(2) ? 1 : random.unit()},
        rough{smooth.restitution, random.log_uniform(1e-3, 10)};
    const bool by_wide = ballistics::quick_curved_impact(pair, 0, Contact::enters, gravity, entry.low,
                                                         entry.high, smooth, wide, elapsed),
               by_narrow =
                   ballistics::quick_curved_impact(pair, 0, Contact::enters, gravity, step(nearest, -2),
                                                   step(nearest, 3), smooth, narrow, elapsed_narrow);
    if (!by_wide || !by_narrow) continue;
    fast += !is_bent;
    REQUIRE((elapsed == nearest && elapsed_narrow == nearest));
    const Impact slow =
        ballistics::curved_impact(pair, 0, Contact::enters, curve, found.interval[0], smooth, elapsed);
    REQUIRE(all_same(std::vector{wide}, std::vector{narrow}));
    REQUIRE(all_same(std::vector{wide}, std::vector{slow}));
    const auto rules = [&g = gravity](const ballistics::Bounce& bounce) {
      return FlightOptions{.gravity = g, .restitution = bounce.restitution, .friction = bounce.friction};
    };
    compare(wide, b, s, drift, rules(smooth), worst);
    compare(ballistics::curved_impact(pair, 0, Contact::enters, curve, found.interval[0], rough, elapsed), b,
            s, drift, rules(rough), worst);
  }
  CHECK(decided > fewer_in_repeats(2'000));
  CHECK(fast > decided * 8 / 10);
  CHECK(bent > fewer_in_repeats(500));
  std::printf("impacts under gravity: %d of %d fast; %d of bent bullets", fast, decided, bent);
  print(worst);
  CHECK(worst.most() <= 1);
}

TEST_CASE("fast numbers of bullets that start inside are good to what is stated", "[ballistics]") {
  int fast = 0;
  double worst_exit = 0, worst_point = 0, worst_normal = 0, worst_velocity = 0, worst_angle = 0;
  const int cases = fewer_in_repeats(4'000);
  const Real u = 0x1p-53;
  for (int i = 0; i < cases; ++i) {
    Random random(seed(), static_cast<std::uint64_t>(60'000 + i));
    const auto [s, drift, gravity, b] = bullet_from_inside(random);
    const double start = b.start, size = s.radius, reach = size + b.radius;
    const exact::Flight flight(exact::prepared({b.origin, b.velocity, {}, 0, infinity, 0, 0}), b.radius,
                               b.start);
    const exact::InMotion pair(exact::Plain{}, flight, s, &drift);
    Impact m;
    double elapsed = 1;
    const ballistics::Bounce bounce{random.one_in(2) ? 1 : random.unit()};
    if (!ballistics::quick_curved_impact(pair, 0, Contact::starts_inside, gravity, 0, 0, bounce, m, elapsed))
      continue;
    ++fast;
    INFO("case " << i << ", seed " << seed());
    REQUIRE(elapsed == 0);
    REQUIRE(m.time == start);
    REQUIRE(m.distance == 0);
    const exact::Curve curve{pair.relative(), gravity, {infinity, 0}};
    exact::Counts counts;
    const exact::InsideIntervals found = exact::inside_intervals(curve, counts);
    REQUIRE(found.contact() == Contact::starts_inside);
    REQUIRE(m.exit_time == std::max(start, start + exact::time(curve, found.interval[0].exit, counts)));
    const Fall f(b, s, drift, gravity);
    const Real out = f.root(Real(m.exit_time) - b.start), exit = out + b.start, far = length(f.l);
    const Place normal = along({}, 1 / far, f.l), here = along(real(s.center), Real(start), real(drift)),
                there = along(real(s.center), exit, real(drift)), point = along(here, Real(size), normal);
    const Real inward = -dot(f.d, normal),
               place = length(point) + abs(Real(start)) * length(real(drift)) + reach;
    const auto apart = [](const Vec3& x, const Place& y) { return length(along(real(x), -1, y)); };
    note(worst_normal, apart(m.normal, normal), 4 * u);
    note(worst_point, apart(m.point, point), 2 * u * place);
    note(worst_point, apart(m.center, along(here, 1, f.l)), 2 * u * place);
    note(worst_exit, apart(m.exit_point, along(there, Real(size) / f.r, f.at(out))), 8 * u * place);
    const Place after = oracle::rebound(f.d, normal, bounce.restitution, 0);
    note(worst_velocity, apart(m.velocity, along(after, 1, real(drift))),
         4 * u * (length(f.d) + length(real(drift))));
    note(worst_angle, m.angle - asin(abs(inward) / length(f.d)), 8 * u * asin(abs(inward) / length(f.d)));
  }
  std::printf(
      "starts inside under gravity: %d of %d fast, worst errors in units of what is stated: angle %.2f, "
      "point "
      "%.2f, normal %.2f, velocity %.2f, exit point %.2f\n",
      fast, cases, worst_angle, worst_point, worst_normal, worst_velocity, worst_exit);
  CHECK(fast > cases * 8 / 10);
  for (const double error : {worst_exit, worst_point, worst_normal, worst_velocity, worst_angle})
    CHECK(error <= 1);
}

TEST_CASE("lengths of ways by Gauss's rule are good to 20 ulp", "[ballistics]") {
  double worst = 0;
  int quick = 0;
  for (int i = 0; i < fewer_in_repeats(4'000); ++i) {
    Random random(seed(), static_cast<std::uint64_t>(80'000 + i));
    const double speed = random.log_uniform(1e-3, 1e9), t = random.log_uniform(1e-6, 1e6),
                 share = random.one_in(2) ? 0.5 : random.log_uniform(1e-6, 0.6);
    const Vec3 velocity = speed * random.direction(),
               gravity =
                   (share * speed / t) * (random.one_in(4) ? (-1 / speed) * velocity : random.direction());
    const double length = ballistics::quick_arc_length(velocity, gravity, t);
    if (std::isnan(length)) continue;
    ++quick;
    INFO("case " << i << ", seed " << seed());
    REQUIRE(ballistics::arc_length(velocity, gravity, t) == length);
    const Real exact = oracle::path_length(velocity, gravity, t);
    note(worst, length - exact, Real(20 * 0x1p-53) * exact);
  }
  CHECK(worst <= 1);
  CHECK(quick > fewer_in_repeats(2'000));
}

TEST_CASE("a bullet that hardly moves across gravity has a way", "[ballistics]") {
  const Vec3 down{0, 0, -9.8};
  const double straight = ballistics::arc_length({0, 0, 1}, down, 1);
  CHECK(std::isfinite(straight));
  for (const double across : {0x1p-1074, 1e-310, 1e-200, 1e-20})
    CHECK(ballistics::arc_length({across, 0, 1}, down, 1) == straight);
}
