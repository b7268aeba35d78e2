#include <algorithm>
#include <array>
#include <cmath>
#include <tools/drawing/color_map.hpp>

namespace sphaera::tool {

Color number_color(double share) {
  constexpr std::array<Color, 10> stops{{{0, 0, 4},
                                         {27, 12, 65},
                                         {74, 12, 107},
                                         {120, 28, 109},
                                         {165, 44, 96},
                                         {207, 68, 70},
                                         {237, 105, 37},
                                         {251, 155, 6},
                                         {247, 209, 61},
                                         {252, 255, 164}}};
  constexpr double steps = 255;  // too fine to see; pictures get a third smaller
  const double place = std::round(std::clamp(share, 0.0, 1.0) * steps) / steps * (stops.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const double way = place - static_cast<double>(i);
  const auto mix = [way](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(std::lround(a + way * (b - a)));
  };
  const Color &a = stops[i], &b = stops[i + 1];
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

Color phase_color(std::uint8_t word) {
  constexpr std::array<Color, 6> colors{
      {{252, 246, 190}, {20, 16, 44}, {86, 180, 233}, {230, 142, 30}, {204, 60, 120}, {0, 140, 110}}};
  return colors[std::min<std::size_t>(word, colors.size() - 1)];
}

}  // namespace sphaera::tool
