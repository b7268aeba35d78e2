/// What <sphaera/scene_file.hpp> promises to programs.

#include <cmath>
#include <cstring>
#include <limits>
#include <sphaera/scene.hpp>
#include <sphaera/scene_file.hpp>
#include <tests/host_mode.hpp>
#include <tests/scratch_files.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

/// A scene with all that a program may set.
SceneFile full_scene() {
  SceneFile file;
  file.spheres = {{{1, 2, 3}, 0.5}, {{0.1, -0.0, 0}, 0x1p-1074}, {{1e12, 0, 0}, 7e8}};
  file.velocities = {{1, 0, 0}, {0, 0.1, 0}, {0, 0, -3}};
  for (const char* name : {"Ada", "", "näher \"dran\""}) file.names.push_back(name);
  file.layers = {0, 1, 1};
  file.layer_names = {"default", "stones"};
  file.resistances = {2, std::nan(""), 0};
  file.stars.resize(2);
  file.stars[0].star = Star::at({0, 0, 9}, 1, LimbDarkening::quadratic(0.4, 0.26));
  file.stars[0].name = "lamp";
  file.stars[0].luminosity = 60;
  file.stars[1].sphere = 2;
  file.rotations = {{1, {{0, 0, 1}, 86164}, {1, 0, 0}}};
  file.ellipsoids = {{0, 2, 1.5}};
  file.unit = "m";
  file.epoch = "2024-099T12:00Z";
  return file;
}

std::string refused(const SceneFile& file, std::int64_t element) {
  Folder folder;
  try {
    (void)file.save(folder / "s.json");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::invalid_argument);
    CHECK(error.element() == element);
    CHECK(folder.files() == 0);
    return error.what();
  }
  FAIL_CHECK("saved");
  return {};
}

/// The refusal of a full scene that was changed.
template <class Change>
std::string refused_after(const Change& change, std::int64_t element = Error::no_element) {
  SceneFile file = full_scene();
  change(file);
  return refused(file, element);
}

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("a program loads what it saved", "[io]") {
  Folder folder;
  const SceneFile file = full_scene();
  for (const char* name : {"s.json", "s.json.gz"}) {
    CHECK(file.save(folder / name).empty());
    const SceneFile back = SceneFile::load(folder / name);
    CHECK(back.spheres == file.spheres);
    CHECK(std::signbit(back.spheres[1].center.y));
    CHECK(back.velocities == file.velocities);
    REQUIRE(back.names.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) CHECK(back.names[i] == file.names[i]);
    CHECK(back.layers == file.layers);
    CHECK(back.layer_names == file.layer_names);
    CHECK(back.find_layer("stones") == 1);
    CHECK(back.find_layer("none") == -1);
    CHECK(back.resistances[0] == 2);
    CHECK(std::isnan(back.resistances[1]));
    REQUIRE(back.stars.size() == 2);
    CHECK(back.stars[0].name == "lamp");
    CHECK(back.stars[0].star.center == Vec3{0, 0, 9});
    CHECK(back.stars[0].star.limb_darkening.coefficients == file.stars[0].star.limb_darkening.coefficients);
    CHECK(back.stars[0].luminosity == 60);
    CHECK(back.stars[1].sphere == 2);
    REQUIRE(back.rotations.size() == 1);
    CHECK(back.rotations[0].spin.period == 86164);
    CHECK(back.epoch == file.epoch);
    REQUIRE(back.ellipsoids.size() == 1);
    CHECK(back.ellipsoids[0].polar_radius == 1.5);
    CHECK(back.unit == "m");
    CHECK(back.warnings.empty());
    CHECK(back.sources == std::vector<fs::path>{folder / name});
  }
  // What a format cannot hold is said: stars, resistances, spins, unit.
  CHECK(file.save(folder / "s.csv").size() == 6);
  CHECK(SceneFile::load(folder / "s.csv").layer_name(2) == "stones");
  CHECK(file.save(folder / "s.npy").size() == 8);
  CHECK(SceneFile::load(folder / "s.npy").velocities == file.velocities);
  CHECK(Scene::build(file.spheres, {.layers = file.layers}).size() == 3);
}

