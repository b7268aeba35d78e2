/// \file Scene files in C beside C++: the same content, bytes and errors.

#include <tests/c/scene_file.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <sphaera/scene_file.hpp>
#include <tests/c/c_scene.hpp>
#include <tests/scratch_files.hpp>

namespace sphaera::test {
namespace {

using OwnedFile = Owned<SphaeraSceneFile, sphaera_scene_file_destroy>;

/// A scene with all that files hold; it names orbit.csv.
constexpr std::string_view everything = R"({"sphaera": 1, "unit": "m", "epoch": "2024-04-08T18:17:18.989Z",
 "stars": [{"sphere": "Ada", "name": "Ada", "luminosity": 60, "limb_darkening": {"quadratic": [0.4, 0.26]}},
           {"center": [1, 2, 3], "radius": 4, "velocity": [0.1, 0, -0.0]},
           {"direction": [0, 0, 1], "angular_radius": 0.01, "name": "näher \"dran\""},
           {"center": [0, 0, 9], "radius": 0, "ephemeris": "orbit.csv"}],
 "spheres": [{"center": [1, 2, 3], "radius": 0.5, "name": "Ada", "resistance": 2},
             {"center": [0.1, -0.0, 0], "radius": 5e-324, "layer": "stones", "ephemeris": "orbit.csv"},
             {"center": [1e12, 0, 0], "radius": 7e8, "name": "a\u0000b", "velocity": [0, 0, -3],
              "spin": {"axis": [0, 0, 1], "period": 86164, "meridian": [1, 0, 0]},
              "ellipsoid": {"equatorial_radius": 0.2, "polar_radius": 0.1}}]})";
constexpr std::string_view orbit = "t,x,y,z,vx,vy,vz\n0,0.1,0,0,1,0,0\n2,2,0,0,1,0,0.5\n";

std::vector<std::string> texts_of(const SphaeraSceneFile* file, std::int32_t kind) {
  const char *characters = nullptr, *text = nullptr;
  const std::uint64_t* ends = nullptr;
  size_t count = 0, length = 0;
  succeeds(sphaera_scene_file_texts(file, kind, &characters, &ends, &count));
  std::vector<std::string> texts;
  for (size_t i = 0; i < count; ++i) {
    const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
    texts.emplace_back(characters + begin, ends[i] - begin);
    succeeds(sphaera_scene_file_text(file, kind, i, &text, &length));
    CHECK(texts.back() == std::string(text, length));
  }
  return texts;
}

template <class Row, class Item>
void check_bytes(const Row* rows, size_t count, std::span<const Item> expected) {
  static_assert(sizeof(Row) == sizeof(Item));
  REQUIRE(count == expected.size());
  CHECK((count == 0 || std::memcmp(rows, expected.data(), expected.size_bytes()) == 0));
}
template <class Row, class Item>
void check_array(const Row* rows, const std::vector<Item>& expected) {
  REQUIRE((rows == nullptr) == expected.empty());
  check_bytes(rows, expected.size(), std::span(expected));
}

void check_samples(auto samples_of, const SphaeraSceneFile* file, auto number, const Motion* expected) {
  const SphaeraMotionSample* samples = nullptr;
  size_t count = 99;
  succeeds(samples_of(file, number, &samples, &count));
  check_bytes(samples, count, expected ? expected->samples() : std::span<const MotionSample>());
}

void check_star(const SphaeraSceneStar& star, const SceneStar& expected, const SceneFile& file) {
  CHECK(star.sphere == expected.sphere);
  CHECK(std::isnan(star.luminosity) == !expected.luminosity);
  if (expected.luminosity) CHECK(star.luminosity == *expected.luminosity);
  CHECK(std::memcmp(&star.velocity, &expected.velocity, sizeof star.velocity) == 0);
  CHECK(star.star.at_infinity == (expected.star.distance == Star::Distance::infinite ? 1 : 0));
  const Vec3& center =
      expected.is_sphere() ? file.spheres[size_t(expected.sphere)].center : expected.star.center;
  CHECK(std::memcmp(&star.star.center, &center, sizeof center) == 0);
  CHECK(star.star.radius ==
        (expected.is_sphere() ? file.spheres[size_t(expected.sphere)].radius : expected.star.radius));
  CHECK(std::memcmp(&star.star.direction, &expected.star.direction, sizeof center) == 0);
  CHECK(star.star.angular_radius == expected.star.angular_radius);
  CHECK(star.star.limb_darkening.law == std::uint8_t(expected.star.limb_darkening.law));
  CHECK(std::memcmp(star.star.limb_darkening.coefficients, expected.star.limb_darkening.coefficients.data(),
                    4 * sizeof(double)) == 0);
}

