/// Scene files: what they hold, and what is wrong with bad ones.

#include <zlib.h>
#include <cmath>
#include <random>
#include <tests/seed.hpp>

#include <tests/scratch_files.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

std::string packed(std::string_view bytes) {
  z_stream z{};
  REQUIRE(deflateInit2(&z, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&z, bytes.size()) + 64, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&z, Z_FINISH) == Z_STREAM_END);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

const std::string header = "x,y,z,r\n";

}  // namespace

TEST_CASE("CSV scenes: optional columns, ignored columns", "[io]") {
  const SceneFile scene = scene_of(
      "id,x,y,z,r,vx,vy,vz,name,layer,parent\n"
      "0,1,2,3,4,5,6,7,\"a,b\",crowd,q\n"
      "1,1,2,3,4,,,,,,q\n",
      "s.csv");
  REQUIRE(scene.spheres.size() == 2);
  CHECK(scene.velocities == std::vector<Vec3>{{5, 6, 7}, {}});
  CHECK(scene.names[0] == "a,b");
  CHECK(scene.names[1].empty());
  CHECK(scene.layer_name(0) == "crowd");
  CHECK(scene.layer_name(1) == "default");
  CHECK(scene.warnings == std::vector<std::string>{"s.csv: columns ignored: 'id', 'parent'"});

  const SceneFile plain = scene_of(header + "1,2,3,4\n", "s.csv");
  CHECK(plain.velocities.empty());
  CHECK(plain.names.empty());
  CHECK(plain.layers.empty());
  CHECK(plain.layer_names == std::vector<std::string>{"default"});
  CHECK(plain.warnings.empty());

  CHECK(scene_of(header, "s.csv").spheres.empty());
  CHECK(scene_of("x,y,z,r", "s.csv").spheres.empty());
}

TEST_CASE("CSV scenes: bad rows are errors with their line", "[io]") {
  const auto error = [](const std::string& row) {
    return scene_error(header + "0,0,0,1\n" + row + "\n", "s.csv");
  };
  CHECK(contains(error("a,0,0,1"), "s.csv:3: column 'x': 'a' is not a number"));
  CHECK(contains(error(",0,0,1"), "s.csv:3: column 'x': '' is not a number"));
  CHECK(contains(error("0,0,1e400,1"), "s.csv:3: column 'z': '1e400' is beyond the range of a double"));
  CHECK(contains(error("nan,0,0,1"), "s.csv:3: sphere 1: center.x is nan"));
  CHECK(contains(error("0,inf,0,1"), "s.csv:3: sphere 1: center.y is inf"));
  CHECK(contains(error("0,0,1e70,1"), "s.csv:3: sphere 1: center.z is 1e+70"));
  CHECK(contains(error("0,0,0,0"), "s.csv:3: sphere 1: radius is 0"));
  CHECK(contains(error("0,0,0,-1"), "s.csv:3: sphere 1: radius is -1"));
  CHECK(contains(error("0,0,0,inf"), "s.csv:3: sphere 1: radius is inf"));
  CHECK(contains(scene_error("x,y,z,r,vx\n", "s.csv"),
                 "s.csv:1: some of the columns 'vx', 'vy', 'vz' are missing"));
  CHECK(contains(scene_error("x,y,z,r,vx,vy,vz\n0,0,0,1,nan,0,0\n", "s.csv"),
                 "s.csv:2: the velocity is not finite"));
  try {
    scene_of(header + "0,0,0,1\n0,0,0,0\n", "s.csv");
    FAIL("no error");
  } catch (const Error& e) {
    CHECK(e.element() == 1);
  }
}

TEST_CASE("at most 64 layers", "[io]") {
  std::string text = "x,y,z,r,layer\n";
  for (int i = 0; i < 64; ++i) text += "0,0,0,1,layer" + std::to_string(i) + "\n";
  const SceneFile scene = scene_of(text, "s.csv");
  CHECK(scene.layer_names.size() == 64);
  CHECK(scene.find_layer("layer63") == 63);
  CHECK(scene.find_layer("none") == -1);
  CHECK(scene.layers[63] == 63);
  CHECK(
      contains(scene_error(text + "0,0,0,1,one more\n", "s.csv"), "s.csv:66: layer 'one more' is the 65th"));
  CHECK(contains(scene_error(text + "0,0,0,1,\n", "s.csv"), "s.csv:66: layer 'default' is the 65th"));
}

