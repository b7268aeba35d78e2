#include <algorithm>
#include <array>
#include <io/formats/ply.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/scene/sphere_columns.hpp>
#include <io/streams/file_error.hpp>

namespace sphaera::io {
namespace {

/// The property of each column; null: absent.
using Properties = std::array<const PlyProperty*, SphereColumns::count>;

/// Finds the columns among the properties that are no lists.
SphereColumns find_properties(const PlyRows& rows, const PlyElement& vertex, const SceneInput& input,
                              SceneBuilder& builder, Properties& properties) {
  std::vector<std::string_view> names;
  std::vector<const PlyProperty*> scalars;
  std::vector<std::string> lists;
  for (const PlyProperty& property : vertex.properties) {
    if (property.is_list)
      lists.push_back(shown(property.name));
    else
      names.push_back(property.name), scalars.push_back(&property);
  }
  const ColumnTerms terms{"property", "properties", " of 'vertex'", {{"r", "radius"}}};
  SphereColumns columns(names, terms, input, {rows.name(), rows.line()}, builder, lists);
  for (std::size_t c = 0; c < properties.size(); ++c)
    properties[c] = columns.has(c) ? scalars[static_cast<std::size_t>(columns[c])] : nullptr;
  return columns;
}

/// Gives values to columns of the same property: the reader fills the first one.
void fill_same(const Properties& properties, SphereColumns::Values& values) {
  for (std::size_t c = 0; c < properties.size(); ++c)
    values[c] =
        values[static_cast<std::size_t>(std::ranges::find(properties, properties[c]) - properties.begin())];
}

}  // namespace

void read_ply_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder) {
  PlyRows rows(source);
  const auto& elements = rows.elements();
  const auto vertex =
      std::find_if(elements.begin(), elements.end(), [](const auto& e) { return e.name == "vertex"; });
  if (vertex == elements.end()) fail(rows.name(), "the PLY header has no element 'vertex'");
  Properties properties;
  const SphereColumns columns = find_properties(rows, *vertex, input, builder, properties);
  const bool has_layers = columns.has(SphereColumns::layer) && input.options.layer_by != AtomLayers::none;
  const int file_layer = has_layers ? 0 : builder.layer(input.layer, {rows.name(), 1});
  const bool has_texts = columns.has(SphereColumns::layer) || columns.has(SphereColumns::name);
  NumberedLayers layers(builder);
  std::for_each(elements.begin(), vertex, [&](const auto& element) { rows.skip(element); });
  const std::uint64_t possible = rows.rows_possible(*vertex);
  if (possible != UINT64_MAX)
    builder.reserve(std::min(vertex->count, possible), columns.has_velocity(), rows.name());
  SphereColumns::Values values{};
  for (std::uint64_t i = 0; i < vertex->count; ++i) {
    rows.next(*vertex, properties, values);
    if (has_texts) fill_same(properties, values);
    const FileLine place{rows.name(), rows.line()};
    builder.row([&] {
      builder.sphere(columns.sphere(values),
                     has_layers ? layers.layer(values[SphereColumns::layer], place) : file_layer, place);
      if (columns.has(SphereColumns::name)) name_by(values[SphereColumns::name], builder);
      if (columns.has_velocity()) builder.velocity(SphereColumns::velocity(values), place);
    });
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
