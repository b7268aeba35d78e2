/// JSON scenes: keys, stars, files named, and errors with their line.

#include <simdjson.h>
#include <cmath>
#include <io/formats/json_fault.hpp>
#include <random>
#include <tests/seed.hpp>

#include <tests/scratch_files.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

std::string error(const std::string& members) {
  return scene_error("{\"sphaera\": 1,\n" + members + "}", "s.json");
}

SceneFile scene(const std::string& members) {
  return scene_of("{\"sphaera\": 1,\n" + members + "}", "s.json");
}

SceneStar star(const std::string& members) { return scene("\"stars\": [{" + members + "}]").stars.at(0); }

std::string star_error(const std::string& members) { return error("\"stars\": [\n{" + members + "}]"); }

std::string sphere_error(const std::string& members) { return error("\"spheres\": [\n{" + members + "}]"); }

constexpr const char* row = "x,y,z,r\n1,2,3,4\n";

}  // namespace

TEST_CASE("JSON scenes: all keys of a sphere", "[io]") {
  const SceneFile s = scene(R"("unit": "m", "spheres": [
    {"center": [1, -2.5, 3e2], "radius": 4},
    {"resistance": 2, "layer": "cr\u006fwd", "velocity": [1, 2, 3], "name": "Zoë \"Z\"", "radius": 1, "center": [0, 0, 0]},
    {"center": [0, 0, 0], "radius": 9, "layer": ""}])");
  REQUIRE(s.spheres.size() == 3);
  CHECK(s.spheres[0] == Sphere{{1, -2.5, 300}, 4});
  CHECK(s.velocities == std::vector<Vec3>{{}, {1, 2, 3}, {}});
  CHECK(s.names[0].empty());
  CHECK(s.names[1] == "Zoë \"Z\"");
  CHECK(s.names[2].empty());
  CHECK(s.layer_name(0) == "default");
  CHECK(s.layer_name(1) == "crowd");
  CHECK(s.layer_name(2) == "default");
  CHECK(std::isnan(s.resistances[0]));
  CHECK(s.resistances[1] == 2);
  CHECK(std::isnan(s.resistances[2]));
  CHECK(s.unit == "m");
  CHECK(scene_of("\xEF\xBB\xBF{\"sphaera\": 1}", "s.json").spheres.empty());
}

TEST_CASE("JSON scenes: unknown keys, repeated keys and wrong kinds name key and line", "[io]") {
  CHECK(contains(error("\"sphere\": []"),
                 "s.json:2: unknown key 'sphere' in the scene; it may have 'sphaera', 'unit'"));
  CHECK(contains(error("\n\n\"spheres\": [\n{\"centre\": [0,0,0]}]"),
                 "s.json:5: unknown key 'centre' in a sphere"));
  CHECK(contains(error("\"stars\": [\n{\"color\": 1}]"), "s.json:3: unknown key 'color' in a star"));
  CHECK(contains(error("\"files\": [\n{\"file\": 1}]"), "s.json:3: unknown key 'file' in a file"));
  CHECK(contains(error("\"unit\": \"m\",\n\"unit\": \"m\""), "s.json:3: key 'unit' comes twice"));
  CHECK(contains(sphere_error("\"radius\": 1, \"radius\": 1"),
                 "s.json:3: key 'radius' comes twice in a sphere"));
  CHECK(contains(error("\"unit\": 3"), "s.json:2: 'unit' must be a string"));
  CHECK(contains(error("\"unit\": \"\""), "s.json:2: the unit is empty"));
  CHECK(contains(error("\"spheres\": {}"), "s.json:2: 'spheres' must be an array"));
  CHECK(contains(error("\"spheres\": [\n1]"), "s.json:3: 'a sphere' must be an object"));
  CHECK(contains(sphere_error("\"radius\": \"1\""), "s.json:3: 'radius' must be a number"));
  CHECK(contains(sphere_error("\"radius\": 1e400"),
                 "s.json:3: 'radius' is '1e400', which is beyond the range"));
  CHECK(contains(sphere_error("\"radius\": null"), "s.json:3: 'radius' must be a number"));
  CHECK(contains(sphere_error("\"center\": 1"), "s.json:3: 'center' must be an array"));
  CHECK(contains(sphere_error("\"center\": [1, 2]"),
                 "s.json:3: 'center' must have three numbers, x, y, z; it has 2"));
  CHECK(contains(sphere_error("\"center\": [1, 2, 3, 4]"), "s.json:3: 'center' must have three numbers"));
  CHECK(contains(sphere_error("\"center\": [1, 2,\n \"3\"]"), "s.json:4: 'center' must be a number"));
  CHECK(contains(sphere_error("\"center\": [1, 2, 3]"), "s.json:3: sphere 0 lacks 'radius'"));
  CHECK(contains(sphere_error("\"center\": [1, 2, 3], \"radius\": 0"), "s.json:3: sphere 0: radius is 0"));
  CHECK(contains(sphere_error("\"center\": [1, 2, 1e70], \"radius\": 1"),
                 "s.json:3: sphere 0: center.z is 1e+70"));
  CHECK(contains(sphere_error("\"center\": [1, 2, 3], \"radius\": 1, \"resistance\": -1"),
                 "s.json:3: sphere 0: resistance is -1; give a finite one, 0 or more"));
  CHECK(contains(scene_error("{}", "s.json"), "s.json:1: the key 'sphaera' is missing"));
  CHECK(contains(scene_error("{\n\"sphaera\": 2}", "s.json"), "s.json:2: 'sphaera' is the version"));
  CHECK(contains(scene_error("{\n\"sphaera\": 1.5}", "s.json"), "s.json:2: 'sphaera' must be an integer"));
}

