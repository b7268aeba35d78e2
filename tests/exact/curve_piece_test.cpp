/// \file Pieces of flights under gravity, decided in double, against exact arithmetic: error bounds by exact
/// numbers, entries by the curve's own stages.

#include <cstdio>
#include <exact/curves/curve.hpp>
#include <exact/curves/curve_piece.hpp>
#include <sphaera/bullet.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/oracle/dyadic.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;
using exact::PieceContact;
using oracle::Dyadic;

namespace {

/// A bullet that passes a sphere at `aim` radii from its center at about the time `t`.
struct Pass {
  Bullet bullet;
  Sphere sphere;
  Vec3 drift, gravity;
  double from, to;

  bool moves() const { return !(drift == Vec3{}); }
  exact::Flight flight() const {
    return {exact::prepared({bullet.origin, bullet.velocity, {}, 0, infinity, 0, 0}), bullet.radius,
            bullet.start};
  }
};

Pass make_pass(Random& random, double miss) {
  const double r = random.log_uniform(1e-6, 1e9), radius = random.one_in(2) ? 0 : r * random.unit(),
               reach = r + radius, t = random.log_uniform(1e-9, 1e9),
               far = random.one_in(2) ? 0 : reach * random.log_uniform(1, 1e9),
               speed = reach / t * random.log_uniform(1, 1e6),
               strength = std::min(random.log_uniform(1e-9, 1e3) * speed / t, 1e3 * speed * speed / reach);
  const Vec3 velocity = speed * random.direction(), gravity = strength * random.direction(),
             drift = random.one_in(2) ? Vec3{} : (0.5 * speed) * random.in_cube(1),
             center = far * random.in_cube(1),
             across = cross(velocity + t * gravity - drift, random.direction());
  const double start = random.one_in(2) ? 0 : t * random.unit();
  const Vec3 place = center + (start + t) * drift + (miss * reach / std::sqrt(dot(across, across))) * across,
             origin = place - t * velocity - (0.5 * t * t) * gravity;
  const double from = random.one_in(2) ? 0 : t * random.unit(), to = from + t * random.log_uniform(1e-3, 3);
  return {{origin, velocity, radius, start}, {center, r}, drift, gravity, from, to};
}

struct Asked {
  Pass pass;
  exact::Flight flight = pass.flight();
  exact::InMotion pair{exact::Plain{}, flight, pass.sphere, pass.moves() ? &pass.drift : nullptr};
  exact::Curve curve{pair.relative(), pass.gravity, {infinity, 0}};
  exact::CurvePiece piece{flight, pass.gravity, pass.from, pass.to};

  explicit Asked(const Pass& p) : pass(p) {}
  const Vec3* velocity() const { return pass.moves() ? &pass.drift : nullptr; }
};

/// Squared distance of the centers minus the square of the sum of the radii, at t, exactly.
Dyadic power(const Pass& p, const Dyadic& t) {
  const Dyadic radius = Dyadic(p.sphere.radius) + Dyadic(p.bullet.radius);
  Dyadic sum = -(radius * radius);
  for (int i = 0; i < 3; ++i) {
    const Dyadic place = Dyadic(p.bullet.origin[i]) + t * Dyadic(p.bullet.velocity[i]) +
                         Dyadic(0.5) * t * t * Dyadic(p.gravity[i]),
                 center = Dyadic(p.sphere.center[i]) + (Dyadic(p.bullet.start) + t) * Dyadic(p.drift[i]);
    sum = sum + (place - center) * (place - center);
  }
  return sum;
}

/// True if no inside interval meets [`from`, `to`]: each one begins after `to` or ends before `from`.
bool stays_out(const Asked& a, double from, double to) {
  exact::Counts counts;
  const exact::InsideIntervals all = exact::inside_intervals(a.curve, counts);
  for (int i = 0; i < all.count; ++i) {
    const exact::InsideInterval& s = all.interval[static_cast<std::size_t>(i)];
    const bool later = !s.starts_inside && exact::compare(a.curve, s.enter, to, counts) > 0;
    const bool sooner = exact::compare(a.curve, s.exit, from, counts) < 0;
    if (!later && !sooner) return false;
  }
  return true;
}

/// True if exactly one inside interval begins between these times.
bool enters_between(const Asked& a, double low, double high) {
  exact::Counts counts;
  const exact::InsideIntervals all = exact::inside_intervals(a.curve, counts);
  int found = 0;
  for (int i = 0; i < all.count; ++i) {
    const exact::InsideInterval& s = all.interval[static_cast<std::size_t>(i)];
    found += !s.starts_inside && exact::compare(a.curve, s.enter, low, counts) >= 0 &&
                     exact::compare(a.curve, s.enter, high, counts) <= 0
                 ? 1
                 : 0;
  }
  return found == 1;
}

void check(const Asked& a, const exact::PieceEntry& entry) {
  exact::Counts counts;
  switch (entry.contact) {
    case PieceContact::none:
      REQUIRE(stays_out(a, a.pass.from, a.pass.to));
      break;
    case PieceContact::enters:
      REQUIRE(entry.low >= a.pass.from);
      REQUIRE(stays_out(a, a.pass.from, entry.low));
      REQUIRE(enters_between(a, entry.low, entry.high));
      break;
    case PieceContact::inside:
      REQUIRE(exact::sign_power(a.curve, a.pass.from, counts) < 0);
      REQUIRE_FALSE(enters_between(a, a.pass.from, a.pass.to));
      break;
    case PieceContact::undecided:
    case PieceContact::not_convex:
      break;
  }
}

}  // namespace

