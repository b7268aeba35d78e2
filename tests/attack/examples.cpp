#include <cmath>
#include <io/formats/npy.hpp>
#include <io/formats/numbers.hpp>
#include <tests/attack/examples.hpp>

namespace sphaera::attack {
namespace {

std::string npy(const std::vector<double>& values, std::size_t columns) {
  const std::string_view body(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  return io::npy_header("'<f8'", values.size() / columns, columns) + std::string(body);
}

/// Spheres on a spiral, their radii over many decades.
io::SceneFile spiral() {
  io::SceneFile scene;
  for (int i = 0; i < 12; ++i) {
    const double angle = 0.7 * i;
    scene.spheres.push_back({{3 * std::cos(angle), 3 * std::sin(angle), 0.5 * i}, std::exp2(-i)});
  }
  return scene;
}

/// Everything that a scene may have.
io::SceneFile full() {
  io::SceneFile scene;
  scene.unit = "km";
  scene.spheres = {{{0, 0, 0}, 1}, {{9, 0, 1e-9}, 2}, {{0, 9, 0}, 0.25}, {{0, 5, 1e-12}, 3e7}};
  scene.velocities = {{1, -2, 0.5}, {}, {}, {-1, 2, 3}};
  for (const char* name : {"A", "a \"second\"", "", "höhe, \\"}) scene.names.push_back(name);
  scene.layers = {0, 1, 1, 2};
  scene.layer_names = {"default", "crowd", "walls"};
  scene.resistances = {2.5, std::nan(""), 0, std::nan("")};
  scene.rotations = {{2, {{0, 0, 1}, 86164}, {1, 0, 0}}};
  scene.stars.resize(3);
  scene.stars[0].star = Star::at({0, 0, 90}, 5);
  scene.stars[0].luminosity = 1e20;
  scene.stars[1].star = Star::at_infinity({0, 0, 1}, 0.01, LimbDarkening::claret4(0.1, 0.2, 0.1, 0.1));
  scene.stars[2].sphere = 1;
  return scene;
}

}  // namespace

std::vector<io::SceneFile> example_scenes() {
  io::SceneFile equal;
  equal.spheres.assign(40, {{0, 0, 0}, 1});
  return {spiral(), full(), equal};
}

std::vector<std::string> example_ephemerides() {
  return {"t,x,y,z,vx,vy,vz\n0,9,0,0,0,1,0\n10,8,5,0,-0.5,0.5,0\n20,0,9,0,-1,0,0\n",
          "t,x,y,z,vx,vy,vz\n-1e9,1e11,0,0,0,3e4,0\n1e9,-1e11,5,7,0,-3e4,0\n"};
}

std::vector<std::string> example_queries(const std::string& kind) {
  if (kind == "rays") {
    return {"ox,oy,oz,dx,dy,dz\n-9,0,0,1,0,0\n0,0,-9,0,0.1,2\n3,4,5,-3,-4,-5\n",
            "ox,oy,oz,dx,dy,dz,tmin,tmax,ignore\n-9,0,0,1,0,0,0,inf,-1\n0,0,-9,0,0.1,2,-inf,5,3\n0,0,0,1,1,1,"
            ",,\n"};
  }
  if (kind == "observers") return {"x,y,z,on\n1,2,3,\n0,0,9,4\n"};
  if (kind == "stations") return {"longitude,latitude,on\n13.4,52.5,0\n-70,-33,2\n"};
  if (kind == "receivers") return {"x,y,z,nx,ny,nz,on\n1,2,3,0,0,1,\n0,0,9,1,1,1,5\n"};
  if (kind == "bullets") {
    return {"x,y,z,vx,vy,vz\n-9,0,0,800,0,0\n0,0,9,1,2,-3\n",
            "x,y,z,vx,vy,vz,radius,start,duration,ignore\n-9,0,0,8,0,0,0.1,-0.5,7,\n0,0,9,1,2,-3,,,,6\n"};
  }
  if (kind == "points") return {"x,y,z\n0,0,0\n1e9,-5,3\n"};
  return {"x,y,z,r\n0,0,0,1\n5,5,5,0\n1,1,1,1e6\n"};
}

std::string example_matrix(std::size_t columns) {
  std::vector<double> values;
  for (std::size_t i = 0; i < 3 * columns; ++i)
    values.push_back(i % columns == columns - 1 ? static_cast<double>(i / columns)
                                                : static_cast<double>(i % 7) + 0.5);
  return npy(values, columns);
}

}  // namespace sphaera::attack
