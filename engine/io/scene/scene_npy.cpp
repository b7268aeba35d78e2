#include <algorithm>
#include <array>
#include <io/formats/npy.hpp>
#include <io/formats/npy_fields.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/streams/file_error.hpp>

namespace sphaera::io {

namespace {

/// Where x, y, z, r, vx, vy, vz lie in a row; −1: absent.
using Places = std::array<int, 7>;

Places places_in_matrix(const NpyRows& rows, bool has_radius) {
  const std::size_t columns = rows.columns();
  const bool only_places = columns == 3 && has_radius;
  if (!only_places && columns != 4 && columns != 7) {
    fail(rows.name(), "the NPY array has " + std::to_string(columns) +
                          " columns; a scene has 4 (x,y,z,r) or 7 (x,y,z,r,vx,vy,vz), or 3 with --radius");
  }
  Places places;
  for (int i = 0; i < std::ssize(places); ++i) places[i] = i < static_cast<int>(columns) ? i : -1;
  return places;
}

Places places_of_fields(NpyRows& rows, const SceneInput& input, SceneBuilder& builder) {
  const std::span<const std::string_view> columns = std::span(csv_scene_columns).first<7>();
  const std::size_t required = input.options.radius ? 3 : 4;
  const NpyColumns chosen = choose_columns(
      rows, {columns.first(required), columns.subspan(required), "--radius R"}, input.options.csv);
  Places places;
  std::ranges::copy(chosen.place, places.begin());
  const auto absent = std::count(places.begin() + 4, places.end(), -1);
  if (const char* const fault = velocity_columns_fault(3 - static_cast<int>(absent)))
    fail(rows.name(), fault);
  for (const std::string& warning : chosen.warnings) builder.warn(warning);
  return places;
}

}  // namespace

void read_npy_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder) {
  NpyRows rows(source);
  const std::optional<double>& radius = input.options.radius;
  const auto places = rows.field_names().empty() ? places_in_matrix(rows, radius.has_value())
                                                 : places_of_fields(rows, input, builder);
  const int number = builder.layer(input.layer, {rows.name(), 1});
  if (source.remaining()) builder.reserve(rows.rows(), places[4] >= 0, rows.name());
  while (const double* v = rows.next()) {
    const FileLine place{rows.name(), rows.row()};
    builder.row([&] {
      const auto& [x, y, z, r, vx, vy, vz] = places;
      builder.sphere({{v[x], v[y], v[z]}, r < 0 ? *radius : v[r]}, number, place);
      if (vx >= 0) builder.velocity({v[vx], v[vy], v[vz]}, place);
    });
  }
}

void write_npy_scene(const SceneFile& scene, OutputText& out) {
  out.text += npy_header("'<f8'", scene.spheres.size(), scene.velocities.empty() ? 4 : 7);
  write_raw_rows(scene, out);
}

}  // namespace sphaera::io
