#include <algorithm>
#include <base/validate.hpp>
#include <io/formats/csv.hpp>
#include <io/formats/csv_text.hpp>
#include <io/formats/numbers.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/scene/scene_read.hpp>
#include <io/scene/sphere_columns.hpp>
#include <io/scene/trajectory.hpp>
#include <io/streams/file_error.hpp>

namespace sphaera::io {
namespace {

enum : int {
  col_x,
  col_y,
  col_z,
  col_r,
  col_vx,
  col_vy,
  col_vz,
  col_name,
  col_layer,
  col_frame,
  col_time,
  col_id
};

bool has_velocity(const CsvTable& table) {
  const int given = table.has(col_vx) + table.has(col_vy) + table.has(col_vz);
  if (const char* const fault = velocity_columns_fault(given)) fail(table.name(), table.line(), fault);
  return given == 3;
}

/// Calls add() for each row of the table.
void read_rows(CsvTable& table, SceneBuilder& builder, const auto& add) {
  const auto add_next = [&](bool& more) {
    more = table.next();
    if (more) add();
  };
  bool more = true;
  while (more) builder.row([&] { add_next(more); }, [&] { return table.in_row(); });
}

Sphere sphere_of(const CsvTable& table, const std::optional<double>& radius) {
  return {{table.number(col_x), table.number(col_y), table.number(col_z)},
          radius ? table.number_or(col_r, *radius) : table.number(col_r)};
}

Vec3 velocity_of(const CsvTable& table) {
  return {table.number_or(col_vx, 0), table.number_or(col_vy, 0), table.number_or(col_vz, 0)};
}

/// Number of the row's frame, or its time.
void read_time(CsvTable& table, const FrameColumns& columns, const SceneBuilder& builder, Step& step) {
  if (columns.frame && !to_integer(table.number(col_frame), step.frame))
    table.refuse(col_frame, "is not the whole number of a frame; --columns t=NAME takes times");
  if (!columns.time) return;
  step.time = table.time(col_time, builder.epoch());
  if (!base::is_finite(step.time)) table.refuse(col_time, "is no time; write finite seconds");
}

/// Reads a table with frames. A column `id` gives names where none of that name does.
void read_frames(CsvTable& table, const SceneInput& input, SceneBuilder& builder) {
  const int id = table.has(col_name) ? col_name : col_id;
  const FrameColumns columns{.frame = table.has(col_frame),
                             .time = table.has(col_time),
                             .id = table.has(id),
                             .layer = table.has(col_layer) && input.options.layer_by != AtomLayers::none,
                             .velocity = has_velocity(table)};
  FrameRows rows(columns, table.name());
  read_rows(table, builder, [&] {
    Step step{.sphere = sphere_of(table, input.options.radius), .line = table.line()};
    read_time(table, columns, builder, step);
    rows.add(step, columns.velocity ? velocity_of(table) : Vec3{}, columns.id ? table.label(id) : "",
             columns.layer ? table.label(col_layer) : "");
  });
  rows.finish(input, std::max<std::uint64_t>(table.line(), 1), builder);
}

/// Reads a table of which each row is a sphere.
void read_spheres(CsvTable& table, const SceneInput& input, SceneBuilder& builder) {
  const bool velocities = has_velocity(table), names = table.has(col_name),
             layers = table.has(col_layer) && input.options.layer_by != AtomLayers::none;
  int number = -1;
  std::string current;  // name of the previous row's layer: neighboring rows often share a layer
  read_rows(table, builder, [&] {
    const FileLine place{table.name(), table.line()};
    const std::string_view named = layers ? table.label(col_layer) : std::string_view{};
    const std::string_view row_layer = named.empty() ? input.layer : named;
    if (number < 0 || row_layer != current) {
      number = builder.layer(row_layer, place, csv_layer_advice);
      current = row_layer;
    }
    builder.sphere(sphere_of(table, input.options.radius), number, place);
    if (velocities) builder.velocity(velocity_of(table), place);
    if (names) builder.name(table.label(col_name));
  });
}

void append_text(std::string& text, std::initializer_list<double> numbers) {
  const char* between = "";
  for (const double number : numbers) {
    append_number(text += between, number);
    between = ",";
  }
}

}  // namespace

void read_csv_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder) {
  const std::span<const std::string_view> columns = csv_scene_columns;
  const std::size_t required = input.options.radius ? col_r : col_r + 1;
  const bool asks = asks_for_frame(input.options);
  const std::size_t known = asks ? columns.size() : columns.size() - frame_columns;
  const std::vector<std::string_view> own = own_columns(input);
  CsvTable table(source,
                 {.required = columns.first(required),
                  .optional = columns.first(known).subspan(required),
                  .without_last = "--radius R",
                  .exact = asks ? frame_columns : 0,
                  .own = own},
                 input.options.csv);
  const bool has_frames =
      asks && has_frame_columns(table.has(col_frame), table.has(col_time), input,
                                {table.name(), std::max<std::uint64_t>(table.line(), 1)}, table.titles());
  has_frames ? read_frames(table, input, builder) : read_spheres(table, input, builder);
  for (const std::string& warning : table.take_warnings()) builder.warn(warning);
  if (!asks && std::ranges::find(table.titles(), "frame") != table.titles().end())
    builder.warn(table.name() + ": the rows of all frames are taken together; choose one with --frame N");
}

void write_csv_scene(const SceneFile& scene, OutputText& out) {
  const bool velocities = !scene.velocities.empty(), names = !scene.names.empty(),
             layers = names_layers(scene);
  out.text += "x,y,z,r";
  out.text += velocities ? ",vx,vy,vz" : "";
  out.text += names ? ",name" : "";
  out.text += layers ? ",layer\n" : "\n";
  for (std::size_t i = 0; i < scene.spheres.size(); ++i) {
    const auto& [center, radius] = scene.spheres[i];
    append_text(out.text, {center.x, center.y, center.z, radius});
    if (velocities)
      append_text(out.text += ',', {scene.velocities[i].x, scene.velocities[i].y, scene.velocities[i].z});
    if (names) append_csv(out.text += ',', scene.names[i]);
    if (layers) append_csv(out.text += ',', scene.layer_name(i));
    out.text += '\n';
    out.row_done();
  }
}

}  // namespace sphaera::io