TEST_CASE("a scene is read from memory, and names files of its folder", "[io]") {
  Folder folder;
  CHECK(SceneFile::parse("x,y,z,r\n1,2,3,4\n", "s.csv").spheres == std::vector<Sphere>{{{1, 2, 3}, 4}});
  folder.write("more.csv", "x,y,z,r,layer\n1,2,3,4,far\n");
  const char* const text = R"({"sphaera": 1, "files": [{"path": "more.csv"}]})";
  const SceneFile file = SceneFile::parse(text, folder / "of_this_folder.json");
  CHECK(file.layer_name(0) == "far");
  CHECK(file.sources == std::vector<fs::path>{folder / "more.csv"});
  folder.write("inside/s.json", R"({"sphaera": 1, "files": [{"path": "../more.csv"}]})");
  CHECK(contains(error_of([&] { (void)SceneFile::load(folder / "inside/s.json"); }),
                 "outside the scene's folder"));
  CHECK(SceneFile::load(folder / "inside/s.json", {.scope = FileScope::anywhere}).spheres.size() == 1);
}

TEST_CASE("errors of scene files name file, line and sphere", "[io]") {
  try {
    (void)SceneFile::parse("x,y,z,r\n0,0,0,1\n0,0,0,-1\n", "s.csv");
    FAIL_CHECK("no error");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::bad_file);
    CHECK(error.element() == 1);
    CHECK(error.subject() == "s.csv:3: sphere 1");
  }
  CHECK(contains(error_of([] { (void)SceneFile::load("/nowhere/s.csv"); }), "/nowhere/s.csv: "));
  CHECK(contains(error_of([] { (void)SceneFile::load("s.doc"); }), "ends in .json, .csv, "));
  CHECK(contains(error_of([] { (void)SceneFile::parse("", "s"); }), "ends in .json, .csv, "));
  CHECK(contains(error_of([] { (void)SceneFile().save("s.txt"); }), "scenes are saved as .json, "));
  std::stop_source stop;
  stop.request_stop();
  Folder folder;
  folder.write("s.csv", "x,y,z,r\n");
  error_of([&] { (void)SceneFile::load(folder / "s.csv", {.stop = stop.get_token()}); },
           ErrorCode::cancelled);
  double done = -1;
  (void)SceneFile::load(folder / "s.csv", {.progress = [&](double fraction) { done = fraction; }});
  CHECK(done == 1);
}

