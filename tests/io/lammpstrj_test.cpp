/// LAMMPS dumps: frames, boxes, columns, and what is wrong with bad ones.

#include <cmath>

#include <tests/scratch_files.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

std::string frame(const std::string& atoms, int count, const std::string& box = "pp pp pp\n0 1\n0 1\n0 1") {
  return "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n" + std::to_string(count) + "\nITEM: BOX BOUNDS " + box +
         "\nITEM: ATOMS " + atoms;
}

SceneFile read(const fs::path& path, std::int64_t number) { return io::read_scene(path, {.frame = number}); }

constexpr double written = 4e-15;  // 16 digits of numbers up to 5, in at most four terms

double apart(const Vec3& a, const Vec3& b) { return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z); }

}  // namespace

TEST_CASE("a tilted box scales the places of a dump as LAMMPS places them", "[io]") {
  for (const std::int64_t number : {0, 1}) {
    const SceneFile scaled = read(data("lammps_scaled.lammpstrj"), number),
                    places = read(data("lammps_places.lammpstrj"), number);
    REQUIRE(scaled.spheres.size() == 12);
    REQUIRE(places.spheres.size() == 12);
    for (std::size_t i = 0; i < 12; ++i) {
      CHECK(apart(scaled.spheres[i].center, places.spheres[i].center) < written);
      CHECK(scaled.spheres[i].radius == places.spheres[i].radius);
      CHECK(scaled.names[i] == std::to_string(i + 1));
      CHECK(scaled.layer_name(i) == (i < 8 ? "1" : "2"));
    }
  }
  const SceneFile first = read(data("lammps_scaled.lammpstrj"), 0),
                  last = read(data("lammps_scaled.lammpstrj"), -1);
  CHECK(first.warnings.size() == 1);
  CHECK(contains(first.warnings.at(0), "only the first frame is read"));
  CHECK(last.warnings.empty());
  constexpr double duration = 0.5;  // ten steps; no sphere leaves the box
  for (std::size_t i = 0; i < 12; ++i)
    CHECK(apart(last.spheres[i].center, first.spheres[i].center + duration * first.velocities[i]) < written);
  CHECK(contains(error_of([] { read(data("lammps_scaled.lammpstrj"), 2); }),
                 "lammps_scaled.lammpstrj:42: the file ends before frame 2; give --frame from 0 to 1"));
}

TEST_CASE("LAMMPS dumps: columns, order and layers", "[io]") {
  const SceneFile scene =
      scene_of(frame("element id zu yu xu radius q\nC 9 3 2 1 0.5 nan(ind)\nH 4 6 5 4 1 -\n", 2), "s.dump");
  CHECK(scene.spheres == std::vector<Sphere>{{{4, 5, 6}, 1}, {{1, 2, 3}, 0.5}});
  CHECK(scene.names[0] == "4");
  CHECK(scene.layers.empty());
  CHECK(scene.warnings == std::vector<std::string>{"s.dump: columns ignored: 'element', 'q'"});
  const SceneFile general = scene_of(
      frame("xs ys zs radius\n0.5 0.25 2 1\n", 1, "abc origin pp pp pp\n1 2 3 10\n4 5 6 20\n7 8 9 30"),
      "s.lammpstrj");
  CHECK(general.spheres == std::vector<Sphere>{{{25.5, 38.25, 51}, 1}});
  CHECK(general.names.empty());
  SceneLoadOptions options;
  options.csv.columns = {{"layer", "mol"}, {"r", "c_size"}};
  const std::string chosen = frame("id type mol x y z c_size\n1 1 7 0 0 0 2\n", 1);
  const SceneFile named =
      io::read_scene(*io::memory_source("s.dump", chosen), io::scene_format("s.dump"), "/nowhere", options);
  CHECK(named.layer_name(0) == "7");
  CHECK(named.spheres[0].radius == 2);
  CHECK(scene_of(frame("id x y z radius\n", 0), "s.dump").spheres.empty());
}