TEST_CASE("a piece's quartic keeps to its error bound", "[exact]") {
  double worst = 0;
  for (int i = 0; i < fewer_in_repeats(5'000); ++i) {
    Random random(seed(), static_cast<std::uint64_t>(10'000 + i));
    const Asked a(make_pass(random, random.between(0, 3)));
    const exact::LocalQuartic p = a.piece.quartic(a.pass.sphere, a.velocity());
    for (const double x : {-1.0, -0.5, 0.25, 1.0}) {
      Dyadic value = p.q[4];
      for (int k = 3; k >= 0; --k) value = value * Dyadic(x) + Dyadic(p.q[k]);
      const Dyadic off = power(a.pass, Dyadic(a.piece.middle()) + Dyadic(x) * Dyadic(a.piece.half())) - value;
      const double share = static_cast<double>(std::fabs(oracle::approximate(off)) / p.error);
      worst = std::max(worst, share);
      INFO("case " << i << ", seed " << seed());
      REQUIRE(share <= 1);
    }
    REQUIRE(oracle::compare(Dyadic(a.piece.middle()) - Dyadic(a.piece.half()), Dyadic(a.pass.from)) <= 0);
    REQUIRE(oracle::compare(Dyadic(a.piece.middle()) + Dyadic(a.piece.half()), Dyadic(a.pass.to)) >= 0);
  }
  std::printf("pieces: worst error of the quartic %.3f of its bound\n", worst);
}

TEST_CASE("pieces say nothing that the exact curve denies, by chance and next to a touch", "[exact]") {
  std::array<int, 5> seen{};
  for (int i = 0; i < fewer_in_repeats(20'000); ++i) {
    Random random(seed(), static_cast<std::uint64_t>(20'000 + i));
    const double grazing = 1 + random.signed_log_uniform(1e-16, 1);
    const Asked a(make_pass(random, random.one_in(2) ? grazing : random.between(0, 2)));
    INFO("case " << i << ", seed " << seed());
    const exact::PieceEntry entry = a.piece.entry(a.pass.sphere, a.velocity());
    ++seen[static_cast<std::size_t>(entry.contact)];
    check(a, entry);
  }
  std::printf("pieces: %d miss, %d start inside, %d enter, %d undecided\n", seen[0], seen[1], seen[2],
              seen[3]);
  CHECK(seen[0] > fewer_in_repeats(4'000));
  CHECK(seen[1] > fewer_in_repeats(20));
  CHECK(seen[2] > fewer_in_repeats(800));
  CHECK(seen[4] == 0);
}

TEST_CASE("pieces as long as a step of the index's chords decide nearly all shots", "[exact]") {
  int undecided = 0;
  const int shots = fewer_in_repeats(20'000);
  for (int i = 0; i < shots; ++i) {
    Random random(seed(), static_cast<std::uint64_t>(50'000 + i));
    const double speed = random.log_uniform(5, 900), time = random.between(1, 60) / speed, radius = 0.4,
                 length = std::sqrt(16 * 0.5 / 9.81);
    const Vec3 velocity = speed * random.direction(), gravity{0, 0, -9.81},
               across = cross(velocity + time * gravity, random.direction());
    const Vec3 place = (random.between(0, 2) * radius / std::sqrt(dot(across, across))) * across,
               origin = place - time * velocity - (0.5 * time * time) * gravity;
    const double from = std::max(0.0, time - length * random.unit());
    const Asked a(Pass{{origin, velocity}, {{}, radius}, {}, gravity, from, from + length});
    const exact::PieceEntry entry = a.piece.entry(a.pass.sphere, nullptr);
    undecided += entry.contact == PieceContact::undecided ? 1 : 0;
    INFO("shot " << i << ", seed " << seed());
    check(a, entry);
  }
  CHECK(undecided <= shots / 100);
}

TEST_CASE("a bullet that certainly leaves a ball neither is held nor hits it in that piece", "[exact]") {
  int left = 0;
  for (int i = 0; i < fewer_in_repeats(20'000); ++i) {
    Random random(seed(), static_cast<std::uint64_t>(80'000 + i));
    Pass p = make_pass(random, random.between(0, 1));
    const Vec3 out = random.direction();
    p.drift = {}, p.from = 0, p.bullet.radius = 0;
    p.bullet.origin = p.sphere.center + p.sphere.radius * out;
    const double speed = std::sqrt(dot(p.bullet.velocity, p.bullet.velocity)),
                 slow = dot(p.bullet.velocity, out);
    p.bullet.velocity = p.bullet.velocity + (speed * random.log_uniform(1e-15, 1) - slow) * out;
    const Asked a(p);
    if (!a.piece.leaves(p.sphere, nullptr)) continue;
    ++left;
    exact::Counts counts;
    const exact::Departure departure = exact::departure(a.curve, counts);
    INFO("case " << i << ", seed " << seed());
    REQUIRE_FALSE(departure.held);
    for (int k = 0; k < departure.intervals.count; ++k)
      REQUIRE(exact::compare(a.curve, departure.intervals.interval[static_cast<std::size_t>(k)].enter, p.to,
                             counts) > 0);
  }
  CHECK(left > fewer_in_repeats(5'000));
}
