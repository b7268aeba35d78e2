/// Files of molecules: radii by element, layers, names, frames; a protein in every format.

#include <cstdlib>
#include <io/formats/file_kind.hpp>
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
        std::vector<std::string>{
            "s.extxyz: columns ignored: 'id'",
            "s.extxyz: the lattice is the box of --box file alone: atoms are not repeated"});
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

namespace {

/// The atoms of a PDB file by columns, of PQR by words: x, y, z, and what names them.
struct Row {
  Vec3 center;
  std::string element, chain, residue, residue_number, name;
};

std::string unpadded(const std::string& line, std::size_t first, std::size_t last) {
  std::istringstream words(line.substr(first - 1, last - first + 1));
  std::string word;
  words >> word;
  return word;
}

std::vector<Row> crambin() {
  std::vector<Row> rows;
  std::istringstream lines(contents(data("crambin.pdb")));
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("ATOM", 0) != 0) continue;
    const auto part = [&](std::size_t first, std::size_t last) { return unpadded(line, first, last); };
    rows.push_back({{value_of(part(31, 38)), value_of(part(39, 46)), value_of(part(47, 54))},
                    part(77, 78),
                    part(22, 22),
                    part(18, 20),
                    part(23, 26),
                    part(13, 16)});
  }
  REQUIRE(rows.size() == 327);
  return rows;
}

std::string pdb_atom(const std::string& name, char location, const std::string& residue,
                     const std::string& place, const std::string& element) {
  return "ATOM      1 " + name + location + residue + ' ' + place +
         "      1.000   2.000   3.000  1.00  0.00          " + element + '\n';
}

}  // namespace

TEST_CASE("a protein of the Protein Data Bank in PDB and mmCIF", "[io]") {
  const std::vector<Row> rows = crambin();
  for (const char* name : {"crambin.pdb", "crambin.cif"}) {
    INFO(name);
    const SceneFile scene = io::read_scene(data(name));
    REQUIRE(scene.spheres.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Row& row = rows[i];
      REQUIRE(scene.spheres[i] == Sphere{row.center, bondi.at(row.element)});
      REQUIRE(scene.names[i] == row.chain + ':' + row.residue + row.residue_number + ':' + row.name);
      REQUIRE(scene.layer_name(i) == row.element);
    }
    CHECK(scene.names[1] == "A:THR1:CA");
    CHECK(scene.unit == "Å");
    CHECK(scene.warnings.empty());
    const SceneFile chains = io::read_scene(data(name), {.layer_by = AtomLayers::chain});
    CHECK(chains.layer_names == std::vector<std::string>{"A"});
    const SceneFile residues = io::read_scene(data(name), {.layer_by = AtomLayers::residue});
    for (std::size_t i = 0; i < rows.size(); ++i) REQUIRE(residues.layer_name(i) == rows[i].residue);
  }
}

TEST_CASE("a protein of GROMACS in nanometers, of PDB2PQR with its radii", "[io]") {
  const std::vector<Row> rows = crambin();
  const SceneFile gro = io::read_scene(data("crambin.gro"));
  REQUIRE(gro.spheres.size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Vec3 off = gro.spheres[i].center - 0.1 * rows[i].center;  // rounded to 0.001 nm
    REQUIRE(std::abs(off.x) < 0.00051);
    REQUIRE(std::abs(off.y) < 0.00051);
    REQUIRE(std::abs(off.z) < 0.00051);
    REQUIRE(gro.layer_name(i) == rows[i].element);
    REQUIRE(gro.names[i] == rows[i].residue + rows[i].residue_number + ':' + rows[i].name);
  }
  CHECK(gro.spheres[0] == Sphere{{1.705, 1.410, 0.363}, 0.155});
  CHECK(gro.unit == "nm");
  CHECK(gro.velocities.empty());
  CHECK(gro.warnings ==
        std::vector<std::string>{data("crambin.gro").string() +
                                 ": elements are guessed from the names of atoms: C, N, O, S"});

  const SceneFile pqr = io::read_scene(data("crambin.pqr"));
  std::vector<Sphere> expected;
  std::size_t zero = 0;
  for (const auto& words : words_of(contents(data("crambin.pqr")))) {
    if (words[0] != "ATOM") continue;
    REQUIRE(words.size() == 10);
    if (value_of(words[9]) == 0) {
      ++zero;
    } else {
      expected.push_back({{value_of(words[5]), value_of(words[6]), value_of(words[7])}, value_of(words[9])});
    }
  }
  CHECK(pqr.spheres == expected);
  CHECK(pqr.names[1] == "THR1:CA");
  REQUIRE(pqr.warnings.size() == (zero > 0 ? 2 : 1));
  if (zero > 0) CHECK(pqr.warnings[1].ends_with("atoms of radius 0 left out: " + std::to_string(zero)));
}

