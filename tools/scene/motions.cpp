#include <fmt/core.h>

#include <base/errors.hpp>
#include <sphaera/error.hpp>
#include <tools/scene/load.hpp>
#include <tools/scene/motions.hpp>

namespace sphaera::tool {
namespace {

void check_cover(const io::Ephemeris& ephemeris, const Interval& interval, std::string_view what) {
  const auto& samples = ephemeris.samples;
  if (covers(samples, interval)) return;
  throw Error(ErrorCode::invalid_argument,
              fmt::format("{} covers times from {} to {}; give a time inside, or more samples", what,
                          samples.front().time, samples.back().time));
}

MotionSample sample_of(const io::Ephemeris::Sample& sample) {
  return {sample.time, sample.position, sample.velocity};
}

}  // namespace

Motion motion_of(const io::Ephemeris& ephemeris, const Interval& interval, std::string_view what) {
  check_cover(ephemeris, interval, what);
  Motion motion;
  for (const io::Ephemeris::Sample& sample : ephemeris.samples) motion.samples.push_back(sample_of(sample));
  return motion;
}

Vec3 position_at(const io::Ephemeris& ephemeris, double time) {
  return motion_of(ephemeris, {time, time}).at(time);
}

std::vector<Motion> sphere_motions(const io::SceneFile& scene, const Interval& interval) {
  std::vector<Motion> motions;
  for (std::size_t i = 0; i < scene.spheres.size(); ++i) {
    const Vec3 velocity = scene.velocities.empty() ? Vec3{} : scene.velocities[i];
    motions.push_back(Motion::linear(scene.spheres[i].center, velocity));
  }
  for (const auto& [sphere, ephemeris] : scene.orbits) {
    const auto i = static_cast<std::size_t>(sphere);
    try {
      motions[i] = motion_of(ephemeris, interval);
    } catch (const Error& error) {
      throw base::located(sphere_text(scene, i), error, sphere);
    }
  }
  return motions;
}

std::optional<Motion> star_motion(const io::Star& star, const std::vector<Motion>& spheres,
                                  const Interval& interval) {
  if (star.form == io::Star::Form::remote) return std::nullopt;
  if (star.form == io::Star::Form::sphere) return spheres[static_cast<std::size_t>(star.sphere)];
  return star.ephemeris ? motion_of(*star.ephemeris, interval) : Motion::linear(star.center, star.velocity);
}

}  // namespace sphaera::tool