TEST_CASE("spheres of radius 0 are points, which an option gives a radius", "[io]") {
  const std::string csv = "x,y,z,r\n1,2,3,0\n4,5,6,7\n";
  CHECK(contains(scene_error(csv, "s.csv"),
                 "s.csv:2: sphere 0: radius is 0; give a finite one, greater than 0 "
                 "and at most 2^200; --radius R gives points a radius"));
  CHECK(scene_of(csv, "s.csv", {.radius = 0.5}).spheres ==
        std::vector<Sphere>{{{1, 2, 3}, 0.5}, {{4, 5, 6}, 7}});
  CHECK(contains(scene_error(csv, "s.csv", {.radius = 0}), "s.csv:2: sphere 0: radius is 0"));
  const std::string json = R"({"sphaera": 1, "spheres": [{"center": [1, 2, 3], "radius": 0}]})";
  CHECK(scene_of(json, "s.json", {.radius = 2}).spheres == std::vector<Sphere>{{{1, 2, 3}, 2}});
}

TEST_CASE("tables without their layers", "[io]") {
  std::string csv = "x,y,z,r,layer\n";
  for (int i = 0; i < 65; ++i) csv += "1,2,3,4,team " + std::to_string(i) + '\n';
  CHECK(contains(
      scene_error(csv, "s.csv"),
      "s.csv:66: layer 'team 64' is the 65th; a scene has at most 64 layers; --owner-by layer makes "
      "owners of any number, --columns layer=NAME takes another column, --layer-by none takes none"));
  const SceneFile scene = scene_of(csv, "s.csv", {.layer_by = AtomLayers::none});
  CHECK(scene.spheres.size() == 65);
  CHECK(scene.layer_names == std::vector<std::string>{"default"});
  const std::string dump =
      "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n0 1\n0 1\n0 1\n"
      "ITEM: ATOMS id type x y z radius\n1 7 1 2 3 4\n";
  CHECK(scene_of(dump, "s.lammpstrj").layer_names == std::vector<std::string>{"7"});
  CHECK(scene_of(dump, "s.lammpstrj", {.layer_by = AtomLayers::none}).layer_names ==
        std::vector<std::string>{"default"});
}

TEST_CASE("gzip: several members, and damage", "[io]") {
  const std::string a = packed(header + "1,2,3,4\n"), b = packed("5,6,7,8\n");
  CHECK(scene_of(a + b, "s.csv.gz").spheres.size() == 2);
  CHECK(scene_of(a + b, "s.csv").spheres.size() == 2);  // whatever its name
  CHECK(contains(scene_error("", "s.csv.gz"), "s.csv.gz: the gzip data end early"));
  CHECK(contains(scene_error(a.substr(0, a.size() - 1), "s.csv.gz"), "s.csv.gz: the gzip data end early"));
  CHECK(contains(scene_error(a + "x", "s.csv.gz"), "s.csv.gz: the gzip data"));
  CHECK(contains(scene_error(header, "s.csv.gz"), "s.csv.gz: the gzip data are damaged"));
  std::string broken = a;
  broken[broken.size() - 6] = static_cast<char>(broken[broken.size() - 6] ^ 1);  // in the checksum
  CHECK(contains(scene_error(broken, "s.csv.gz"), "s.csv.gz: the gzip data are damaged"));
  CHECK(scene_of(packed("{\"sphaera\": 1}"), "s.json.gz").spheres.empty());
}

TEST_CASE("NPY scenes", "[io]") {
  const SceneFile four = scene_of(npy_matrix({1, 2, 3, 4, 5, 6, 7, 8}, 4), "s.npy");
  CHECK(four.spheres == std::vector<Sphere>{{{1, 2, 3}, 4}, {{5, 6, 7}, 8}});
  CHECK(four.velocities.empty());
  const SceneFile seven = scene_of(npy_matrix({1, 2, 3, 4, 5, 6, 7}, 7), "s.npy");
  CHECK(seven.spheres == std::vector<Sphere>{{{1, 2, 3}, 4}});
  CHECK(seven.velocities == std::vector<Vec3>{{5, 6, 7}});
  CHECK(scene_of(npy_matrix({}, 4), "s.npy").spheres.empty());
  CHECK(contains(scene_error(npy_matrix({1, 2, 3}, 3), "s.npy"),
                 "s.npy: the NPY array has 3 columns; a scene has 4"));
  CHECK(contains(scene_error(npy_matrix({1, 2, 3, 4, 5, 6, 7, -8}, 4), "s.npy"),
                 "s.npy:2: sphere 1: radius is -8"));
}

