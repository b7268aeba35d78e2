/// The dialect of CSV.

#include <fcntl.h>
#include <io/ephemeris/ephemeris.hpp>
#include <io/formats/csv.hpp>
#include <vector>

#include <tests/scratch_files.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

/// A source that gives a few bytes at a time, so that every record crosses a border.
class Trickle : public io::ByteSource {
 public:
  Trickle(std::string_view bytes, std::size_t step) : ByteSource("trickle.csv"), bytes_(bytes), step_(step) {}
  std::size_t read(std::span<char> buffer) override {
    const std::size_t n = bytes_.copy(buffer.data(), std::min(step_, buffer.size()));
    bytes_.remove_prefix(n);
    return n;
  }
  std::optional<std::uint64_t> remaining() const override { return std::nullopt; }

 private:
  std::string_view bytes_;
  std::size_t step_;
};

struct Record {
  std::uint64_t line;
  std::vector<std::string> fields;
  bool operator==(const Record&) const = default;
};

std::vector<Record> records(std::string_view bytes, std::size_t step = 1000) {
  Trickle source(bytes, step);
  io::CsvRecords reader(source);
  std::vector<Record> all;
  while (reader.next()) all.push_back({reader.line(), {reader.fields().begin(), reader.fields().end()}});
  return all;
}

io::FileDigest digest_of(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(file >= 0);
  io::FileDigest digest = io::digest_of(file, path.string());
  ::close(file);
  return digest;
}

}  // namespace

TEST_CASE("CSV records: newlines, blank lines, quotes and a byte-order mark", "[io]") {
  const std::string text =
      "\xEF\xBB\xBF"
      "a,b\r\n"
      "\n"
      " \t\r\n"
      "1,\"two, \"\"quoted\"\"\nlines\"\n"
      ",\n"
      "\"\",\"\r\n\"\r\n"
      "last,";
  const std::vector<Record> expected{{1, {"a", "b"}},
                                     {4, {"1", "two, \"quoted\"\nlines"}},
                                     {6, {"", ""}},
                                     {7, {"", "\r\n"}},
                                     {9, {"last", ""}}};
  for (const std::size_t step : {1, 2, 3, 5, 1000}) {
    INFO("step " << step);
    CHECK(records(text, step) == expected);
  }
  CHECK(records("").empty());
  CHECK(records("\xEF\xBB\xBF").empty());
  CHECK(records("\n\r\n \n").empty());
}

TEST_CASE("CSV records: what RFC 4180 forbids is an error with its line", "[io]") {
  const auto error = [](std::string_view text) { return error_of([&] { records(text); }); };
  CHECK(contains(error("a,b\n1,2\"3\"\n"), "trickle.csv:2: a quote inside a field"));
  CHECK(contains(error("a,b\n\n\"1\"2,3\n"), "trickle.csv:3: text follows a closing quote"));
  CHECK(contains(error("a\n\"never\nclosed\n"),
                 "trickle.csv:2: a quote opens in this record and never closes"));
  CHECK(
      contains(error("a\n" + std::string(1 << 21, 'x')), "trickle.csv:2: this record is longer than 1 MiB"));
  CHECK(contains(error("a\n\"" + std::string(1 << 21, '\n')),
                 "trickle.csv:2: this record is longer than 1 MiB"));
  CHECK(records("a\n" + std::string((1 << 20) - 10, 'x')).size() == 2);
}