TEST_CASE("JSON scenes: numbers are those of CSV", "[io]") {
  const auto radius = [](const std::string& text) {
    const SceneFile s = scene("\"spheres\": [{\"radius\": " + text + " , \"center\": [" + text + ",0, " +
                              text + "], \"name\": \"Zoë\"}]");
    CHECK(s.spheres.at(0).center == Vec3{s.spheres[0].radius, 0, s.spheres[0].radius});
    CHECK(s.names[0] == "Zoë");
    CHECK(scene_of("x,y,z,r\n0,0,0," + text + "\n", "s.csv").spheres ==
          std::vector<Sphere>{{{}, s.spheres[0].radius}});
    return s.spheres[0].radius;
  };
  CHECK(radius("1e+0000000000000000000001") == 10);
  CHECK(radius("1e-0000000000000000000001") == 0.1);
  CHECK(radius("4.9406564584124654e-324") == 0x1p-1074);
  CHECK(radius("2." + std::string(2000, '0') + "1") == 2);
  const auto center = [](const std::string& text) {
    return scene("\"spheres\": [{\"center\": [0,0," + text + "], \"radius\": 1}]").spheres.at(0).center.z;
  };
  CHECK(same_bits(center("0e-400"), 0.0));
  CHECK(same_bits(center("-0.000E999"), -0.0));
  const auto refused = [](const std::string& text) {
    const std::string csv = scene_error("x,y,z,r\n0,0,0," + text + "\n", "s.csv");
    CHECK(contains(csv, "s.csv:2: column 'r': '" + text + "' is beyond the range of a double"));
    return sphere_error("\"center\": [0,0,0], \"radius\":\n" + text);
  };
  for (const char* text :
       {"1e-400", "-1e-400", "1e400", "-1e400", "1e-99999999999999999999", "1e99999999999999999999"})
    CHECK(contains(refused(text), "s.json:4: 'radius' is '" + std::string(text) +
                                      "', which is beyond the range of a double"));
  for (const char* text : {"\"0\"", "\"1\"", "true", "null", "\"\""})
    CHECK(contains(sphere_error("\"center\": [0,0,0], \"radius\": " + std::string(text) + " "),
                   "s.json:3: 'radius' must be a number, not '" + std::string(text) + "'"));
  CHECK(
      contains(sphere_error("\"center\": [0,0,0], \"radius\": [1]"), "s.json:3: 'radius' must be a number"));
}

