#pragma once
/// \file Colors for numbers and for classes.

#include <cstdint>
#include <sphaera/starlight.hpp>

namespace sphaera::tool {

/// Red, green and blue, 0 … 255 each.
struct Color {
  std::uint8_t red, green, blue;
};

/// Color for 0 ≤ share ≤ 1, in 256 steps from black over violet and orange to pale yellow, with evenly
/// increasing lightness. The colors are those of matplotlib's "inferno" (S. van der Walt, N. Smith, 2015;
/// CC0).
Color light_color(double share);

/// Colors of lit, umbra, antumbra, penumbra, inside_star, intersects_star, in the order of light_column's
/// words. They are distinct for red-green color-blind readers.
Color class_color(std::uint8_t word);

/// Color for a missing number.
inline constexpr Color no_color{120, 132, 140};

}  // namespace sphaera::tool
