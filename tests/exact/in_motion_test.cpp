/// \file Bullets and spheres that move, against the oracle: a million pairs in a long run, most of them at
/// the edge of an answer.

#include <cstdio>
#include <exact/predicates/decide.hpp>
#include <optional>
#include <sphaera/bullet.hpp>
#include <tests/cases/cases.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/oracle/decide.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

struct Target {
  Sphere sphere;
  Vec3 velocity;
};

struct Encounter {
  Bullet bullet;
  Target a, b;
  double t = 0;
  std::optional<double> last{};  ///< instead of the duration: the scene's time at the end
};

oracle::Sight sight(const Encounter& c, const Target& target) {
  oracle::Sight s = oracle::sight(c.bullet, target.sphere, target.velocity);
  if (c.last) s.t_max = *c.last, s.t_max_more = -oracle::Dyadic(c.bullet.start);
  return s;
}

exact::Flight flight_of(const Encounter& c) {
  const Bullet& b = c.bullet;
  exact::Flight flight(exact::prepared({b.origin, b.velocity, {}, 0, b.duration, 0, 0}), b.radius, b.start);
  if (c.last) flight.end_at(exact::two_diff(*c.last, b.start));
  return flight;
}

template <class Arithmetic>
exact::InMotion pair(const exact::Flight& flight, const Target& target) {
  return {Arithmetic{}, flight, target.sphere, &target.velocity};
}

std::string text_of(const Encounter& c) {
  char text[160];
  std::string all = "bullet " + describe(c.bullet.origin) + describe(c.bullet.velocity);
  std::snprintf(text, sizeof text, " radius %a start %a duration %a last %a t %a", c.bullet.radius,
                c.bullet.start, c.bullet.duration, c.last.value_or(infinity), c.t);
  all += text;
  for (const Target* x : {&c.a, &c.b}) all += "; " + describe(x->sphere) + describe(x->velocity);
  return all;
}

Vec3 vector(Random& random, double least, double most) {
  return {random.signed_log_uniform(least, most), random.signed_log_uniform(least, most),
          random.signed_log_uniform(least, most)};
}

Vec3 approximate(const oracle::Vector& v) {
  return {static_cast<double>(oracle::approximate(v[0])), static_cast<double>(oracle::approximate(v[1])),
          static_cast<double>(oracle::approximate(v[2]))};
}

/// Aims the bullet so that it would come within about the radius of target a at time `t`.
void aim(Encounter& c, double t, Random& random) {
  const Sphere& s = c.a.sphere;
  const Vec3 there = s.center + (c.bullet.start + t) * c.a.velocity + (1.5 * s.radius) * random.in_cube(1);
  c.bullet.velocity = (1 / t) * (there - c.bullet.origin);
}

Target random_target(Random& random, double size) {
  return {{size * random.in_cube(1), size * random.log_uniform(1e-4, 0.3)},
          size * random.log_uniform(1e-3, 10) * random.in_cube(1)};
}

Encounter crowd(Random& random) {
  Encounter c;
  c.a = random_target(random, 100), c.b = random_target(random, 100);
  c.bullet = {random.in_cube(100),
              {},
              random.one_in(2) ? 0 : random.log_uniform(1e-3, 1),
              random.one_in(4) ? 0 : random.between(-1, 1)};
  const double t = random.log_uniform(1e-3, 1), other = t * random.between(0.5, 1.5);
  aim(c, t, random);
  c.b.sphere.center = c.bullet.origin + other * c.bullet.velocity - (c.bullet.start + other) * c.b.velocity +
                      c.b.sphere.radius * random.in_cube(1);
  if (random.one_in(2)) c.bullet.duration = random.log_uniform(1e-3, 10);
  c.t = random.between(0, 1);
  return c;
}

Encounter all_scales(Random& random) {
  Encounter c;
  for (Target* x : {&c.a, &c.b})
    *x = {{vector(random, 1e-3, 1e13), random.log_uniform(1e-3, 1e13)}, vector(random, 1e-3, 1e8)};
  c.bullet = {vector(random, 1e-3, 1e13), vector(random, 1e-3, 1e8), random.log_uniform(1e-3, 1e10),
              random.signed_log_uniform(1e-6, 1e6)};
  if (random.one_in(2)) aim(c, random.log_uniform(1e-3, 1e6), random);
  c.t = random.log_uniform(1e-6, 1e6);
  return c;
}