void check_stars(const SphaeraSceneFile* c, const SceneFile& file) {
  const SphaeraSceneStar* stars = nullptr;
  size_t count = 0;
  succeeds(sphaera_scene_file_stars(c, &stars, &count));
  REQUIRE(count == file.stars.size());
  const std::vector<std::string> names = texts_of(c, SPHAERA_TEXT_STARS);
  for (size_t i = 0; i < count; ++i) {
    check_star(stars[i], file.stars[i], file);
    CHECK(names[i] == file.stars[i].name);
    const std::optional<Motion>& ephemeris = file.stars[i].ephemeris;
    check_samples(sphaera_scene_file_star_samples, c, i, ephemeris ? &*ephemeris : nullptr);
  }
}

void check_orbits(const SphaeraSceneFile* c, const SceneFile& file) {
  const std::int64_t* orbits = nullptr;
  size_t count = 0;
  succeeds(sphaera_scene_file_orbits(c, &orbits, &count));
  REQUIRE(count == file.orbits.size());
  std::map<std::int64_t, const Motion*> ephemerides;
  for (std::int64_t id = 0; id < std::min<std::int64_t>(std::ssize(file.spheres), 9); ++id)
    ephemerides[id] = nullptr;
  for (size_t i = 0; i < count; ++i) {
    CHECK(orbits[i] == file.orbits[i].sphere);
    ephemerides[orbits[i]] = &file.orbits[i].ephemeris;
  }
  for (const auto& [id, ephemeris] : ephemerides)
    check_samples(sphaera_scene_file_sphere_samples, c, id, ephemeris);
}

/// Checks that C sees what C++ has.
void check_same(const SphaeraSceneFile* c, const SceneFile& file) {
  SphaeraSceneFileArrays arrays{};
  arrays.size = sizeof arrays;
  succeeds(sphaera_scene_file_arrays(c, &arrays));
  CHECK(arrays.count == file.spheres.size());
  check_array(arrays.spheres, file.spheres), check_array(arrays.velocities, file.velocities);
  check_array(arrays.layers, file.layers), check_array(arrays.resistances, file.resistances);
  const SphaeraRotation* rotations = nullptr;
  size_t count = 0;
  succeeds(sphaera_scene_file_rotations(c, &rotations, &count));
  check_bytes(rotations, count, std::span(file.rotations));
  const SphaeraEllipsoid* ellipsoids = nullptr;
  succeeds(sphaera_scene_file_ellipsoids(c, &ellipsoids, &count));
  check_bytes(ellipsoids, count, std::span(file.ellipsoids));
  check_stars(c, file), check_orbits(c, file);
  const std::vector<std::string> names = texts_of(c, SPHAERA_TEXT_NAMES);
  REQUIRE(names.size() == file.names.size());
  for (size_t i = 0; i < names.size(); ++i) CHECK(names[i] == file.names[i]);
  CHECK(texts_of(c, SPHAERA_TEXT_LAYERS) == file.layer_names);
  CHECK(texts_of(c, SPHAERA_TEXT_UNIT) == std::vector{file.unit});
  CHECK(texts_of(c, SPHAERA_TEXT_EPOCH) == std::vector{file.epoch});
  CHECK(texts_of(c, SPHAERA_TEXT_WARNINGS) == file.warnings);
  CHECK(texts_of(c, SPHAERA_TEXT_SOURCES) ==
        std::vector<std::string>(file.sources.begin(), file.sources.end()));
  for (size_t i = 0; i < file.layer_names.size(); ++i) {
    std::int32_t layer = -2;
    succeeds(sphaera_scene_file_find_layer(c, file.layer_names[i].c_str(), &layer));
    CHECK(layer == int(i));
  }
}

