/// Files of VTK, legacy and XML, as VTK writes them, and what is wrong with bad ones.

#include <cmath>

#include <tests/scratch_files.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

/// The points that all files in tests/data/vtk hold: text has at least ten digits.
void check_points(const SceneFile& scene, double tolerance) {
  REQUIRE(scene.spheres.size() == 5);
  REQUIRE(scene.velocities.size() == 5);
  const auto near = [&](double a, double b) { CHECK(std::fabs(a - b) <= tolerance * std::fabs(b)); };
  for (int k = 0; k < 5; ++k) {
    const auto& [center, radius] = scene.spheres[static_cast<std::size_t>(k)];
    const Vec3& velocity = scene.velocities[static_cast<std::size_t>(k)];
    near(center.x, k + 0.1), near(center.y, -k / 3.0), near(center.z, 1e10 / (k + 1));
    near(velocity.x, k), near(velocity.y, 0.1 * k), near(velocity.z, -k);
    CHECK(radius == 0.5 + k);
  }
}

const std::string legacy_top = "# vtk DataFile Version 3.0\ntitle\nASCII\n";

std::string xml(const std::string& type, const std::string& inside) {
  return "<VTKFile type=\"" + type + "\" version=\"0.1\" byte_order=\"LittleEndian\">" + inside +
         "</VTKFile>";
}

std::string piece(const std::string& arrays, const std::string& points, int count = 1) {
  return "<PolyData><Piece NumberOfPoints=\"" + std::to_string(count) + "\"><PointData>" + arrays +
         "</PointData><Points>" + points + "</Points></Piece></PolyData>";
}

std::string array(const std::string& attributes, const std::string& content) {
  return "<DataArray type=\"Float64\" " + attributes + ">" + content + "</DataArray>";
}

const std::string point = array("NumberOfComponents=\"3\" format=\"ascii\"", "1 2 3");
const std::string radius = array("Name=\"radius\" format=\"ascii\"", "0.5");

}  // namespace

TEST_CASE("files that VTK has written hold its points, however they are encoded", "[io]") {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(data("vtk"))) {
    INFO(entry.path());
    const std::string name = entry.path().filename().string();
    const bool text = contains(name, "ascii") || contains(name, "text");
    const SceneFile scene = io::read_scene(entry.path());
    check_points(scene, text ? 1e-10 : 0);
    REQUIRE(scene.warnings.size() == 1);
    CHECK(contains(scene.warnings[0], "arrays ignored: "));
    CHECK(contains(scene.warnings[0], "'stress'"));
    ++files;
  }
  CHECK(files == 11);
}

TEST_CASE("legacy VTK: arrays before and behind, other names", "[io]") {
  const std::string text =
      legacy_top +
      "FIELD FieldData 1\nTIME 1 1 double\n0.5\nDATASET UNSTRUCTURED_GRID\n"
      "POINTS 2 float\n1 2\n3 4 5 6\nCELLS 2 4\n1 0\n1 1\nCELL_TYPES 2\n1 1\n"
      "CELL_DATA 2\nSCALARS radius float 1\nLOOKUP_TABLE default\n7 7\n"
      "POINT_DATA 2\nSCALARS Diameter float\nLOOKUP_TABLE own\n1 3\nLOOKUP_TABLE own 1\n1 1 1 1\n"
      "METADATA\nINFORMATION 0\n\nCOLOR_SCALARS rgb 3\n0 0 0 1 1 1\nTENSORS t float\n"
      "0 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1 1\nVECTORS U float\n1 2 3 4 5 6\n";
  const SceneFile scene = scene_of(text, "s.vtk");
  CHECK(scene.spheres == std::vector<Sphere>{{{1, 2, 3}, 0.5}, {{4, 5, 6}, 1.5}});
  CHECK(scene.velocities.empty());
  CHECK(scene.warnings == std::vector<std::string>{"s.vtk: arrays taken: 'Diameter' as 'diameter'",
                                                   "s.vtk: arrays ignored: 't', 'U'"});
  SceneLoadOptions options;
  options.csv.columns = {{"vx", "U_x"}, {"vy", "U_y"}, {"vz", "U_z"}, {"r", "Diameter"}};
  const SceneFile named =
      io::read_scene(*io::memory_source("s.vtk", text), io::scene_format("s.vtk"), "/nowhere", options);
  CHECK(named.velocities == std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}});
  CHECK(named.spheres[1].radius == 3);
}

