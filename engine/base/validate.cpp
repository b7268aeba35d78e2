#include <base/errors.hpp>
#include <base/strict_math.hpp>
#include <base/validate.hpp>
#include <string>

namespace sphaera::base {
namespace {

const char* kind(const Vec3&) { return "point"; }
const char* kind(const Sphere&) { return "sphere"; }
const char* kind(const Ball&) { return "ball"; }
const char* kind(const Segment&) { return "segment"; }
const char* kind(const Ray&) { return "ray"; }
const char* kind(const Bullet&) { return "bullet"; }
const char* kind(const Shot&) { return "shot"; }
const char* kind(const Star&) { return "star"; }
const char* kind(const Observer&) { return "observer"; }
const char* kind(const Source&) { return "source"; }
const char* kind(const SkyPoint&) { return "point"; }
const char* kind(const Receiver&) { return "receiver"; }

std::string complaint(const Vec3& point) { return outside("", point); }

std::string complaint(const Sphere& s) {
  return in_domain(s.center) ? bad_radius(s.radius, "greater than 0") : outside("center.", s.center);
}

std::string complaint(const Ball& b) {
  return in_domain(b.center) ? bad_radius(b.radius, "0 or more") : outside("center.", b.center);
}

std::string complaint(const Segment& s) {
  return in_domain(s.from) ? outside("to.", s.to) : outside("from.", s.from);
}

std::string complaint(const Ray& r) {
  if (!in_domain(r.origin)) return outside("origin.", r.origin);
  if (!is_finite(r.direction)) return "direction is not finite; give three finite numbers, not all zero";
  if (is_zero(r.direction)) return "direction is zero; give any non-zero direction";
  return std::isnan(r.t_min) ? "t_min is not a number; give a number or -inf"
                             : "t_max is not a number; give a number or inf";
}

std::string complaint(const Shot& s) {
  if (!in_domain(s.from)) return outside("from.", s.from);
  if (!in_domain(s.aim)) return outside("aim.", s.aim);
  if (s.from == s.aim) return "from and aim are the same point; give any other point of the path as aim";
  return "speed is " + text_of(s.speed) + "; give a finite one, greater than 0";
}

std::string complaint(const Bullet& b) {
  if (!in_domain(b.origin)) return outside("origin.", b.origin);
  if (!in_domain(b.velocity)) return outside("velocity.", b.velocity);
  if (!valid(Ball{b.origin, b.radius})) return bad_radius(b.radius, "0 or more");
  if (!in_domain(b.start))
    return "start is " + text_of(b.start) + "; give a time of at most 2^200 in magnitude";
  return "duration is " + text_of(b.duration) + "; give 0 or more, or inf";
}

std::string complaint(const Observer& o) { return outside("position.", o.position); }

std::string complaint(const Star& s) {
  if (s.distance > Star::Distance::infinite) {
    return "distance is " + std::to_string(static_cast<int>(s.distance)) +
           "; give Star::Distance::finite or infinite";
  }
  const bool finite = s.distance == Star::Distance::finite;
  if (finite && !in_domain(s.center)) return outside("center.", s.center);
  if (finite && !valid(Ball{s.center, s.radius})) return bad_radius(s.radius, "0 or more");
  if (!finite && !is_finite(s.direction))
    return "direction is not finite; give three finite numbers, not all zero";
  if (!finite && is_zero(s.direction)) return "direction is zero; give any non-zero direction";
  if (!finite && !valid_angular_radius(s.angular_radius)) {
    return "angular radius is " + text_of(s.angular_radius) +
           "; give radians, 0 or more and less than half of pi";
  }
  if (!is_known(s.limb_darkening.law)) {
    return "limb darkening's law is " + std::to_string(static_cast<int>(s.limb_darkening.law)) +
           "; give one of LimbDarkening::Law";
  }
  const std::array<double, 4>& c = s.limb_darkening.coefficients;
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!is_finite(c[i]))
      return "limb darkening's coefficient " + std::to_string(i) + " is " + text_of(c[i]) +
             "; give a finite number";
  }
  if (s.limb_darkening.law == LimbDarkening::Law::power2 && !valid_alpha(c[1]))
    return "limb darkening's alpha is " + text_of(c[1]) + "; give a number above 0 and at most 8";
  return "limb darkening's coefficients make the intensity negative somewhere on the disc; check them";
}

std::string complaint(const Source& s) {
  if (s.star.distance == Star::Distance::infinite)
    return "a star at infinite distance cannot have a luminosity; give the star a finite distance";
  if (!valid(s.star)) return complaint(s.star);
  return "luminosity is " + text_of(s.luminosity) + "; give a finite number of watts, 0 or more";
}

std::string complaint(const SkyPoint& p) {
  if (!in_domain(p.position)) return outside("", p.position);
  return "normal is not finite; give three finite numbers, or 0,0,0 for the whole sky";
}
std::string complaint(const Receiver& r) {
  if (!valid(r.observer)) return complaint(r.observer);
  return is_zero(r.normal) ? "normal is zero; give any non-zero normal"
                           : "normal is not finite; give three finite numbers, not all zero";
}

template <class Input>
[[noreturn]] void refuse(const Input& input, std::int64_t element, const std::string& why) {
  throw Error(ErrorCode::invalid_argument, numbered(kind(input), element), why, element);
}

}  // namespace

std::string outside(const std::string& field, const Vec3& v) {
  int axis = 0;
  while (axis < 2 && in_domain(v[axis])) ++axis;
  return field + "xyz"[axis] + " is " + text_of(v[axis]) +
         "; give a finite value of at most 2^200 in magnitude";
}

std::string bad_radius(double radius, const std::string& range) {
  return "radius is " + text_of(radius) + "; give a finite one, " + range + " and at most 2^200";
}

template <class Input>
void refuse(const Input& input, std::int64_t element) {
  refuse(input, element, complaint(input));
}

void refuse_start(const Bullet& bullet, double from, std::int64_t element) {
  refuse(bullet, element,
         "start is " + text_of(bullet.start) + ", before the horizon begins at " + text_of(from) +
             "; let the horizon begin no later than the earliest start");
}

void refuse_threads(int threads) {
  throw_invalid_argument("threads is " + std::to_string(threads) +
                         "; give 0 for the caller's arena, or the number of threads");
}

// SPHAERA_API: for the library of scene files.
template SPHAERA_API void refuse(const Vec3&, std::int64_t);
template SPHAERA_API void refuse(const Sphere&, std::int64_t);
template void refuse(const Ball&, std::int64_t);
template void refuse(const Segment&, std::int64_t);
template void refuse(const Ray&, std::int64_t);
template void refuse(const Bullet&, std::int64_t);
template void refuse(const Shot&, std::int64_t);
template SPHAERA_API void refuse(const Star&, std::int64_t);
template void refuse(const Observer&, std::int64_t);
template void refuse(const Source&, std::int64_t);
template void refuse(const SkyPoint&, std::int64_t);
template void refuse(const Receiver&, std::int64_t);

}  // namespace sphaera::base