/// The same bytes in every format, from C, from C with all content set anew, and from C++.
void check_saves(SphaeraSceneFile* c, const SceneFile& file, const Folder& folder) {
  OwnedFile copy;
  succeeds(sphaera_scene_file_create(&copy));
  succeeds(copy_content(c, copy));
  SceneFile expected_copy = file;
  expected_copy.orbits.clear(), expected_copy.warnings.clear(), expected_copy.sources.clear();
  for (SceneStar& star : expected_copy.stars) star.ephemeris.reset();
  check_same(copy, expected_copy);
  for (const io::SceneFormat* const format : io::written_formats) {
    const std::string name = folder / ("saved" + format->extension()),
                      copied = folder / ("copy" + format->extension());
    const std::vector<std::string> left_out = file.save(name);
    const std::string expected = contents(name);
    succeeds(sphaera_scene_file_save(c, name.c_str()));
    CHECK(contents(name) == expected);
    CHECK(texts_of(c, SPHAERA_TEXT_LEFT_OUT) == left_out);
    succeeds(sphaera_scene_file_save(copy, copied.c_str()));
    CHECK(contents(copied) == expected);
  }
}

/// Loads a file in both languages: the same content, or the same error.
bool check_load(const fs::path& path, const Folder& folder) {
  INFO(path);
  OwnedFile c;
  std::optional<Error> error;
  SceneFile file;
  try {
    file = SceneFile::load(path);
  } catch (const Error& thrown) {
    error = thrown;
  }
  const SphaeraStatus status = sphaera_scene_file_load(path.c_str(), nullptr, &c);
  if (error) {
    CHECK(int(status) == int(error->code()) + 1);
    CHECK(std::string(sphaera_error_text()) == error->what());
    CHECK(std::string(sphaera_error_subject()) == error->subject());
    CHECK(sphaera_error_element() == error->element());
    return false;
  }
  succeeds(status);
  check_same(c, file), check_saves(c, file, folder);
  return true;
}

/// Checks that a call is refused, and how the error's text begins.
void refused(SphaeraStatus status, const std::string& text,
             SphaeraStatus expected = SPHAERA_INVALID_ARGUMENT) {
  CHECK(status == expected);
  CHECK(sphaera_error_status() == expected);
  CHECK(std::string(sphaera_error_text()).substr(0, text.size()) == text);
}

OwnedFile& parsed(OwnedFile& file, std::string_view bytes, const char* name) {
  succeeds(sphaera_scene_file_parse(bytes.data(), bytes.size(), name, nullptr, &file));
  return file;
}

}  // namespace

TEST_CASE("scene files in C: every shipped file and every seed as in C++", "[c]") {
  Folder folder;
  int loaded = 0, damaged = 0;
  for (const fs::path& root : {data(""), data("../fuzz/corpus")})
    for (const auto& entry : fs::recursive_directory_iterator(root))
      if (entry.is_regular_file()) check_load(entry.path(), folder) ? ++loaded : ++damaged;
  CHECK(loaded >= 15);
  CHECK(damaged >= 10);
}

TEST_CASE("scene files in C: all that a file holds, in every format", "[c]") {
  Folder folder;
  folder.write("orbit.csv", orbit);
  CHECK(check_load(folder.write("everything.json", everything), folder));
  for (const io::SceneFormat* const format : io::written_formats) {
    const fs::path saved = folder / ("saved" + format->extension());
    CHECK(check_load(saved, folder));
    const std::string bytes = contents(saved);
    OwnedFile c;
    parsed(c, bytes, saved.c_str());
    check_same(c, SceneFile::parse(bytes, saved));
  }
  CHECK(check_load(folder.write("none.json", R"({"sphaera": 1})"), folder));
}

TEST_CASE("scene files in C: damage is named by file, line and sphere", "[c]") {
  SphaeraSceneFile* file = nullptr;
  const std::string_view text = "x,y,z,r\n0,0,0,1\n0,0,0,-1\n";
  refused(sphaera_scene_file_parse(text.data(), text.size(), "s.csv", nullptr, &file),
          "s.csv:3: sphere 1: ", SPHAERA_BAD_FILE);
  CHECK(std::string(sphaera_error_subject()) == "s.csv:3: sphere 1");
  CHECK(sphaera_error_element() == 1);
  CHECK(file == nullptr);
  refused(sphaera_scene_file_load("/nowhere/s.csv", nullptr, &file), "/nowhere/s.csv: ", SPHAERA_BAD_FILE);
  Folder folder;
  folder.write("orbit.csv", orbit);
  // Cut short at any byte, and with any byte spoiled: as in C++.
  const std::size_t step = std::max<std::size_t>(1, everything.size() / 100);
  for (std::size_t i = 0; i < everything.size(); i += step) {
    check_load(folder.write("cut.json", everything.substr(0, i)), folder);
    std::string spoiled(everything);
    spoiled[i] = '\x01';
    check_load(folder.write("spoiled.json", spoiled), folder);
  }
}