TEST_CASE("legacy VTK: what is wrong", "[io]") {
  const auto error = [](const std::string& text) { return scene_error(text, "s.vtk"); };
  const std::string points = legacy_top + "DATASET POLYDATA\nPOINTS 1 double\n1 2 3\n";
  CHECK(contains(error("vtk\n"), "s.vtk:1: this is not a VTK file"));
  CHECK(
      contains(error("# vtk DataFile Version 3.0\n\nTEXT\n"), "s.vtk:3: the encoding is 'text', not ASCII"));
  CHECK(contains(error(legacy_top + "DATASET STRUCTURED_POINTS\n"),
                 "s.vtk:4: the data set is 'structured_points'; save its points as POLYDATA"));
  CHECK(contains(error(points), "s.vtk:1: array 'radius' of the points is missing; there are 'Points_x', "));
  CHECK(contains(error(points + "POINT_DATA 2\nSCALARS radius float\nLOOKUP_TABLE default\n1 2\n"),
                 "s.vtk: array 'radius' has 2 values for 1 points"));
  CHECK(contains(error(points + "POINT_DATA 1\nSCALARS radius float\n1\n"),
                 "'LOOKUP_TABLE default' is missing"));
  CHECK(contains(error(points + "POINT_DATA 1\nSCALARS radius half\n"), "the type 'half' is unknown"));
  CHECK(contains(error(points + "nonsense\n"), "s.vtk:7: the keyword 'nonsense' is unknown"));
  CHECK(contains(error(points + "VERTICES 1 x\n"), "s.vtk:7: the number of ids is 'x'"));
  CHECK(contains(error(points + "POINT_DATA 1\nVECTORS v double\n1 2\n"), "s.vtk:9: the file ends early"));
  CHECK(contains(error(points + "POINT_DATA 1\nVECTORS v double\n1 2 z\n"), "s.vtk:9: 'z' is not a number"));
  CHECK(contains(error(legacy_top + "DATASET POLYDATA\nPOINTS 18446744073709551615 double\n1 2 3\n"),
                 "s.vtk:6: the file ends early"));
  CHECK(contains(error(points + "POINT_DATA 1\nSCALARS radius float\nLOOKUP_TABLE default\n-1\n"),
                 "s.vtk:1: sphere 0: radius is -1"));
}

TEST_CASE("VTK XML: pieces, other names, what is not read", "[io]") {
  const std::string two =
      "<PolyData><FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" "
      "format=\"ascii\">1</DataArray></FieldData>"
      "<Piece NumberOfPoints=\"1\"><PointData>" +
      array("Name=\"Size\" format=\"ascii\"", "4") +
      "<DataArray type=\"String\" Name=\"label\" format=\"ascii\">97 0</DataArray></PointData><Points>" +
      point +
      "</Points></Piece><Piece NumberOfPoints=\"0\"><PointData/><Points/></Piece><Piece "
      "NumberOfPoints=\"1\"><Points>" +
      point + "</Points><PointData>" + array("Name=\"Size\" format=\"ascii\"", "\n 5\n<Value>6</Value>") +
      "</PointData></Piece></PolyData>";
  SceneLoadOptions options;
  options.csv.columns = {{"r", "Size"}};
  const SceneFile scene = io::read_scene(*io::memory_source("s.vtu", xml("UnstructuredGrid", two)),
                                         io::scene_format("s.vtu"), "/nowhere", options);
  CHECK(scene.spheres == std::vector<Sphere>{{{1, 2, 3}, 4}, {{1, 2, 3}, 5}});
  CHECK(scene.warnings == std::vector<std::string>{"s.vtu: arrays ignored: 'label'"});
  // 1, 2, 3 with a length of 24 before them, in one text of base64 or in two.
  const std::string numbers = "AAAAAAAA8D8AAAAAAAAAQAAAAAAAAAhA";
  for (const std::string& text :
       {"GAAAAA==" + numbers, std::string("GAAAAAAAAAAAAPA/AAAAAAAAAEAAAAAAAAAIQA==")}) {
    const std::string points = array("NumberOfComponents=\"3\" format=\"binary\"", "\n  " + text + "\n");
    CHECK(scene_of(xml("PolyData", piece(radius, points)), "s.vtp").spheres ==
          std::vector<Sphere>{{{1, 2, 3}, 0.5}});
  }
}

