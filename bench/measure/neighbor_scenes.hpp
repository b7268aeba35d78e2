#pragma once
/// \file Scenes of equal spheres, and points and balls among them, for the benchmarks of neighbors.

#include <bench/measure/huge_vector.hpp>
#include <bench/measure/scenes.hpp>
#include <sphaera/sphere.hpp>
#include <sphaera/vec3.hpp>

namespace sphaera::bench {

/// Centers are random and uniform in a square (z = 0) or in a cube, at a density of one per unit of area or
/// volume.
enum class Shape : std::uint8_t { flat, cube };
inline constexpr std::array shapes{Shape::flat, Shape::cube};
std::string_view name(Shape shape);

inline constexpr double equal_radius = 0.25;

HugeVector<Sphere> equal_spheres(Shape shape, std::size_t n, std::uint64_t seed);

/// `count` places, distributed as those of `n` spheres, in random order or along a Morton curve.
HugeVector<Vec3> places(Shape shape, std::size_t n, std::size_t count, Order order, std::uint64_t seed);

/// The radius of a ball that meets `spheres` of the equal spheres, on average.
double radius_for(Shape shape, double spheres);

}  // namespace sphaera::bench