TEST_CASE("LAMMPS dumps: what is wrong is named with its line", "[io]") {
  const auto error = [](const std::string& text) { return scene_error(text, "s.lammpstrj"); };
  CHECK(contains(error(""), "s.lammpstrj:1: this is not a LAMMPS dump; the file is empty"));
  CHECK(contains(error("x,y,z,r\n"), "s.lammpstrj:1: this is not a LAMMPS dump; 'x,y,z,r' stands where"));
  CHECK(contains(error("ITEM: TIMESTEP\n"), "s.lammpstrj:1: the file ends inside a frame; it is cut short"));
  CHECK(contains(error(frame("id x y z radius\n1 0 0 0 1\n", 2)), "s.lammpstrj:10: the file ends inside"));
  CHECK(contains(error(frame("id x y z radius\n1 0 0 0\n", 1)), "s.lammpstrj:10: the row has fewer values"));
  CHECK(contains(error(frame("id x y z radius\n1 0 0 0 1 2\n", 1)), "s.lammpstrj:10: the row has more"));
  CHECK(contains(error(frame("id x y z radius\n1 0 0 a 1\n", 1)),
                 "s.lammpstrj:10: column 'z': 'a' is not a number"));
  CHECK(contains(error(frame("id x y z radius\n1.5 0 0 0 1\n", 1)),
                 "s.lammpstrj:10: column 'id': '1.5' is not a whole number"));
  CHECK(contains(error(frame("id x y z radius\n3 0 0 0 1\n2 0 0 0 1\n3 0 0 0 1\n", 3)),
                 "s.lammpstrj:12: atom 3 comes twice in this frame"));
  CHECK(contains(error(frame("id x y z radius\n2 0 0 0 -1\n1 0 0 0 1\n", 2)),
                 "s.lammpstrj:10: sphere 1: radius is -1"));
  CHECK(contains(error(frame("id x y z\n1 0 0 0\n", 1)),
                 "s.lammpstrj:9: column 'radius' is missing; there are 'id', 'x', 'y', 'z'; give --columns "
                 "r=NAME or --radius R"));
  CHECK(contains(error("ITEM: NUMBER OF ATOMS\n-1\n"), "s.lammpstrj:2: the number of atoms is '-1'"));
  CHECK(contains(error(frame("id x y z radius\n1 0 0 0 1\n", 1) + "more\n"),
                 "s.lammpstrj:11: this is not a LAMMPS dump; 'more' stands"));
  // A count is believed only as far as the file reaches.
  CHECK(contains(error("ITEM: NUMBER OF ATOMS\n18446744073709551615\nITEM: ATOMS id x y z radius\n"),
                 "s.lammpstrj:3: the file ends inside a frame"));
}

TEST_CASE("the box of a dump", "[io]") {
  const auto box = [](const std::string& bounds) {
    const std::string text = frame("id x y z radius\n1 0 0 0 1\n", 1, bounds);
    return SceneFile::parse(text, "d.lammpstrj").box;
  };
  using Box = std::array<Vec3, 3>;
  CHECK(box("pp pp pp\n-1 2\n0 4\n0 5") == Box{{{3, 0, 0}, {0, 4, 0}, {0, 0, 5}}});
  CHECK(box("\n-1 2\n0 4\n0 5") == Box{{{3, 0, 0}, {0, 4, 0}, {0, 0, 5}}});
  CHECK(box("pp ff ps\n-1 2\n0 4\n0 5") == Box{{{3, 0, 0}, {}, {0, 0, 5}}});
  CHECK(box("xy xz yz pp ss pp\n0 3 1\n0 4 0\n0 5 0") == Box{{{2, 0, 0}, {}, {0, 0, 5}}});
  CHECK(box("abc origin pp pp mm\n1 2 0 0\n0 3 0 0\n0 0 4 0") == Box{{{1, 2, 0}, {0, 3, 0}, {}}});
  CHECK(box("pp pp pp\n-1e300 1e300\n0 4\n0 5") == Box{});
  CHECK(read(data("lammps_places.lammpstrj"), 0).box != Box{});
}
