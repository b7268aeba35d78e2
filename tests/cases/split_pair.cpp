#include <cstdio>
#include <exact/numbers/arithmetic.hpp>
#include <span>
#include <tests/cases/predicates.hpp>
#include <tests/cases/split_pair.hpp>
#include <tests/oracle/roots.hpp>

namespace sphaera::test {

oracle::Sight sight_of(const exact::Relative& sphere) {
  oracle::Sight sight{{}, {}, oracle::Dyadic::sum(sphere.radius), -infinity, infinity};
  for (int i = 0; i < 3; ++i) {
    sight.l[i] = oracle::Dyadic::sum(sphere.offset[i]);
    sight.d[i] = oracle::Dyadic::sum(sphere.direction[i]);
  }
  return sight;
}

namespace {

/// Replaces the first term x by k, the rounded x − k and the rounding error. The sum stays the same, but its
/// terms cancel.
void hide(std::array<double, 4>& sum, Random& random) {
  const double size = sum[0] == 0 ? 1 : sum[0];
  const double k = std::ldexp(size, random.whole(-60, 60)) * random.between(0.5, 1);
  if (!(std::abs(k) < 0x1p900)) return;
  const exact::TwoDouble rest = exact::two_diff(sum[0], k);
  if (std::abs(rest.hi) < 0x1p-900) return;  // k + rest is exact only above the denormals
  sum = {k, rest.hi, sum[1], rest.lo};
}

/// Splits a number of one term into two terms of about half the bits.
void cut(std::array<double, 2>& sum, Random& random) {
  if (sum[1] != 0) return;
  const double high = static_cast<double>(static_cast<float>(sum[0]));
  if (std::isfinite(high) && high != 0) sum = {high, sum[0] - high};
  if (random.one_in(2)) std::swap(sum[0], sum[1]);
}

/// A term so small that double cannot show it beside the others.
double next_to_nothing(double beside, Random& random) {
  return std::ldexp(beside * random.between(-1, 1), -random.whole(50, 150));
}

void split(exact::Relative& sphere, Random& random) {
  for (auto& coordinate : sphere.offset)
    if (random.one_in(2)) hide(coordinate, random);
  if (random.one_in(2)) cut(sphere.radius, random);
}

void nudge(exact::Relative& sphere, Random& random) {
  switch (random.below(3)) {
    case 0:
      sphere.radius[1] += next_to_nothing(sphere.radius[0], random);
      break;
    case 1:
      sphere.offset[0][3] += next_to_nothing(sphere.offset[0][0], random);
      break;
    default:
      sphere.offset[2][3] += next_to_nothing(sphere.offset[2][0], random);
  }
}

using oracle::Real;

/// x as a sum of two doubles, off by a few units of its last place at most.
std::array<double, 2> two_terms(const Real& x, Random& random) {
  const auto high = static_cast<double>(x);
  if (!std::isfinite(high)) return {1, 0};
  const auto low = static_cast<double>(Real(x - high));
  return {high, low + random.whole(-1, 1) * std::ldexp(high, -random.whole(102, 112))};
}

/// |l + t·d| for a t that no double holds.
Real distance_at(const exact::Relative& sphere, const Real& t) {
  exact::Relative center = sphere;
  center.radius = {};
  const oracle::Quadratic q = oracle::quadratic(sight_of(center));
  return sqrt(abs(Real((to_real(q.a) * t + 2 * to_real(q.b)) * t + to_real(q.c))));
}

/// Moves the sum of one offset so that t is next to the closest approach.
void level(SplitPair& s, Random& random) {
  const oracle::Quadratic q = oracle::quadratic(sight_of(s.a));
  const auto t = static_cast<double>(Real(-to_real(q.b) / to_real(q.a)));
  const auto is_shorter = [&](int i, int j) {
    return std::abs(s.a.direction[i][0]) < std::abs(s.a.direction[j][0]);
  };
  const int axis = is_shorter(0, 1) ? (is_shorter(1, 2) ? 2 : 1) : (is_shorter(0, 2) ? 2 : 0);
  if (!std::isfinite(t) || s.a.direction[axis][0] == 0) return;
  s.t = t;
  const Real slope = to_real(q.a) * s.t + to_real(q.b);
  const auto shift = two_terms(-slope / to_real(oracle::Dyadic::sum(s.a.direction[axis])), random);
  s.a.offset[axis][2] = shift[0], s.a.offset[axis][3] = shift[1];
}

/// Brings one answer so close to its edge that double-double does not know it.
void sharpen(SplitPair& s, Random& random) {
  const auto closest = oracle::closest_approach(sight_of(s.a));
  if (!closest) return;
  switch (random.below(5)) {
    case 0:  // the discriminant
      s.a.radius = two_terms(distance_at(s.a, *closest), random);
      break;
    case 1:  // the power
      s.a.radius = two_terms(distance_at(s.a, s.t), random);
      break;
    case 2:  // the slope
      level(s, random);
      break;
    case 3:  // the order of entries
      if (const auto roots = oracle::roots(sight_of(s.a))) {
        s.b.radius = two_terms(distance_at(s.b, roots->t1), random);
      }
      break;
    default:  // that of distances
      s.b.radius = two_terms(distance_at(s.b, 0) - distance_at(s.a, 0) + to_real(sight_of(s.a).r), random);
  }
}

std::string describe(std::span<const double> sum) {
  std::string text = "{";
  for (const double term : sum) {
    char number[32];
    std::snprintf(number, sizeof number, "%a", term);
    text += (text.size() > 1 ? ", " : "") + std::string(number);
  }
  return text + "}";
}

std::string describe(const exact::Relative& r) {
  std::string text = "Relative{{";
  for (const auto& sum : r.offset) text += describe(sum);
  text += "}, {";
  for (const auto& sum : r.direction) text += describe(sum);
  return text + "}, " + describe(r.radius) + "}";
}

}  // namespace

SplitPair split_pair(const Case& c) {
  const exact::Path path = path_of(c);
  return {exact::relative(path, c.a), exact::relative(path, c.b), std::isfinite(c.t) ? c.t : 0};
}

SplitPair make_sums(Family family, Random& random) {
  SplitPair s = split_pair(make_case(family, random));
  if (random.one_in(2)) {
    sharpen(s, random);
    return s;
  }
  split(s.a, random);
  split(s.b, random);
  for (int i = 0; i < 3; ++i) {
    if (random.one_in(2)) cut(s.a.direction[i], random);
    s.b.direction[i] = s.a.direction[i];
  }
  if (random.one_in(3)) nudge(s.a, random);
  if (random.one_in(3)) nudge(s.b, random);
  return s;
}

SplitPair make_widest_sums(Random& random) {
  constexpr int least = -1074, most = 1023;
  const auto fill = [&](auto& sum) {
    for (double& term : sum) term = random.one_in(4) ? 0 : random.pattern(least, most);
  };
  SplitPair s;
  for (auto* sphere : {&s.a, &s.b}) {
    for (auto& sum : sphere->offset) fill(sum);
    fill(sphere->radius);
  }
  for (auto& sum : s.a.direction) fill(sum);
  s.b.direction = s.a.direction;
  if (random.one_in(4)) s.b.offset = s.a.offset;
  s.t = random.pattern(least, most);
  return s;
}

std::string describe(const SplitPair& s) {
  char t[32];
  std::snprintf(t, sizeof t, "%a", s.t);
  return "a = " + describe(s.a) + ", b = " + describe(s.b) + ", t = " + t;
}

}  // namespace sphaera::test
