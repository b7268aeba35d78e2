/// glTF: nodes with a mesh as spheres.

#include <array>
#include <cmath>
#include <io/formats/file_kind.hpp>
#include <string>
#include <vector>

#include <tests/near.hpp>
#include <tests/scratch_files.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

std::vector<std::string> names_of(const SceneFile& scene) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < scene.names.size(); ++i) names.emplace_back(scene.names[i]);
  return names;
}

/// A document with one mesh, named "box", whose positions have these bounds.
std::string document(const std::string& nodes, const std::string& more = "",
                     const std::string& accessor = R"("min": [-1, -1, -1], "max": [1, 1, 1])") {
  return R"({"asset": {"version": "2.0"}, "nodes": [)" + nodes +
         R"(], "meshes": [{"name": "box", "primitives": [
    {"attributes": {"NORMAL": 7, "POSITION": 0}}]}], "accessors": [{)" +
         accessor + "}]" + more + "}";
}

std::string binary(const std::string& json, std::uint32_t length) {
  std::string bytes = "glTF";
  for (const std::uint32_t word : std::array<std::uint32_t, 3>{2, 0, length})
    bytes.append(reinterpret_cast<const char*>(&word), 4);
  return bytes + "JSON" + json;
}

}  // namespace

TEST_CASE("glTF: a level as glTF-Transform writes it, as text and binary", "[io]") {
  // Centers and radii by glTF-Transform's getWorldMatrix, applied to the corners.
  const std::vector<Sphere> expected{{{12, 1, -1}, 1.7320508075688772},
                                     {{4, 4, -5}, 3.3166247903554},
                                     {{18, 18, 7}, 4.0155946010522525},
                                     {{100, 2, 0}, 2.0077973005261263}};
  for (const char* const file : {"level.gltf", "level.glb"}) {
    INFO(file);
    const SceneFile scene = io::read_scene(data("gltf") / file);
    REQUIRE(scene.spheres.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CHECK(length(scene.spheres[i].center - expected[i].center) <= 1e-14 * length(expected[i].center));
      CHECK(near(scene.spheres[i].radius, expected[i].radius, 1e-15));
    }
    CHECK(names_of(scene) == std::vector<std::string>{"crate A", "turned", "pole", "far pole"});
    CHECK(scene.unit == "m");
    CHECK(scene.warnings.empty());
  }
}

TEST_CASE("glTF: transforms, boxes and the nodes of a scene", "[io]") {
  const auto sphere = [](const std::string& node, const std::string& accessor) {
    return scene_of(document(node, "", accessor), "s.gltf").spheres.at(0);
  };
  const std::string box = R"("min": [0, 0, 0], "max": [2, 4, 4])";
  CHECK(sphere(R"({"mesh": 0})", box) == Sphere{{1, 2, 2}, 3});
  CHECK(sphere(R"({"mesh": 0, "translation": [1, 2, 3], "scale": [1, 0.5, 0.5]})", box) ==
        Sphere{{2, 3, 4}, std::sqrt(3.0)});
  // A quarter turn about z: (x, y, z) becomes (−y, x, z). The quaternion may have any length.
  CHECK(sphere(R"({"mesh": 0, "rotation": [0, 0, 1, 1]})", box) == Sphere{{-2, 1, 2}, 3});
  // A shear: of the four diagonals the longest counts.
  CHECK(sphere(R"({"mesh": 0, "matrix": [1,0,0,0, 1,1,0,0, 0,0,1,0, 0,0,0,1]})",
               R"("min": [-1, -1, 0], "max": [1, 1, 0])") == Sphere{{0, 0, 0}, std::sqrt(5.0)});
  // Bytes of KHR_mesh_quantization.
  const std::string bytes =
      R"("componentType": 5120, "min": [0, 0, 0], "max": [127, 127, 127], "normalized": )";
  CHECK(sphere(R"({"mesh": 0})", bytes + "true") == Sphere{{0.5, 0.5, 0.5}, std::sqrt(0.75)});
  CHECK(sphere(R"({"mesh": 0})", bytes + "false").center == Vec3{63.5, 63.5, 63.5});

  const std::string nodes =
      R"({"mesh": 0, "name": "a"}, {"children": [0]}, {"mesh": 0, "name": "b"}, {"mesh": 0})";
  CHECK(names_of(scene_of(document(nodes), "s.gltf")) == std::vector<std::string>{"a", "b", "box"});
  const std::string scenes = R"(, "scenes": [{"nodes": [2, 2]}, {"nodes": [3, 1]}, {}])";
  CHECK(names_of(scene_of(document(nodes, scenes), "s.gltf")) == std::vector<std::string>{"b"});
  CHECK(names_of(scene_of(document(nodes, scenes + R"(, "scene": 1)"), "s.gltf")) ==
        std::vector<std::string>{"a", "box"});
  CHECK(scene_of(document(nodes, scenes + R"(, "scene": 2)"), "s.gltf").spheres.empty());
  CHECK(scene_of(R"({"asset": {"version": "2.1"}})", "s.gltf").spheres.empty());

  std::string chain = R"({"mesh": 0, "translation": [1, 0, 0]})";
  constexpr int depth = 100'000;
  for (int i = 0; i + 1 < depth; ++i)
    chain += R"(, {"translation": [1, 0, 0], "children": [)" + std::to_string(i) + "]}";
  CHECK(scene_of(document(chain), "s.gltf").spheres.at(0).center == Vec3{depth, 0, 0});
}

