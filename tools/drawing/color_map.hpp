#pragma once
/// \file Colours for numbers and for classes.

#include <cstdint>
#include <sphaera/starlight.hpp>

namespace sphaera::tool {

/// Red, green and blue, 0 … 255 each.
struct Color {
  std::uint8_t red, green, blue;
};

/// From black over violet and orange to pale yellow, lightness growing evenly, in 256 steps: 0 ≤ share ≤ 1.
/// The colours are those of matplotlib's "inferno" (S. van der Walt, N. Smith, 2015; CC0).
Color light_color(double share);

/// Of lit, umbra, antumbra, penumbra, inside_star, intersects_star: positions in light_column's words.
/// Distinct also for red-green colour-blind readers.
Color class_color(std::uint8_t word);

/// Where there is no number.
inline constexpr Color no_color{120, 132, 140};

}  // namespace sphaera::tool
