#include <fmt/core.h>

#include <algorithm>
#include <base/errors.hpp>
#include <exact/numbers/length.hpp>
#include <io/ephemeris/ephemeris.hpp>
#include <io/streams/file_error.hpp>
#include <optional>
#include <sphaera/error.hpp>
#include <tools/scene/light_time.hpp>
#include <tools/scene/load.hpp>
#include <tools/scene/stars.hpp>
#include <tools/terminal/exit.hpp>
#include <vector>

namespace sphaera::tool {
namespace {

constexpr double kilometers_a_second = 299792.458;  // c

double along(const Vec3& unit, const Vec3& v) { return unit.x * v.x + unit.y * v.y + unit.z * v.z; }

/// The velocity at time t by the samples around it: that of the cubic between them.
Vec3 velocity_at(const Motion& motion, double t) {
  const auto samples = motion.samples();
  const auto next = std::ranges::upper_bound(samples, t, {}, &MotionSample::time);
  if (next == samples.begin()) return samples.front().velocity;
  const MotionSample& p = *(next - 1);
  if (next == samples.end()) return p.velocity;
  const double h = next->time - p.time, s = (t - p.time) / h;
  // The derivative of the Hermite cubic.
  return 6 * s * (1 - s) / h * (next->position - p.position) + (1 - s) * (1 - 3 * s) * p.velocity +
         s * (3 * s - 2) * next->velocity;
}

/// When the light that leaves `place` at time s reaches the observer. The error shrinks at each round, so
/// that few are needed; an error of the sum's rounding stays.
double arrival(const Motion& observer, const Vec3& place, double s, double light_speed) {
  constexpr int most_rounds = 64;  // enough for an observer of half the speed of light
  double t = s;
  for (int round = 0; round < most_rounds; ++round) {
    const double next = s + exact::length(place - observer.at(t)) / light_speed;
    if (next == t) break;
    t = next;
  }
  return t;
}

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::invalid_argument, what); }

/// In the scene's units of length.
double light_speed_in(const SceneFile& scene, const std::string& option) {
  io::EphemerisOptions units;
  units.unit = scene.unit;
  try {
    return kilometers_a_second * io::units_in_kilometer(units, option);
  } catch (const Error&) {
    throw UsageError(option + ": the scene's unit is " + io::shown(scene.unit) +
                     ", and c is known in m, km and au; give the scene in one of these");
  }
}

Motion motion_of(const SceneFile& scene, std::size_t sphere) {
  const auto orbit =
      std::ranges::find(scene.orbits, static_cast<std::int64_t>(sphere), &SceneFile::Orbit::sphere);
  if (orbit != scene.orbits.end()) return orbit->ephemeris;
  return Motion::at_rest(scene.spheres[sphere].center);
}

}  // namespace

Motion seen_from(const Motion& from, const Motion& body, double light_speed) {
  const bool observer_rests = from.samples().size() == 1;
  const double first = from.samples().front().time, last = from.samples().back().time;
  std::vector<MotionSample> seen;
  for (const auto& [time, position, velocity] : body.samples()) {
    const double t = arrival(from, position, time, light_speed);
    if (!observer_rests && !(t >= first && t <= last)) continue;
    const Vec3 there = position - from.at(t), watcher = velocity_at(from, t);
    const double distance = exact::length(there);
    const Vec3 unit = distance > 0 ? (1 / distance) * there : Vec3{};
    if (!(exact::length(velocity) < light_speed))
      refuse("it is not slower than light; is the scene's unit right?");
    if (!(exact::length(watcher) < light_speed))
      refuse("the sphere that it is seen from is not slower than light; is the scene's unit right?");
    // The change of t = s + |S(s) − X(t)|/c with s.
    const double rate = (1 + along(unit, watcher) / light_speed) / (1 + along(unit, velocity) / light_speed);
    if (seen.empty() || t > seen.back().time) seen.push_back({t, position, rate * velocity});
  }
  if (seen.empty()) refuse("none of its light arrives within the ephemeris of the observers' body");
  return Motion(std::move(seen));
}

void see_from(LoadedScene& scene, const std::string& option, const std::string& word) {
  const std::size_t ground = sphere_called(option, word, scene);
  const double light_speed = light_speed_in(scene, option);
  const Motion from = motion_of(scene, ground);
  bool changes = false;
  const auto see = [&](const std::string& body, const Vec3& velocity, Motion* ephemeris) {
    try {
      if (velocity != Vec3{}) refuse("it moves by a velocity; give it an ephemeris");
      if (ephemeris) *ephemeris = seen_from(from, *ephemeris, light_speed), changes = true;
    } catch (const Error& error) {
      throw base::located(option + ": " + body, error, error.element());
    }
  };
  for (std::size_t i = 0; i < scene.velocities.size(); ++i)
    if (scene.velocities[i] != Vec3{}) see(sphere_text(scene, i), scene.velocities[i], nullptr);
  for (SceneFile::Orbit& orbit : scene.orbits) {
    const auto i = static_cast<std::size_t>(orbit.sphere);
    if (i != ground) see(sphere_text(scene, i), {}, &orbit.ephemeris);
  }
  for (std::size_t i = 0; i < scene.stars.size(); ++i) {
    SceneStar& star = scene.stars[i];
    see(star_text(i, star.name), star.velocity, star.ephemeris ? &*star.ephemeris : nullptr);
  }
  if (!changes)
    throw UsageError(option + ": no other body has an ephemeris, so it changes nothing; leave it out");
}

}  // namespace sphaera::tool