TEST_CASE("scene files in C: options", "[c]") {
  Folder folder;
  folder.write("more.csv", "x,y,z,r\n1,2,3,4\n");
  const std::string path =
      folder.write("inside/s.json", R"({"sphaera": 1, "files": [{"path": "../more.csv"}]})");
  SphaeraSceneFileOptions options = initialized(sphaera_scene_file_options_init);
  SphaeraSceneFile* none = nullptr;
  refused(sphaera_scene_file_load(path.c_str(), &options, &none), path + ":1: ", SPHAERA_BAD_FILE);
  options.scope = SPHAERA_FILE_SCOPE_ANYWHERE;
  std::vector<double> heard;
  options.progress_user = &heard;
  options.progress = [](void* user, double fraction) {
    static_cast<std::vector<double>*>(user)->push_back(fraction);
    return fraction < 1 ? 1 : 0;
  };
  OwnedFile file;
  succeeds(sphaera_scene_file_load(path.c_str(), &options, &file));
  CHECK(heard.back() == 1);
  options.progress = [](void*, double) { return 1; };
  refused(sphaera_scene_file_load(path.c_str(), &options, &none), "progress: has ended", SPHAERA_CANCELLED);
  OwnedStop stop;
  succeeds(sphaera_stop_create(&stop));
  options.stop = stop, options.progress_user = stop;
  options.progress = [](void* user, double) {
    return int(sphaera_stop_request(static_cast<SphaeraStop*>(user)));
  };
  refused(sphaera_scene_file_load(path.c_str(), &options, &none), "stop: was requested", SPHAERA_CANCELLED);
  options = initialized(sphaera_scene_file_options_init);
  options.scope = 2;
  refused(sphaera_scene_file_load(path.c_str(), &options, &none), "scope: is unknown");
  options.scope = 0, options.delimiter = 128;
  refused(sphaera_scene_file_load(path.c_str(), &options, &none), "delimiter: is no character of ASCII");
  options.delimiter = 0, options.column_count = 1;
  refused(sphaera_scene_file_load(path.c_str(), &options, &none), "columns: is NULL");
  options.size = 8;
  refused(sphaera_scene_file_load(path.c_str(), &options, &none), "scene file options: have a wrong size");
  options = initialized(sphaera_scene_file_options_init);
  options.stop = reinterpret_cast<SphaeraStop*>(static_cast<SphaeraSceneFile*>(file));
  refused(sphaera_scene_file_load(path.c_str(), &options, &none), "stop: is no handle");
}

TEST_CASE("scene files in C: CSV with other columns and separators, points with one radius", "[c]") {
  Folder folder;
  const std::string path = folder.write("other.csv", "a|y|z\n1|2|3\n");
  SphaeraSceneFileOptions options = initialized(sphaera_scene_file_options_init);
  SphaeraSceneFile* none = nullptr;
  refused(sphaera_scene_file_load(path.c_str(), &options, &none), path + ":1: ", SPHAERA_BAD_FILE);
  const SphaeraCsvColumn columns[] = {{"x", "a"}};
  options.delimiter = '|', options.columns = columns, options.column_count = 1, options.radius = 4;
  OwnedFile file;
  succeeds(sphaera_scene_file_load(path.c_str(), &options, &file));
  SphaeraSceneFileArrays arrays{};
  arrays.size = sizeof arrays;
  succeeds(sphaera_scene_file_arrays(file, &arrays));
  REQUIRE(arrays.count == 1);
  const SphaeraSphere& sphere = arrays.spheres[0];
  CHECK(std::array{sphere.center.x, sphere.center.y, sphere.center.z, sphere.radius} ==
        std::array{1., 2., 3., 4.});
  options.frame = -2;
  refused(sphaera_scene_file_load(path.c_str(), &options, &none), "frame: is below -1");
}

