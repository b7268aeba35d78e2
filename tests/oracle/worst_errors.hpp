#pragma once
/// \file The largest errors of the numbers of impacts, in units of the errors that <sphaera/bullet.hpp>
/// states.

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <sphaera/bullet.hpp>
#include <tests/oracle/fall.hpp>
#include <tests/oracle/place.hpp>
#include <tests/oracle/rebound.hpp>
#include <tests/oracle/roots.hpp>

namespace sphaera::test {

/// In units of the stated errors.
struct WorstErrors {
  double time = 0, exit_time = 0, distance = 0, angle = 0, point = 0, center = 0, normal = 0, velocity = 0,
         length = 0, exit_point = 0;

  double most() const {
    return std::max({time, exit_time, distance, angle, point, center, normal, velocity, length, exit_point});
  }
};

inline void print(const WorstErrors& e) {
  std::printf(
      ", worst errors in units of what is stated: time %.2f, exit %.2f, distance %.2f, angle %.2f, point "
      "%.2f, "
      "center %.2f, normal %.2f, velocity %.2f, its length %.2f, exit point %.2f\n",
      e.time, e.exit_time, e.distance, e.angle, e.point, e.center, e.normal, e.velocity, e.length,
      e.exit_point);
}

inline void note(double& worst, const oracle::Real& error, const oracle::Real& stated) {
  worst = std::max(worst, static_cast<double>(abs(error) / stated));
}

/// Compares the impact of a bullet that enters a sphere under gravity.
inline void compare(const Impact& m, const Bullet& b, const Sphere& s, const Vec3& drift,
                    const FlightOptions& flight, WorstErrors& worst) {
  using oracle::along, oracle::dot, oracle::length, oracle::Place, oracle::real, oracle::Real;
  const oracle::Fall f(b, s, drift, flight.gravity);
  const Real u = 0x1p-53, t = f.root(Real(m.time) - b.start), out = f.root(Real(m.exit_time) - b.start),
             time = t + b.start, exit = out + b.start, radii = s.radius + b.radius;
  const Place v = f.at(t), w = f.speed(t), leaving = f.at(out), normal = along({}, 1 / f.r, v),
              here = along(real(s.center), time, real(drift)),
              there = along(real(s.center), exit, real(drift)), point = along(here, Real(s.radius) / f.r, v);
  const Real inward = -dot(w, normal), speed = length(w),
             way = oracle::path_length(b.velocity, flight.gravity, t);
  const auto apart = [](const Vec3& x, const Place& y) { return length(along(real(x), -1, y)); };
  const Real place = length(point) + abs(time) * length(real(drift)) + radii,
             path = length(real(b.velocity)) * out + length(f.g) * out * out / 2 + place;
  note(worst.time, m.time - time, Real(1.1) * u * (abs(time) + t));
  note(worst.exit_time, m.exit_time - exit, 16 * u * (abs(exit) + out));
  note(worst.distance, m.distance - way, Real(1e-12) * way);
  note(worst.angle, m.angle - asin(inward / speed), 8 * u * asin(inward / speed));
  note(worst.point, apart(m.point, point), 2 * u * place);
  note(worst.center, apart(m.center, along(here, 1, v)), 2 * u * place);
  note(worst.normal, apart(m.normal, normal), 4 * u);
  const Place after =
      m.outcome == Outcome::passes ? w : oracle::rebound(w, normal, flight.restitution, flight.friction);
  note(worst.velocity, apart(m.velocity, along(after, 1, real(drift))),
       4 * u * (speed + length(real(drift))));
  if (flight.restitution == 1 && flight.friction == 0)
    note(worst.length, length(along(real(m.velocity), -1, real(drift))) - speed,
         Real(1.01) * u * length(real(m.velocity)));
  note(worst.exit_point, apart(m.exit_point, along(there, Real(s.radius) / f.r, leaving)), 16 * u * path);
}

}  // namespace sphaera::test
