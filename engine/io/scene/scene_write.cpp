#include <initializer_list>
#include <io/formats/csv_text.hpp>
#include <io/formats/npy.hpp>
#include <io/formats/numbers.hpp>
#include <io/scene/scene_write.hpp>
#include <new>
#include <sphaera/error.hpp>

namespace sphaera::io {
namespace {

void append_text(std::string& text, std::initializer_list<double> numbers) {
  const char* between = "";
  for (const double number : numbers) {
    append_number(text += between, number);
    between = ",";
  }
}

void append_raw(std::string& bytes, std::initializer_list<double> numbers) {
  bytes.append(reinterpret_cast<const char*>(numbers.begin()), numbers.size() * sizeof(double));
}

/// NPY and binary PLY have the same body bytes.
void write_raw_rows(const SceneFile& scene, OutputText& out) {
  for (std::size_t i = 0; i < scene.spheres.size(); ++i) {
    const auto& [center, radius] = scene.spheres[i];
    append_raw(out.text, {center.x, center.y, center.z, radius});
    if (!scene.velocities.empty()) {
      const Vec3& v = scene.velocities[i];
      append_raw(out.text, {v.x, v.y, v.z});
    }
    out.row_done();
  }
}

/// Does a named layer have no sphere?
bool has_empty_layer(const SceneFile& scene) {
  std::vector<bool> used(scene.layer_names.size());
  for (std::size_t i = 0; i < scene.spheres.size(); ++i)
    used[scene.layers.empty() ? 0 : scene.layers[i]] = true;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i] && scene.layer_names[i] != "default") return true;
  return false;
}

bool names_layers(const SceneFile& scene) {
  return !scene.layers.empty() || scene.layer_names[0] != "default";
}

std::vector<std::string> left_out(const SceneFile& scene, SceneFormat format) {
  std::vector<std::string> sentences;
  const auto note = [&](bool lost, const char* what, const char* where) {
    if (lost) sentences.push_back(std::string(what) + " left out; " + where);
  };
  const bool json = format == SceneFormat::json, csv = format == SceneFormat::csv;
  note(!json && !scene.stars.empty(), "stars are", "only .json holds them");
  note(!json && !scene.resistances.empty(), "resistances are", "only .json holds them");
  note(!json && !scene.rotations.empty(), "spins are", "only .json holds them");
  note(!json && !scene.unit.empty(), "the unit is", "only .json holds it");
  note(!json && !csv && !scene.names.empty(), "names are", "only .json and .csv hold them");
  note(!json && !csv && names_layers(scene), "layers are", "only .json and .csv hold them");
  note((json || csv) && has_empty_layer(scene), "layers without spheres are", "spheres name their layers");
  bool orbits = !scene.orbits.empty();
  for (const SceneStar& star : scene.stars) orbits = orbits || star.ephemeris.has_value();
  note(orbits, "ephemerides are",
       "scene files only name the files of ephemerides, and this program does not write those");
  return sentences;
}

}  // namespace

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

void write_npy_scene(const SceneFile& scene, OutputText& out) {
  out.text += npy_header("'<f8'", scene.spheres.size(), scene.velocities.empty() ? 4 : 7);
  write_raw_rows(scene, out);
}

void write_ply_scene(const SceneFile& scene, OutputText& out) {
  out.text +=
      "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(scene.spheres.size()) + '\n';
  out.text += "property double x\nproperty double y\nproperty double z\nproperty double radius\n";
  if (!scene.velocities.empty()) out.text += "property double vx\nproperty double vy\nproperty double vz\n";
  out.text += "end_header\n";
  write_raw_rows(scene, out);
}

std::vector<std::string> write_scene(const SceneFile& scene, SceneFormat format, Output& output) {
  try {
    OutputText out(output);
    switch (format) {
      case SceneFormat::json:
        write_json_scene(scene, out);
        break;
      case SceneFormat::csv:
        write_csv_scene(scene, out);
        break;
      case SceneFormat::npy:
        write_npy_scene(scene, out);
        break;
      case SceneFormat::ply:
        write_ply_scene(scene, out);
        break;
    }
    out.hand_over();
    return left_out(scene, format);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, output.name(), "not enough memory to write the scene");
  }
}

}  // namespace sphaera::io