TEST_CASE("scene files in C: radii and layers of atoms, a frame", "[c]") {
  Folder folder;
  const std::string path = folder.write("s.xyz", "1\n\nC 1 2 3\n1\n\nO 4 5 6\n"),
                    radii = folder.write("radii.csv", "element,radius\nO,2.5\n");
  SphaeraSceneFileOptions options = initialized(sphaera_scene_file_options_init);
  CHECK(options.layer_by == SPHAERA_ATOM_LAYERS_ELEMENT);
  options.frame = -1, options.radii = radii.c_str(), options.layer_by = SPHAERA_ATOM_LAYERS_NONE;
  OwnedFile file;
  succeeds(sphaera_scene_file_load(path.c_str(), &options, &file));
  SphaeraSceneFileArrays arrays{};
  arrays.size = sizeof arrays;
  succeeds(sphaera_scene_file_arrays(file, &arrays));
  REQUIRE(arrays.count == 1);
  CHECK(arrays.spheres[0].center.x == 4);
  CHECK(arrays.spheres[0].radius == 2.5);
  CHECK(arrays.layers == nullptr);
  SphaeraSceneFile* none = nullptr;
  for (const std::int32_t unknown : {-1, 4}) {
    options.layer_by = unknown;
    refused(sphaera_scene_file_load(path.c_str(), &options, &none), "layer_by: is unknown");
  }
}

TEST_CASE("scene files in C: handles of this library and of the other one", "[c]") {
  OwnedFile file;
  parsed(file, "x,y,z,r\n0,0,0,1\n", "s.csv");
  SphaeraSceneFile* ended = nullptr;
  succeeds(sphaera_scene_file_create(&ended));
  succeeds(sphaera_scene_file_destroy(ended));
  refused(sphaera_scene_file_destroy(ended), "scene file: is no handle, or was destroyed");
  refused(sphaera_scene_file_save(ended, "s.csv"), "scene file: is no handle, or was destroyed");
  refused(sphaera_scene_file_save(nullptr, "s.csv"), "scene file: is NULL");
  succeeds(sphaera_scene_file_destroy(nullptr));
  constexpr SphaeraSphere ball{{0, 0, 0}, 1};
  OwnedScene scene;
  succeeds(sphaera_scene_build(&ball, 1, nullptr, &scene));
  auto* const foreign = reinterpret_cast<SphaeraSceneFile*>(static_cast<SphaeraScene*>(scene));
  refused(sphaera_scene_file_destroy(foreign), "scene file: is no handle, or was destroyed");
  auto* const back = reinterpret_cast<SphaeraScene*>(static_cast<SphaeraSceneFile*>(file));
  refused(sphaera_scene_destroy(back), "scene: is no handle, or was destroyed");
  // The numbers of slots differ, whatever their generations are.
  const auto library_of = [](const void* handle) { return std::bit_cast<std::uint64_t>(handle) >> 30 & 3; };
  CHECK(library_of(file) != library_of(scene));
  for (const std::uint64_t bits : {1ull, 0x140000000ull << 20, 0x7fffdeadbeefull, ~0ull})
    refused(sphaera_scene_file_destroy(reinterpret_cast<SphaeraSceneFile*>(bits)),
            "scene file: is no handle");
}

TEST_CASE("scene files in C: null places and arrays", "[c]") {
  OwnedFile file;
  parsed(file, R"({"sphaera": 1, "stars": [{"center": [0, 0, 0], "radius": 1}]})", "s.json");
  refused(sphaera_scene_file_load(nullptr, nullptr, &file), "path: is NULL");
  refused(sphaera_scene_file_load("s.csv", nullptr, nullptr), "file: is NULL");
  SphaeraSceneFile* none = nullptr;
  refused(sphaera_scene_file_parse(nullptr, 1, "s.csv", nullptr, &none), "bytes: is NULL");
  refused(sphaera_scene_file_parse("", 0, nullptr, nullptr, &none), "name: is NULL");
  refused(sphaera_scene_file_save(file, nullptr), "path: is NULL");
  refused(sphaera_scene_file_arrays(file, nullptr), "arrays: is NULL");
  SphaeraSceneFileArrays arrays{};
  refused(sphaera_scene_file_arrays(file, &arrays), "arrays: has a wrong size");
  refused(sphaera_scene_file_set_arrays(file, nullptr), "arrays: is NULL");
  refused(sphaera_scene_file_set_arrays(file, &arrays), "arrays: have a wrong size");
  arrays.size = sizeof arrays, arrays.count = 1;
  refused(sphaera_scene_file_set_arrays(file, &arrays), "spheres: is NULL");
  size_t count = 0;
  refused(sphaera_scene_file_stars(file, nullptr, &count), "");
  refused(sphaera_scene_file_set_stars(file, nullptr, 1), "stars: is NULL");
  const char* text = nullptr;
  refused(sphaera_scene_file_text(file, SPHAERA_TEXT_STARS, 1, &text, &count), "text 1: is not there");
  refused(sphaera_scene_file_text(file, 8, 0, &text, &count), "kind: is unknown");
  refused(sphaera_scene_file_set_texts(file, SPHAERA_TEXT_WARNINGS, nullptr, nullptr, 0), "kind: is none");
  refused(sphaera_scene_file_set_texts(file, SPHAERA_TEXT_NAMES, nullptr, nullptr, 1), "texts: is NULL");
  refused(sphaera_scene_file_set_texts(file, SPHAERA_TEXT_NAMES, &text, nullptr, 1), "text 0: is NULL");
  refused(sphaera_scene_file_set_texts(file, SPHAERA_TEXT_STARS, nullptr, nullptr, 0), "texts: are 0, for 1");
  refused(sphaera_scene_file_set_texts(file, SPHAERA_TEXT_UNIT, nullptr, nullptr, 0),
          "texts: are 0; give one");
  refused(sphaera_scene_file_find_layer(file, nullptr, nullptr), "");
  const SphaeraMotionSample* samples = nullptr;
  refused(sphaera_scene_file_star_samples(file, 1, &samples, &count), "star 1: is not in the file");
  refused(sphaera_scene_file_sphere_samples(file, 0, &samples, &count), "sphere 0: is not in the file");
  refused(sphaera_scene_file_sphere_samples(file, -1, &samples, &count), "sphere -1: is not in the file");
}

