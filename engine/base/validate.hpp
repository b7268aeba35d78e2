#pragma once
/// \file The valid ranges of all inputs, in one place: closed-form functions and batches make the same
/// checks. Valid input costs a few comparisons; the error message for bad input is made outside the hot path.

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <span>
#include <sphaera/bullet.hpp>
#include <sphaera/closed_form/ricochet.hpp>
#include <sphaera/config/export.hpp>
#include <sphaera/error.hpp>
#include <sphaera/irradiance.hpp>
#include <sphaera/motion.hpp>
#include <sphaera/ray.hpp>
#include <sphaera/sky.hpp>
#include <sphaera/sphere.hpp>
#include <sphaera/star.hpp>

namespace sphaera::base {

// Every comparison is written so that NaN fails it.
inline bool in_domain(double x) { return std::fabs(x) <= domain_limit; }
inline bool in_domain(const Vec3& v) { return in_domain(v.x) && in_domain(v.y) && in_domain(v.z); }
inline bool is_finite(double x) { return std::fabs(x) <= std::numeric_limits<double>::max(); }
inline bool is_finite(const Vec3& v) { return is_finite(v.x) && is_finite(v.y) && is_finite(v.z); }
inline bool is_zero(const Vec3& v) { return v.x == 0 && v.y == 0 && v.z == 0; }
inline bool valid_direction(const Vec3& v) { return is_finite(v) && !is_zero(v); }

inline bool valid(const Vec3& point) { return in_domain(point); }
inline bool valid(const Sphere& s) { return in_domain(s.center) && s.radius > 0 && s.radius <= domain_limit; }
inline bool valid(const Ball& b) { return in_domain(b.center) && b.radius >= 0 && b.radius <= domain_limit; }
inline bool valid(const Segment& s) { return in_domain(s.from) && in_domain(s.to); }
inline bool valid(const Shot& s) {
  return in_domain(s.from) && in_domain(s.aim) && s.from != s.aim && s.speed > 0 && is_finite(s.speed);
}
inline bool valid(const Ray& r) {
  return in_domain(r.origin) && valid_direction(r.direction) && !std::isnan(r.t_min) && !std::isnan(r.t_max);
}

inline bool valid(const Bullet& b) {
  return in_domain(b.origin) && in_domain(b.velocity) && b.radius >= 0 && b.radius <= domain_limit &&
         in_domain(b.start) && b.duration >= 0;
}

/// Valid if the period and its inverse, the turns per unit of time, are within the domain limit.
inline bool valid_period(double p) { return in_domain(p) && std::fabs(p) >= 1 / domain_limit; }
inline bool valid(const Spin& s) { return valid_direction(s.axis) && valid_period(s.period); }

inline bool valid(const Observer& o) { return in_domain(o.position); }
inline bool valid(const SkyPoint& p) { return in_domain(p.position) && is_finite(p.normal); }

inline bool valid_alpha(double alpha) { return alpha > 0 && alpha <= LimbDarkening::greatest_alpha; }
constexpr bool is_known(LimbDarkening::Law law) { return law <= LimbDarkening::Law::claret4; }
/// Defined in star_light/limb/limb_law.cpp, with the law.
SPHAERA_API bool valid(const LimbDarkening& law);
/// Of a star at infinity, in radians.
inline bool valid_angular_radius(double a) { return a >= 0 && a < std::numbers::pi / 2; }
inline bool valid(const Star& s) {
  const bool placed = s.distance == Star::Distance::finite
                          ? valid(Ball{s.center, s.radius})
                          : valid_direction(s.direction) && valid_angular_radius(s.angular_radius);
  return s.distance <= Star::Distance::infinite && placed && valid(s.limb_darkening);
}
inline bool valid(const Source& s) {
  return s.star.distance == Star::Distance::finite && valid(s.star) && s.luminosity >= 0 &&
         is_finite(s.luminosity);
}
inline bool valid(const Receiver& r) { return valid(r.observer) && valid_direction(r.normal); }

/// The complaint about the first coordinate that is outside the domain: "FIELDx is 1e+61; give …".
std::string outside(const std::string& field, const Vec3& v);
/// The complaint about a radius out of its range: "greater than 0" or "0 or more".
std::string bad_radius(double radius, const std::string& range);

/// Throws invalid_argument for an invalid Vec3 (a point), Sphere, Ball, Segment, Ray, Bullet, Shot, Star,
/// Observer (its position only), SkyPoint, Source or Receiver. The subject is the input's kind and number
/// ("ray 17"), or the kind alone if `element` is Error::no_element; the reason is the fault ("direction is
/// zero; …").
template <class Input>
[[noreturn, gnu::cold]] void refuse(const Input& input, std::int64_t element);

/// Throws invalid_argument for a bullet that starts before the horizon, which begins at `from`.
[[noreturn, gnu::cold]] void refuse_start(const Bullet& bullet, double from, std::int64_t element);

/// Throws invalid_argument for an input outside its documented range.
template <class Input>
inline void check(const Input& input, std::int64_t element = Error::no_element) {
  if (!valid(input)) [[unlikely]]
    refuse(input, element);
}

/// Checks a whole span; `first` is the element number of its first item. Throws for the first bad item.
template <class Input>
void check_all(std::span<const Input> inputs, std::int64_t first = 0) {
  for (const Input& input : inputs) check(input, first + (&input - inputs.data()));
}

/// `check_threads` throws if threads < 0. Valid input costs one comparison.
[[noreturn, gnu::cold]] void refuse_threads(int threads);
inline void check_threads(int threads) {
  if (threads < 0) [[unlikely]]
    refuse_threads(threads);
}

}  // namespace sphaera::base
