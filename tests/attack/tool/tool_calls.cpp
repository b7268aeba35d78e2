#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <tests/attack/escaped.hpp>
#include <tests/attack/splitmix.hpp>
#include <tests/attack/tool/tool_calls.hpp>

namespace sphaera::attack {
namespace {

namespace fs = std::filesystem;

constexpr const char* scene_json = R"({"sphaera": 1, "unit": "m",
 "stars": [{"center": [0, 0, 900], "radius": 50, "luminosity": 1e20, "name": "Sun",
            "limb_darkening": {"quadratic": [0.4, 0.26]}},
           {"direction": [0, 1, 5], "angular_radius": 0.01}],
 "spheres": [{"center": [0, 0, 0], "radius": 5, "name": "setup", "spin": {"axis": [0, 0, 1], "period": 100}},
             {"center": [30, 0, 60], "radius": 3, "name": "moon", "velocity": [-6, 0, 0]},
             {"center": [40, 0, 0], "radius": 1, "ephemeris": "e.csv"}],
 "files": [{"path": "s.csv", "layer": "crowd"}]}
)";
constexpr const char* ephemeris = "t,x,y,z,vx,vy,vz\n-1,40,0,0,0,4,0\n5,28,28,0,-3,3,0\n12,0,40,0,-4,0,0\n";
constexpr const char* path_rows = "t,x,y,z,vx,vy,vz\n0,0,0,20,1,0,0\n10,10,0,20,1,0,0\n";

/// Rows of random numbers. Column k lies between ±sizes[k] or, if sizes[k] < 0, between 0 and −sizes[k].
std::string rows(const std::string& header, const std::vector<double>& sizes, int n, SplitMix64& random) {
  constexpr double fractions = 1 << 20;
  std::string text = header + '\n';
  for (int i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      const double share = static_cast<double>(random.below(1 << 20)) / fractions;
      char number[40];
      std::snprintf(number, sizeof number, "%.9g",
                    sizes[k] > 0 ? (2 * share - 1) * sizes[k] : -share * sizes[k]);
      if (k > 0) text += ',';
      text += number;
    }
    text += '\n';
  }
  return text;
}