TEST_CASE("scene files in C: content that could not be read back is not saved", "[c]") {
  Folder folder;
  const std::string path = folder / "s.json";
  OwnedFile file;
  succeeds(sphaera_scene_file_create(&file));
  const SphaeraSphere spheres[]{{{0, 0, 0}, 1}, {{0, 0, 9}, -1}};
  const SphaeraSceneFileArrays arrays{sizeof arrays, 2, spheres, nullptr, nullptr, nullptr};
  succeeds(sphaera_scene_file_set_arrays(file, &arrays));
  refused(sphaera_scene_file_save(file, path.c_str()), "sphere 1: ");
  CHECK(sphaera_error_element() == 1);
  const SphaeraSceneFileArrays valid{sizeof arrays, 1, spheres, nullptr, nullptr, nullptr};
  succeeds(sphaera_scene_file_set_arrays(file, &valid));
  const char* const names[]{"Ada", "Eve"};
  succeeds(sphaera_scene_file_set_texts(file, SPHAERA_TEXT_NAMES, names, nullptr, 2));
  refused(sphaera_scene_file_save(file, path.c_str()), "names: has 2 items for 1 spheres");
  succeeds(sphaera_scene_file_set_texts(file, SPHAERA_TEXT_NAMES, names, nullptr, 1));
  SphaeraSceneStar star{};
  star.star.radius = 1, star.sphere = 7, star.luminosity = std::numeric_limits<double>::quiet_NaN();
  succeeds(sphaera_scene_file_set_stars(file, &star, 1));
  refused(sphaera_scene_file_save(file, path.c_str()), "star 0: its sphere is not an id");
  star.sphere = 0;
  succeeds(sphaera_scene_file_set_stars(file, &star, 1));
  succeeds(sphaera_scene_file_save(file, path.c_str()));
  CHECK(SceneFile::load(path).names[0] == "Ada");
  refused(sphaera_scene_file_save(file, (folder / "none/s.json").c_str()), folder / "none/s.json",
          SPHAERA_IO);
  CHECK(folder.files() == 1);
}

TEST_CASE("a library beside this one sets the last error", "[c]") {
  refused(sphaera_error_set(SPHAERA_BUSY, "door", "is open", 3), "door: is open", SPHAERA_BUSY);
  CHECK(sphaera_error_element() == 3);
  refused(sphaera_error_set(SPHAERA_IO, nullptr, "is full", -1), "is full", SPHAERA_IO);
  refused(sphaera_error_set(SPHAERA_OK, nullptr, nullptr, -1), "status: is not that of an error");
  refused(sphaera_error_set(8, "a", "b", -1), "status: is not that of an error");
  OwnedStop stop;
  std::int32_t requested = 7;
  refused(sphaera_stop_requested(nullptr, &requested), "stop: is NULL");
  succeeds(sphaera_stop_create(&stop));
  succeeds(sphaera_stop_requested(stop, &requested));
  CHECK(requested == 0);
  succeeds(sphaera_stop_request(stop));
  succeeds(sphaera_stop_requested(stop, &requested));
  CHECK(requested == 1);
}

}  // namespace sphaera::test
