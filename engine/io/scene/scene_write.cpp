#include <array>
#include <initializer_list>
#include <io/scene/scene_formats.hpp>
#include <io/scene/scene_write.hpp>
#include <io/streams/file_error.hpp>
#include <new>
#include <sphaera/error.hpp>

namespace sphaera::io {
namespace {

void append_raw(std::string& bytes, std::initializer_list<double> numbers) {
  bytes.append(reinterpret_cast<const char*>(numbers.begin()), numbers.size() * sizeof(double));
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

/// A part that some formats cannot hold, in the words of the warning.
struct Part {
  unsigned part;
  const char *what, *it;
  bool (*is_in)(const SceneFile& scene);
};
constexpr std::array<Part, 9> parts{
    {{scene_part::stars, "stars are", "them", [](const SceneFile& scene) { return !scene.stars.empty(); }},
     {scene_part::resistances, "resistances are", "them",
      [](const SceneFile& scene) { return !scene.resistances.empty(); }},
     {scene_part::spins, "spins are", "them",
      [](const SceneFile& scene) { return !scene.rotations.empty(); }},
     {scene_part::ellipsoids, "ellipsoids are", "them",
      [](const SceneFile& scene) { return !scene.ellipsoids.empty(); }},
     {scene_part::unit, "the unit is", "it", [](const SceneFile& scene) { return !scene.unit.empty(); }},
     {scene_part::epoch, "the epoch is", "it", [](const SceneFile& scene) { return !scene.epoch.empty(); }},
     {scene_part::names, "names are", "them", [](const SceneFile& scene) { return !scene.names.empty(); }},
     {scene_part::layers, "layers are", "them", names_layers},
     {scene_part::velocities, "velocities are", "them",
      [](const SceneFile& scene) { return !scene.velocities.empty(); }}}};

/// "only .json and .csv hold them".
std::string holders(const Part& part) {
  std::vector<std::string> extensions;
  for (const SceneFormat* format : written_formats)
    if (format->parts & part.part) extensions.push_back(format->extension());
  return "only " + joined(extensions, " and ") + (extensions.size() == 1 ? " holds " : " hold ") + part.it;
}

std::vector<std::string> left_out(const SceneFile& scene, const SceneFormat& format) {
  std::vector<std::string> sentences;
  const auto note = [&](bool lost, const std::string& what, const std::string& where) {
    if (lost) sentences.push_back(what + " left out; " + where);
  };
  for (const Part& part : parts)
    if (!(format.parts & part.part)) note(part.is_in(scene), part.what, holders(part));
  note((format.parts & scene_part::layers) && has_empty_layer(scene), "layers without spheres are",
       "spheres name their layers");
  bool orbits = !scene.orbits.empty();
  for (const SceneStar& star : scene.stars) orbits = orbits || star.ephemeris.has_value();
  note(orbits, "ephemerides are",
       "scene files only name the files of ephemerides, and this program does not write those");
  return sentences;
}

}  // namespace

bool names_layers(const SceneFile& scene) {
  return !scene.layers.empty() || scene.layer_names[0] != "default";
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

std::vector<std::string> write_scene(const SceneFile& scene, const SceneFormat& format, Output& output) {
  try {
    OutputText out(&output);
    format.write(scene, out);
    out.hand_over();
    return left_out(scene, format);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, output.name(), "not enough memory to write the scene");
  }
}

std::string scene_bytes(const SceneFile& scene, const SceneFormat& format) {
  OutputText out(nullptr);
  format.write(scene, out);
  return std::move(out.text);
}

}  // namespace sphaera::io
