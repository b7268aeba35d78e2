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

/// `n` spheres on a spiral, their radii over many decades.
std::vector<double> spiral(int n) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) {
    const double angle = 0.7 * i;
    for (const double value : {3 * std::cos(angle), 3 * std::sin(angle), 0.5 * i, std::exp2(-i)})
      values.push_back(value);
  }
  return values;
}

std::string csv_of(const std::vector<double>& values, std::size_t columns, std::string text) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    io::append_number(text, values[i]);
    text += (i + 1) % columns == 0 ? '\n' : ',';
  }
  return text;
}

std::string json_of(const std::vector<double>& values) {
  std::string text = "{\"sphaera\": 1,\n\"spheres\": [\n";
  for (std::size_t i = 0; i + 3 < values.size(); i += 4) {
    text += "{\"center\": [";
    for (std::size_t k = 0; k < 3; ++k) {
      io::append_number(text, values[i + k]);
      text += k < 2 ? ", " : "], \"radius\": ";
    }
    io::append_number(text, values[i + 3]);
    text += i + 4 < values.size() ? "},\n" : "}\n";
  }
  return text + "]}\n";
}

}  // namespace

std::vector<std::string> example_scenes_json() {
  return {json_of(spiral(12)),
          "{\"sphaera\": 1, \"unit\": \"km\",\n"
          "\"stars\": [\n{\"center\": [0, 0, 90], \"radius\": 5, \"luminosity\": 1e20},\n"
          "{\"direction\": [0, 0, 1], \"angular_radius\": 0.01, \"limb_darkening\": {\"claret4\": [0.1, 0.2, "
          "0.1, 0.1]}},\n{\"sphere\": \"B\"}],\n"
          "\"spheres\": [\n"
          "{\"center\": [0, 0, 0], \"radius\": 1, \"name\": \"A\", \"layer\": \"l1\"},\n"
          "{\"center\": [9, 0, 1e-9], \"radius\": 2, \"name\": \"B\", \"velocity\": [1, -2, 0.5]},\n"
          "{\"center\": [0, 9, 0], \"radius\": 0.25, \"resistance\": 2.5,\n"
          " \"spin\": {\"axis\": [0, 0, 1], \"period\": 86164, \"meridian\": [1, 0, 0]}}]}\n"};
}

std::vector<std::string> example_scenes_csv() {
  std::string equal = "x,y,z,r\n";
  for (int i = 0; i < 40; ++i) equal += "0,0,0,1\n";
  return {csv_of(spiral(10), 4, "x,y,z,r\n"), equal,
          "x,y,z,r,vx,vy,vz,name,layer\n"
          "0,0,0,1,1,0,0,first,crowd\n"
          "5,0,0,0.5,,,,\"a \"\"second\"\"\",\n"
          "0,5,1e-12,3e7,-1,2,3,,walls\n"};
}

std::vector<std::string> example_scenes_npy() {
  const std::vector<double> eight = spiral(14);
  return {npy(eight, 4), npy(eight, 7)};
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