TEST_CASE("VTK XML: what is wrong", "[io]") {
  const auto error = [](const std::string& inside) { return scene_error(xml("PolyData", inside), "s.vtp"); };
  const auto points = [](const std::string& attributes, const std::string& content) {
    return piece(radius, array("NumberOfComponents=\"3\" " + attributes, content));
  };
  CHECK(contains(scene_error("x", "s.vtp"), "s.vtp:1: the XML is malformed: "));
  CHECK(contains(scene_error("", "s.vtp"), "s.vtp:1: the XML is malformed: no element found"));
  CHECK(contains(scene_error("<html/>", "s.vtp"), "this is not a VTK file; its first element is 'html'"));
  CHECK(contains(scene_error(xml("ImageData", ""), "s.vtp"), "the data set is 'ImageData'; save its points"));
  CHECK(contains(scene_error("<!DOCTYPE x [<!ENTITY a \"b\">]><VTKFile/>", "s.vtp"), "a DOCTYPE is no part"));
  CHECK(contains(scene_error("<VTKFile type=\"PolyData\" compressor=\"vtkLZ4DataCompressor\"/>", "s.vtp"),
                 "the data are packed by 'vtkLZ4DataCompressor'; save them with vtkZLibDataCompressor"));
  CHECK(contains(error("<Points>" + point + "</Points>"), "a DataArray stands outside of a Piece"));
  CHECK(contains(error(piece("", point)), "array 'radius' of the points is missing"));
  CHECK(contains(error(piece(radius, point + point)), "a Piece has points twice"));
  CHECK(contains(error(piece(radius, point, 2)), "array 'Points' has 3 values for 2 points"));
  CHECK(contains(error(points("format=\"ascii\"", "1 2 x")), "array 'Points': 'x' is not a number"));
  CHECK(contains(error(points("format=\"ascii\"", std::string(2000, '1'))), "is not a number"));
  CHECK(contains(error(points("format=\"odd\"", "")), "the format 'odd' is not ascii, binary or appended"));
  CHECK(
      contains(error(points("format=\"binary\"", "GAAAAA==AAAA")), "array 'Points' is shorter than it says"));
  CHECK(
      contains(error(points("format=\"binary\"", "AAAAAA==AAAA")), "array 'Points' is longer than it says"));
  CHECK(contains(error(points("format=\"binary\"", "GAAA*")), "array 'Points' is not base64"));
  CHECK(contains(error(points("format=\"binary\"", "AwAAAA==AAAA")), "array 'Points' ends inside a number"));
  CHECK(contains(error(points("format=\"appended\" offset=\"0\"", "")), "the appended data are missing"));
  CHECK(contains(error(points("format=\"appended\" offset=\"0\"", "") +
                       "<AppendedData encoding=\"raw\">_\x18</AppendedData>"),
                 "array 'Points' is shorter than it says; is the file cut short?"));
  CHECK(contains(error(points("format=\"appended\" offset=\"18446744073709551615\"", "") +
                       "<AppendedData encoding=\"base64\">_GAAAAA==</AppendedData>"),
                 "array 'Points'"));
  CHECK(contains(scene_error("<VTKFile type=\"PolyData\" long=\"" + std::string(3 << 20, 'x'), "s.vtp"),
                 "a tag is longer than 1 MiB"));
}

TEST_CASE("VTK XML that is written has the numbers where VTK expects them", "[io]") {
  SceneFile scene;
  scene.spheres = {{{1, 2, 3}, 4}, {{5, 6, 7}, 8}};
  scene.velocities = {{9, 10, 11}, {12, 13, 14}};
  const std::string bytes = io::scene_bytes(scene, io::vtp_scene);
  const std::size_t data = bytes.find(">\n_") + 3;
  const auto words = [&](std::size_t offset, std::size_t count, auto zero) {
    std::vector<decltype(zero)> read(count);
    bytes.copy(reinterpret_cast<char*>(read.data()), 8 * count, data + offset);
    return read;
  };
  CHECK(words(0, 1, std::uint64_t{}) == std::vector<std::uint64_t>{16});
  CHECK(words(8, 2, 0.0) == std::vector<double>{4, 8});
  CHECK(contains(bytes, "Name=\"velocity\" NumberOfComponents=\"3\" format=\"appended\" offset=\"24\""));
  CHECK(words(32, 6, 0.0) == std::vector<double>{9, 10, 11, 12, 13, 14});
  CHECK(contains(bytes, "Name=\"Points\" NumberOfComponents=\"3\" format=\"appended\" offset=\"80\""));
  CHECK(words(88, 6, 0.0) == std::vector<double>{1, 2, 3, 5, 6, 7});
  CHECK(contains(bytes, "Name=\"connectivity\" NumberOfComponents=\"1\" format=\"appended\" offset=\"136\""));
  CHECK(contains(bytes, "Name=\"offsets\" NumberOfComponents=\"1\" format=\"appended\" offset=\"160\""));
  CHECK(words(136, 5, std::uint64_t{}) == std::vector<std::uint64_t>{16, 0, 1, 8, 2});
}