TEST_CASE("JSON scenes: spheres that turn", "[io]") {
  const SceneFile s = scene(R"("spheres": [{"center": [0, 0, 0], "radius": 1},
    {"spin": {"period": -86164.1, "axis": [0, -3, 4]}, "center": [0, 0, 0], "radius": 1},
    {"center": [0, 0, 0], "radius": 1, "spin": {"axis": [1, 0, 0], "meridian": [9, 2, 0], "period": 1e-9}}])");
  REQUIRE(s.rotations.size() == 2);
  CHECK(s.rotations[0].sphere == 1);
  CHECK(s.rotations[0].spin.axis == Vec3{0, -3, 4});
  CHECK(s.rotations[0].spin.period == -86164.1);
  CHECK(s.rotations[0].meridian == Vec3{1, 0, 0});
  CHECK(s.rotations[1].sphere == 2);
  CHECK(s.rotations[1].meridian == Vec3{9, 2, 0});

  const auto bad = [](const std::string& spin) {
    return error(
        "\"spheres\": [{\"center\": [0, 0, 0], \"radius\": 1},\n{\"center\": [0, 0, 0], \"radius\": 1, "
        "\"spin\": " +
        spin + "}]");
  };
  CHECK(contains(bad("3"), "s.json:3: 'spin' must be an object"));
  CHECK(contains(bad("{\n\"tilt\": 1}"),
                 "s.json:4: unknown key 'tilt' in a spin; it may have 'axis', 'period', 'meridian'"));
  CHECK(contains(bad("{\"period\": 1}"), "s.json:3: this spin lacks 'axis' or 'period'; give both"));
  CHECK(contains(bad("{\"axis\": [0, 0, 1]}"), "s.json:3: this spin lacks 'axis' or 'period'; give both"));
  CHECK(contains(bad("{\"axis\": [0, 0], \"period\": 1}"), "s.json:3: 'axis' must have three numbers"));
  CHECK(
      contains(bad("{\"axis\": [0, 0, 0], \"period\": 1}"), "s.json:3: sphere 1: the spin's 'axis' is zero"));
  for (const char* period : {"0", "-0", "1e-70", "-1e70"}) {
    CHECK(contains(bad(std::string("{\"axis\": [0, 0, 1], \"period\": ") + period + "}"),
                   "s.json:3: sphere 1: the spin's 'period' is the time of one turn"));
  }
  CHECK(contains(bad("{\"axis\": [1e-300, 0, 0], \"period\": 1}"),
                 "s.json:3: sphere 1: the spin's 'meridian' (default [1, 0, 0]) is zero or points along"));
  CHECK(contains(bad("{\"axis\": [0, 1, 2], \"period\": 1, \"meridian\": [0, -2, -4]}"),
                 "s.json:3: sphere 1: the spin's 'meridian'"));
  CHECK(contains(bad("{\"axis\": [0, 1, 2], \"period\": 1, \"meridian\": [0, 0, 0]}"),
                 "s.json:3: sphere 1: the spin's 'meridian'"));
  // Parallel but for the rounding of decimals.
  for (const char* spin :
       {"[0.1, 0.2, 0.3], \"meridian\": [1, 2, 3]", "[0.3, 0.1, 0.7], \"meridian\": [0.9, 0.3, 2.1]",
        "[1, 1, 1], \"meridian\": [0.1, 0.1, 0.1]"}) {
    CHECK(contains(bad(std::string("{\"period\": 1, \"axis\": ") + spin + "}"),
                   "s.json:3: sphere 1: the spin's 'meridian'"));
  }
}

TEST_CASE("JSON scenes: ellipsoids of spheres", "[io]") {
  const SceneFile s = scene(R"("spheres": [{"center": [0, 0, 0], "radius": 1},
    {"center": [0, 0, 0], "ellipsoid": {"polar_radius": 6356752, "equatorial_radius": 6378137}, "radius": 1}])");
  REQUIRE(s.ellipsoids.size() == 1);
  CHECK(s.ellipsoids[0].sphere == 1);
  CHECK(s.ellipsoids[0].equatorial_radius == 6378137);
  CHECK(s.ellipsoids[0].polar_radius == 6356752);

  const auto bad = [](const std::string& ellipsoid) {
    return error("\"spheres\": [\n{\"center\": [0, 0, 0], \"radius\": 1, \"ellipsoid\": " + ellipsoid + "}]");
  };
  CHECK(contains(bad("[2, 1]"), "s.json:3: 'ellipsoid' must be an object"));
  CHECK(contains(bad("{\"flattening\": 0}"), "unknown key 'flattening' in an ellipsoid; it may have "));
  for (const char* one : {"{\"polar_radius\": 1}", "{\"equatorial_radius\": 1}"})
    CHECK(contains(bad(one),
                   "s.json:3: this ellipsoid lacks 'equatorial_radius' or 'polar_radius'; give both"));
  for (const char* radius : {"0", "-1", "1e-70", "1e70"}) {
    CHECK(contains(bad(std::string("{\"equatorial_radius\": 1, \"polar_radius\": ") + radius + "}"),
                   "s.json:3: sphere 0: a radius of the ellipsoid is not from 2^-200 to 2^200"));
  }
}

TEST_CASE("JSON scenes: the epoch", "[io]") {
  CHECK(scene(R"("epoch": "2024-04-08T18:17:18.989Z")").epoch == "2024-04-08T18:17:18.989Z");
  CHECK(scene(R"("spheres": [])").epoch.empty());
  CHECK(contains(error("\n\"epoch\": \"2024-02-30Z\""),
                 "s.json:3: 'epoch' is no date '2024-02-30Z': that month has 29 days"));
  CHECK(contains(error("\"epoch\": 2460409.5"), "'epoch' must be a string"));
}

