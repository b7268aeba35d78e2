#include <fmt/core.h>

#include <algorithm>
#include <tools/report/html.hpp>
#include <tools/report/sphere_view.hpp>
#include <tools/scene/scene_layers.hpp>

namespace sphaera::tool {
namespace {

/// Parallel projection along the axis of the least extent, z if several are least. The other axes are across
/// and up, right-handed as seen: from the positive end of z and x, from the negative end of y.
struct Projection {
  static constexpr double size = 600, margin = 30;
  static constexpr std::string_view names = "xyz";

  Vec3 lower, upper;
  int along = 2, across = 0, up = 1;
  double unit = 1;  // picture's units for one of the scene

  explicit Projection(const ShownSpheres& shown) : lower(shown.lower), upper(shown.upper) {
    const Vec3 extent = upper - lower;
    for (const int axis : {1, 0})
      if (extent[axis] < extent[along]) along = axis;
    across = along == 0 ? 1 : 0, up = along == 2 ? 1 : 2;
    const double longest = std::max(extent[across], extent[up]);
    if (longest > 0) unit = (size - 2 * margin) / longest;
  }

  double width() const { return (upper[across] - lower[across]) * unit + 2 * margin; }
  double height() const { return (upper[up] - lower[up]) * unit + 2 * margin; }
  double x(const Vec3& p) const { return margin + (p[across] - lower[across]) * unit; }
  double y(const Vec3& p) const { return height() - margin - (p[up] - lower[up]) * unit; }
  double nearness(const Vec3& p) const { return along == 1 ? -p.y : p[along]; }
};

std::string frame_svg(const Projection& p) {
  return fmt::format(
      "<svg class=\"still\" viewBox=\"0 0 {0:.1f} {1:.1f}\" role=\"img\"><title>The scene, seen along "
      "{2}</title>"
      "<rect x=\"{3}\" y=\"{3}\" width=\"{4:.1f}\" height=\"{5:.1f}\"/>\n",
      p.width(), p.height(), Projection::names[static_cast<std::size_t>(p.along)], Projection::margin,
      p.width() - 2 * Projection::margin, p.height() - 2 * Projection::margin);
}

/// The coordinates of the frame's corners.
std::string frame_labels(const Projection& p) {
  std::string svg;
  const auto label = [&](double x, double y, std::string_view anchor, int axis, double value) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{} = {}</text>\n", x, y, anchor,
                       Projection::names[static_cast<std::size_t>(axis)], short_number(value));
  };
  constexpr double margin = Projection::margin, line = 14;
  const double bottom = p.height() - margin;
  label(margin, bottom + line, "start", p.across, p.lower[p.across]);
  label(p.width() - margin, bottom + line, "end", p.across, p.upper[p.across]);
  label(margin, margin - 6, "start", p.up, p.upper[p.up]);
  label(margin, bottom + 2 * line - 1, "start", p.up, p.lower[p.up]);
  return svg;
}

}  // namespace

std::string still_picture(const Scene& scene, const SceneFile& file, const ShownSpheres& shown) {
  constexpr std::size_t most = 3000;
  const auto sphere = [&](std::int64_t id) -> const Sphere& {
    return scene.spheres()[static_cast<std::size_t>(id)];
  };
  const Projection projection(shown);
  std::vector<std::int64_t> ids = shown.ids;
  ids.resize(std::min(most, ids.size()));
  std::ranges::stable_sort(ids, {}, [&](std::int64_t id) { return projection.nearness(sphere(id).center); });
  std::string svg = frame_svg(projection);
  for (const std::int64_t id : ids) {
    const auto& [center, radius] = sphere(id);
    constexpr double smallest = 0.7;
    const std::size_t layer = layer_of(scene, static_cast<std::size_t>(id));
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\"/>\n",
                       projection.x(center), projection.y(center),
                       std::max(smallest, radius * projection.unit), css_color(layer_color(layer)));
  }
  svg += frame_labels(projection) + "</svg>";
  std::string caption =
      fmt::format("Seen along {}", Projection::names[static_cast<std::size_t>(projection.along)]);
  if (!file.unit.empty()) caption += ", lengths in " + file.unit;
  if (ids.size() < shown.of) caption += fmt::format("; {} of {} spheres, the largest", ids.size(), shown.of);
  return "<figure class=\"still-figure\">" + svg + html::element("figcaption", caption + ".") + "</figure>\n";
}

}  // namespace sphaera::tool