TEST_CASE("PDB: frames, alternative locations, elements by names", "[io]") {
  const std::string atom = pdb_atom(" CA ", ' ', "GLY", "A   1 ", " C");
  const auto frames = [](const std::string& text) {
    std::size_t count = 0;
    try {
      while (true) scene_of(text, "s.pdb", {.frame = static_cast<std::int64_t>(count)}), ++count;
    } catch (const Error&) {
    }
    return count;
  };
  CHECK(frames(atom + atom) == 1);
  CHECK(frames("MODEL        1\n" + atom + "ENDMDL\nMODEL        2\n" + atom + "ENDMDL\nEND\n") == 2);
  CHECK(frames(atom + "END\n" + atom + "END   \n" + atom) == 3);
  CHECK(frames("END\n") == 0);
  CHECK(
      contains(scene_error("HEADER\n", "s.ent"), "s.ent:1: the file ends without an ATOM or HETATM record"));

  const SceneFile some = scene_of(
      pdb_atom(" N  ", ' ', "SER", "A  42B", " N") + pdb_atom(" CA ", 'B', "SER", "A  42B", " C") +
          pdb_atom(" CA ", 'A', "SER", "A  42B", " C") + pdb_atom(" CA ", 'A', "SER", "A  43 ", " C"),
      "s.pdb");
  REQUIRE(some.spheres.size() == 3);
  CHECK(some.names[1] == "A:SER42B:CA");
  CHECK(some.names[2] == "A:SER43:CA");
  CHECK(some.warnings ==
        std::vector<std::string>{
            "s.pdb: atoms at alternative locations after the first of their residue left out: 1"});

  const auto guessed = [](const std::string& name) {
    const SceneFile scene = scene_of(pdb_atom(name, ' ', "XXX", "    1 ", "  "), "s.pdb");
    CHECK(scene.warnings.size() == 1);
    return scene.layer_name(0);
  };
  const std::map<std::string, std::string> by_name{{" CA ", "C"},  {"CA  ", "Ca"}, {"HG11", "H"},
                                                   {"1HB ", "H"},  {"FE  ", "Fe"}, {" N  ", "N"},
                                                   {"HG  ", "Hg"}, {" OXT", "O"}};
  for (const auto& [name, element] : by_name) CHECK(guessed(name) == element);
}

TEST_CASE("PDB: old files, long names of residues, lines that are cut or shifted", "[io]") {
  // Old files number their lines where the element stands now: no hydrogen, no neon.
  for (const char* line : {" 1", "10"}) {
    const SceneFile old = scene_of(pdb_atom(" CA ", ' ', "GLY", "A   1 ", line), "s.pdb");
    CHECK(old.layer_name(0) == "C");
    CHECK(old.warnings.size() == 1);
  }
  const std::string atom = pdb_atom(" CA ", ' ', "GLY", "A   1 ", " C");
  std::string lipid = pdb_atom(" C21", ' ', "POP", "L 117 ", " C");
  lipid[20] = 'C';
  CHECK(scene_of(lipid, "s.pdb").names[0] == "L:POPC117:C21");
  CHECK(
      contains(scene_error(atom.substr(0, 53) + "\n", "s.pdb"), "s.pdb:1: the record ends before column 54"));
  std::string shifted = atom;
  shifted[40] = 'x';
  CHECK(contains(scene_error(atom + shifted, "s.pdb"), "s.pdb:2: y '"));
}