TEST_CASE("JSON scenes: malformed text is an error", "[io]") {
  CHECK(contains(scene_error("", "s.json"), "s.json:1: the file is empty"));
  for (const char* text : {" ",
                           "[]",
                           "1",
                           "nope",
                           "{",
                           "{\"sphaera\"}",
                           "{\"sphaera\": 1",
                           "{\"sphaera\": 1,}",
                           "{\"sphaera\": 1]",
                           "{\"sphaera\": 1} {}",
                           "{\"sphaera\": 1} x",
                           "{\"sphaera\": 01}",
                           "{\"sphaera\": 1 \"unit\": \"m\"}",
                           "{\"sphaera\": 1, \"unit\": \"m}",
                           "{\"sphaera\": 1, \"unit\": \"\\q\"}",
                           "{\"sphaera\": 1, \"unit\": \"\xff\"}",
                           "{\"sphaera\": 1, \"spheres\": [}",
                           "{\"sphaera\": 1, \"spheres\": [{]}",
                           "{\"sphaera\": 1, \"spheres\": [,]}",
                           "{\"sphaera\": 1, \"spheres\": [{\"center\": [1,,2,3], \"radius\": 1}]}",
                           "{\"sphaera\": 1, \"spheres\": [{\"center\": [1 2 3], \"radius\": 1}]}",
                           "{'sphaera': 1}",
                           "{sphaera: 1}",
                           "{\"sphaera\": 1, // no comments\n}"}) {
    INFO(text);
    CHECK(contains(scene_error(text, "s.json"), "s.json:"));
  }
  CHECK(contains(error("\n\n\"unit\" \"m\""), "s.json:4: malformed JSON"));
}

TEST_CASE("JSON scenes: malformed text is reported with its line", "[io]") {
  struct Case {
    const char* text;
    int line;
    const char* what;
  };
  // Each text goes on for some lines after its fault.
  for (const auto& [text, line, what] : {
           Case{"{\"sphaera\": 1,\n\"spheres\": [\n{\"center\": [0,0,0] \"radius\": 1}\n]\n}\n\n", 3,
                "a comma is missing before '\"radius\"'"},
           Case{"{\"sphaera\": 1,\n\"spheres\": [\n{\"center\": [0,0 0], \"radius\": 1}\n]\n}\n\n", 3,
                "a comma is missing before '0'"},
           Case{"{\"sphaera\": 1,\n\"spheres\": [\n{\"center\": [0,0,0], \"radius\": 1}\n{\"center\": "
                "[0,0,0], "
                "\"radius\": 1}\n\n]}\n",
                4, "a comma is missing before '{'"},
           Case{"{\"sphaera\": 1\n\"unit\": \"m\",\n\"spheres\": []\n\n}", 2,
                "a comma is missing before '\"unit\"'"},
           Case{"{\"sphaera\": 1,\n\"unit\": \"m,\n\"spheres\": [\n]}\n", 2, "is not closed on its line"},
           Case{"{\"sphaera\": 1,\n\"unit\": \"m\xfcl\",\n\"spheres\": [\n\n]}\n", 2,
                "the byte '\\xfc' is not UTF-8"},
           Case{"{\"sphaera\": 1,\n\"unit\": \"\xe2\x80\",\n\"spheres\": [\n\n]}\n", 2,
                "the byte '\\xe2' is not UTF-8"},
           Case{"{\"sphaera\": 1,\n\"unit\": \"m\tm\",\n\"spheres\": [\n\n]}\n", 2,
                "a raw tab inside a string; write \\t"},
           Case{"{\"sphaera\": 1,\n\"unit\": \"m\x1b[1m\",\n\"spheres\": [\n\n]}\n", 2,
                "the control character '\\x1b'"},
           Case{"{\"sphaera\": 1,\n\"unit\": \"\\q\",\n\"spheres\": [\n\n]}\n", 2,
                "'\\q' is not a JSON escape"},
           Case{"{\"sphaera\": 1,\n\"unit\" \"m\",\n\"spheres\": [\n\n]}\n", 2,
                "a colon is missing before '\"m\"'"},
           Case{"{\"sphaera\": 1,\nunit: \"m\",\n\"spheres\": [\n\n]}\n", 2,
                "a key in double quotes is expected, not 'unit'"},
           Case{"{\"sphaera\": 1,\n\"spheres\": [\n],\n}\n\n", 4, "a comma stands before '}'"},
           Case{"{\"sphaera\": 1,\n\"spheres\": [\n{\"center\": [0,0,0,],\n\"radius\": 1}]\n}\n", 3,
                "a value is missing before ']'"},
           Case{"{\"sphaera\": 1,\n\"spheres\": [\n{\"center\": [0,0,0],\n\"radius\": 1]]\n\n}\n", 4,
                "']' closes a '{'"},
           Case{"{\"sphaera\": 1,\n\"spheres\": [{\n\"center\": [0,0,0},\n\"radius\": 1}]\n\n}\n", 3,
                "'}' closes a '['"},
           Case{"{\"sphaera\": 1,\n\"unit\": 'm',\n\"spheres\": [\n\n]}\n", 2,
                "is not a JSON value; put text in double quotes"},
           Case{"{\"sphaera\": 1,\n\"spheres\": [\n{\"center\": [0,0,0],\n\"radius\": 1\n\n", 6,
                "'{' of line 3 is open"},
       }) {
    INFO(text);
    const std::string message = scene_error(text, "s.json");
    INFO(message);
    CHECK(message.starts_with("s.json:" + std::to_string(line) + ": "));
    CHECK(contains(message, what));
  }
}