TEST_CASE("a CSV header names the columns", "[io]") {
  CHECK(scene_of("r,z,y,x\n4,3,2,1\n", "s.csv").spheres == std::vector<Sphere>{{{1, 2, 3}, 4}});
  CHECK(scene_of(" x , y,z,r\n 1 ,2,\t3,4\n", "s.csv").spheres == std::vector<Sphere>{{{1, 2, 3}, 4}});
  CHECK(scene_of("\"x\",y,z,r\n\"1\",2,3,4\n", "s.csv").spheres == std::vector<Sphere>{{{1, 2, 3}, 4}});
  CHECK(contains(scene_error("x,y,z\n", "s.csv"),
                 "s.csv:1: column 'r' is missing; the header needs 'x', 'y', 'z', 'r'"));
  CHECK(contains(scene_error("\nx,y,x,z,r\n", "s.csv"), "s.csv:2: column 'x' comes twice"));
  CHECK(contains(scene_error("", "s.csv"), "s.csv:1: the file is empty"));
  CHECK(contains(scene_error("\n\n", "s.csv"), "s.csv:1: the file is empty"));
  CHECK(contains(scene_error("x,y,z,r\n1,2,3\n", "s.csv"), "s.csv:2: the row has 3 fields, the header 4"));
  CHECK(contains(scene_error("x,y,z,r\n1,2,3,4\n1,2,3,4,\n", "s.csv"),
                 "s.csv:3: the row has 5 fields, the header 4"));
}

namespace {

/// The spheres of a CSV file, and its warnings.
std::pair<std::vector<Sphere>, std::string> read(std::string_view text,
                                                 const SceneLoadOptions& options = {}) {
  const SceneFile scene =
      io::read_scene(*io::memory_source("s.csv", text), io::csv_scene, "/nowhere", options);
  std::string warnings;
  for (const std::string& warning : scene.warnings) warnings += warning + '\n';
  return {scene.spheres, warnings};
}

/// The text as UTF-16, the low byte first or last; ASCII and one letter beyond 2^16 (𝑟, U+1D45F) alone.
std::string utf16(std::string_view text, bool low_first) {
  std::string bytes;
  const auto add = [&](unsigned unit) {
    const char low = static_cast<char>(unit & 0xff), high = static_cast<char>(unit >> 8);
    (bytes += low_first ? low : high) += low_first ? high : low;
  };
  add(0xfeff);
  for (const char c : text) c == '@' ? (add(0xd835), add(0xdc5f)) : add(static_cast<unsigned char>(c));
  return bytes;
}

}  // namespace

TEST_CASE("CSV as programs write it: separators, decimal commas, comments, UTF-16", "[io]") {
  const std::vector<Sphere> expected{{{1.5, 2, 3}, 1}, {{4, 5.25, -6}, 2}};
  for (const std::string_view text : {
           "x,y,z,r\n1.5,2,3,1\n4,5.25,-6,2\n",
           "x;y;z;r\n1,5;2;3;1\n4;5,25;-6;2\n",
           "sep=;\nx;y;z;r\n1.5;2;3;1\n4;5.25;-6;2\n",
           "sep=\t\r\nx\ty\tz\tr\r\n1,5\t2\t3\t1\r\n4\t5,25\t-6\t2\r\n",
           "x\ty\tz\tr\n1.5\t2\t3\t1\n4\t5.25\t-6\t2\n",
           "  x   y z\tr\n 1.5   2 3 1\n4 5.25 -6  2  \n",
           "# made by hand\n// in metres\n\nx,y,z,r\n1.5,2,3,1\n4,5.25,-6,2\n",
           "\"x\";\"y\";\"z\";\"r\"\n\"1,5\";2;3;1\n4;5,25;-6;2\n",
       }) {
    INFO(text);
    CHECK(read(text) == std::pair(expected, std::string()));
    for (const bool low_first : {false, true}) CHECK(read(utf16(text, low_first)).first == expected);
  }
  CHECK(read("# x y z r\n1.5e0 2 3 1\n4 5.25 -6 2\n") ==
        std::pair(expected, std::string("s.csv: the comment before the first row is taken as its header\n")));
  CHECK(contains(scene_error("1,2,3,1\n4,5,6,1\n", "s.csv"),
                 "s.csv:1: there is no header, but a row of numbers"));
  CHECK(contains(scene_error("x;y;z;r\n1,2,3;2;3;1\n", "s.csv"),
                 "s.csv:2: column 'x': '1,2,3' is not a number"));
  const SceneFile named = scene_of(utf16("x,y,z,r,name\n1,2,3,4,@\n", true), "s.csv");
  CHECK(named.names[0] == "\xF0\x9D\x91\x9F");
  const std::string whole = utf16("x,y,z,r,name\n1,2,3,4,@", true);
  for (const std::size_t cut : {1, 2, 3})
    CHECK(contains(scene_error(whole.substr(0, whole.size() - cut), "s.csv"), "UTF-16"));
  CHECK(contains(scene_error(std::string("\xFF\xFE\x00\xDC\x00\x00", 6), "s.csv"), "is not UTF-16"));
}