TEST_CASE("bad rows of a scene are skipped on demand, whatever they got to", "[io]") {
  // Rows of every fault between good ones; what is left is what a file of the good rows alone gives.
  const std::string top = "x,y,z,r,vx,vy,vz,name,layer\n";
  const std::vector<std::string> good{"1,2,3,4,5,6,7,A,walls\n", "0,0,0,1,0,0,0,,\n",
                                      "3,3,3,3,1,1,1,\"B\nb\",walls\n"},
      bad{"1,2,3,-4,5,6,7,x,walls\n", "1,2,3,4,inf,6,7,x,\n",    "1,2,3,4,5,6,7,\xff,walls\n",
          "1,2,3,4,5,6,7,x\n",        "\"1\"0,2,3,4,5,6,7,x,\n", ",2,3,4,5,6,7,x,walls\n"};
  std::string clean = top, mixed = top;
  for (std::size_t i = 0; i < 1000; ++i) {
    mixed += bad[i % bad.size()];
    if (i % 7 < good.size()) clean += good[i % 7], mixed += good[i % 7];
  }
  const auto load = [](const std::string& text, bool skip) {
    return SceneFile::parse(text, "s.csv", {.skip_bad_rows = skip});
  };
  const SceneFile expected = load(clean, false), scene = load(mixed, true);
  CHECK(scene.spheres == expected.spheres);
  CHECK(scene.velocities == expected.velocities);
  CHECK(scene.layer_names == expected.layer_names);
  CHECK(scene.layers == expected.layers);
  CHECK(scene.names.characters() == expected.names.characters());
  CHECK(std::ranges::equal(scene.names.ends(), expected.names.ends()));
  REQUIRE(scene.warnings.size() == 6);
  CHECK(contains(scene.warnings[0], "s.csv:2: sphere 0: radius is -4"));
  CHECK(scene.warnings[5] == "1000 bad rows are skipped; ids count the spheres that are left");
  CHECK(contains(error_of([&] { load(mixed, false); }), "s.csv:2: sphere 0: radius is -4"));
  CHECK(contains(error_of([&] { load(mixed + "\"1,2", true); }), "never closes"));
}

TEST_CASE("NPY headers are believed only as far as the file reaches", "[io]") {
  const std::string body(32, '\0');
  const auto error = [&](const std::string& text, int version = 1) {
    return scene_error(npy_file(text, body, version), "s.npy");
  };
  const auto shape = [](const std::string& s) {
    return "{'descr': '<f8', 'fortran_order': False, 'shape': " + s + ", }";
  };
  CHECK(contains(error(shape("(9223372036854775808, 4)")),
                 "promises 9223372036854775808 rows of 4 columns, the file ends after 1; it is cut short"));
  CHECK(contains(error(shape("(18446744073709551615, 4)")), "promises 18446744073709551615 rows"));
  CHECK(contains(error(shape("(576460752303423488, 4)")), "promises 576460752303423488 rows"));
  CHECK(contains(error(shape("(99999999999999999999, 4)")), "malformed"));
  CHECK(contains(error(shape("(2, 4)")), "promises 2 rows of 4 columns, the file ends after 1; it is cut"));
  CHECK(
      contains(error(shape("(0, 4)")), "s.npy: 32 bytes follow the 0 rows of 4 columns that the NPY header"));
  CHECK(contains(error(shape("(1, 9223372036854775808)")), "columns; no scene or query has that many"));
  CHECK(contains(error(shape("(1, 0)")), "columns; no scene or query has that many"));
  CHECK(contains(error(shape("(4,)")), "has 1 dimensions; give it two"));
  CHECK(contains(error(shape("()")), "has 0 dimensions; give it two"));
  CHECK(contains(error(shape("(1, 2, 2)")), "has 3 dimensions; give it two"));
  CHECK(contains(
      error(shape("(-1, 4)")),
      "s.npy: the NPY header is malformed at ''shape': (-1, 4), }'; write the file with numpy.save"));
  for (const std::string type : {"<f2", "<c8", "<U1", "|S8", "<f16", "<i3", "<M8", "f8", ""})
    CHECK(contains(error("{'descr': '" + type + "', 'fortran_order': False, 'shape': (1, 4), }"),
                   "the NPY type is '" + type + "'; convert it"));
  CHECK(contains(error("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }"),
                 "promises 3 rows of 4 columns, the file ends after 2; it is cut"));
  for (const char* text :
       {"", "{", "{'descr'", "{'descr': }", "{'shape': (1, 4), }", "{'descr': '<f8', 'shape': (1 4)}",
        "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1, 4)}", "{'evil': __import__('os')}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 4)} more"}) {
    INFO(text);
    CHECK(contains(error(text), "s.npy: the NPY"));
  }
  CHECK(
      contains(scene_error("\x93NUMPY\x07", "s.npy"), "s.npy: this is not an NPY file, or it is cut short"));
  CHECK(contains(scene_error(npy_file("{}", body, 9), "s.npy"), "version is not 1, 2 or 3"));
  CHECK(contains(scene_error("\x93NUMPY\x02" + std::string(1, '\0') + std::string(100, '\xff'), "s.npy"),
                 "longer than 64 KiB"));
  // A valid header in an unusual form: version 2, double quotes, keys in another order, no trailing comma.
  CHECK(scene_of(npy_file(R"({"shape":(0,4),"fortran_order":False,"descr":"<f8"})", "", 2), "s.npy")
            .spheres.empty());
}

