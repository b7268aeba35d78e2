#pragma once
/// \file The exposed surface by points on each sphere (Shrake and Rupley, J. Mol. Biol. 79, 1973).

#include <span>
#include <sphaera/sphere.hpp>
#include <vector>

namespace sphaera::bench {

/// Of each sphere, grown by the probe, the area outside all others, from so many points of a golden spiral.
/// The neighbors come from a grid of cells; a point is first tried in the neighbor that hid the one before.
/// One thread.
std::vector<double> sampled_areas(std::span<const Sphere> spheres, double probe, int points);

}  // namespace sphaera::bench
