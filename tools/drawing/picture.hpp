#pragma once
/// \file A map as a PNG picture: title, axes, colours and what they mean.

#include <optional>
#include <string>
#include <tools/drawing/color_map.hpp>
#include <tools/scene/surface.hpp>
#include <vector>

namespace sphaera::tool {

/// Numbers and their colours: light_color of (value − 0) / most.
struct ColorBar {
  std::string label;
  double most = 1;
};

/// Classes, drawn where there is no bar.
struct ColorKey {
  std::string label;
  Color color;
};

struct Picture {
  std::string title, subtitle;
  Pixels pixels;
  double aspect = 1;  ///< width / height of the map, whatever the pixels
  Axis across, up;
  bool graticule = false;
  std::vector<Color> colors;  ///< a color for each receiver, in the order of Pixels
  std::optional<ColorBar> bar;
  std::vector<ColorKey> key;
};

/// Most pixels along an edge of a map.
inline constexpr std::uint64_t most_pixels = 16384;

/// The same bytes in every run on a machine: fonts are its own (DejaVu Sans, if there is one).
/// One call at a time. Throws Error out_of_memory.
std::string png_of(const Picture& picture);

}  // namespace sphaera::tool