TEST_CASE("headers of structured NPY are believed only as far as the file reaches", "[io]") {
  const auto fields = [&](const std::string& list, const std::string& shape_of_rows = "(4,)") {
    return scene_error(
        npy_file("{'descr': [" + list + "], 'fortran_order': False, 'shape': " + shape_of_rows + ", }",
                 std::string(32, '\0')),
        "s.npy");
  };
  const std::string four = "('x', '<f2'), ('y', '<f2'), ('z', '<f2'), ('r', '<f2')";
  CHECK(contains(fields("('x', '<f8')"), "field 'y' is missing; the array has 'x'; give --columns y=NAME"));
  CHECK(contains(fields(four), "field 'x' of the NPY array is no number; convert it"));
  CHECK(contains(fields("('x', '<f8', (1,)), ('y', '<f8'), ('z', '<f8'), ('r', '<f8')", "(1,)"),
                 "field 'x' of the NPY array is no number; convert it"));
  CHECK(contains(fields(four, "(5,)"), "promises 5 rows of 8 bytes, the file ends after 4; it is cut"));
  CHECK(contains(fields(four, "(3,)"), "8 bytes follow the 3 rows of 8 bytes that the NPY header"));
  CHECK(contains(fields(four, "(2, 2)"), "has 2 dimensions; give it one"));
  CHECK(contains(fields(four, "()"), "has 0 dimensions; give it one"));
  CHECK(contains(fields("('x', '|V0')"), "has no bytes, or more than 1 MiB"));
  CHECK(contains(fields("('x', '<U18446744073709551615')"), "has no bytes, or more than 1 MiB"));
  CHECK(contains(fields("('x', '<f8', (4294967296, 4294967296))"), "has no bytes, or more than 1 MiB"));
  for (const char* list :
       {"('x', '|O')", "('x', '<f8'", "('x')", "('x', [('y', '<f8')])", "(('t', 'x'), '<f8')", "'x'",
        "('x', '<f8', 3)", "('x', '<M8[ns')", "('x', '<f99999999999999999999')"})
    CHECK(contains(fields(list), "the NPY header is malformed"));
}