/// The radius within ulps of the distance at which the bullet passes.
Encounter near_tangent(Random& random) {
  Encounter c = random.one_in(2) ? crowd(random) : all_scales(random);
  c.bullet.duration = infinity;
  const oracle::Sight s = sight(c, c.a);
  const Vec3 l = approximate(s.l), d = approximate(s.d), w = cross(l, d);
  const double passes = std::sqrt(dot(w, w) / dot(d, d));
  c.bullet.radius = random.one_in(2) ? 0 : passes * random.unit();
  c.a.sphere.radius = step(passes - c.bullet.radius, random.whole(-3, 3));
  if (!(c.a.sphere.radius > 0)) c.a.sphere.radius = passes;
  return c;
}

/// Two spheres in each other's mirror, the bullet in the plane between them.
Encounter mirrored(Random& random) {
  Encounter c = random.one_in(2) ? crowd(random) : all_scales(random);
  c.bullet.origin.y = 0;
  aim(c, random.log_uniform(1e-2, 1), random);
  c.bullet.velocity.y = 0;
  c.b = c.a;
  c.b.sphere.center.y = -c.a.sphere.center.y, c.b.velocity.y = -c.a.velocity.y;
  if (random.one_in(2)) c.b.sphere.radius = step(c.b.sphere.radius, random.whole(-1, 1));
  if (random.one_in(4)) c.b.velocity.x = step(c.b.velocity.x, random.whole(-1, 1));
  return c;
}

/// Head on at the same whole time, at speeds that differ.
Encounter same_time(Random& random) {
  Encounter c;
  const int t = random.whole(1, 50), speed = random.whole(1, 1000);
  c.bullet = {{}, {static_cast<double>(speed), 0, 0}, random.whole(0, 3) * 0.25, random.whole(-5, 5) * 1.0};
  for (Target* x : {&c.a, &c.b}) {
    const int w = random.whole(-1000, speed - 1), r = random.whole(1, 20);
    const double place = t * (speed - w) + r + c.bullet.radius - w * c.bullet.start;
    *x = {{{place, 0, 0}, static_cast<double>(r)}, {static_cast<double>(w), 0, 0}};
    if (random.one_in(3)) x->sphere.center.x = step(place, random.whole(-1, 1));
  }
  c.bullet.duration = random.one_in(2) ? t : step(t, random.whole(-1, 1));
  c.t = t;
  return c;
}

/// Starts within ulps of the surface.
Encounter at_surface(Random& random) {
  Encounter c = crowd(random);
  const Vec3 n = random.in_cube(1);
  const double length = std::sqrt(dot(n, n)), r = c.a.sphere.radius + c.bullet.radius;
  c.bullet.origin = c.a.sphere.center + c.bullet.start * c.a.velocity + (r / length) * n;
  c.bullet.origin.z = step(c.bullet.origin.z, random.whole(-2, 2));
  return c;
}

/// Nearly, or exactly, along with the target.
Encounter along_with(Random& random) {
  Encounter c = random.one_in(2) ? at_surface(random) : crowd(random);
  c.bullet.velocity = c.a.velocity;
  if (random.one_in(2)) c.bullet.velocity.x = step(c.bullet.velocity.x, random.whole(-3, 3));
  if (random.one_in(4)) c.b.velocity = c.a.velocity;
  if (random.one_in(4)) c.bullet.origin = c.a.sphere.center;
  return c;
}

/// The bullet touches each target exactly at the end, an integer in the scene's time. The end minus the
/// bullet's start is usually no double. Some cases then change a radius or the end by one ulp.
Encounter at_the_end(Random& random) {
  Encounter c;
  const int last = random.whole(1, 1000);
  c.last = last;
  c.bullet = {{},
              {},
              random.whole(0, 2) * 1.0,
              std::ldexp(random.one_in(2) ? 1 : random.unit(), random.whole(-70, -1))};
  if (random.one_in(4)) c.bullet.start = -std::ldexp(1, random.whole(40, 70));
  for (Target* x : {&c.a, &c.b}) {
    const Vec3 way = random.one_in(2) ? Vec3{1, 2, 2} : Vec3{-2, 3, 6};  // 3 and 7 long
    const double size = way.x == 1 ? 3 : 7, share = random.whole(1, 9);
    Vec3 w = random.one_in(2) ? -way : Vec3{random.whole(-9, 9) * 1.0, random.whole(-9, 9) * 1.0, -way.z};
    if (random.one_in(4)) w = cross(way, {0, 0, random.whole(-9, 9) * 1.0});
    const Vec3 there = share * way;
    *x = {{there - last * w, std::max(1.0, share * size - c.bullet.radius)}, w};
    if (random.one_in(4)) x->sphere.radius = step(x->sphere.radius, random.whole(-1, 1));
  }
  if (random.one_in(4)) c.last = step(last, random.whole(-1, 1));
  if (random.one_in(8)) c.bullet.velocity = random.in_cube(1e-18);
  c.t = random.unit();
  return c;
}