TEST_CASE("a scene that could not be read back is not saved", "[io]") {
  using File = SceneFile;
  CHECK(contains(refused_after([](File& f) { f.spheres[1].radius = no_number; }, 1), "sphere 1: "));
  CHECK(contains(refused_after([](File& f) { f.velocities.pop_back(); }), "velocities: has 2 items for 3"));
  CHECK(contains(refused_after([](File& f) { f.names.resize(4); }), "names: has 4 items"));
  CHECK(contains(refused_after([](File& f) { f.layers.pop_back(); }), "layers: "));
  CHECK(contains(refused_after([](File& f) { f.resistances.pop_back(); }), "resistances: "));
  CHECK(contains(refused_after([](File& f) { f.velocities[2].x = no_number; }, 2), "sphere 2: its velocity"));
  CHECK(contains(refused_after([](File& f) { f.resistances[2] = -1; }, 2), "sphere 2: its resistance"));
  CHECK(contains(refused_after([](File& f) { f.layers[0] = 2; }, 0), "sphere 0: its layer"));
  CHECK(contains(refused_after([](File& f) { f.layer_names.clear(); }), "layer_names: has 0"));
  CHECK(contains(refused_after([](File& f) { f.layer_names.resize(65, "x"); }), "layer_names: has 65"));
  CHECK(contains(refused_after([](File& f) { f.layer_names[1] = "default"; }, 1), "layer 1: another"));
  CHECK(contains(refused_after([](File& f) { f.layer_names[1] = ""; }, 1), "layer 1: it has no name"));
  CHECK(contains(refused_after([](File& f) { f.layer_names[1] = "\xff"; }, 1),
                 "layer 1: its name is not UTF-8"));
  CHECK(contains(refused_after([](File& f) { f.names.resize(2), f.names.push_back("\xff"); }, 2),
                 "sphere 2: its name"));
  CHECK(contains(refused_after([](File& f) { f.unit = "\xff"; }), "unit: "));
  CHECK(contains(refused_after([](File& f) { f.stars[1].sphere = 3; }, 1), "star 1: its sphere"));
  CHECK(contains(refused_after([](File& f) { f.stars[1].sphere = -2; }, 1), "star 1: its sphere"));
  CHECK(contains(refused_after([](File& f) { f.stars[0].star.radius = -1; }, 0), "star 0: "));
  CHECK(contains(refused_after([](File& f) { f.stars[0].luminosity = no_number; }, 0),
                 "star 0: its luminosity"));
  CHECK(
      contains(refused_after([](File& f) { f.stars[0].velocity.y = no_number; }, 0), "star 0: its velocity"));
  CHECK(contains(refused_after([](File& f) { f.stars[0].name = "\xff"; }, 0), "star 0: its name"));
  CHECK(contains(refused_after([](File& f) { f.rotations[0].sphere = 3; }, 0), "rotation 0: its sphere"));
  CHECK(contains(refused_after([](File& f) { f.rotations.push_back(f.rotations[0]); }, 1),
                 "rotation 1: its sphere"));
  CHECK(contains(refused_after([](File& f) { f.rotations[0].meridian = {0, 0, 1}; }, 0),
                 "rotation 0: the spin's"));
  CHECK(contains(refused_after([](File& f) { f.rotations[0].spin.axis.x = no_number; }, 0),
                 "rotation 0: its axis"));
  CHECK(contains(refused_after([](File& f) { f.epoch = "2024-04-08"; }, -1),
                 "date '2024-04-08': it names no time"));
  CHECK(contains(refused_after([](File& f) { f.ellipsoids[0].sphere = 3; }, 0), "ellipsoid 0: its sphere"));
  CHECK(contains(refused_after([](File& f) { f.ellipsoids.push_back(f.ellipsoids[0]); }, 1),
                 "ellipsoid 1: its sphere"));
  for (const double radius : {0.0, -1.0, 0x1p-201, 0x1p201, no_number}) {
    CHECK(contains(refused_after([&](File& f) { f.ellipsoids[0].polar_radius = radius; }, 0),
                   "ellipsoid 0: a radius is not from 2^-200 to 2^200"));
  }
}

TEST_CASE("a failed save leaves the older file", "[io]") {
  Folder folder;
  SceneFile file = full_scene();
  (void)file.save(folder / "s.json");
  const std::string before = contents(folder / "s.json");
  file.spheres[0].radius = 0;
  error_of([&] { (void)file.save(folder / "s.json"); }, ErrorCode::invalid_argument);
  CHECK(contents(folder / "s.json") == before);
  error_of([&] { (void)full_scene().save(folder / "none/s.json"); }, ErrorCode::io);
  CHECK(folder.files() == 1);
}

TEST_CASE("a scene file is the same in every floating-point mode of the host", "[io][modes]") {
  Folder folder;
  const std::filesystem::path by_default = folder / "default.json", in_mode = folder / "mode.json",
                              in_memory = "memory.json";
  (void)full_scene().save(by_default);
  const std::string text = contents(by_default);
  for (const unsigned mode : host_modes()) {
    SceneFile loaded, parsed;
    bool kept = false;
    const SceneFile file = full_scene();
    {
      const HostMode host(mode);
      (void)file.save(in_mode);
      loaded = SceneFile::load(by_default);
      parsed = SceneFile::parse(text, in_memory);
      kept = host.kept();
    }
    INFO("mode " << mode);
    CHECK(kept);
    CHECK(contents(in_mode) == text);
    for (const SceneFile* read : {&loaded, &parsed})
      CHECK(std::memcmp(read->spheres.data(), file.spheres.data(), sizeof(Sphere) * file.spheres.size()) ==
            0);
  }
}
