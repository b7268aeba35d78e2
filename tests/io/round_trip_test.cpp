/// What is written reads back bit for bit, in every format and from one to another.

#include <bit>
#include <cmath>
#include <random>
#include <tests/seed.hpp>

#include <tests/scratch_files.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

/// Any double of the domain, all magnitudes alike.
double any(std::mt19937_64& random) {
  for (;;) {
    const double value = std::bit_cast<double>(random());
    if (std::fabs(value) <= domain_limit) return value;
  }
}

Vec3 any_vector(std::mt19937_64& random) { return {any(random), any(random), any(random)}; }

SceneFile random_scene(std::mt19937_64& random, std::size_t n) {
  SceneFile scene;
  scene.layer_names = {"default", "crowd, \"left\"", "höhe\n"};
  scene.unit = "km";
  scene.epoch = "JD2460409.25 TT";
  for (std::size_t i = 0; i < n; ++i) {
    double radius = 0;
    while (radius == 0) radius = std::fabs(any(random));
    scene.spheres.push_back({any_vector(random), radius});
    scene.velocities.push_back(any_vector(random));
    scene.names.push_back(i % 3 == 0 ? "" : "sphere \"" + std::to_string(i) + "\",\\\n");
    scene.layers.push_back(static_cast<std::uint8_t>(i % 3));
    scene.resistances.push_back(i % 2 == 0 ? std::nan("") : std::fabs(any(random)));
  }
  for (const std::size_t i : {std::size_t{0}, n - 1}) {  // the meridian at right angles to the axis
    scene.rotations.push_back(
        {static_cast<std::int64_t>(i), {{0, 0, any(random)}, -86164.0905}, {any(random), any(random), 0}});
  }
  scene.ellipsoids = {{0, 0x1p200, 0x1p-200}, {static_cast<std::int64_t>(n) - 1, 6378137, 6356752.314245}};
  scene.stars.resize(3);
  scene.stars[0].star =
      Star::at(any_vector(random), std::fabs(any(random)), LimbDarkening::claret4(0.1, 0.2, 0.3, 0.2));
  scene.stars[0].name = "Sun";
  scene.stars[0].velocity = any_vector(random);
  scene.stars[0].luminosity = 3.828e26;
  scene.stars[1].star = Star::at_infinity({0, 0, any(random)}, 0.00465);
  scene.stars[2].sphere = 1;
  return scene;
}

/// `b` was read from a file of this format.
void check_spheres(const SceneFile& a, const SceneFile& b, const io::SceneFormat& format) {
  const bool velocities = (format.parts & io::scene_part::velocities) != 0;
  REQUIRE(a.spheres.size() == b.spheres.size());
  REQUIRE(b.velocities.size() == (velocities ? a.velocities.size() : 0));
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.spheres.size(); ++i) {
    different += !same_bits(a.spheres[i].center, b.spheres[i].center);
    different += !same_bits(a.spheres[i].radius, b.spheres[i].radius);
    if (velocities) different += !same_bits(a.velocities[i], b.velocities[i]);
  }
  CHECK(different == 0);
}

void check_names(const SceneFile& a, const SceneFile& b) {
  REQUIRE(b.names.size() == a.names.size());
  for (std::size_t i = 0; i < a.names.size(); ++i) {
    CHECK(a.names[i] == b.names[i]);
    CHECK(a.layer_name(i) == b.layer_name(i));
  }
}

}  // namespace

TEST_CASE("scenes round trip bit for bit", "[io]") {
  std::mt19937_64 random(seed());
  Folder folder;
  const SceneFile scene = random_scene(random, 1000);
  for (const io::SceneFormat* format : io::written_formats) {
    for (const std::string& name : {"s" + format->extension(), "s" + format->extension() + ".gz"}) {
      INFO(name);
      const auto left_out = write_scene(scene, *format, folder / name);
      const SceneFile back = io::read_scene(folder / name);
      check_spheres(scene, back, *format);
      constexpr unsigned names = io::scene_part::names | io::scene_part::layers;
      CHECK(left_out.size() == static_cast<std::size_t>(std::popcount(io::scene_part::all & ~format->parts)));
      if ((format->parts & names) == names) check_names(scene, back);
      // Writing what was read gives the same bytes.
      write_scene(back, *format, folder / "again" += fs::path(name).extension());
      CHECK(contents(folder / name) == contents(folder / "again" += fs::path(name).extension()));
    }
    CHECK(io::scene_bytes(scene, *format) == contents(folder / ("s" + format->extension())));
  }
  CHECK(contents(folder / "s.csv.gz").size() < contents(folder / "s.csv").size());
}

TEST_CASE("JSON scenes keep stars, unit, resistances and spins", "[io]") {
  std::mt19937_64 random(seed());
  Folder folder;
  const SceneFile scene = random_scene(random, 3);
  write_scene(scene, io::json_scene, folder / "s.json");
  const SceneFile back = io::read_scene(folder / "s.json");
  CHECK(back.unit == "km");
  CHECK(std::isnan(back.resistances[0]));
  CHECK(same_bits(back.resistances[1], scene.resistances[1]));
  REQUIRE(back.stars.size() == 3);
  CHECK(same_bits(back.stars[0].star.center, scene.stars[0].star.center));
  CHECK(same_bits(back.stars[0].star.radius, scene.stars[0].star.radius));
  CHECK(same_bits(back.stars[0].velocity, scene.stars[0].velocity));
  CHECK(back.stars[0].name == "Sun");
  CHECK(back.epoch == scene.epoch);
  CHECK(back.stars[0].luminosity == 3.828e26);
  CHECK(back.stars[0].star.limb_darkening.law == LimbDarkening::Law::claret4);
  CHECK(back.stars[0].star.limb_darkening.coefficients == scene.stars[0].star.limb_darkening.coefficients);
  CHECK(back.stars[1].star.distance == Star::Distance::infinite);
  CHECK(same_bits(back.stars[1].star.direction, scene.stars[1].star.direction));
  CHECK(back.stars[1].star.angular_radius == 0.00465);
  CHECK(back.stars[2].sphere == 1);
  REQUIRE(back.rotations.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(back.rotations[i].sphere == scene.rotations[i].sphere);
    CHECK(same_bits(back.rotations[i].spin.axis, scene.rotations[i].spin.axis));
    CHECK(back.rotations[i].spin.period == scene.rotations[i].spin.period);
    CHECK(same_bits(back.rotations[i].meridian, scene.rotations[i].meridian));
    CHECK(back.ellipsoids.at(i).sphere == scene.ellipsoids[i].sphere);
    CHECK(back.ellipsoids[i].equatorial_radius == scene.ellipsoids[i].equatorial_radius);
    CHECK(back.ellipsoids[i].polar_radius == scene.ellipsoids[i].polar_radius);
  }
}

TEST_CASE("empty and plain scenes round trip", "[io]") {
  Folder folder;
  for (const std::size_t n : {0, 1}) {
    SceneFile scene;
    scene.spheres.assign(n, Sphere{{1, 2, 3}, 4});
    for (const io::SceneFormat* format : io::written_formats) {
      const std::string name = "s" + format->extension();
      INFO(name << " " << n);
      CHECK(write_scene(scene, *format, folder / name).empty());
      const SceneFile back = io::read_scene(folder / name);
      CHECK(back.spheres == scene.spheres);
      CHECK(back.velocities.empty());
      CHECK(back.names.empty());
      CHECK(back.layers.empty());
      CHECK(back.layer_names == std::vector<std::string>{"default"});
      CHECK(back.warnings.empty());
    }
  }
}