TEST_CASE("mmCIF: quotes, texts, models, one atom without a loop", "[io]") {
  const std::string names =
      "_atom_site.TYPE_symbol\n_atom_site.cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n"
      "_atom_site.label_atom_id\n_atom_site.pdbx_PDB_model_num\n";
  const std::string loop = "data_X\nloop_\n" + names;
  const SceneFile scene =
      scene_of(loop +
                   "# comment\nC 1 2 3(4) \"O5'\" 1 N\n4 5 6\n'it''s x' 1\nO 7 8 9 . 2\n_struct.title\n;a\n"
                   "loop_\n;\n",
               "s.mmcif");
  CHECK(scene.spheres == std::vector<Sphere>{{{1, 2, 3}, 1.7}, {{4, 5, 6}, 1.55}});
  CHECK(scene.names[0] == "O5'");
  CHECK(scene.names[1] == "it''s x");
  CHECK(scene.warnings.size() == 1);
  CHECK(scene_of(loop + "C 1 2 3 A 1\nO 7 8 9 B 2\n", "s.cif", {.frame = -1}).spheres.at(0).center ==
        Vec3{7, 8, 9});
  CHECK(scene_of(loop + "C 1 2 3 A 1\ndata_Y\nloop_\n" + names + "O 7 8 9 B 1\n", "s.cif", {.frame = 1})
            .names[0] == "B");
  const SceneFile one = scene_of(
      "data_X _atom_site.Cartn_x 1 _atom_site.Cartn_y 2\n_atom_site.Cartn_z 3\n"
      "_atom_site.type_symbol FE\n_cell.length_a 1\n",
      "s.cif");
  CHECK(one.spheres == std::vector<Sphere>{{{1, 2, 3}, 2.44}});

  CHECK(contains(scene_error("", "s.cif"), "s.cif:1: the file ends without atoms"));
  CHECK(contains(scene_error(loop + "C 1 2 3 A\n", "s.cif"),
                 "s.cif:9: the loop before this ends inside a row"));
  CHECK(contains(scene_error(loop + "C 1 2 3 'A 1\n", "s.cif"), "s.cif:9: the quote at ''A 1' does not end"));
  CHECK(contains(scene_error(loop + ";C\n", "s.cif"), "s.cif:9: the text that begins here with a semicolon"));
  CHECK(contains(scene_error(loop + "C 1 x 3 A 1\n", "s.cif"), "s.cif:9: Cartn_y 'x' is not a number"));
  CHECK(contains(scene_error("loop_\n_atom_site.id\n1\n", "s.cif"), "s.cif:3: _atom_site has no Cartn_x"));
  CHECK(contains(scene_error("_atom_site.id\n_atom_site.Cartn_x\n", "s.cif"),
                 "s.cif:2: a name of _atom_site has no value"));
  CHECK(contains(scene_error("loop_\n1 2\n", "s.cif"), "s.cif:2: the loop has no names"));
  CHECK(contains(scene_error("loop_\n_atom_site_label\n_atom_site_fract_x\nC1 .5\n", "s.cif"),
                 "s.cif:3: the positions are fractions of a crystal's cell"));
}

