#include <algorithm>
#include <array>
#include <base/validate.hpp>
#include <io/formats/csv.hpp>
#include <io/formats/csv_text.hpp>
#include <io/formats/numbers.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/scene/scene_read.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/machine_memory.hpp>
#include <iterator>

namespace sphaera::io {
namespace {

enum : int { col_x, col_y, col_z, col_r, col_vx, col_vy, col_vz, col_name, col_layer };

bool has_velocity(const CsvTable& table) {
  const int given = table.has(col_vx) + table.has(col_vy) + table.has(col_vz);
  if (const char* const fault = velocity_columns_fault(given)) fail(table.name(), table.line(), fault);
  return given == 3;
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
  const std::optional<double>& radius = input.options.radius;
  const std::span<const std::string_view> columns = csv_scene_columns;
  const std::size_t required = radius ? col_r : col_r + 1;
  CsvTable table(source, {columns.first(required), columns.subspan(required), "--radius R"},
                 input.options.csv);
  const bool velocities = has_velocity(table), names = table.has(col_name), layers = table.has(col_layer);
  int number = -1;
  std::string current;  // name of the previous row's layer: neighboring rows often share a layer
  while (table.next()) {
    const FileLine place{table.name(), table.line()};
    const std::string_view own = layers ? table.label(col_layer) : std::string_view{};
    const std::string_view row_layer = own.empty() ? input.layer : own;
    if (number < 0 || row_layer != current) {
      number = builder.layer(row_layer, place);
      current = row_layer;
    }
    builder.sphere({{table.number(col_x), table.number(col_y), table.number(col_z)},
                    radius ? table.number_or(col_r, *radius) : table.number(col_r)},
                   number, place);
    if (velocities)
      builder.velocity({table.number_or(col_vx, 0), table.number_or(col_vy, 0), table.number_or(col_vz, 0)},
                       place);
    if (names) builder.name(table.label(col_name));
  }
  for (const std::string& warning : table.take_warnings()) builder.warn(warning);
}

Motion read_ephemeris(ByteSource& source, std::vector<std::string>* warnings, const CsvOptions& options) {
  CsvTable table(source, {ephemeris_columns, {}}, options);
  std::vector<MotionSample> samples;
  while (table.next()) {
    const FileLine place{table.name(), table.line()};
    const MotionSample sample{table.number(0),
                              {table.number(1), table.number(2), table.number(3)},
                              {table.number(4), table.number(5), table.number(6)}};
    if (!base::in_domain(sample.position) || !base::in_domain(sample.time)) {
      fail(place.name, place.line,
           "t,x,y,z are not all finite, or too large; give numbers of at most 2^200 in magnitude");
    }
    check_velocity(sample.velocity, place);
    if (!samples.empty() && !(sample.time > samples.back().time)) {
      fail(place.name, place.line, "t does not grow from row to row; sort the rows and drop repeated times");
    }
    check_growth(samples, 0, place.name);
    samples.push_back(sample);
  }
  if (samples.empty()) fail(table.name(), table.line(), "an ephemeris needs at least one row");
  if (warnings) std::ranges::move(table.take_warnings(), std::back_inserter(*warnings));
  return Motion(std::move(samples));
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
