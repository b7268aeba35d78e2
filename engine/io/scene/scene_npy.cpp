#include <algorithm>
#include <array>
#include <base/validate.hpp>
#include <io/formats/npy.hpp>
#include <io/formats/npy_fields.hpp>
#include <io/formats/numbers.hpp>
#include <io/scene/frames.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/scene/sphere_columns.hpp>
#include <io/scene/trajectory.hpp>
#include <io/streams/file_error.hpp>

namespace sphaera::io {

namespace {

/// Where these lie in a row; −1: absent.
enum : std::size_t { at_x, at_y, at_z, at_r, at_vx, at_vy, at_vz, at_name, at_layer, at_frame, at_t, at_id };
using Places = std::array<int, csv_scene_columns.size()>;
constexpr std::size_t at_numbers = at_name;  // how many are always known

constexpr Places no_places() {
  Places places{};
  places.fill(-1);
  return places;
}

Sphere sphere_of(const double* v, const Places& places, const std::optional<double>& radius) {
  return {{v[places[at_x]], v[places[at_y]], v[places[at_z]]}, places[at_r] < 0 ? *radius : v[places[at_r]]};
}

Places places_in_matrix(const NpyRows& rows, bool has_radius) {
  const std::size_t columns = rows.columns();
  const bool only_places = columns == 3 && has_radius;
  if (!only_places && columns != 4 && columns != 7) {
    fail(rows.name(), "the NPY array has " + std::to_string(columns) +
                          " columns; a scene has 4 (x,y,z,r) or 7 (x,y,z,r,vx,vy,vz), or 3 with --radius");
  }
  Places places = no_places();
  for (std::size_t i = 0; i < columns; ++i) places[i] = static_cast<int>(i);
  return places;
}

/// Where the fields of a structured array lie, those of frames, too, if the options ask for them.
Places places_of_fields(NpyRows& rows, const SceneInput& input, SceneBuilder& builder) {
  std::vector<std::size_t> known;
  const bool asks = asks_for_frame(input.options);
  std::vector<std::string_view> columns;
  for (std::size_t at = 0; at < csv_scene_columns.size(); ++at) {
    const bool is_text = at == at_name || at == at_layer;
    if (is_text ? !is_renamed(csv_scene_columns[at], input.options) : at >= at_frame && !asks) continue;
    known.push_back(at), columns.push_back(csv_scene_columns[at]);
  }
  const std::vector<std::string_view> own = own_columns(input);
  const std::size_t required = input.options.radius ? 3 : 4;
  const std::vector<std::string> titles = titles_of(rows.field_names());
  const NpyColumns chosen = choose_columns(rows,
                                           {.required = std::span(columns).first(required),
                                            .optional = std::span(columns).subspan(required),
                                            .without_last = "--radius R",
                                            .exact = columns.size() - at_numbers,
                                            .own = own},
                                           input.options.csv);
  Places places = no_places();
  for (std::size_t i = 0; i < known.size(); ++i) places[known[i]] = chosen.place[i];
  const auto absent = std::count(places.begin() + at_vx, places.begin() + at_name, -1);
  if (const char* const fault = velocity_columns_fault(3 - static_cast<int>(absent)))
    fail(rows.name(), fault);
  if (asks) has_frame_columns(places[at_frame] >= 0, places[at_t] >= 0, input, {rows.name(), 0}, titles);
  for (const std::string& warning : chosen.warnings) builder.warn(warning);
  return places;
}

void read_npy_frames(NpyRows& rows, const Places& places, const SceneInput& input, SceneBuilder& builder) {
  const FrameColumns columns{.frame = places[at_frame] >= 0,
                             .time = places[at_t] >= 0,
                             .id = places[at_name] >= 0 || places[at_id] >= 0,
                             .layer = places[at_layer] >= 0 && input.options.layer_by != AtomLayers::none,
                             .velocity = places[at_vx] >= 0};
  FrameRows frames(columns, rows.name());
  const auto velocity = [&](const double* v) {
    return columns.velocity ? Vec3{v[places[at_vx]], v[places[at_vy]], v[places[at_vz]]} : Vec3{};
  };
  while (const double* v = rows.next()) {
    builder.row([&] {
      Step step{.sphere = sphere_of(v, places, input.options.radius), .line = rows.row()};
      const auto refuse = [&](const char* what) { fail(rows.name(), rows.row(), what); };
      if (columns.frame && !to_integer(v[places[at_frame]], step.frame))
        refuse("field 'frame' is not the whole number of a frame; --columns t=NAME takes times");
      if (columns.time) step.time = v[places[at_t]];
      if (!base::is_finite(step.time)) refuse("field 't' is no time; give finite seconds");
      std::string name, layer;
      if (columns.id) append_number(name, v[places[places[at_name] >= 0 ? at_name : at_id]]);
      if (columns.layer) append_number(layer, v[places[at_layer]]);
      frames.add(step, velocity(v), name, layer);
    });
  }
  frames.finish(input, rows.rows(), builder);
}

}  // namespace

void read_npy_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder) {
  NpyRows rows(source);
  const std::optional<double>& radius = input.options.radius;
  const bool is_matrix = rows.field_names().empty();
  if (is_matrix) refuse_frame(rows.name(), input);
  const Places places =
      is_matrix ? places_in_matrix(rows, radius.has_value()) : places_of_fields(rows, input, builder);
  if (places[at_frame] >= 0 || places[at_t] >= 0) return read_npy_frames(rows, places, input, builder);
  const bool has_layers = places[at_layer] >= 0 && input.options.layer_by != AtomLayers::none;
  const int file_layer = has_layers ? 0 : builder.layer(input.layer, {rows.name(), 1});
  NumberedLayers layers(builder);
  if (source.remaining()) builder.reserve(rows.rows(), places[at_vx] >= 0, rows.name());
  while (const double* v = rows.next()) {
    const FileLine place{rows.name(), rows.row()};
    builder.row([&] {
      builder.sphere(sphere_of(v, places, radius),
                     has_layers ? layers.layer(v[places[at_layer]], place) : file_layer, place);
      if (places[at_name] >= 0) name_by(v[places[at_name]], builder);
      if (places[at_vx] >= 0) builder.velocity({v[places[at_vx]], v[places[at_vy]], v[places[at_vz]]}, place);
    });
  }
}

void write_npy_scene(const SceneFile& scene, OutputText& out) {
  out.text += npy_header("'<f8'", scene.spheres.size(), scene.velocities.empty() ? 4 : 7);
  write_raw_rows(scene, out);
}

}  // namespace sphaera::io
