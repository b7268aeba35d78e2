#include <cmath>
#include <tests/attack/examples.hpp>

namespace sphaera::attack {
namespace {

/// Spheres on a spiral, their radii over many decades.
SceneFile spiral() {
  SceneFile scene;
  for (int i = 0; i < 12; ++i) {
    const double angle = 0.7 * i;
    scene.spheres.push_back({{3 * std::cos(angle), 3 * std::sin(angle), 0.5 * i}, std::exp2(-i)});
  }
  return scene;
}

/// Everything that a scene may have.
SceneFile full() {
  SceneFile scene;
  scene.unit = "km";
  scene.spheres = {{{0, 0, 0}, 1}, {{9, 0, 1e-9}, 2}, {{0, 9, 0}, 0.25}, {{0, 5, 1e-12}, 3e7}};
  scene.velocities = {{1, -2, 0.5}, {}, {}, {-1, 2, 3}};
  for (const char* name : {"A", "a \"second\"", "", "höhe, \\"}) scene.names.push_back(name);
  scene.layers = {0, 1, 1, 2};
  scene.layer_names = {"default", "crowd", "walls"};
  scene.resistances = {2.5, std::nan(""), 0, std::nan("")};
  scene.rotations = {{2, {{0, 0, 1}, 86164}, {1, 0, 0}}};
  scene.ellipsoids = {{1, 2.5, 1.5}};
  scene.epoch = "2024-04-08T18:10:36Z";
  scene.stars.resize(3);
  scene.stars[0].star = Star::at({0, 0, 90}, 5);
  scene.stars[0].luminosity = 1e20;
  scene.stars[1].star = Star::at_infinity({0, 0, 1}, 0.01, LimbDarkening::claret4(0.1, 0.2, 0.1, 0.1));
  scene.stars[2].sphere = 1;
  return scene;
}

}  // namespace

std::vector<SceneFile> example_scenes() {
  SceneFile equal;
  equal.spheres.assign(40, {{0, 0, 0}, 1});
  return {spiral(), full(), equal};
}

std::vector<std::string> example_ephemerides() {
  return {"t,x,y,z,vx,vy,vz\n0,9,0,0,0,1,0\n10,8,5,0,-0.5,0.5,0\n20,0,9,0,-1,0,0\n",
          "t,x,y,z,vx,vy,vz\n-1e9,1e11,0,0,0,3e4,0\n1e9,-1e11,5,7,0,-3e4,0\n"};
}

std::string example_queries(const files::QueryColumns& columns, std::size_t width,
                            const io::MatrixFormat& format) {
  constexpr std::size_t rows = 3;
  std::vector<double> numbers;
  for (std::size_t i = 0; i < rows * width; ++i)
    numbers.push_back(i % width == width - 1 ? static_cast<double>(i / width)
                                             : static_cast<double>(i % 7) + 0.5);
  std::string bytes = format.header(columns.names(width), rows);
  format.append(bytes, numbers, width);
  return bytes;
}

}  // namespace sphaera::attack
