#pragma once
/// \file Colors for numbers and for classes.

#include <cstdint>
#include <sphaera/starlight.hpp>

namespace sphaera::tool {

/// Red, green and blue, 0 … 255 each.
struct Color {
  std::uint8_t red, green, blue;
};

/// Color for 0 ≤ share ≤ 1, not NaN: one of 256 from black over violet and orange to pale yellow, with evenly
/// increasing lightness. Ten of them are colors of matplotlib's "inferno" (S. van der Walt, N. Smith, 2015;
/// CC0), the others lie linearly between them.
Color number_color(double share);

/// Color of word number `word` of light_column: lit, umbra, antumbra, penumbra, inside_star,
/// intersects_star. Red-green color-blind readers can tell them apart.
Color phase_color(std::uint8_t word);

/// Color for a missing number.
inline constexpr Color no_color{120, 132, 140};

inline constexpr Color paper_color{255, 255, 255};

}  // namespace sphaera::tool