TEST_CASE("glTF: what is not read, and damage", "[io]") {
  const auto error = [](const std::string& nodes, const std::string& more = "") {
    return scene_error(document(nodes, more), "s.gltf");
  };
  CHECK(contains(error(R"({"mesh": 1})"), "s.gltf:1: there is no item 1 of 'meshes', which has 1"));
  CHECK(contains(error(R"({"children": [-1]})"), "there is no item -1 of 'nodes', which has 1"));
  CHECK(contains(error(R"({"children": [0]})"), "every node is a child; nodes form trees, not cycles"));
  CHECK(contains(error(R"({}, {"children": [0]}, {"children": [0]})"), "node 0 is a child twice"));
  CHECK(contains(error(R"({"children": [1]}, {"children": [0]}, {})", R"(, "scenes": [{"nodes": [1]}])"),
                 "node 1 of the scene is a child of a node"));
  CHECK(contains(error("{}", R"(, "scene": 0)"), "there is no item 0 of 'scenes', which has 0"));
  CHECK(contains(error(R"({"matrix": [1, 2]})"), "'matrix' must have 16 numbers; it has 2"));
  CHECK(contains(error(R"({"mesh": 0, "rotation": [0, 0, 0, 0]})"), "s.gltf:1: sphere 0: center.x is"));
  CHECK(contains(scene_error(document(R"({"mesh": 0})", "", R"("min": [1, 1, 1])"), "s.gltf"),
                 "the accessor of these positions lacks 'min' or 'max'"));
  CHECK(
      contains(scene_error(document(R"({"mesh": 0})", "", R"("min": [1, 1, 1], "max": [1, 1, 1])"), "s.gltf"),
               "radius is 0; give a finite one, greater than 0 and at most 2^200; --radius R gives points"));
  CHECK(contains(scene_error(R"({"asset": {"version": "1.0"}})", "s.gltf"), "glTF '1.0' is not read"));
  CHECK(contains(scene_error("{}", "s.gltf"), "the document lacks \"asset\""));
  CHECK(scene_of(document(R"({"mesh": 0, "skin": 0})", R"(, "extensionsUsed": ["EXT_mesh_gpu_instancing"])"),
                 "s.gltf")
            .warnings.size() == 2);

  const std::string json = R"({"asset": {"version": "2.0"}}  )";
  const auto length = static_cast<std::uint32_t>(json.size());
  CHECK(scene_of(binary(json, length) + "behind", "s.glb").spheres.empty());
  CHECK(contains(scene_error(binary(json, length + 1), "s.glb"),
                 "the file ends inside its JSON; it is cut short"));
  CHECK(contains(scene_error(binary(json, length).substr(0, 12), "s.glb"), "ends inside its header"));
  CHECK(contains(scene_error("glTF" + std::string(16, '\1'), "s.glb"), "glTF of version 16843009"));
  REQUIRE(io::kind_of(binary(json, length)));
  CHECK(io::kind_of(binary(json, length))->format == "gltf");
  CHECK(io::kind_of(json)->format == "gltf");
  CHECK(io::kind_of(R"({"sphaera": 1, "unit": "asset"})")->format == "json");
}