/// simdjson serves as an oracle: it refuses a text if and only if the scan finds a fault or something after
/// the value.
TEST_CASE("JSON scenes: the scan for faults agrees with simdjson", "[io]") {
  const std::string good =
      R"({"a": [1, -2.5e-3, {"b\u00e9\n": "x\"y", "c": true}, null, [], {}, 0, "é"], "d": false, "e": 10E+7})";
  simdjson::dom::parser parser;
  std::mt19937_64 random(seed());
  int refused = 0;
  for (int i = 0; i < 200000; ++i) {
    std::string text = good;
    for (int edits = 1 + static_cast<int>(random() % 2); edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      constexpr std::string_view letters = "{}[]\",:0-1.eE+\\untfals \n\t\x80\xc3\x1f";
      const char c = letters[random() % letters.size()];
      switch (random() % 3) {
        case 0:
          text[at] = c;
          break;
        case 1:
          text.erase(at, 1);
          break;
        default:
          text.insert(at, 1, c);
      }
    }
    const simdjson::padded_string padded(text);
    const simdjson::error_code error = parser.parse(padded).error();
    const auto [end, fault] = io::scan_json(text);
    const bool whole = !fault && text.find_first_not_of(" \t\r\n", end) == std::string::npos;
    // Numbers beyond a double and lone surrogates are well-formed JSON that simdjson refuses.
    if (error == simdjson::NUMBER_ERROR || error == simdjson::STRING_ERROR) continue;
    refused += !whole;
    INFO(text);
    if (whole != (error == simdjson::SUCCESS)) {
      FAIL_CHECK(simdjson::error_message(error));
      break;
    }
  }
  CHECK(refused > 10000);
}

TEST_CASE("JSON scenes: text behind the scene is distinguished from a scene cut short", "[io]") {
  const auto text_behind = [](const std::string& text) {
    return scene_error("{\"sphaera\": 1,\n\"unit\": \"}\\\"]\"}\n" + text, "s.json");
  };
  for (const char* text : {"more", "{}", "\n}", "]", "1", "{\"sphaera\": 1}", "x {", "\"quoted\""}) {
    INFO(text);
    CHECK(contains(text_behind(text), "text follows the scene, which ends with its last bracket: "));
  }
  CHECK(contains(text_behind("more\n"), "s.json:3: text follows the scene"));
  CHECK(contains(text_behind("\n\n  more"),
                 "s.json:5: text follows the scene, which ends with its last bracket: 'more"));
  for (const char* text :
       {"{", "{\"sphaera\": 1,\n\n", "{\"sphaera\": 1, \"unit\": \"}\"",
        "{\"sphaera\": 1, \"spheres\": [{\"center\": [1, 2", "{\"sphaera\": 1, \"spheres\": []"}) {
    INFO(text);
    CHECK(contains(scene_error(text, "s.json"), "the file ends inside the scene; is it cut short"));
  }
  CHECK(contains(scene_error("{\"sphaera\": 1,\n\n", "s.json"), "s.json:3: the file ends inside"));
}

