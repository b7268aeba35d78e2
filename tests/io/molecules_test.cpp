/// Files of molecules: radii by element, layers, names, frames; a protein in every format.

#include <cstdlib>
#include <map>
#include <sstream>

#include <tests/scratch_files.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

/// The rows of a text, as words.
std::vector<std::vector<std::string>> words_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    rows.emplace_back(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>());
  }
  return rows;
}

double value_of(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

/// Bondi's radii of the elements of proteins.
const std::map<std::string, double> bondi{{"H", 1.2}, {"C", 1.7}, {"N", 1.55}, {"O", 1.52}, {"S", 1.8}};

}  // namespace

TEST_CASE("XYZ: a protein as Open Babel writes it", "[io]") {
  const SceneFile scene = io::read_scene(data("crambin.xyz"));
  const auto rows = words_of(contents(data("crambin.xyz")));
  REQUIRE(rows[0] == std::vector<std::string>{"327"});
  REQUIRE(scene.spheres.size() == 327);
  for (std::size_t i = 0; i < 327; ++i) {
    const auto& row = rows[i + 2];
    REQUIRE(scene.spheres[i] ==
            Sphere{{value_of(row[1]), value_of(row[2]), value_of(row[3])}, bondi.at(row[0])});
    REQUIRE(scene.layer_name(i) == row[0]);
  }
  CHECK(scene.unit == "Å");
  CHECK(scene.names.empty());
  CHECK(scene.warnings.empty());
}

TEST_CASE("extended XYZ: columns by their properties", "[io]") {
  const SceneFile scene = scene_of(
      "2\nLattice=\"9 0 0 0 9 0 0 0 9\" Properties=id:I:1:pos:R:3:species:S:1:velo:R:3:radius:R:1 Time=0\n"
      "1 1 2 3 C 4 5 6 0.5\n2 -1 -2 -3 \tO 7 8 9 0.25\n\n",
      "s.extxyz");
  CHECK(scene.spheres == std::vector<Sphere>{{{1, 2, 3}, 0.5}, {{-1, -2, -3}, 0.25}});
  CHECK(scene.velocities == std::vector<Vec3>{{4, 5, 6}, {7, 8, 9}});
  CHECK(scene.layer_names == std::vector<std::string>{"C", "O"});
  CHECK(scene.warnings ==
        std::vector<std::string>{"s.extxyz: columns ignored: 'id'",
                                 "s.extxyz: the lattice is ignored: atoms are not repeated"});
  const auto error = [](const std::string& properties, const std::string& row) {
    return scene_error("1\nProperties=" + properties + "\n" + row + "\n", "s.xyz");
  };
  CHECK(contains(error("species:S:1", "C"), "s.xyz:2: the properties lack the position"));
  CHECK(contains(error("pos:R:2", "1 2"), "s.xyz:2: property 'pos' has 2 columns, not 3"));
  CHECK(contains(error("pos:R", "1 2 3"), "s.xyz:2: property 'pos' is malformed"));
  CHECK(contains(error("pos:R:3:tag:I:1000", "1 2 3"), "s.xyz:2: property 'tag' is malformed"));
  CHECK(contains(error("pos:R:3:pos:R:3", "1 2 3"), "s.xyz:2: property 'pos' comes twice"));
  CHECK(contains(error("pos:R:3 Properties=pos:R:3", "1 2 3"), "s.xyz:2: the key Properties comes twice"));
  CHECK(contains(error("species:S:1:pos:R:3", "C 1 2 3 4"), "s.xyz:3: the row has more columns"));
  CHECK(contains(error("species:S:1:pos:R:3", "C 1 2"), "s.xyz:3: the row has fewer columns than the 4"));
  CHECK(contains(error("pos:R:3", "1 2 3"), "s.xyz:3: the atom has no element; give --radius R"));
}

