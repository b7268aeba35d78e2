#include <array>
#include <io/formats/csv.hpp>
#include <io/formats/csv_text.hpp>
#include <io/formats/numbers.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/scene/scene_read.hpp>
#include <io/streams/file_error.hpp>

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
  // Files that a scene names may lack what one of them has.
  const std::size_t own = input.is_named ? 0 : columns.size() - col_name;
  CsvTable table(source,
                 {.required = columns.first(required),
                  .optional = columns.subspan(required),
                  .without_last = "--radius R",
                  .own = own},
                 input.options.csv);
  const bool velocities = has_velocity(table), names = table.has(col_name),
             layers = table.has(col_layer) && input.options.layer_by != AtomLayers::none;
  int number = -1;
  std::string current;  // name of the previous row's layer: neighboring rows often share a layer
  const auto add = [&] {
    const FileLine place{table.name(), table.line()};
    const std::string_view named = layers ? table.label(col_layer) : std::string_view{};
    const std::string_view row_layer = named.empty() ? input.layer : named;
    if (number < 0 || row_layer != current) {
      number =
          builder.layer(row_layer, place,
                        "; --owner-by layer makes owners of any number, --columns layer=NAME takes another "
                        "column, --layer-by none takes none");
      current = row_layer;
    }
    builder.sphere({{table.number(col_x), table.number(col_y), table.number(col_z)},
                    radius ? table.number_or(col_r, *radius) : table.number(col_r)},
                   number, place);
    if (velocities)
      builder.velocity({table.number_or(col_vx, 0), table.number_or(col_vy, 0), table.number_or(col_vz, 0)},
                       place);
    if (names) builder.name(table.label(col_name));
  };
  const auto add_next = [&](bool& more) {
    more = table.next();
    if (more) add();
  };
  for (bool more = true; more;) builder.row([&] { add_next(more); }, [&] { return table.in_row(); });
  for (const std::string& warning : table.take_warnings()) builder.warn(warning);
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