TEST_CASE("columns of CSV are found by their names, by other usual ones, or by an option", "[io]") {
  const std::vector<Sphere> expected{{{1, 2, 3}, 4}};
  for (const std::string_view header :
       {"X,Y,Z,R", "pos_x,pos_y,pos_z,radius", "Position.X,Position.Y,Position.Z,Radius (m)",
        "x [m],y [m],z [m],r [m]", "PosX,PosY,PosZ,rad", "center_x,center_y,center_z,r"}) {
    INFO(header);
    const auto [spheres, warnings] = read(std::string(header) + "\n1,2,3,4\n");
    CHECK(spheres == expected);
    CHECK(contains(warnings, "s.csv: columns taken: "));
  }
  CHECK(read("x,y,z,r,X,radius\n1,2,3,4,5,6\n").second == "s.csv: columns ignored: 'X', 'radius'\n");
  CHECK(
      contains(scene_error("px,pos_x,y,z,r\n", "s.csv"), "s.csv:1: both 'px' and 'pos_x' may be column 'x'"));
  CHECK(contains(scene_error("a,b\n", "s.csv"),
                 "it has 'a', 'b' separated by ','; give --columns x=NAME or --delimiter C"));
  const SceneLoadOptions options{
      .csv = {.columns = {{"x", "a"}, {"y", "b, in m"}, {"z", "c"}, {"layer", "team"}, {"ox", "a"}}}};
  CHECK(read("a,\"b, in m\",c,r,team\n1,2,3,4,red\n", options) == std::pair(expected, std::string()));
  CHECK(read("x,y,z,r,a\n9,9,9,4,1\n", {.csv = {.columns = {{"x", "a"}}}}).first ==
        std::vector<Sphere>{{{1, 9, 9}, 4}});
  CHECK(read("x|y|z|r\n1|2|3|4\n", {.csv = {.delimiter = '|'}}).first == expected);
  CHECK(read("x,y,z\n1,2,3\n", {.radius = 4}).first == expected);
  CHECK(read("x,y,z,r\n1,2,3,\n", {.radius = 4}).first == expected);
  CHECK(read("x,y,z,r\n1,2,3,4\n", {.radius = 9}).first == expected);
}

