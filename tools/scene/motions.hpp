#pragma once
/// \file Motions of the bodies of a scene file.

#include <sphaera/contact_times.hpp>
#include <sphaera/scene_file.hpp>
#include <string_view>
#include <vector>

namespace sphaera::tool {

/// A time interval, in the scene's unit of time.
struct Interval {
  double from, to;
};

/// True if the samples of the motion cover the interval.
bool covers(const Motion& motion, const Interval& interval);

/// Throws Error invalid_argument unless the samples cover the interval; the text starts with the given name:
/// "the path covers times from …". With the date of time 0 it adds the dates.
void check_cover(const Motion& motion, const Interval& interval, std::string_view epoch,
                 std::string_view what = "its ephemeris");

/// Position at a time. Throws Error invalid_argument for a time before the first or after the last sample.
Vec3 position_at(const Motion& ephemeris, double time, std::string_view epoch);

/// Motions of all spheres, which share the samples of the file: by their ephemeris, or from their center by
/// their velocity. Throws Error invalid_argument naming the sphere whose ephemeris does not cover the
/// interval.
std::vector<Motion> sphere_motions(const SceneFile& scene, const Interval& interval);

/// Motion of a star; `spheres` are the motions of the scene's spheres. Empty if the star is at infinity.
std::optional<Motion> star_motion(const SceneStar& star, const std::vector<Motion>& spheres,
                                  const Interval& interval, std::string_view epoch);

}  // namespace sphaera::tool
