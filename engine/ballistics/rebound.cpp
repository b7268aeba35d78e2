#include <ballistics/rebound.hpp>
#include <cmath>
#include <exact/numbers/elementary.hpp>
#include <exact/roots/line.hpp>

namespace sphaera::ballistics {
namespace {

/// With n the outward normal and U = D/|D|: U·n = −√Δ/(|D| r) = −sin(angle), |U × n| = |L × D|/(|D| r) =
/// cos(angle), new direction U − 2(U·n) n.
template <class Number>
Rebound rebound_from(const exact::LineTerms<Number>& line, const Sphere& sphere, double speed) {
  const auto length = sqrt(real(line.a)), unit_moment = length * real(line.sphere.r);
  const auto sine = sqrt(real(line.delta)) / unit_moment;
  const auto cosine = sqrt(real(dot(line.moment.v, line.moment.v))) / unit_moment;
  const auto from_center = offset(line, exact::Side::entry);
  const auto kick = (sine + sine) / real(line.sphere.r);
  const auto v = real(Number(speed));
  const auto velocity = [&](int i) {
    return static_cast<double>(v * (real(line.sphere.d[i]) / length + kick * from_center[i]));
  };
  return {exact::surface_point_from_center(sphere, from_center),
          exact::arc_tangent(static_cast<double>(sine), static_cast<double>(cosine)),
          {velocity(0), velocity(1), velocity(2)},
          static_cast<double>(entry(line) * sqrt(real(line.a)))};
}

}  // namespace

Rebound rebound(const exact::Path& path, const Sphere& sphere, double speed) {
  const exact::Relative seen = exact::relative(path, sphere);
  const exact::LineTerms<exact::Quick> quick(seen);
  const bool good = known(quick, sphere.radius) && exact::entry_known(quick);
  return good ? rebound_from(quick, sphere, speed)
              : rebound_from(exact::LineTerms<exact::Exact>(seen), sphere, speed);
}

}  // namespace sphaera::ballistics
