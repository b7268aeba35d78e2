#pragma once
/// \file How the bodies of a scene file move.

#include <io/scene/scene_file.hpp>
#include <sphaera/contact_times.hpp>
#include <string_view>
#include <vector>

namespace sphaera::tool {

/// A span of times, in the scene's unit.
struct Interval {
  double from, to;
};

/// Do the samples, of an ephemeris or a motion, reach from its begin to its end?
template <class Sample>
bool covers(const std::vector<Sample>& samples, const Interval& interval) {
  return samples.front().time <= interval.from && interval.to <= samples.back().time;
}

/// The path through the samples. Throws Error invalid_argument unless they cover the interval: "the path goes
/// from …" for what it is called.
Motion motion_of(const io::Ephemeris& ephemeris, const Interval& interval,
                 std::string_view what = "its ephemeris");

/// Where the path is. Throws Error invalid_argument for a time before the first or behind the last sample.
Vec3 position_at(const io::Ephemeris& ephemeris, double time);

/// Of all spheres: by their ephemeris, or from their centre by their velocity. Throws Error invalid_argument
/// naming the sphere whose ephemeris does not cover the interval.
std::vector<Motion> sphere_motions(const io::SceneFile& scene, const Interval& interval);

/// Of a star; `spheres` are the motions of the scene's spheres. None: at infinity.
std::optional<Motion> star_motion(const io::Star& star, const std::vector<Motion>& spheres,
                                  const Interval& interval);

}  // namespace sphaera::tool
