#include <exact/predicates/later_stages.hpp>
#include <exact/predicates/sign_formulas.hpp>
#include <exact/predicates/staged_sign.hpp>

namespace sphaera::exact::later_stages {
namespace {

Relative between(const Ball& a, const Ball& b, double b_radius) {
  Relative r;
  for (int i = 0; i < 3; ++i) r.offset[i] = {a.center[i], -b.center[i]};
  r.radius = {a.radius, b_radius};
  return r;
}

int sign_power_at_origin(const Relative& sphere, Counts& counts) {
  return staged_sign(
      [&](auto tag) { return power_at_origin(Terms<typename decltype(tag)::type>(sphere)).sign(); }, counts);
}

}  // namespace

int discriminant(const Relative& sphere, Counts& counts) {
  return staged_sign(
      [&](auto tag) { return exact::discriminant(Terms<typename decltype(tag)::type>(sphere)).sign(); },
      counts);
}

int power(const Relative& sphere, const TwoDouble& t, Counts& counts) {
  return staged_sign(
      [&](auto tag) {
        Terms<typename decltype(tag)::type> terms(sphere);
        advance(terms, t);
        return power_at_origin(terms).sign();
      },
      counts);
}

int slope(const Relative& sphere, const TwoDouble& t, Counts& counts) {
  return staged_sign(
      [&](auto tag) {
        Terms<typename decltype(tag)::type> terms(sphere);
        advance(terms, t);
        return dot(terms.l, terms.d).sign();
      },
      counts);
}

int entries(const Relative& first, const Relative& second, Counts& counts) {
  if (first == second) return 0;  // coincident spheres would need all stages
  const bool one_line = first.direction == second.direction;
  return staged_sign(
      [&](auto tag) {
        using Number = typename decltype(tag)::type;
        const Terms<Number> one(first), other(second);
        if (one_line) return sign_entry_difference(one, other);
        return sign_entry_difference_apart(one, other);
      },
      counts);
}

int distances(const Relative& first, const Relative& second, Counts& counts) {
  if (first == second) return 0;
  return staged_sign(
      [&](auto tag) {
        using Number = typename decltype(tag)::type;
        return sign_distance_difference(Terms<Number>(first), Terms<Number>(second));
      },
      counts);
}

int gap(const Ball& a, const Ball& b, Counts& counts) {
  return sign_power_at_origin(between(a, b, b.radius), counts);
}

int nesting(const Ball& a, const Ball& b, Counts& counts) {
  return sign_power_at_origin(between(a, b, -b.radius), counts);
}

}  // namespace sphaera::exact::later_stages