TEST_CASE("JSON scenes: the three forms of a star", "[io]") {
  const SceneStar ball =
      star(R"("center": [1, 2, 3], "radius": 0, "name": "Sun", "luminosity": 3.8e26, "velocity": [1, 0, 0])");
  CHECK(ball.is_ball());
  CHECK(ball.star.center == Vec3{1, 2, 3});
  CHECK(ball.star.radius == 0);
  CHECK(ball.name == "Sun");
  CHECK(ball.luminosity == 3.8e26);
  CHECK(ball.velocity == Vec3{1, 0, 0});
  CHECK(ball.star.limb_darkening.law == LimbDarkening::Law::uniform);

  const SceneStar remote = star(R"("direction": [0, 0, 2], "angular_radius": 0.00465)");
  CHECK(remote.star.distance == Star::Distance::infinite);
  CHECK(!remote.is_sphere());
  CHECK(!remote.is_ball());
  CHECK(remote.star.direction == Vec3{0, 0, 2});
  CHECK(remote.star.angular_radius == 0.00465);
  CHECK(!remote.luminosity);

  const std::string spheres =
      R"(, "spheres": [{"center": [0,0,0], "radius": 1, "name": "A"}, {"center": [9,0,0], "radius": 1, "name": "B"},
    {"center": [5,0,0], "radius": 1, "name": "A"}])";
  const SceneFile tied = scene("\"stars\": [{\"sphere\": 2}, {\"sphere\": \"B\"}]" + spheres);
  CHECK(tied.stars[0].is_sphere());
  CHECK(!tied.stars[0].is_ball());
  CHECK(tied.stars[0].sphere == 2);
  CHECK(tied.stars[1].sphere == 1);
  CHECK(contains(error("\"stars\": [\n{\"sphere\": 3}]" + spheres),
                 "s.json:3: 'sphere' is 3, but this scene has 3 spheres"));
  CHECK(contains(error("\"stars\": [\n{\"sphere\": \"C\"}]" + spheres),
                 "s.json:3: no sphere of this scene is named 'C'"));
  CHECK(contains(error("\"stars\": [\n{\"sphere\": \"A\"}]" + spheres),
                 "s.json:3: 2 spheres are named 'A'; give an id"));
  CHECK(contains(star_error("\"sphere\": -1"), "s.json:3: 'sphere' is negative"));
  CHECK(contains(star_error("\"sphere\": 0.5"), "s.json:3: 'sphere' must be an integer"));
  CHECK(contains(star_error(""), "s.json:3: star 0: give either"));
  CHECK(contains(star_error("\"center\": [0,0,0]"), "s.json:3: star 0: give either"));
  CHECK(contains(star_error("\"center\": [0,0,0], \"radius\": 1, \"sphere\": 0"),
                 "s.json:3: star 0: give either"));
  CHECK(contains(star_error("\"center\": [0,0,0], \"radius\": -1"),
                 "s.json:3: star 0: the radius must be 0 or more"));
  CHECK(contains(star_error("\"direction\": [0,0,0], \"angular_radius\": 0"),
                 "s.json:3: star 0: the direction is zero"));
  CHECK(contains(star_error("\"direction\": [0,0,1], \"angular_radius\": 1.6"),
                 "s.json:3: star 0: 'angular_radius'"));
  CHECK(contains(star_error("\"direction\": [0,0,1], \"angular_radius\": 1, \"velocity\": [0,0,0]"),
                 "only a star with 'center'"));
  CHECK(contains(star_error("\"center\": [0,0,0], \"radius\": 1, \"luminosity\": -1"),
                 "'luminosity' is in watts"));
}

TEST_CASE("JSON scenes: laws of limb darkening", "[io]") {
  const auto limb = [](const std::string& law) {
    return star(R"("center": [0,0,0], "radius": 1, "limb_darkening": )" + law).star.limb_darkening;
  };
  using Law = LimbDarkening::Law;
  CHECK(limb(R"({"uniform": []})").law == Law::uniform);
  CHECK(limb(R"({"linear": [0.6]})").coefficients[0] == 0.6);
  CHECK(limb(R"({"quadratic": [0.4, 0.26]})").law == Law::quadratic);
  CHECK(limb(R"({"sqrt": [0.1, 0.2]})").law == Law::sqrt);
  CHECK(limb(R"({"power2": [0.1, 0.2]})").law == Law::power2);
  CHECK(limb(R"({"claret4": [0.1, 0.2, 0.3, -0.1]})").coefficients ==
        std::array<double, 4>{0.1, 0.2, 0.3, -0.1});
  const auto limb_error = [](const std::string& law) { return star_error("\"limb_darkening\":\n" + law); };
  CHECK(contains(limb_error("{}"), "s.json:4: 'limb_darkening' names one law"));
  CHECK(contains(limb_error("{\"linear\": [1], \"sqrt\": [1, 2]}"),
                 "s.json:4: 'limb_darkening' names one law"));
  CHECK(contains(limb_error("{\"linear\": [2]}"), "s.json:4: 'limb_darkening' has an alpha"));
  CHECK(contains(limb_error("{\"cubic\": [1]}"), "s.json:4: unknown key 'cubic' in limb_darkening"));
  CHECK(contains(limb_error("{\"linear\": [1, 2]}"),
                 "s.json:4: the law 'linear' has 1 coefficient, as in {\"linear\": [0.6]}"));
  CHECK(contains(
      limb_error("{\"claret4\": [1, 2, 3, 4, 5]}"),
      "s.json:4: the law 'claret4' has 4 coefficients, as in {\"claret4\": [0.5, -0.2, 0.6, -0.3]}"));
  CHECK(contains(limb_error("\"linear\""),
                 "s.json:4: 'limb_darkening' must be an object, as in {\"quadratic\": [0.4, 0.26]}"));
  CHECK(contains(limb_error("{\"power2\": 0.6}"),
                 "s.json:4: 'power2' must be an array, as in {\"power2\": [0.65, 0.7]}"));
}