/// Encounters that end at a time of the scene instead of after a duration.
Encounter with_end(Random& random) {
  Encounter c = random.one_in(2) ? same_time(random) : at_surface(random);
  c.last = random.one_in(2) ? c.bullet.start + c.t : c.bullet.start + std::min(c.bullet.duration, 10.0);
  c.last = step(*c.last, random.whole(-2, 2));
  return c;
}

/// Any bits that the domain allows.
Encounter patterns(Random& random) {
  const auto any = [&] { return random.one_in(8) ? 0 : random.pattern(-1074, 199); };
  const auto place = [&] { return Vec3{any(), any(), any()}; };
  Encounter c;
  for (Target* x : {&c.a, &c.b}) *x = {{place(), std::fabs(random.pattern(-1074, 199))}, place()};
  c.bullet = {place(), place(), std::fabs(any()), any(), std::fabs(random.pattern(-1074, 300))};
  if (random.one_in(2)) c.bullet.origin = c.a.sphere.center;
  if (random.one_in(2)) c.bullet.start = random.pattern(-1074, -900);
  if (random.one_in(2)) c.last = any();
  c.t = std::fabs(random.pattern(-300, 300));
  return c;
}

using MakeEncounter = Encounter (*)(Random&);
constexpr std::array<std::pair<const char*, MakeEncounter>, 10> families{{{"crowd", crowd},
                                                                          {"all scales", all_scales},
                                                                          {"near tangent", near_tangent},
                                                                          {"mirrored", mirrored},
                                                                          {"same time", same_time},
                                                                          {"at the surface", at_surface},
                                                                          {"along with", along_with},
                                                                          {"at the end", at_the_end},
                                                                          {"with an end", with_end},
                                                                          {"patterns", patterns}}};

struct MotionTally {
  std::uint64_t pairs = 0, ordered = 0, ties = 0;
  exact::Counts counts;
};

/// Empty, or what is wrong.
template <class Arithmetic>
std::string check(const Encounter& c, MotionTally& tally) {
  const exact::Flight flight = flight_of(c);
  const exact::InMotion a = pair<Arithmetic>(flight, c.a), b = pair<Arithmetic>(flight, c.b);
  const oracle::Sight sa = sight(c, c.a), sb = sight(c, c.b);
  const Contact contact_a = exact::contact(a, tally.counts), contact_b = exact::contact(b, tally.counts);
  if (contact_a != oracle::contact(sa)) return "contact of a";
  if (contact_b != oracle::contact(sb)) return "contact of b";
  if (exact::sign_power(a, c.t, tally.counts) != oracle::sign_power(sa, c.t)) return "power";
  if (exact::sign_slope(a, c.t, tally.counts) != oracle::sign_slope(sa, c.t)) return "slope";
  ++tally.pairs;
  if (contact_a == Contact::miss || contact_b == Contact::miss) return {};
  const int order = exact::compare_entries(a, contact_a, b, contact_b, tally.counts);
  if (order != oracle::compare_entries(sa, sb)) return "order";
  ++tally.ordered, tally.ties += order == 0;
  return {};
}

}  // namespace

TEST_CASE("bullets meet the moving spheres that exact arithmetic says, in its order", "[exact][motion]") {
  const int cases_a_family = fewer_unless_all(1'000'000) / static_cast<int>(families.size());
  for (std::size_t f = 0; f < families.size(); ++f) {
    Random random(seed(), 100 + f);
    MotionTally tally;
    int wrong = 0;
    for (int i = 0; i < cases_a_family && wrong < 5; ++i) {
      const Encounter c = families[f].second(random);
      const std::string message = i % 2 ? check<exact::Plain>(c, tally) : check<exact::Fused>(c, tally);
      if (message.empty()) continue;
      ++wrong;
      UNSCOPED_INFO(families[f].first << ": " << message << "; " << text_of(c));
    }
    CHECK(wrong == 0);
    std::printf("%-15s %8llu pairs, %8llu ordered, %7llu ties; %9llu double-double, %9llu exact\n",
                families[f].first, static_cast<unsigned long long>(tally.pairs),
                static_cast<unsigned long long>(tally.ordered), static_cast<unsigned long long>(tally.ties),
                static_cast<unsigned long long>(tally.counts.double_double),
                static_cast<unsigned long long>(tally.counts.exact));
  }
}