TEST_CASE("a column that an option names must be there; lengths have one unit", "[io]") {
  const SceneLoadOptions options{
      .csv = {.columns = {{"x", "a"}, {"y", "b, in m"}, {"z", "c"}, {"layer", "team"}, {"ox", "a"}}}};
  const auto fault = [](const std::string& header, const SceneLoadOptions& given) {
    std::string text;
    try {
      (void)read(header + "\n9,9,9,4,1\n", given);
    } catch (const Error& error) {
      text = error.what();
    }
    return text;
  };
  // An option that is not meant for another file names a column that must be there.
  CHECK(contains(fault("x,y,z,r,a", {.csv = {.columns = {{"x", "a"}, {"y", "b"}}}}),
                 "there is no column 'b' to take as 'y'"));
  CHECK(contains(fault("x,y,z,r,a", options), "there is no column 'team' to take as 'layer'"));
  SceneLoadOptions shared = options;
  shared.elsewhere = {"x", "y", "z"};
  CHECK(contains(fault("x,y,z,r,a", shared), "there is no column 'team' to take as 'layer'"));
  CHECK(contains(fault("x,y,z,r,name", {.csv = {.columns = {{"name", "nmae"}}}}), "did you mean name?"));
  CHECK(read("x,y,z,r,a\n9,9,9,4,1\n", {.csv = {.columns = {{"x", "b"}}}, .elsewhere = {"x"}}).first ==
        std::vector<Sphere>{{{9, 9, 9}, 4}});
  CHECK(contains(fault("x [m],y [m],z [m],r (mm),a", {}),
                 "s.csv:1: columns 'x [m]' and 'r (mm)' have different units; write one unit"));
  for (const char* header :
       {"x [m],y [m],z [m],r (m),t [s]", "x (east),y (north),z (up),r,a", "x [m],y [m],z [m],r (vdW),a"})
    CHECK(fault(header, {}).empty());
  CHECK(fault("c[1],c[2],c[3],r,a", {.csv = {.columns = {{"x", "c[1]"}, {"y", "c[2]"}, {"z", "c[3]"}}}})
            .empty());
  CHECK(contains(read("x,y,z,diameter\n1,2,3,4\n", {.csv = {.columns = {{"r", "diameter"}}}}).second,
                 "columns taken: 'diameter' as 'r', a radius"));
}

TEST_CASE("a file that is something else than CSV is named as what it is", "[io]") {
  const std::string zip("PK\x03\x04\x14\x00\x06\x00\x08\x00", 10);
  for (const auto& [bytes, name] : std::initializer_list<std::pair<std::string, const char*>>{
           {zip + "[Content_Types].xml", "an Excel workbook"},
           {zip + "positions.npy", "an NPZ archive"},
           {"<!DOCTYPE html>\n<html>", "a web page"},
           {"version 1 of git-lfs\noid sha256:ab\n", "a Git LFS pointer"},
           {"\x93NUMPY\x01", "NPY"},
           {"ply\nformat ascii 1.0\n", "PLY"},
           {"{\"sphaera\": 1}", "JSON"},
           {"ATOM      1  N   MET A   1", "a PDB file"},
           {"\x89HDF\r\n", "an HDF5 file"}}) {
    CHECK(contains(scene_error(bytes, "s.csv"), std::string("s.csv:1: this is ") + name));
  }
}

TEST_CASE("names in CSV lose the blanks around them, unless quoted, and must be UTF-8", "[io]") {
  const SceneFile s = scene_of(
      "x, y, z, r, name, layer\n"
      "0, 0, 0, 1,  Mars , red\n"
      "0, 0, 0, 1,\" Mars \",red\t\n"
      "0, 0, 0, 1,\"a, b\", red\n",
      "s.csv");
  CHECK(s.names[0] == "Mars");
  CHECK(s.names[1] == " Mars ");
  CHECK(s.names[2] == "a, b");
  CHECK(s.layer_names == std::vector<std::string>{"red"});
  CHECK(contains(scene_error("x,y,z,r,name\n0,0,0,1,\xc3\xa9\n0,0,0,1,M\xfcller\n", "s.csv"),
                 "s.csv:3: column 'name': 'M\\xfcller' is not UTF-8; convert the file"));
  CHECK(contains(scene_error("x,y,z,r,layer\n0,0,0,1,\xe9\n", "s.csv"),
                 "s.csv:2: column 'layer': '\\xe9' is not UTF-8"));
  // A column that is not read may hold any bytes.
  CHECK(scene_of("x,y,z,r,note\n0,0,0,1,\xe9\n", "s.csv").spheres.size() == 1);
}

