#pragma once
/// \file Small scenes of many kinds, and questions to them that sit at the edge of an answer.

#include <span>
#include <sphaera/ray.hpp>
#include <sphaera/sphere.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <vector>

namespace sphaera::test {

enum class SceneKind : std::uint8_t {
  crowd,        ///< people on terrain
  belt,         ///< bodies of power-law radii
  uniform,      ///< strewn over a cube
  all_scales,   ///< places and radii 1e-3 … 1e13
  far_cluster,  ///< meters, 1e13 m from the origin
  nested,       ///< a few centers with many radii, some the same: nested and coincident
  lattice,      ///< spheres of diameter 1 that touch their neighbors exactly
  mirrored,     ///< sets of spheres that an axis ray enters at the same t
  flat,         ///< all centers in one plane
  denormal,     ///< places and radii at the lower end of double
  huge,         ///< radii up to the limit of the domain
  extremes,     ///< spheres of denormal, huge, all_scales and of meters in one scene
  peopled,      ///< crowds on planets with moons in a solar system: frames within frames
};

inline constexpr int scene_kind_count = static_cast<int>(SceneKind::peopled) + 1;

const char* name(SceneKind scene_kind);

/// The kinds that a long test tries: all of them, or every third under a sanitizer and in a run on the
/// baseline instruction set. The seed chooses the first.
std::vector<SceneKind> kinds_to_try();

/// In these scenes double arithmetic decides little: nearly all decisions need exact integers.
constexpr bool is_exact_throughout(SceneKind scene_kind) {
  return scene_kind == SceneKind::denormal || scene_kind == SceneKind::huge ||
         scene_kind == SceneKind::extremes;
}

std::vector<Sphere> make_spheres(SceneKind scene_kind, std::size_t n, Random& random);

/// Rays from in, near and far outside the spheres: random, aimed, grazing within ulps, along axes, with ends
/// at roots, infinite, negative, in the wrong order or of no length.
std::vector<Ray> make_rays(const std::vector<Sphere>& spheres, std::size_t n, Random& random);

/// Segments between places of all kinds, some of no length.
std::vector<Segment> make_segments(const std::vector<Sphere>& spheres, std::size_t n, Random& random);

/// Centers, places on surfaces, between spheres and far away.
std::vector<Vec3> make_points(const std::vector<Sphere>& spheres, std::size_t n, Random& random);

/// Some spheres rest, some share a velocity, the others move by up to three radii per unit of time.
std::vector<Vec3> make_velocities(const std::vector<Sphere>& spheres, Random& random);

std::vector<Vec3> centers_of(std::span<const Sphere> spheres);

/// Balls that touch a sphere within ulps, points and balls that hold everything.
std::vector<Ball> make_balls(const std::vector<Sphere>& spheres, std::size_t n, Random& random);

}  // namespace sphaera::test