TEST_CASE("JSON scenes: files named, their ids and layers", "[io]") {
  Folder folder;
  folder.write("sub/a.csv", "x,y,z,r,layer\n1,0,0,1,\n2,0,0,1,own\n");
  folder.write("b.npy", npy_matrix({3, 0, 0, 1}, 4));
  folder.write("empty.csv", "x,y,z,r\n");
  const fs::path path =
      folder.write("s.json", R"({"files": [{"path": "sub/a.csv", "layer": "crowd"}, {"path": "b.npy"},
    {"layer": "later", "path": "./sub/../empty.csv"}], "spheres": [{"center": [0, 0, 0], "radius": 1}], "sphaera": 1})");
  const SceneFile s = io::read_scene(path);
  REQUIRE(s.spheres.size() == 4);
  for (int i = 0; i < 4; ++i) CHECK(s.spheres[static_cast<std::size_t>(i)].center.x == i);
  CHECK(s.layer_name(0) == "default");
  CHECK(s.layer_name(1) == "crowd");
  CHECK(s.layer_name(2) == "own");
  CHECK(s.layer_name(3) == "default");
  CHECK(s.find_layer("later") >= 0);
}

TEST_CASE("JSON scenes may name JSON scenes, but not themselves", "[io]") {
  Folder folder;
  folder.write("sub/row.csv", row);
  folder.write("sub/inner.json", R"({"sphaera": 1, "unit": "m", "stars": [{"sphere": "S"}, {"sphere": 1}],
    "spheres": [{"center": [0, 0, 0], "radius": 1, "name": "S"}], "files": [{"path": "row.csv"}]})");
  const fs::path outer = folder.write(
      "outer.json", R"({"sphaera": 1, "spheres": [{"center": [7, 0, 0], "radius": 1, "name": "S"}],
    "files": [{"path": "sub/inner.json", "layer": "inside"}]})");
  const SceneFile s = io::read_scene(outer);
  CHECK(s.spheres.size() == 3);
  CHECK(s.unit == "m");
  REQUIRE(s.stars.size() == 2);
  CHECK(s.stars[0].sphere == 1);
  CHECK(s.stars[1].sphere == 2);
  CHECK(s.layer_name(0) == "default");
  CHECK(s.layer_name(1) == "inside");
  CHECK(s.layer_name(2) == "inside");

  const fs::path conflict = folder.write(
      "conflict.json", "{\"sphaera\": 1, \"unit\": \"km\", \"files\": [{\"path\": \"sub/inner.json\"}]}");
  CHECK(contains(error_of([&] { io::read_scene(conflict); }),
                 "inner.json:1: the unit is 'm', that of the naming scene 'km'"));

  const fs::path self =
      folder.write("self.json", "{\"sphaera\": 1,\n\"files\": [{\"path\": \"./self.json\"}]}");
  CHECK(contains(error_of([&] { io::read_scene(self); }), "self.json:2: file './self.json' names itself"));
  folder.write("b.json", "{\"sphaera\": 1, \"files\": [{\"path\": \"a.json\"}]}");
  const fs::path a = folder.write("a.json", "{\"sphaera\": 1, \"files\": [{\"path\": \"b.json\"}]}");
  CHECK(contains(error_of([&] { io::read_scene(a); }),
                 "b.json:1: file 'a.json' names itself, directly or through others"));

  // Each scene names the next one ten times: without a bound this would be 10^6 files.
  for (int level = 0; level < 6; ++level) {
    std::string files;
    for (int i = 0; i < 10; ++i)
      files += std::string(i > 0 ? "," : "") + "{\"path\": \"bomb" + std::to_string(level + 1) + ".json\"}";
    folder.write("bomb" + std::to_string(level) + ".json", "{\"sphaera\": 1, \"files\": [" + files + "]}");
  }
  folder.write("bomb6.json", "{\"sphaera\": 1}");
  CHECK(contains(error_of([&] { io::read_scene(folder / "bomb0.json"); }), "is one too many"));
}

