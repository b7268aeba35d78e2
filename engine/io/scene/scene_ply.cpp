#include <algorithm>
#include <array>
#include <io/formats/ply.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/streams/file_error.hpp>

namespace sphaera::io {
namespace {

constexpr std::array<std::string_view, 7> scene_columns{"x", "y", "z", "radius", "vx", "vy", "vz"};
constexpr std::size_t places = 3, radii = 4;  // numbers of columns

/// Index of each column among the vertex properties; −1: absent.
using PropertyIndexes = std::array<int, scene_columns.size()>;

PropertyIndexes find_columns(const PlyRows& rows, const PlyElement& vertex, bool needs_radii,
                             SceneBuilder& builder) {
  PropertyIndexes property_of;
  property_of.fill(-1);
  std::string ignored;
  for (std::size_t p = 0; p < vertex.properties.size(); ++p) {
    const PlyProperty& property = vertex.properties[p];
    const auto column = static_cast<std::size_t>(
        std::find(scene_columns.begin(), scene_columns.end(), property.name) - scene_columns.begin());
    if (column == scene_columns.size() || property.is_list) {
      ignored += (ignored.empty() ? "" : ", ") + shown(property.name);
    } else if (property_of[column] >= 0) {
      fail(rows.name(), "property " + shown(property.name) + " of 'vertex' comes twice");
    } else {
      property_of[column] = static_cast<int>(p);
    }
  }
  for (std::size_t c = 0; c < (needs_radii ? radii : places); ++c) {
    if (property_of[c] < 0) {
      fail(rows.name(), "property " + shown(scene_columns[c]) +
                            " of 'vertex' is missing; a scene needs x, y, z, radius" +
                            (c == places ? ", or --radius for all" : ""));
    }
  }
  const auto absent = std::count(property_of.begin() + radii, property_of.end(), -1);
  if (absent == 1 || absent == 2)
    fail(rows.name(), "some of the properties 'vx', 'vy', 'vz' are missing; give all three or none");
  if (!ignored.empty()) builder.warn(rows.name() + ": properties ignored: " + ignored);
  return property_of;
}

}  // namespace

void read_ply_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder) {
  PlyRows rows(source);
  const auto& elements = rows.elements();
  const auto vertex =
      std::find_if(elements.begin(), elements.end(), [](const auto& e) { return e.name == "vertex"; });
  if (vertex == elements.end()) fail(rows.name(), "the PLY header has no element 'vertex'");
  const PropertyIndexes property_of = find_columns(rows, *vertex, !input.options.radius, builder);
  const bool velocities = property_of[radii] >= 0, has_radii = property_of[places] >= 0;
  const int number = builder.layer(input.layer, {rows.name(), 1});
  std::for_each(elements.begin(), vertex, [&](const auto& element) { rows.skip(element); });
  const std::uint64_t possible = rows.rows_possible(*vertex);
  if (possible != UINT64_MAX) builder.reserve(std::min(vertex->count, possible), velocities, rows.name());
  std::vector<double> values;
  for (std::uint64_t i = 0; i < vertex->count; ++i) {
    rows.next(*vertex, values);
    const auto v = [&](std::size_t column) { return values[static_cast<std::size_t>(property_of[column])]; };
    const FileLine place{rows.name(), rows.line()};
    builder.sphere({{v(0), v(1), v(2)}, has_radii ? v(3) : *input.options.radius}, number, place);
    if (velocities) builder.velocity({v(4), v(5), v(6)}, place);
  }
  if (vertex + 1 == elements.end()) {
    rows.expect_end();
    if (rows.ends_inside_line()) builder.warn(last_line_warning(rows.name()));
  } else {
    builder.warn(rows.name() + ": elements after 'vertex' are ignored");
  }
}

void write_ply_scene(const SceneFile& scene, OutputText& out) {
  out.text +=
      "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(scene.spheres.size()) + '\n';
  out.text += "property double x\nproperty double y\nproperty double z\nproperty double radius\n";
  if (!scene.velocities.empty()) out.text += "property double vx\nproperty double vy\nproperty double vz\n";
  out.text += "end_header\n";
  write_raw_rows(scene, out);
}

}  // namespace sphaera::io
