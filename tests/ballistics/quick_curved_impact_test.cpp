/// \file The fast numbers of impacts under gravity against a hundred digits, in units of the errors that
/// <sphaera/bullet.hpp> states.

#include <ballistics/arc_length.hpp>
#include <ballistics/impact.hpp>
#include <bit>
#include <cstdio>
#include <cstring>
#include <exact/curves/curve_piece.hpp>
#include <tests/ballistics/worst_errors.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/oracle/decide.hpp>
#include <tests/oracle/place.hpp>
#include <tests/oracle/radicals.hpp>
#include <tests/oracle/rebound.hpp>
#include <tests/oracle/roots.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;
using oracle::along, oracle::dot, oracle::length, oracle::Place, oracle::real, oracle::Real;

namespace {

/// The curve in a hundred digits.
struct Fall {
  Place l, d, g;
  Real r;

  Fall(const Bullet& b, const Sphere& s, const Vec3& drift, const Vec3& gravity) : g(real(gravity)) {
    const oracle::Sight sight = oracle::sight(b, s, drift);
    l = real(sight.l), d = real(sight.d), r = to_real(sight.r);
  }
  Place at(const Real& t) const { return along(along(l, t, d), t * t / 2, g); }
  Place speed(const Real& t) const { return along(d, t, g); }
  /// Newton's method from t, which must already be good to many digits.
  Real root(Real t) const {
    for (int i = 0; i < 6; ++i) {
      const Place v = at(t);
      t -= (dot(v, v) - r * r) / (2 * dot(v, speed(t)));
    }
    return t;
  }
};

Real hyperbolic_arc_sine(const Real& x) {
  const Real size = abs(x), y = log(size + sqrt(size * size + 1));
  return x < 0 ? Real(-y) : y;
}

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

/// ∫ |V + G t| dt from 0 to t, computed as a difference of two integrals that start at the apex.
Real path_length(const Fall& f, const Bullet& b, const Real& t) {
  const Place v = real(b.velocity);
  const Real g = length(f.g), fall = dot(v, f.g) / g, p = length(along(v, -fall / g, f.g));
  const auto integral = [&](const Real& x) -> Real {
    const Real y = g * x;
    return (x * sqrt(p * p + y * y) + p * p / g * hyperbolic_arc_sine(y / p)) / 2;
  };
  return integral(fall / g + t) - integral(fall / g);
}

void compare(const Impact& m, const Fall& f, const Bullet& b, const Sphere& s, const Vec3& drift,
             const ballistics::Bounce& bounce, WorstErrors& worst) {
  const Real u = 0x1p-53, t = f.root(Real(m.time) - b.start), out = f.root(Real(m.exit_time) - b.start),
             time = t + b.start, exit = out + b.start, radii = s.radius + b.radius;
  const Place v = f.at(t), w = f.speed(t), leaving = f.at(out), normal = along({}, 1 / f.r, v),
              here = along(real(s.center), time, real(drift)),
              there = along(real(s.center), exit, real(drift));
  const Real inward = -dot(w, normal), speed = length(w);
  const auto apart = [](const Vec3& x, const Place& y) { return length(along(real(x), -1, y)); };
  const Place point = along(here, Real(s.radius) / f.r, v);
  const Real place = length(point) + abs(time) * length(real(drift)) + radii,
             path = length(real(b.velocity)) * out + length(f.g) * out * out / 2 + place;
  note(worst.time, m.time - time, 1.1 * u * (abs(time) + t));
  note(worst.exit_time, m.exit_time - exit, 16 * u * (abs(exit) + out));
  note(worst.distance, m.distance - path_length(f, b, t), Real(1e-12) * path_length(f, b, t));
  note(worst.angle, m.angle - asin(inward / speed), 8 * u * asin(inward / speed));
  note(worst.point, apart(m.point, point), 2 * u * place);
  note(worst.center, apart(m.center, along(here, 1, v)), 2 * u * place);
  note(worst.normal, apart(m.normal, normal), 4 * u);
  const Place after = oracle::rebound(w, normal, bounce.restitution, bounce.friction);
  note(worst.velocity, apart(m.velocity, along(after, 1, real(drift))),
       4 * u * (speed + length(real(drift))));
  note(worst.exit_point, apart(m.exit_point, along(there, Real(s.radius) / f.r, leaving)), 16 * u * path);
}

}  // namespace

TEST_CASE("fast numbers under gravity are good to what is stated, whatever the bounds of the entry",
          "[ballistics]") {
  WorstErrors worst;
  int decided = 0, fast = 0;
  for (int i = 0; i < fewer_in_repeats(6'000); ++i) {
    Random random(seed(), static_cast<std::uint64_t>(30'000 + i));
    const auto [s, drift, gravity, b] = bullet_from_outside(random);
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
    ++decided;
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
    ++fast;
    REQUIRE((elapsed == nearest && elapsed_narrow == nearest));
    const Impact slow =
        ballistics::curved_impact(pair, 0, Contact::enters, curve, found.interval[0], smooth, elapsed);
    REQUIRE(all_same(std::vector{wide}, std::vector{narrow}));
    REQUIRE(all_same(std::vector{wide}, std::vector{slow}));
    const Fall fall(b, s, drift, gravity);
    compare(wide, fall, b, s, drift, smooth, worst);
    compare(ballistics::curved_impact(pair, 0, Contact::enters, curve, found.interval[0], rough, elapsed),
            fall, b, s, drift, rough, worst);
  }
  CHECK(decided > fewer_in_repeats(2'000));
  CHECK(fast > decided * 8 / 10);
  std::printf(
      "impacts under gravity: %d of %d fast, worst errors in units of what is stated: time %.2f, exit %.2f, "
      "distance %.2f, angle %.2f, point %.2f, center %.2f, normal %.2f, velocity %.2f, exit point %.2f\n",
      fast, decided, worst.time, worst.exit_time, worst.distance, worst.angle, worst.point, worst.center,
      worst.normal, worst.velocity, worst.exit_point);
  for (const double error : {worst.time, worst.exit_time, worst.distance, worst.angle, worst.point,
                             worst.center, worst.normal, worst.velocity, worst.exit_point})
    CHECK(error <= 1);
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
    const Bullet bullet{{}, velocity};
    const Real exact = path_length(Fall(bullet, {}, {}, gravity), bullet, t);
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