TEST_CASE("JSON scenes: named files stay in the scene's folder", "[io]") {
  Folder folder;
  folder.write("outside.csv", row);
  folder.write("scene/inside.csv", row);
  folder.write("scenery/x.csv", row);
  fs::create_symlink(folder / "outside.csv", folder / "scene/link.csv");
  fs::create_symlink("inside.csv", folder / "scene/fine.csv");
  fs::create_directory_symlink(folder.path(), folder / "scene/up");
  fs::create_directory(folder / "scene/folder.csv");
  const auto naming = [&](const std::string& file) {
    return folder.write("scene/s.json", "{\"sphaera\": 1,\n\"files\": [{\"path\": \"" + file + "\"}]}");
  };
  const auto refused = [&](const std::string& file) {
    const fs::path path = naming(file);
    return error_of([&] { io::read_scene(path); });
  };
  CHECK(io::read_scene(naming("fine.csv")).spheres.size() == 1);
  for (const std::string& file :
       {std::string("../outside.csv"), std::string("link.csv"), std::string("up/outside.csv"),
        std::string("../scenery/x.csv"), (folder / "outside.csv").string()}) {
    INFO(file);
    CHECK(contains(refused(file), "s.json:2: file "));
    CHECK(contains(refused(file), "lies outside the scene's folder"));
    SceneLoadOptions options;
    options.scope = FileScope::anywhere;
    CHECK(io::read_scene(naming(file), options).spheres.size() == 1);
  }
  CHECK(contains(refused("none.csv"), "s.json:2: file 'none.csv' cannot be opened: No such file"));
  CHECK(contains(refused("folder.csv"), "s.json:2: file 'folder.csv' is not a plain file"));
  CHECK(contains(refused(""), "s.json:2: file ''"));
  CHECK(contains(refused("inside.csv\\u0000.json"), "has a zero byte in its name"));
  folder.write("scene/what.doc", row);
  CHECK(contains(refused("what.doc"), "what.doc: a scene's name ends in"));

  CHECK(contains(error("\"files\": [{\"path\": \"/etc/passwd\"}]"), "lies outside the scene's folder"));
  // A scene without a folder in its name.
  const fs::path before = fs::current_path();
  const fs::path path = naming("inside.csv");
  fs::current_path(path.parent_path());
  CHECK(io::read_scene("s.json").spheres.size() == 1);
  fs::current_path(before);
}

TEST_CASE("JSON scenes: ephemerides", "[io]") {
  Folder folder;
  const std::string top = "t,x,y,z,vx,vy,vz\n";
  const fs::path path = folder.write(
      "s.json", R"({"sphaera": 1, "stars": [{"center": [0,0,0], "radius": 1, "ephemeris": "e.csv"}],
"spheres": [{"center": [0,0,0], "radius": 1}, {"center": [0,0,0], "radius": 1, "ephemeris": "e.csv"}]})");
  folder.write("e.csv", top + "0,1,2,3,4,5,6\n60,1,2,3,4,5,6\n");
  const SceneFile s = io::read_scene(path);
  REQUIRE(s.stars.at(0).ephemeris);
  CHECK(s.stars[0].ephemeris->samples().size() == 2);
  REQUIRE(s.orbits.size() == 1);
  CHECK(s.orbits[0].sphere == 1);
  CHECK(s.orbits[0].ephemeris.samples()[1].time == 60);
  CHECK(s.orbits[0].ephemeris.samples()[1].velocity == Vec3{4, 5, 6});
  CHECK(s.warnings.empty());
  const auto bad = [&](const std::string& rows) {
    folder.write("e.csv", rows);
    return error_of([&] { io::read_scene(path); });
  };
  CHECK(contains(bad(top), "e.csv:1: an ephemeris needs at least one row"));
  CHECK(contains(bad("t,x,y\n"), "e.csv:1: column 'z' is missing"));
  CHECK(contains(bad(top + "0,1,2,3,4,5,6\n0,1,2,3,4,5,6\n"), "e.csv:3: t does not grow"));
  CHECK(contains(bad(top + "0,1,2,nan,4,5,6\n"), "e.csv:2: t,x,y,z are not all finite"));
  CHECK(contains(bad(top + "0,1,2,3,4,5,inf\n"), "e.csv:2: the velocity is not finite"));
}
