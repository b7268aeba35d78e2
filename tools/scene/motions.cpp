#include <fmt/core.h>

#include <base/errors.hpp>
#include <io/formats/dates.hpp>
#include <sphaera/error.hpp>
#include <tools/scene/load.hpp>
#include <tools/scene/motions.hpp>

namespace sphaera::tool {

bool covers(const Motion& motion, const Interval& interval) {
  return motion.samples().front().time <= interval.from && interval.to <= motion.samples().back().time;
}

namespace {

/// " (2024-04-08T16:10:36.000Z to …)"; empty without an epoch, or beyond the years 1 to 9999.
std::string dates_of(const Interval& interval, std::string_view epoch) {
  if (epoch.empty()) return {};
  const io::Instant zero = io::parse_date(epoch);
  const std::optional<io::Instant> from = io::later(zero, interval.from), to = io::later(zero, interval.to);
  return from && to ? fmt::format(" ({} to {})", io::date_text(*from), io::date_text(*to)) : std::string{};
}

}  // namespace

void check_cover(const Motion& motion, const Interval& interval, std::string_view epoch,
                 std::string_view what) {
  if (covers(motion, interval)) return;
  const Interval covered{motion.samples().front().time, motion.samples().back().time};
  throw Error(ErrorCode::invalid_argument,
              fmt::format("{} covers times from {} to {}{}; give a time inside, or more samples", what,
                          covered.from, covered.to, dates_of(covered, epoch)));
}

Vec3 position_at(const Motion& ephemeris, double time, std::string_view epoch) {
  check_cover(ephemeris, {time, time}, epoch);
  return ephemeris.at(time);
}

std::vector<Motion> sphere_motions(const SceneFile& scene, const Interval& interval) {
  std::vector<Motion> motions;
  for (std::size_t i = 0; i < scene.spheres.size(); ++i) {
    const Vec3 velocity = scene.velocities.empty() ? Vec3{} : scene.velocities[i];
    motions.push_back(Motion::linear(scene.spheres[i].center, velocity));
  }
  for (const auto& [sphere, ephemeris] : scene.orbits) {
    const auto i = static_cast<std::size_t>(sphere);
    try {
      check_cover(ephemeris, interval, scene.epoch);
    } catch (const Error& error) {
      throw base::located(sphere_text(scene, i), error, sphere);
    }
    motions[i] = ephemeris;
  }
  return motions;
}

std::optional<Motion> star_motion(const SceneStar& star, const std::vector<Motion>& spheres,
                                  const Interval& interval, std::string_view epoch) {
  if (star.is_sphere()) return spheres[static_cast<std::size_t>(star.sphere)];
  if (!star.is_ball()) return std::nullopt;
  if (!star.ephemeris) return Motion::linear(star.star.center, star.velocity);
  check_cover(*star.ephemeris, interval, epoch);
  return star.ephemeris;
}

}  // namespace sphaera::tool