TEST_CASE("GRO: velocities, precision, ions, damage", "[io]") {
  const auto gro = [](const std::string& rows, int count) {
    return "title\n" + std::to_string(count) + "\n" + rows + "1 1 1\n";
  };
  const std::string water = "    1SOL     OW    1   0.126   1.624   1.679  0.1227 -0.0580  0.0434\n";
  const SceneFile moving = scene_of(gro(water, 1), "s.gro");
  CHECK(moving.spheres == std::vector<Sphere>{{{0.126, 1.624, 1.679}, 0.152}});
  CHECK(moving.velocities == std::vector<Vec3>{{0.1227, -0.0580, 0.0434}});
  CHECK(moving.names[0] == "SOL1:OW");
  const SceneFile precise =
      scene_of(gro("    1NA      NA    1    1.00001   -2.00002    3.00003\n", 1), "s.gro");
  CHECK(precise.spheres == std::vector<Sphere>{{{1.00001, -2.00002, 3.00003}, 0.227}});
  const auto element = [&](const std::string& residue, const std::string& name) {
    return scene_of(gro("    1" + residue + name + "    1   1.000   2.000   3.000\n", 1), "s.gro")
        .layer_name(0);
  };
  const std::vector<std::array<std::string, 3>> cases{
      {"LEU  ", "   CA", "C"},  {"CA   ", "   CA", "Ca"}, {"CL-  ", "   CL", "Cl"}, {"SOD  ", "  SOD", "Na"},
      {"POT  ", "  POT", "K"},  {"LIG  ", "  Cl1", "Cl"}, {"LIG  ", "  BR2", "Br"}, {"LEU  ", " 1HB2", "H"},
      {"CLA  ", "  CLA", "Cl"}, {"LIG  ", "  Fe ", "Fe"}, {"THR  ", "  OG1", "O"},  {"ZN   ", "   ZN", "Zn"}};
  for (const auto& [residue, name, expected] : cases) CHECK(element(residue, name) == expected);
  CHECK(scene_of(gro(water, 1) + gro(water + water, 2) + "\n\n", "s.gro", {.frame = -1}).spheres.size() == 2);
  CHECK(scene_of("\n0\n1 1 1\n", "s.gro").spheres.empty());

  CHECK(contains(scene_error("", "s.gro"), "s.gro:1: the file ends without a frame"));
  CHECK(contains(scene_error("title\n", "s.gro"), "s.gro:1: the file ends before the number of atoms"));
  CHECK(contains(scene_error("title\nx\n", "s.gro"),
                 "s.gro:2: the second line of a frame of GRO is the number"));
  CHECK(contains(scene_error(gro(water, 2), "s.gro"), "s.gro:4: the line has no x, y, z with points"));
  CHECK(contains(scene_error("title\n2\n" + water, "s.gro"), "s.gro:3: the file ends after 1 of 2 atoms"));
  CHECK(contains(scene_error("title\n1\n" + water, "s.gro"),
                 "s.gro:3: the file ends before the line of the box"));
  CHECK(
      contains(scene_error(gro(water.substr(0, 55) + "\n", 1), "s.gro"), "s.gro:3: the velocity ends early"));
  CHECK(
      contains(scene_error(gro(water.substr(0, 40) + "\n", 1), "s.gro"), "s.gro:3: the line has no x, y, z"));
  CHECK(contains(scene_error(gro("    1SOL     MW    1   0.126   1.624   1.679\n", 1), "s.gro"),
                 "s.gro:3: atom 'MW' has no known radius; give --radii FILE"));
}

TEST_CASE("PQR: words with and without a chain, glued numbers, damage", "[io]") {
  const SceneFile scene =
      scene_of("REMARK x\nATOM 1 CA LEU A 42 1 2 3 0.1 1.9\nHETATM100000 FE HEM 43 4 5 6 2 1.2\n", "s.pqr");
  CHECK(scene.spheres == std::vector<Sphere>{{{1, 2, 3}, 1.9}, {{4, 5, 6}, 1.2}});
  CHECK(scene.names[0] == "A:LEU42:CA");
  CHECK(scene.names[1] == "HEM43:FE");
  const auto error = [](const std::string& row) { return scene_error(row + "\n", "s.pqr"); };
  CHECK(contains(error("ATOM 1 CA LEU 42 1 2 3 0.1"), "s.pqr:1: the record has 8 words"));
  CHECK(contains(error("ATOM 1 CA LEU A 42 1 2 3 0.1 1.9 C"), "s.pqr:1: the record has 11 words"));
  CHECK(contains(error("ATOM 1 CA LEU 42 1 2 3 0.1 r"), "s.pqr:1: radius 'r' is not a number"));
  CHECK(contains(error("ATOM 1 CA LEU 42 1 2 3 0.1 -1"), "s.pqr:1: sphere 0: radius is -1"));
}

TEST_CASE("molecules from pipes are recognized by their first bytes", "[io]") {
  const auto kind = [](const std::string& name) {
    return io::kind_of(contents(data(name)).substr(0, 512))->format;
  };
  for (const char* format : {"xyz", "pdb", "cif", "gro", "pqr"})
    CHECK(kind(std::string("crambin.") + format) == format);
  CHECK(io::kind_of("data_x,y,z,r\n1,2,3,4\n") == nullptr);
  CHECK(io::kind_of("1\n2\n3 4 5 6\n") == nullptr);
  CHECK(io::kind_of("x\n1\n2\n") == nullptr);
}

