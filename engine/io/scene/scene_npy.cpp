#include <io/formats/npy.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/streams/file_error.hpp>

namespace sphaera::io {

void read_npy_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder) {
  NpyRows rows(source);
  const std::optional<double>& radius = input.options.radius;
  const bool only_places = rows.columns() == 3 && radius;
  if (!only_places && rows.columns() != 4 && rows.columns() != 7) {
    fail(rows.name(), "the NPY array has " + std::to_string(rows.columns()) +
                          " columns; a scene has 4 (x,y,z,r) or 7 (x,y,z,r,vx,vy,vz), or 3 with --radius");
  }
  const int number = builder.layer(input.layer, {rows.name(), 1});
  if (source.remaining()) builder.reserve(rows.rows(), rows.columns() == 7, rows.name());
  while (const double* v = rows.next()) {
    const FileLine place{rows.name(), rows.row()};
    builder.sphere({{v[0], v[1], v[2]}, only_places ? *radius : v[3]}, number, place);
    if (rows.columns() == 7) builder.velocity({v[4], v[5], v[6]}, place);
  }
}

void write_npy_scene(const SceneFile& scene, OutputText& out) {
  out.text += npy_header("'<f8'", scene.spheres.size(), scene.velocities.empty() ? 4 : 7);
  write_raw_rows(scene, out);
}

}  // namespace sphaera::io
