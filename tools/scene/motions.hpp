#pragma once
/// \file Motions of the bodies of a scene file.

#include <io/scene/scene_file.hpp>
#include <sphaera/contact_times.hpp>
#include <string_view>
#include <vector>

namespace sphaera::tool {

/// A time interval, in the scene's unit.
struct Interval {
  double from, to;
};

/// True if the samples, of an ephemeris or a motion, cover the interval.
template <class Sample>
bool covers(const std::vector<Sample>& samples, const Interval& interval) {
  return samples.front().time <= interval.from && interval.to <= samples.back().time;
}

/// Motion along the samples. Throws Error invalid_argument unless they cover the interval; the text starts
/// with the given name: "the path goes from …".
Motion motion_of(const io::Ephemeris& ephemeris, const Interval& interval,
                 std::string_view what = "its ephemeris");

/// Position on the path. Throws Error invalid_argument for a time before the first or after the last sample.
Vec3 position_at(const io::Ephemeris& ephemeris, double time);

/// Motions of all spheres: by their ephemeris, or from their centre by their velocity. Throws Error
/// invalid_argument naming the sphere whose ephemeris does not cover the interval.
std::vector<Motion> sphere_motions(const io::SceneFile& scene, const Interval& interval);

/// Motion of a star; `spheres` are the motions of the scene's spheres. Empty if the star is at infinity.
std::optional<Motion> star_motion(const io::Star& star, const std::vector<Motion>& spheres,
                                  const Interval& interval);

}  // namespace sphaera::tool
