#pragma once
/// \file A map as a PNG picture: title, axes, colors and their key.

#include <optional>
#include <string>
#include <tools/drawing/color_map.hpp>
#include <tools/receivers/plane_sections.hpp>
#include <tools/receivers/surface.hpp>
#include <vector>

namespace sphaera::tool {

/// Color bar for numbers from 0 to `most`: number_color(value / most).
struct ColorBar {
  std::string label;
  double most = 1;
};

/// Key of classes, drawn if there is no bar.
struct ColorKey {
  std::string label;
  Color color;
};

struct Picture {
  std::string title, subtitle;
  Pixels pixels;
  double aspect = 1;  ///< width / height of the map, independent of the number of pixels
  Axis across, up;
  bool graticule = false;
  std::optional<DiscGraticule> disc;  ///< instead of axes: the map is a disc
  std::vector<MapEllipse> bodies;     ///< outlines
  std::vector<Color> colors;          ///< of each pixel
  std::optional<ColorBar> bar;
  std::vector<ColorKey> key;
};

/// Several maps in one picture, each with its title and no subtitle. They have the same size.
struct Sheet {
  std::string title, subtitle;
  std::vector<Picture> maps{};  ///< from left to right, then downwards
  std::size_t group = 1;        ///< so many maps stay side by side
};

/// The longest edge of a picture that cairo draws, in pixels.
inline constexpr double longest_edge = 32767;

/// Do so many maps like this one fit on a sheet?
bool fit_on_sheet(const Picture& map, std::uint64_t count, std::uint64_t group);

/// Writes the picture. It has the same bytes in every run on one machine, with that machine's fonts (DejaVu
/// Sans if installed). Not thread-safe: one call at a time. Throws Error out_of_memory.
std::string png_of(const Picture& picture);
std::string png_of(const Sheet& sheet);

}  // namespace sphaera::tool
