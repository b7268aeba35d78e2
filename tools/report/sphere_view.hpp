#pragma once
/// \file Pictures of a scene for a page: one that a script turns, one that stands still.

#include <cstdint>
#include <span>
#include <sphaera/scene.hpp>
#include <string>
#include <tools/drawing/color_map.hpp>
#include <tools/report/result_summary.hpp>
#include <tools/scene/load.hpp>
#include <vector>

namespace sphaera::tool {

/// The most spheres of a view: with ids and colors they take 10 MB.
inline constexpr std::size_t max_shown = std::size_t{1} << 18;

/// The color of a layer, by its number; after twelve they come again.
Color layer_color(std::size_t layer);
/// "#0072b2".
std::string css_color(const Color& color);

/// Spheres that a view shows, the largest first, and the cube around them.
struct ShownSpheres {
  std::vector<std::int64_t> ids;
  std::uint64_t of = 0;  ///< number of the spheres that they stand for
  Vec3 lower, upper;     ///< of the balls of all of these
};

/// The data of the view as JSON that may stand in a script element. Places and radii are floats relative to
/// the center and half the size of the cube: good to 2^-24 of it. Names come until they take 2 MiB.
std::string view_json(const Scene& scene, const SceneFile& file, const ShownSpheres& shown,
                      std::span<const ResultSummary> results);

/// The first 3000 shown spheres as SVG, seen along the axis of the least extent, with the coordinates of the
/// frame.
std::string still_picture(const Scene& scene, const SceneFile& file, const ShownSpheres& shown);

}  // namespace sphaera::tool
