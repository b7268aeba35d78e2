/// Damaged files: each file is cut short at every byte, and read with each single bit flipped. Readers accept
/// it or refuse it with an error. Scenes that are accepted must be valid. Under sanitizers every eleventh
/// place, which finds each bit of a byte: libFuzzer flips bits there, too. tests/long looks at all.

#include <base/validate.hpp>
#include <tests/effort.hpp>
#include <tests/scratch_files.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

struct Damaged {
  std::size_t errors = 0, valid = 0;
};

/// Reads one damaged file. The reader must accept it, or throw an Error (bad_file) that names the file.
template <class Read>
void try_one(std::string_view bytes, const std::string& name, Read read, Damaged& tally) {
  try {
    read(bytes, name);
    ++tally.valid;
  } catch (const Error& error) {
    ++tally.errors;
    if (error.code() != ErrorCode::bad_file || !error.subject().starts_with(name)) FAIL_CHECK(error.what());
  }
}

template <class Read>
Damaged damage(const std::string& bytes, const std::string& name, Read read) {
  const std::size_t step = sanitized() && !all_cases() ? 11 : 1;
  Damaged tally;
  for (std::size_t n = 0; n < bytes.size(); n += step)
    try_one(std::string_view(bytes).substr(0, n), name, read, tally);
  std::string flipped = bytes;
  for (std::size_t bit = 0; bit < 8 * bytes.size(); bit += step) {
    const char mask = static_cast<char>(1 << (bit % 8));
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ mask);
    try_one(flipped, name, read, tally);
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ mask);
  }
  return {tally.errors * step, tally.valid * step};  // as if all had been read
}

void read_scene(std::string_view bytes, const std::string& name) {
  const SceneFile scene = scene_of(bytes, name);
  base::check_all(std::span<const Sphere>(scene.spheres));
  const std::size_t n = scene.spheres.size();
  CHECK((scene.names.empty() || scene.names.size() == n));
  CHECK((scene.velocities.empty() || scene.velocities.size() == n));
  CHECK((scene.layers.empty() || scene.layers.size() == n));
  CHECK((scene.resistances.empty() || scene.resistances.size() == n));
  for (const SceneFile::Rotation& rotation : scene.rotations) {
    CHECK((base::valid(rotation.spin) && static_cast<std::size_t>(rotation.sphere) < n));
  }
  for (std::size_t i = 0; i < n; ++i) CHECK(!scene.layer_name(i).empty());
}

template <class Query>
void read_queries(std::string_view bytes, const std::string& name) {
  queries_of<Query>(bytes, name, 8);
}

/// A small scene that uses most fields.
SceneFile small_scene() {
  SceneFile scene;
  scene.spheres = {{{1, -2.5, 3e10}, 0.1}, {{0, 0, 0}, 7}};
  scene.velocities = {{1, 2, 3}, {}};
  scene.names.push_back("a \"name\", quoted");
  scene.names.push_back("");
  scene.layers = {0, 1};
  scene.layer_names = {"default", "crowd"};
  scene.resistances = {1, 2};
  scene.rotations = {{1, {{0, 0.5, 2}, -10}, {1, 0, 1}}};
  scene.ellipsoids = {{0, 3, 2}};
  scene.unit = "km";
  scene.epoch = "2016-12-31T23:59:60Z";
  scene.stars.resize(2);
  scene.stars[0].star.limb_darkening = {LimbDarkening::Law::quadratic, {0.4, 0.26}};
  scene.stars[1].sphere = 1;
  return scene;
}

}  // namespace

TEST_CASE("damaged scenes are errors or valid", "[io][damage]") {
  const Folder folder;
  for (const io::SceneFormat* format : io::written_formats) {
    for (const std::string& name : {"s" + format->extension(), "s" + format->extension() + ".gz"}) {
      INFO(name);
      write_scene(small_scene(), *format, folder / name);
      CHECK(damage(contents(folder / name), name, read_scene).errors > 100);
    }
  }
  const std::string ascii =
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty list uchar int l\nproperty float x\nproperty float "
      "y\n"
      "property float z\nproperty float radius\nend_header\n2 1 1 1 2 3 4\n";
  CHECK(damage(ascii, "s.ply", read_scene).errors > 100);
  const std::string dump =
      "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS xy xz yz pp pp pp\n0 1 0.5\n0 1 0\n0 1 "
      "0\n"
      "ITEM: ATOMS id type xs ys zs diameter vx vy vz\n2 1 .5 .5 .5 1 1 2 3\n1 b 0 1 .5 1 1 2 3\n";
  CHECK(damage(dump, "s.lammpstrj", read_scene).errors > 100);
  const std::string crowd =
      "#framerate: 8\n#ID FR X/cm Y/cm radius\n1 3 150 -20 1\n1 4 200 0 1e3\n2 3 0 0 1\n";
  CHECK(damage(crowd, "s.txt", read_scene).errors > 100);
  for (const char* const name : {"grid_ascii.vtk", "polydata_binary.vtk"})
    CHECK(damage(contents(data("vtk") / name), name, read_scene).errors > 100);
}

TEST_CASE("damaged scenes in formats that are read only are errors or valid", "[io][damage]") {
  for (const io::SceneFormat* format : io::scene_formats) {
    if (format->write) continue;
    INFO(format->name);
    std::size_t errors = 0;
    for (const auto& seed : fs::directory_iterator(data("../fuzz/corpus/scene_" + std::string(format->name))))
      errors += damage(contents(seed.path()), "s" + format->extension(), read_scene).errors;
    CHECK(errors > 100);
  }
}

TEST_CASE("damaged query files are errors or valid", "[io]") {
  const std::string rays =
      "ox,oy,oz,dx,dy,dz,tmin,tmax,ignore\r\n1,2,3,4,5,6,-inf,1e3,\"7\"\n0,0,0,0,0,1,,,\n";
  CHECK(damage(rays, "r.csv", read_queries<Ray>).errors > 100);
  CHECK(damage(npy_matrix({1, 2, 3, 4, 5, 6, 0, 1, 7}, 9), "r.npy", read_queries<Ray>).errors > 100);
  const std::string bullets = "x,y,z,vx,vy,vz,radius,start,duration,ignore\n1,2,3,4,5,6,1,-2,inf,3\n";
  CHECK(damage(bullets, "b.csv", read_queries<Bullet>).errors > 100);
  CHECK(damage("x,y,z,on\n1,2,3,4\n", "o.csv", read_queries<Observer>).errors > 50);
  CHECK(damage("longitude,latitude,on\n-10,20.5,4\n", "s.csv", read_queries<files::Station>).errors > 100);
  CHECK(damage("x,y,z,r\n1,2,3,4\n", "b.csv", read_queries<Ball>).errors > 50);
  CHECK(damage("x,y,z\n1,2,3\n", "p.csv", read_queries<Vec3>).errors > 40);
}
