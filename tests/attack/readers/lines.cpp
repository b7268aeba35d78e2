#include <array>
#include <cstdio>
#include <io/scene/scene_read.hpp>
#include <sphaera/error.hpp>
#include <tests/attack/escaped.hpp>
#include <tests/attack/readers/lines.hpp>

namespace sphaera::attack {
namespace {

using namespace std::string_view_literals;

constexpr std::uint64_t spheres = 60;
constexpr std::uint64_t lines_before = 2;

/// How a line is damaged: `from` becomes `to`. The error may name a line up to `late` lines further down,
/// because a reader may notice only there that something is missing.
struct Damage {
  std::string_view from, to;
  std::uint64_t late = 0;
};

// A line is {"center": [0, 0, 7], "radius": 1, "name": "n"},
constexpr std::array json_damages{Damage{"},\n", "}\n", 1},
                                  Damage{"},\n", "},,\n", 1},
                                  Damage{"\"n\"", "\"n", 1},
                                  Damage{"\"n\"", "\"a\tb\""},
                                  Damage{"\"n\"", "\"\xff\""},
                                  Damage{"\"n\"", "\"\xc0\x80\""},
                                  Damage{"\"n\"", "\"\x01\""},
                                  Damage{"\"n\"", "\"\\x\""},
                                  Damage{"\"n\"", "\"\\ud800\""},
                                  Damage{"\"n\"", "n"},
                                  Damage{"\"n\"", "7"},
                                  Damage{"\"n\"", "'n'"},
                                  Damage{"\"radius\"", "\"radios\""},
                                  Damage{"\"radius\"", "radius"},
                                  Damage{"\"radius\":", "\"radius\""},
                                  Damage{": 1", ": nan"},
                                  Damage{": 1", ": -1"},
                                  Damage{": 1", ": 1e999"},
                                  Damage{": 1", ": 01"},
                                  Damage{": 1", ": +1"},
                                  Damage{": 1", ": 1."},
                                  Damage{": 1", ": .5"},
                                  Damage{": 1", ": \"1\""},
                                  Damage{": 1", ": [1]"},
                                  Damage{": 1", ": null"},
                                  Damage{": 1", ":", 1},
                                  Damage{": 1,", ": 1"},
                                  Damage{"[0, 0, ", "[0, "},
                                  Damage{"[0, 0, ", "[0, 0, 0, "},
                                  Damage{"[0, 0, ", "[0; 0, "},
                                  Damage{"[0, 0, ", "[0, inf, "},
                                  Damage{"[0, 0, ", "[0, 1e61, "},
                                  Damage{"],", ","},
                                  Damage{"{\"c", "\"c"},
                                  Damage{"{\"c", "[\"c"},
                                  Damage{"\"radius\": 1, ", ""},
                                  Damage{", \"name\"", ", \"radius\": 1, \"name\""},
                                  Damage{", \"name\"", ",, \"name\""}};

// A line is 0,0,7,1,n
constexpr std::array csv_damages{Damage{",1,", ",,"},      Damage{",1,", ",nan,"}, Damage{",1,", ",0,"},
                                 Damage{",1,", ",1e999,"}, Damage{",1,", ",1;"},   Damage{",1,", ",0x1,"},
                                 Damage{",1,", ",1,1,"},   Damage{"0,0", "0,inf"}, Damage{"0,0", "0,1e61"},
                                 Damage{"0,0", "0"},       Damage{",n", ""},       Damage{"0,0", "\xff,0"}};

std::string scene(bool json, std::uint64_t damaged, const Damage& damage) {
  std::string text = json ? "{\"sphaera\": 1,\n\"spheres\": [\n" : "x,y,z,r,name\n\n";
  for (std::uint64_t i = 0; i < spheres; ++i) {
    const std::string number = std::to_string(i);
    std::string line = json ? "{\"center\": [0, 0, " + number + "], \"radius\": 1, \"name\": \"n\"}"
                            : "0,0," + number + ",1,n";
    line += json && i + 1 < spheres ? ",\n" : "\n";
    if (i == damaged) line.replace(line.find(damage.from), damage.from.size(), damage.to);
    text += line;
  }
  return text + (json ? "]}\n" : "");
}

/// The line that the error names; 0: none, or there is no error.
std::uint64_t line_named(const std::string& text, const std::string& name, std::string& message) {
  try {
    io::read_scene(*io::memory_source(name, text), io::scene_format(name), "/nowhere");
    message = "no error";
    return 0;
  } catch (const Error& error) {
    message = error.what();
    const std::string subject(error.subject());
    if (!subject.starts_with(name + ':')) return 0;
    return std::strtoull(subject.c_str() + name.size() + 1, nullptr, 10);
  }
}

void attempt(const std::string& name, std::uint64_t damaged, const Damage& damage, LineCounts& counts) {
  std::string message;
  const std::uint64_t line = lines_before + 1 + damaged;
  const std::uint64_t named = line_named(scene(name == "s.json", damaged, damage), name, message);
  ++counts.tried;
  if (named >= line && named <= line + damage.late) return;
  ++counts.faults;
  if (damaged != 2) return;
  std::printf("FAULT lines: %s for %s in line %llu of %s: %s\n", escaped(damage.to).c_str(),
              escaped(damage.from).c_str(), static_cast<unsigned long long>(line), name.c_str(),
              escaped(message).c_str());
}

}  // namespace

LineCounts attack_lines() {
  LineCounts counts;
  for (const std::uint64_t damaged : {2, 7, 30, 57}) {
    for (const Damage& damage : json_damages) attempt("s.json", damaged, damage, counts);
    for (const Damage& damage : csv_damages) attempt("s.csv", damaged, damage, counts);
  }
  return counts;
}

}  // namespace sphaera::attack