TEST_CASE("periodic boxes of molecules: of the frame that is read; what is no box is none", "[io]") {
  using Box = std::array<Vec3, 3>;
  const auto box = [](const std::string& text, const char* name, std::int64_t frame = 0) {
    return SceneFile::parse(text, name, {.frame = frame}).box;
  };
  const auto pdb = [](const std::string& cell, const std::string& end = "ENDMDL\n") {
    return "CRYST1" + cell + "\nMODEL        1\n" +
           "ATOM      1  C   ALA A   1       1.000   1.000   1.000  1.00  0.00           C\n" + end;
  };
  const std::string right = "   10.000   20.000   30.000  90.00  90.00  90.00 P 1",
                    other = "   11.000   20.000   30.000  90.00  90.00  90.00 P 1";
  CHECK(box(pdb(right), "a.pdb") == Box{{{10, 0, 0}, {0, 20, 0}, {0, 0, 30}}});
  CHECK(box(pdb(right) + pdb(other), "a.pdb", 0)[0] == Vec3{10, 0, 0});
  CHECK(box(pdb(right) + pdb(other), "a.pdb", 1)[0] == Vec3{11, 0, 0});
  CHECK(box(pdb(right) + pdb(other), "a.pdb", -1)[0] == Vec3{11, 0, 0});
  for (const char* none : {"    1.000    1.000    1.000  90.00  90.00  90.00", "   10.000", "", " a b c",
                           "   10.000   20.000   30.000  90.00  90.00   0.00"})
    CHECK(box(pdb(none), "a.pdb") == Box{});
  const Box skew = box(pdb("   10.000   20.000   30.000  60.00  70.00  80.00 P 1"), "a.pdb");
  const auto dot = [&](int i, int j) {
    const Vec3 a = skew[static_cast<std::size_t>(i)], b = skew[static_cast<std::size_t>(j)];
    return a.x * b.x + a.y * b.y + a.z * b.z;
  };
  constexpr double degree = 3.14159265358979323846 / 180, rounding = 1e-12;
  CHECK(std::abs(dot(1, 2) - 600 * std::cos(60 * degree)) < 600 * rounding);
  CHECK(std::abs(dot(0, 2) - 300 * std::cos(70 * degree)) < 600 * rounding);
  CHECK(std::abs(dot(0, 1) - 200 * std::cos(80 * degree)) < 600 * rounding);
  CHECK(std::abs(dot(2, 2) - 900) < 900 * rounding);
  const auto gro = [&](const std::string& line) {
    return box("t\n1\n    1WAT     OW    1   0.100   0.100   0.100\n" + line + "\n", "a.gro");
  };
  CHECK(gro("   1.0   2.0   3.0") == Box{{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}});
  CHECK(gro("1 2 3 4 5 6 7 8 9") == Box{{{1, 4, 5}, {6, 2, 7}, {8, 9, 3}}});
  for (const char* none : {"", "1 2", "1 2 3 4", "a b c", "1 2 inf"}) CHECK(gro(none) == Box{});
  const auto xyz = [&](const std::string& comment) { return box("1\n" + comment + "\nC 0 0 0\n", "a.xyz"); };
  CHECK(xyz("Lattice=\"1 0 0 0 2 0 0 0 3\"") == Box{{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}});
  CHECK(xyz("pbc=\"T F T\" Lattice=\"1 0 0 4 2 0 0 0 3\"") == Box{{{1, 0, 0}, {}, {0, 0, 3}}});
  CHECK(xyz("Lattice=\"1 0 0 4 2 0 0 0 3\" pbc=[False, True, 0]") == Box{{{}, {4, 2, 0}, {}}});
  for (const char* none : {"a comment", "Lattice=\"1 2\"", "Lattice=10", "Lattice=\"1 0 0 0 2 0 0 0 nan\""})
    CHECK(xyz(none) == Box{});
  const auto corner = [&](const std::string& comment) {
    return SceneFile::parse("1\n" + comment + "\nC 0 0 0\n", "a.xyz").box_corner;
  };
  CHECK(corner("Lattice=\"1 0 0 0 2 0 0 0 3\" Origin=\"-0.5 1 1e3\"") == Vec3{-0.5, 1, 1000});
  for (const char* none :
       {"Lattice=\"1 0 0 0 2 0 0 0 3\"", "Origin=\"1 2\"", "Origin=\"1 2 inf\"", "Origin=\"1 2 1e300\""})
    CHECK(corner(none) == Vec3{});
}