TEST_CASE("XYZ: damage is named with its line", "[io]") {
  CHECK(contains(scene_error("", "s.xyz"), "s.xyz:1: the file ends without a frame"));
  CHECK(contains(scene_error("C 1 2 3\n", "s.xyz"), "s.xyz:1: a frame of XYZ begins with the number of"));
  CHECK(contains(scene_error("-1\n\n", "s.xyz"), "s.xyz:1: a frame of XYZ begins with"));
  CHECK(contains(scene_error("2\n", "s.xyz"), "s.xyz:1: the file ends before its comment line"));
  CHECK(contains(scene_error("2\n\nC 1 2 3\n", "s.xyz"), "s.xyz:3: the file ends after 1 of 2 atoms"));
  CHECK(contains(scene_error("1\n\nC 1 2 x\n", "s.xyz"), "s.xyz:3: z 'x' is not a number"));
  CHECK(contains(scene_error("1\n\nC 1e999 2 3\n", "s.xyz"), "s.xyz:3: x '1e999' is beyond the range"));
  CHECK(contains(scene_error("1\n\nC nan 2 3\n", "s.xyz"), "s.xyz:3: sphere 0: center.x is nan"));
  CHECK(contains(scene_error("1\n\n\xff 1 2 3\n", "s.xyz", {.radius = 1}),
                 "s.xyz:3: the name '\\xff' is not UTF-8"));
  CHECK(scene_of("0\n\n", "s.xyz").spheres.empty());
  CHECK(scene_of("1\n\nC 1 2 3", "s.xyz").warnings.size() == 1);  // no newline
  CHECK(scene_of("1\r\n\r\nC 1 2 3\r\n", "s.xyz").warnings.empty());
}

TEST_CASE("molecules: an element by symbol, number or label", "[io]") {
  const auto radius = [](const std::string& word) {
    return scene_of("1\n\n" + word + " 0 0 0\n", "s.xyz").spheres.at(0).radius;
  };
  for (const char* carbon : {"C", "c", "6", "C12", "C+"}) CHECK(radius(carbon) == 1.7);
  for (const char* iron : {"Fe", "FE", "fe", "26", "Fe3+"}) CHECK(radius(iron) == 2.44);
  for (const char* hydrogen : {"H", "D", "1"}) CHECK(radius(hydrogen) == 1.2);
  // Each source, and the ends of its part of the table.
  const std::map<std::string, double> expected{{"Be", 1.53}, {"Xe", 2.16}, {"Ra", 2.83},
                                               {"Sc", 2.58}, {"Hg", 2.45}, {"U", 2.71},
                                               {"Es", 2.7},  {"Br", 1.85}, {"He", 1.4}};
  for (const auto& [symbol, value] : expected) CHECK(radius(symbol) == value);
  for (const char* unknown : {"Xx", "119", "0", "Pm", "Og", "HW1", "?"})
    CHECK(contains(scene_error("1\n\n" + std::string(unknown) + " 0 0 0\n", "s.xyz"),
                   "s.xyz:3: element '" + std::string(unknown) + "' has no known radius; give --radii FILE"));
}

TEST_CASE("molecules: radii of a file, then one radius, then the table", "[io]") {
  const Folder folder;
  const std::string atoms = "4\n\nC 0 0 0\nBB 1 0 0\nO 2 0 0\nN 3 0 0\n";
  const auto radii = [&](const SceneLoadOptions& options) {
    std::vector<double> all;
    for (const Sphere& sphere : scene_of(atoms, "s.xyz", options).spheres) all.push_back(sphere.radius);
    return all;
  };
  const fs::path file = folder.write("radii.csv", "element,radius\nBB,2.5\nc,3\nO,0\n");
  CHECK(radii({.radii = file}) == std::vector<double>{3, 2.5, 1.55});  // radius 0: left out
  CHECK(radii({.radius = 4, .radii = file}) == std::vector<double>{3, 2.5, 4});
  CHECK(radii({.radius = 4}) == std::vector<double>{4, 4, 4, 4});
  const SceneFile scene = scene_of(atoms, "s.xyz", {.radii = file});
  CHECK(scene.warnings == std::vector<std::string>{"s.xyz: atoms of radius 0 left out: 1"});
  CHECK(scene.layer_names == std::vector<std::string>{"C", "BB", "N"});
  CHECK(scene.sources == std::vector<fs::path>{file});
  const auto error = [&](const std::string& rows) {
    return scene_error(atoms, "s.xyz", {.radii = folder.write("radii.csv", "element,radius\n" + rows)});
  };
  CHECK(contains(error("C,1\nc,2\n"), "radii.csv:3: column 'element': 'c' comes twice"));
  CHECK(contains(error("BB,1\nBB,2\n"), "radii.csv:3: column 'element': 'BB' comes twice"));
  for (const char* bad : {"-1", "nan", "inf", "1e70"})
    CHECK(contains(error(std::string("C,") + bad + "\n"),
                   "radii.csv:2: column 'radius': '" + std::string(bad) + "' is no"));
  CHECK(contains(scene_error(atoms, "s.xyz", {.radii = folder / "none.csv"}), "none.csv: cannot open it"));
}