TEST_CASE("structured NPY, as numpy saves it, is read by the names of its fields", "[io]") {
  // numpy.dtype([('id','u1'),('x','>f4'),('name','U3'),('r','f8'),('pos','f4',(2,2)),('y','i2'),
  //              ('when','M8[ns]'),('z','f8'),('tag','S2')])
  const std::string type =
      "[('id', '|u1'), ('x', '>f4'), ('name', '<U3'), ('r', '<f8'), ('pos', '<f4', (2, 2)), ('y', '<i2'), "
      "('when', '<M8[ns]'), ('z', '<f8'), ('tag', '|S2')]";
  const auto row = [](float x, std::int16_t y, double z, double r) {
    const auto raw = [](auto value) {
      return std::string(reinterpret_cast<const char*>(&value), sizeof value);
    };
    std::string big = raw(x);
    std::ranges::reverse(big);
    return std::string(1, '\7') + big + std::string(12, '?') + raw(r) + std::string(16, '?') + raw(y) +
           std::string(8, '?') + raw(z) + "xy";
  };
  const std::string rows = row(1, -2, 3, 4) + row(5, 6, 7, 8);
  const auto file = [&](const std::string& types, const std::string& bytes, int n) {
    return npy_file(
        "{'descr': " + types + ", 'fortran_order': False, 'shape': (" + std::to_string(n) + ",), }", bytes);
  };
  const std::vector<Sphere> expected{{{1, -2, 3}, 4}, {{5, 6, 7}, 8}};
  const SceneFile scene = scene_of(file(type, rows, 2), "s.npy");
  CHECK(scene.spheres == expected);
  CHECK(scene.warnings ==
        std::vector<std::string>{"s.npy: columns ignored: 'id', 'name', 'pos', 'when', 'tag'"});
  std::string many;
  for (int i = 0; i < 100'000; ++i) many += i % 2 ? row(5, 6, 7, 8) : row(1, -2, 3, 4);
  const SceneFile large = scene_of(file(type, many, 100'000), "s.npy");
  REQUIRE(large.spheres.size() == 100'000);
  for (std::size_t i = 0; i < large.spheres.size(); ++i) REQUIRE(large.spheres[i] == expected[i % 2]);
  // An aligned type has bytes without a name; a name is found in other ways than by itself.
  const std::string aligned =
      "[('k', '|u1'), ('', '|V7'), ('POS_X', '<f8'), ('pos_y', '<f8'), ('Z', '<f8'), "
      "('radius', '<f8'), ('vx', '<f8'), ('vy', '<f8'), ('vz', '<f8')]";
  const std::vector<double> numbers{1, -2, 3, 4, 5, 6, 7};
  const std::string doubles(reinterpret_cast<const char*>(numbers.data()), 56);
  const SceneFile moving = scene_of(file(aligned, std::string(8, '\1') + doubles, 1), "s.npy");
  CHECK(moving.spheres == std::vector<Sphere>{expected[0]});
  CHECK(moving.warnings.back() == "s.npy: columns ignored: 'k'");
  CHECK(moving.velocities == std::vector<Vec3>{{5, 6, 7}});
  CHECK(contains(
      scene_error(file("[('x', '<f8'), ('y', '<f8'), ('z', '<f8'), ('r', '<f8'), ('vx', '<f8'), ('vz', "
                       "'<f8'), ('w', '<f8')]",
                       doubles, 1),
                  "s.npy"),
      "s.npy: some of the columns 'vx', 'vy', 'vz' are missing"));
}

TEST_CASE("a vector in structured NPY is three fields, as arrays of VTK are; other arrays are no number",
          "[io]") {
  const std::vector<double> numbers{1, -2, 3, 4, 5, 6, 7};
  const std::string doubles(reinterpret_cast<const char*>(numbers.data()), 56);
  const auto file = [](const std::string& types, const std::string& row) {
    return npy_file("{'descr': " + types + ", 'fortran_order': False, 'shape': (1,), }", row);
  };
  for (const char* position : {"pos", "xyz"}) {
    const std::string vectors = std::string("[('k', '|u1'), ('pad', '<f4', (7,)), ('") + position +
                                "', '<f8', (3,)), ('r', '<f8'), ('vel', '<f8', (3,))]";
    CsvOptions named;
    if (position == std::string("xyz")) named.columns = {{"x", "xyz_x"}, {"y", "xyz_y"}, {"z", "xyz_z"}};
    const SceneFile of_vectors =
        SceneFile::parse(file(vectors, std::string(29, '\1') + doubles), "s.npy", {.csv = named});
    CHECK(of_vectors.spheres == std::vector<Sphere>{{{1, -2, 3}, 4}});
    CHECK(of_vectors.velocities == std::vector<Vec3>{{5, 6, 7}});
    CHECK(of_vectors.warnings.back() == "s.npy: columns ignored: 'k', 'pad'");
  }
  CHECK(contains(scene_error(file("[('xyz', '<f8', (4,)), ('vel', '<f8', (3,))]", doubles), "s.npy"),
                 "s.npy: field 'x' is missing; the array has 'xyz', 'vel_x', 'vel_y', 'vel_z'"));
}

TEST_CASE("NPY of other types and orders holds the same numbers", "[io]") {
  const std::vector<Sphere> expected{{{1, -2, 3}, 4}, {{5, 6, 7}, 8}};
  const auto read = [](const std::string& type, const std::string& order, const std::string& bytes) {
    return scene_of(npy_file("{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': (2L, 4L), }",
                             bytes),
                    "s.npy")
        .spheres;
  };
  // The numbers as elements of a type, row by row or column by column, the lowest byte first or last.
  const auto elements = [](auto zero, bool by_columns, bool big_endian) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) {
      const int number = by_columns ? i / 2 + 4 * (i % 2) : i;
      zero = static_cast<decltype(zero)>(number == 1 ? -2 : number + 1);
      std::string element(reinterpret_cast<const char*>(&zero), sizeof zero);
      if (big_endian) std::ranges::reverse(element);
      bytes += element;
    }
    return bytes;
  };
  const auto check = [&](const std::string& type, auto zero) {
    INFO(type);
    for (const bool by_columns : {false, true}) {
      const std::string order = by_columns ? "True" : "False";
      CHECK(read('<' + type, order, elements(zero, by_columns, false)) == expected);
      CHECK(read('>' + type, order, elements(zero, by_columns, true)) == expected);
    }
  };
  check("f8", 0.0), check("f4", 0.0F);
  check("i8", std::int64_t{}), check("i4", std::int32_t{}), check("i2", std::int16_t{}),
      check("i1", std::int8_t{});
  CHECK(read("|u1", "False", std::string("\x01\xfe\x03\x04\x05\x06\x07\x08")) ==
        std::vector<Sphere>{{{1, 254, 3}, 4}, {{5, 6, 7}, 8}});
  const auto whole = [&](std::uint64_t most) {
    return npy_file("{'descr': '<u8', 'fortran_order': False, 'shape': (1, 4), }",
                    std::string(reinterpret_cast<const char*>(&most), 8) + std::string(16, '\0') +
                        std::string("\1\0\0\0\0\0\0\0", 8));
  };
  CHECK(scene_of(whole(std::uint64_t{1} << 53), "s.npy").spheres[0].center.x == 0x1p53);
  CHECK(contains(scene_error(whole((std::uint64_t{1} << 53) + 2), "s.npy"), "beyond 2^53"));
  // Column by column, from a pipe or a file that is cut.
  const std::string bytes = elements(0.0F, true, false);
  CHECK(contains(scene_error(npy_file("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 4), }",
                                      bytes.substr(0, bytes.size() - 1)),
                             "s.npy"),
                 "it is cut short"));
}

TEST_CASE("an NPY file too long or too short says by how much, from a pipe too", "[io]") {
  const std::string good = npy_matrix({1, 2, 3, 4, 5, 6, 7, 8}, 4);
  const std::string cut = good.substr(0, good.size() - 1), more = good + "x", much_more = good + good;
  CHECK(
      contains(scene_error(cut, "s.npy"),
               "s.npy: the NPY header promises 2 rows of 4 columns, the file ends after 1; it is cut short"));
  CHECK(
      contains(scene_error(more, "s.npy"),
               "s.npy: 1 byte follows the 2 rows of 4 columns that the NPY header promises; write the file"));
  CHECK(contains(scene_error(much_more, "s.npy"),
                 std::to_string(good.size()) + " bytes follow the 2 rows of 4 columns"));
  CHECK(contains(scene_error(packed(cut), "s.npy.gz"),
                 "2 rows of 4 columns, the file ends after 1; it is cut"));
  CHECK(contains(scene_error(packed(more), "s.npy.gz"), "s.npy.gz: bytes follow the 2 rows of 4 columns"));
}

TEST_CASE("PLY scenes", "[io]") {
  const std::string top = "ply\nformat ascii 1.0\ncomment made by hand\n";
  const std::string ascii =
      top +
      "element vertex 2\nproperty float radius\nproperty uchar red\nproperty double x\nproperty double y\n"
      "property double z\nproperty list uchar int friends\nelement face 1\nproperty list uchar int i\n"
      "end_header\n4 255 1 2 0.1 2 7 8\n\n8 0 5 6 7 0\n3 0 1 2\n";
  const SceneFile scene = scene_of(ascii, "s.ply");
  CHECK(scene.spheres == std::vector<Sphere>{{{1, 2, 0.1}, 4}, {{5, 6, 7}, 8}});
  CHECK(scene.warnings == std::vector<std::string>{"s.ply: properties ignored: 'red', 'friends'",
                                                   "s.ply: elements after 'vertex' are ignored"});

  const std::string places =
      "property double x\nproperty double y\nproperty double z\nproperty double radius\nend_header\n";
  CHECK(contains(scene_error(top + "element vertex 2\n" + places + "1 2 3 4\n", "s.ply"),
                 "s.ply:10: the file ends before its last vertex"));
  CHECK(contains(scene_error(top + "element vertex 1\n" + places + "1 2 3\n", "s.ply"),
                 "s.ply:10: the row is shorter"));
  CHECK(contains(scene_error(top + "element vertex 1\n" + places + "1 2 3 4 5\n", "s.ply"),
                 "s.ply:10: the row is longer"));
  CHECK(contains(scene_error(top + "element vertex 1\n" + places + "1 2 x 4\n", "s.ply"),
                 "s.ply:10: property 'z': 'x' is not a number"));
  // A property that is not read may hold anything.
  for (const char* value : {"-nan(ind)", "text", "1e999"}) {
    const std::string unused = "element vertex 1\nproperty double light\n" + places + value + " 1 2 3 4\n";
    CHECK(scene_of(top + unused, "s.ply").spheres == std::vector<Sphere>{{{1, 2, 3}, 4}});
  }
  const std::string lists = "element face 2\nproperty list int int corners\nelement vertex 1\n" + places;
  for (const char* length : {"-1", "1.5", "nan"}) {
    CHECK(contains(scene_error(top + lists + "2 0 1\n" + length + "\n1 2 3 4\n", "s.ply"),
                   std::string("s.ply:13: the length of list 'corners' is ") + length +
                       "; it must be a whole number from 0"));
  }
  CHECK(contains(scene_error(top + "element vertex 1\n" + places + "1 2 3 0\n", "s.ply"),
                 "s.ply:10: sphere 0: radius is 0"));
  CHECK(contains(scene_error(top + "element vertex 0\n" + places + "1 2 3 4\n", "s.ply"),
                 "s.ply:10: a line follows"));
  CHECK(contains(scene_error(top + "element vertex 9223372036854775808\n" + places + "1 2 3 4\n", "s.ply"),
                 "the file ends"));
  CHECK(contains(scene_error(top + "element vertex 1\nproperty double x\nend_header\n1\n", "s.ply"),
                 "property 'y' of 'vertex' is missing"));
  CHECK(contains(scene_error(top + "end_header\n", "s.ply"), "no element 'vertex'"));
  CHECK(contains(scene_error(top + "property double x\n", "s.ply"),
                 "s.ply:4: the header line 'property double x' is malformed"));
  CHECK(contains(scene_error("ply\nelement vertex 0\n" + places, "s.ply"), "has no 'format' line"));
  CHECK(contains(scene_error(top, "s.ply"), "s.ply:3: the header ends without 'end_header'"));
  CHECK(contains(scene_error("nope", "s.ply"), "s.ply:1: this is not a PLY file"));
  // An element without properties takes no time, however often it is repeated.
  CHECK(scene_of(top + "element nothing 18446744073709551615\nelement vertex 0\n" + places, "s.ply")
            .spheres.empty());
}

TEST_CASE("PLY of other programs: names, elements and lists around the vertices", "[io]") {
  const std::string text =
      "ply\nformat ascii 1.0\nelement camera 1\nproperty float view\nproperty list uchar float lens\nelement "
      "vertex 1\n"
      "property float X\nproperty float Y\nproperty float Z\nproperty list uchar int faces\nproperty float "
      "scale_0\n"
      "property float nx\nproperty float vel_x\nproperty float vel_y\nproperty float vel_z\nelement face 1\n"
      "property list uchar int vertex_indices\nend_header\nwide 1 nan\n1 2 3 2 a b 0.5 x 4 5 6\n3 0 0 0\n";
  SceneLoadOptions options;
  options.csv.columns = {{"r", "scale_0"}};
  const SceneFile scene =
      io::read_scene(*io::memory_source("s.ply", text), io::scene_format("s.ply"), "/nowhere", options);
  CHECK(scene.spheres == std::vector<Sphere>{{{1, 2, 3}, 0.5}});
  CHECK(scene.velocities == std::vector<Vec3>{{4, 5, 6}});
  CHECK(scene.warnings == std::vector<std::string>{
                              "s.ply: properties taken: 'X' as 'x', 'Y' as 'y', 'Z' as 'z', 'vel_x' as 'vx', "
                              "'vel_y' as 'vy', 'vel_z' as 'vz'",
                              "s.ply: properties ignored: 'nx', 'faces'",
                              "s.ply: elements after 'vertex' are ignored"});
  CHECK(contains(
      scene_error(text, "s.ply"),
      "s.ply:18: property 'radius' of 'vertex' is missing; there are 'X', 'Y', 'Z', 'scale_0', 'nx', "
      "'vel_x', 'vel_y', 'vel_z'; give --columns r=NAME or --radius R"));
}

TEST_CASE("binary PLY scenes of either byte order", "[io]") {
  const std::string properties =
      "element other 1\nproperty list uchar short items\nelement vertex 1\nproperty float x\nproperty short "
      "y\n"
      "property uint z\nproperty double radius\nend_header\n";
  const std::string little(
      "\x02\x01\x00\x02\x00"
      "\x00\x00\x80\x3f"
      "\xfe\xff"
      "\x00\x00\x00\x80"
      "\x00\x00\x00\x00\x00\x00\xf8\x3f",
      23);
  const std::string big(
      "\x02\x00\x01\x00\x02"
      "\x3f\x80\x00\x00"
      "\xff\xfe"
      "\x80\x00\x00\x00"
      "\x3f\xf8\x00\x00\x00\x00\x00\x00",
      23);
  const std::vector<Sphere> expected{{{1, -2, 2147483648.0}, 1.5}};
  const std::string little_top = "ply\nformat binary_little_endian 1.0\n",
                    big_top = "ply\nformat binary_big_endian 1.0\n";
  CHECK(scene_of(little_top + properties + little, "s.ply").spheres == expected);
  CHECK(scene_of(big_top + properties + big, "s.ply").spheres == expected);
  CHECK(contains(scene_error(little_top + properties + little.substr(0, 22), "s.ply"),
                 "s.ply: row 1 of 'vertex': the file ends inside this row"));
  const std::string faces =
      "element face 2\nproperty list char char corners\nelement vertex 0\nproperty float x\n"
      "property float y\nproperty float z\nproperty float radius\nend_header\n";
  CHECK(contains(scene_error(little_top + faces + "\x01\x07\xff", "s.ply"),
                 "s.ply: row 2 of 'face': the length of list 'corners' is -1; it must be a whole number"));
  CHECK(contains(scene_error(little_top + properties + little + "x", "s.ply"), "bytes follow the last row"));
}

TEST_CASE("formats go by extension", "[io]") {
  for (const io::SceneFormat* format : io::scene_formats) {
    CHECK(&io::scene_format("a/b" + format->extension()) == format);
    CHECK(&io::scene_format("b" + format->extension() + ".gz") == format);
  }
  CHECK(&io::scene_format("a/b.csv.gz") == &io::csv_scene);
  CHECK(contains(error_of([] { io::scene_format("scene.doc"); }), "scene.doc: a scene's name ends in .json"));
  CHECK(contains(error_of([] { io::scene_format("scene"); }), "scene: a scene's name ends in"));
  CHECK(contains(error_of([] { io::read_scene("/nowhere/s.csv"); }),
                 "/nowhere/s.csv: cannot open it: No such file"));
  Folder folder;
  fs::create_directory(folder / "folder.csv");
  CHECK(contains(error_of([&] { io::read_scene(folder / "folder.csv"); }),
                 "folder.csv: cannot read it: Is a directory"));
}

TEST_CASE("a read can be watched and stopped", "[io]") {
  Folder folder;
  std::string text = header;
  for (int i = 0; i < 200000; ++i) text += "1,2,3,4\n";
  const fs::path path = folder.write("s.csv", text);
  std::vector<double> shares;
  SceneLoadOptions options;
  options.progress = [&](double share) { shares.push_back(share); };
  CHECK(io::read_scene(path, options).spheres.size() == 200000);
  CHECK(shares.size() > 2);
  CHECK(std::is_sorted(shares.begin(), shares.end()));
  CHECK(shares.back() == 1);
  std::stop_source stop;
  stop.request_stop();
  options.stop = stop.get_token();
  error_of([&] { io::read_scene(path, options); }, ErrorCode::cancelled);
}

TEST_CASE("stars of the command line", "[io]") {
  const Star star = io::parse_star("1, -2,3e3,0").star;
  CHECK(star.center == Vec3{1, -2, 3000});
  CHECK(star.radius == 0);
  for (const char* text :
       {"", "1,2,3", "1,2,3,4,5", "1,2,3,-4", "1,2,3,nan", "inf,2,3,4", "1,2,3,x", "1,2,3,"}) {
    INFO(text);
    error_of([&] { io::parse_star(text); }, ErrorCode::invalid_argument);
  }
}

TEST_CASE("an error of a file has its place as subject, and the fault as reason", "[io]") {
  const auto check_parts = [](const auto& read, const std::string& subject, const std::string& reason,
                              std::int64_t element) {
    try {
      read();
      FAIL_CHECK("no error");
    } catch (const Error& error) {
      CHECK(error.subject() == subject);
      CHECK(error.reason().starts_with(reason));
      CHECK(error.element() == element);
    }
  };
  const auto scene = [](std::string bytes, std::string name) { return [=] { (void)scene_of(bytes, name); }; };
  check_parts(scene(header + "0,0,0,1\n1,2\n", "s.csv"), "s.csv:3", "the row has 2 fields",
              Error::no_element);
  check_parts(scene(header + "0,0,0,1\n\n0,0,0,-1\n", "s.csv"), "s.csv:4: sphere 1", "radius is -1; ", 1);
  check_parts(scene(header + "0,0,a,1\n", "s.csv"), "s.csv:2: column 'z'", "'a' is not a number",
              Error::no_element);
  check_parts(scene("{\"sphaera\": 1,\n\"stars\": [{}]}", "s.json"), "s.json:2: star 0", "give either ",
              Error::no_element);
  check_parts(scene("abc", "s.npy"), "s.npy", "this is not an NPY file", Error::no_element);
  check_parts([] { (void)queries_of<Ray>("ox,oy,oz,dx,dy,dz\n0,0,0,1,0,0\n0,0,0,0,0,0\n", "r.csv"); },
              "r.csv:3: ray 1", "direction is zero; ", 1);
  check_parts([] { (void)io::parse_star("1,2"); }, "star '1,2'", "give four numbers", Error::no_element);
}

TEST_CASE("an error of a file that a scene names is about that file, or about the line that names it",
          "[io]") {
  const Folder folder;
  const auto parts = [&](std::string_view file) -> std::pair<std::string, std::string> {
    const std::string text = "{\"sphaera\": 1,\n\"files\": [\n{\"path\": \"" + std::string(file) + "\"}]}\n";
    try {
      (void)io::read_scene(folder.write("s.json", text));
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::bad_file);
      return {std::string(error.subject()), std::string(error.reason())};
    }
    FAIL_CHECK("no error");
    return {};
  };
  folder.write("crowd.csv", header + "0,0,0,1\n0,0,0,0\n");
  const auto [row, fault] = parts("crowd.csv");
  CHECK(row == (folder / "crowd.csv").string() + ":3: sphere 1");
  CHECK(fault.starts_with("radius is 0; "));
  const auto [line, missing] = parts("none.csv");
  CHECK(line == (folder / "s.json").string() + ":3");
  CHECK(missing.starts_with("file 'none.csv' cannot be opened: "));
}