void write_inputs(const fs::path& in, const Size& size) {
  SplitMix64 random(1, 1);
  const double edge = 2 * std::cbrt(size.spheres);
  const std::vector<double> point{edge, edge, edge};
  const auto with = [&](std::vector<double> sizes) {
    sizes.insert(sizes.begin(), point.begin(), point.end());
    return sizes;
  };
  const int m = size.queries;
  write_file(in / "s.csv", rows("x,y,z,r", with({-1}), size.spheres, random));
  // So many that Embree builds parts of the index, in blocks of memory of its own.
  write_file(in / "many.csv", rows("x,y,z,r", {50, 50, 50, -1}, 10'000, random));
  write_file(in / "walk.csv", rows("x,y,z,r,vx,vy,vz", with({-1, 1, 1, 1}), size.spheres, random));
  write_file(in / "r.csv", rows("ox,oy,oz,dx,dy,dz", with({1, 1, 1}), m, random));
  write_file(in / "p.csv", rows("x,y,z", point, m, random));
  write_file(in / "b.csv", rows("x,y,z,r", with({-3}), m, random));
  write_file(in / "k.csv",
             rows("x,y,z,vx,vy,vz,radius,start,duration", with({9, 9, 9, -0.1, -1, -9}), m, random));
  write_file(in / "l.csv", "longitude,latitude,on\n13,52,0\n-70,-33,0\n");
  write_file(in / "few.csv", rows("x,y,z", point, 5, random));
  write_file(in / "e.csv", ephemeris);
  write_file(in / "path.csv", path_rows);
  write_file(in / "t.json", scene_json);
  write_file(in / "bad.csv", "x,y,z,r\n0,0,0,1\n0,0,zero,1\n");
}

std::vector<ToolCall> all_tool_calls(const Size& size) {
  const std::string n = std::to_string(size.spheres), m = std::to_string(size.queries);
  const std::string pixels = std::to_string(static_cast<int>(8 + std::sqrt(size.queries))) + "x20";
  std::vector<ToolCall> calls{
      {"info", "info ../in/t.json --format jsonl", "info.txt"},
      {"blocked", "blocked ../in/s.csv --rays ../in/r.csv", "blocked.csv"},
      {"first", "first ../in/t.json --rays ../in/r.csv --verify 3 --seed 1", "first.csv"},
      {"first-npy", "first ../in/s.csv --rays ../in/r.csv --format npy", "first.npy"},
      {"first-shard", "first ../in/s.csv --rays ../in/r.csv --shard 2/3", "part.csv"},
      {"first-many", "first ../in/many.csv --rays ../in/r.csv --verify all", "first.csv"},
      {"first-times", "first ../in/s.csv --rays ../in/r.csv --times 0:2:0.5", "first.csv"},
      {"all-sums", "all ../in/s.csv --rays ../in/r.csv --summary --by hits,inside/3", "sums.csv"},
      {"all", "all ../in/s.csv --rays ../in/r.csv --format jsonl", "all.jsonl"},
      {"nearest", "nearest ../in/s.csv --points ../in/p.csv --k 3 --format npy", "nearest.npy"},
      {"nearest-to-spheres", "nearest ../in/t.json --to-spheres --k 2 --verify all", "own.csv"},
      {"contacts", "contacts ../in/s.csv --distance 1 --format csv", "contacts.csv"},
      {"visibility-matrix",
       "visibility ../in/t.json --from ../in/few.csv --to ../in/p.csv --count --format csv --matrix seen.npy",
       "seen.csv"},
      {"exposed", "exposed ../in/s.csv --probe 1 --verify 3 --seed 1", "exposed.csv"},
      {"exposed-layers", "exposed ../in/t.json --by layer --format csv", "layers.csv"},
      {"sky", "sky ../in/s.csv --points ../in/few.csv --up 0,0,1 --format csv", "sky.csv"},
      {"within", "within ../in/s.csv --balls ../in/b.csv --format csv", "within.csv.gz"},
      {"starlight", "starlight ../in/t.json --observers ../in/p.csv --time 1 --format csv", "light.csv"},
      {"starlight-stations", "starlight ../in/t.json --stations ../in/l.csv --format jsonl", "light.jsonl"},
      {"eclipse", "eclipse ../in/t.json --stations ../in/l.csv --from 0 --to 10", "contacts.csv"},
      {"eclipse-path", "eclipse ../in/t.json --path ../in/path.csv --from 0 --to 10 --together", "path.csv"},
      {"shoot", "shoot ../in/walk.csv --bullets ../in/k.csv --bounces 2 --near-miss 2", "shots.csv"},
      {"shoot-picture", "shoot ../in/walk.csv --bullets ../in/k.csv --picture shots.png", "shots.csv"},
      {"map", "map ../in/t.json --globe setup --pixels " + pixels + " --format png", "map.png"},
      {"map-table", "map ../in/t.json --plane=-9,-9,9,20,0,0,0,20,0 --pixels " + pixels + " --format csv",
       "map.csv"},
      {"report", "report ../in/s.csv ../in/part1.csv --commands ../in/l.csv", "report.html"},
      {"index", "index ../in/t.json --quality fast", "t.sphi"},
      {"first-index", "first ../in/s.sphi --rays ../in/r.csv", "first.csv"},
      {"convert", "convert ../in/t.json --format json", "t.json"},
      {"convert-gz", "convert ../in/s.csv --format csv", "s.csv.gz"},
      {"convert-ply", "convert ../in/walk.csv --format ply", "w.ply"},
      {"generate", "generate crowd --spheres " + n + " --format csv", "crowd.csv"},
      {"generate-rays",
       "generate crowd --moving --spheres " + n + " --rays " + m + " --rays-output rays.csv --bullets " + m +
           " --bullets-output bullets.npy",
       "crowd.npy"},
      {"merge", "merge ../in/part1.csv ../in/part2.csv ../in/part3.csv", "merged.csv"},
      {"merge-npy", "merge ../in/part1.npy ../in/part2.npy ../in/part3.npy", "merged.npy"}};
  for (ToolCall& call : calls) {
    if (call.name == "shoot-picture" || call.name == "visibility-matrix" || call.name == "generate-rays" ||
        call.name == "first-shard" || call.name == "index")
      call.prints = false;
  }
  return calls;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

Ended run_well(const Launch& launch) {
  const Ended ended = run(launch);
  if (ended.code == 0) return ended;
  throw std::runtime_error(text_of(launch) + " must work, but: " + ended.how() + ": " + escaped(ended.err));
}

void make_parts(const fs::path& tool, const fs::path& in) {
  run_well({.tool = tool, .arguments = split("index s.csv --output s.sphi"), .folder = in});
  for (const std::string extension : {".csv", ".npy"}) {
    for (const std::string i : {"1", "2", "3"}) {
      const std::string line = "first s.csv --rays r.csv --shard " + i + "/3 --output part" + i + extension;
      run_well({.tool = tool, .arguments = split(line), .folder = in});
    }
  }
}

}  // namespace

std::vector<std::string> ToolCall::words(bool to_file) const {
  return split(arguments + (to_file ? " --output " + output : ""));
}

Files files_of(const fs::path& folder) {
  Files files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file()) files[entry.path().filename()] = read_file(entry.path());
  }
  return files;
}

std::vector<ToolCall> make_tool_calls(const fs::path& tool, const fs::path& folder, const Size& size) {
  fs::create_directory(folder / "in");
  write_inputs(folder / "in", size);
  make_parts(tool, folder / "in");
  std::vector<ToolCall> calls = all_tool_calls(size);
  const fs::path work = folder / "reference";
  for (ToolCall& call : calls) {
    make_empty(work);
    call.seconds = run_well({.tool = tool, .arguments = call.words(true), .folder = work}).seconds;
    call.files = files_of(work);
    if (call.prints) call.out = run_well({.tool = tool, .arguments = call.words(false), .folder = work}).out;
  }
  return calls;
}

std::string lasting(const std::string& bytes) {
  const std::string_view key = "\"build_seconds\":";
  const std::size_t begin = bytes.find(key);
  if (begin == std::string::npos) return bytes;
  const std::size_t end = bytes.find_first_of(",}", begin);
  return bytes.substr(0, begin) + bytes.substr(std::min(end, bytes.size()));
}

void make_empty(const fs::path& folder) {
  fs::remove_all(folder);
  fs::create_directory(folder);
}

void write_file(const fs::path& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out) throw std::runtime_error("cannot write " + path.string());
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace sphaera::attack