TEST_CASE("molecules: at most 64 layers, which --layer-by chooses", "[io]") {
  std::string atoms = "65\n\n";
  for (int i = 0; i < 65; ++i) atoms += "X" + std::string(static_cast<std::size_t>(i), '!') + " 0 0 0\n";
  SceneLoadOptions options{.radius = 1};
  CHECK(contains(scene_error(atoms, "s.xyz", options), "s.xyz:67: layer 'X!!!"));
  CHECK(contains(scene_error(atoms, "s.xyz", options),
                 "is the 65th; a scene has at most 64 layers; give --layer-by none, or another"));
  options.layer_by = AtomLayers::none;
  CHECK(scene_of(atoms, "s.xyz", options).layer_names == std::vector<std::string>{"default"});
  const Folder folder;
  folder.write("s.xyz", "1\n\nC 0 0 0\n");
  const fs::path scene =
      folder.write("s.json", "{\"sphaera\": 1, \"files\": [{\"path\": \"s.xyz\", \"layer\": \"ligand\"}]}");
  CHECK(io::read_scene(scene).layer_names == std::vector<std::string>{"ligand"});
}

TEST_CASE("molecules: a frame is chosen", "[io]") {
  const std::string one = "1\n\nC 1 0 0\n", two = "2\n\nN 2 0 0\nO 3 0 0\n", none = "0\n\n";
  const auto first = [](const SceneFile& scene) { return scene.spheres.at(0).center.x; };
  const auto frame = [](std::int64_t number) { return SceneLoadOptions{.frame = number}; };
  const std::string all = one + two + one + two;
  const SceneFile scene = scene_of(all, "s.xyz");
  CHECK(first(scene) == 1);
  CHECK(scene.warnings ==
        std::vector<std::string>{"s.xyz: only the first frame is read; --frame N or last chooses another"});
  CHECK(first(scene_of(all, "s.xyz", frame(1))) == 2);
  CHECK(first(scene_of(all, "s.xyz", frame(2))) == 1);
  for (const SceneFile& last : {scene_of(all, "s.xyz", frame(-1)), scene_of(all, "s.xyz", frame(3))}) {
    CHECK(last.spheres.size() == 2);
    CHECK(last.layer_name(1) == "O");
    CHECK(last.warnings.empty());
  }
  CHECK(scene_of(all + none, "s.xyz", frame(-1)).spheres.empty());
  CHECK(contains(scene_error(all, "s.xyz", frame(4)),
                 "s.xyz:14: the file ends before frame 4; give --frame from 0 to 3, or last"));
  // Names and velocities go with their frame; spheres that were there before it stay.
  const std::string moving = "1\nProperties=species:S:1:pos:R:3:velo:R:3\nC 1 0 0 4 5 6\n";
  CHECK(scene_of(moving + one, "s.xyz", frame(-1)).velocities == std::vector<Vec3>{});
  CHECK(scene_of(one + moving, "s.xyz", frame(-1)).velocities == std::vector<Vec3>{{4, 5, 6}});
  const Folder folder;
  folder.write("s.xyz", all);
  const fs::path with_own = folder.write("s.json",
                                         "{\"sphaera\": 1, \"spheres\": [{\"center\": [0, 0, 0], \"radius\": "
                                         "9}], \"files\": [{\"path\": \"s.xyz\"}]}");
  const SceneFile joined = io::read_scene(with_own, frame(-1));
  CHECK(joined.spheres == std::vector<Sphere>{{{}, 9}, {{2, 0, 0}, 1.55}, {{3, 0, 0}, 1.52}});
}