TEST_CASE("a last line without a newline is warned of, in files, pipes and memory alike", "[io]") {
  const auto warned = [](const std::vector<std::string>& warnings, const std::string& name) {
    return warnings ==
           std::vector{name + ": the last line does not end with a newline; is the file cut short?"};
  };
  const Folder folder;
  for (const char* name : {"s.csv", "s.csv.gz"}) {
    CAPTURE(name);
    const auto write = [&](std::string_view bytes) {
      io::Output output(folder / name);
      output.write(bytes);
      output.commit();
      return folder / name;
    };
    CHECK(io::read_scene(write("x,y,z,r\n0,0,0,25\n")).warnings.empty());
    CHECK(warned(io::read_scene(write("x,y,z,r\n0,0,0,2")).warnings, (folder / name).string()));
  }
  CHECK(scene_of("x,y,z,r\r\n0,0,0,25\r\n\r\n", "s.csv").warnings.empty());
  for (const char* bytes : {"x,y,z,r\n0,0,0,2", "x,y,z,r\n0,0,0,2\n ", "x,y,z,r", "x,y,z,r\n0,0,0,\"2\""})
    CHECK(warned(scene_of(bytes, "s.csv").warnings, "s.csv"));
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty double x\nproperty double y\nproperty double z\n"
      "property double radius\nend_header\n0 0 0 2";
  CHECK(scene_of(ply + "5\n", "s.ply").warnings.empty());
  CHECK(warned(scene_of(ply, "s.ply").warnings, "s.ply"));

  std::vector<std::string> warnings;
  io::read_ephemeris(io::memory_source("e.csv", "t,x,y,z,vx,vy,vz\n0,0,0,0,1,1,2"), {.warnings = &warnings});
  CHECK(warned(warnings, "e.csv"));
}

TEST_CASE("every part of a query file is warned of a last line without a newline, once", "[io]") {
  const Folder folder;
  const fs::path points = folder.write("p.csv", "x,y,z,w\n0,0,1,1\n0,0,2,2\n0,0,3,3\n0,0,4,4");
  for (const files::Shard shard : {files::Shard{1, 1}, {1, 2}, {2, 2}}) {
    files::QueryReader<Vec3> reader(points, {.shard = shard});
    std::vector<std::string> all = reader.take_warnings();
    files::QueryChunk<Vec3> chunk;
    while (reader.next(chunk, 3)) {
    }
    CHECK(!reader.next(chunk, 3));
    for (const std::string& warning : reader.take_warnings()) all.push_back(warning);
    REQUIRE(all.size() == 2);
    CHECK(contains(all[0], "p.csv: columns ignored: 'w'"));
    CHECK(contains(all[1], "p.csv: the last line does not end with a newline"));
  }
}

TEST_CASE("a digest is that of the whole file, whatever is read of it", "[io]") {
  const Folder folder;
  // XXH3 with 128 bits of "abc" and of nothing, as xxhsum -H2 prints them.
  CHECK(digest_of(folder.write("abc", "abc")).hash ==
        std::array<std::uint64_t, 2>{0x06b05ab6733a6185, 0x78af5f94892f3950});
  CHECK(digest_of(folder.write("nothing", "")).hash ==
        std::array<std::uint64_t, 2>{0x99aa06d3014798d8, 0x6001c324468d497f});
  const fs::path points = folder.write("points.csv", "x,y,z\n1,0,0\n2,0,0\n3,0,0\n4,0,0\n5,0,0\n");
  for (const files::Shard shard : {files::Shard{1, 1}, {1, 2}, {2, 2}, {7, 9}}) {
    std::vector<io::FileDigest> digests;
    files::QueryReader<Vec3> reader(points, {.shard = shard, .control = {.digests = &digests}});
    files::QueryChunk<Vec3> chunk;
    while (reader.next(chunk, 1)) {
    }
    REQUIRE(digests.size() == 1);
    CHECK(digests[0].bytes == fs::file_size(points));
    CHECK(digests[0].hash == digest_of(points).hash);
    const auto [first, count, total] = reader.read_so_far();
    CHECK(first == files::shard_begin(5, shard.index - 1, shard.count));
    CHECK(first + count == files::shard_begin(5, shard.index, shard.count));
    CHECK(total == 5);
  }
}
