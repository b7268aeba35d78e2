/// \file Real eclipses, transits and shadows: phase and blocked center exactly; fraction, magnitude and flux.

#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <numbers>
#include <sphaera/sphaera.hpp>
#include <sstream>
#include <tests/catch.hpp>
#include <tests/folders.hpp>
#include <tests/json.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

const std::map<std::string, EclipsePhase> phases{{"none", EclipsePhase::lit},
                                                 {"partial", EclipsePhase::penumbra},
                                                 {"annular", EclipsePhase::antumbra},
                                                 {"total", EclipsePhase::umbra}};

struct Case {
  Star star;
  std::vector<Sphere> bodies;
  Observer observer;

  explicit Case(Json c) : star(Star::at(vector(c["star"], "pos"), number(c["star"], "radius"))) {
    for (const Json body : simdjson::dom::array(c["occluders"])) {
      bodies.push_back({vector(body, "pos"), number(body, "radius")});
    }
    observer.position = vector(c, "receiver");
  }
  Visibility look() const { return starlight(star, observer, bodies); }
};

int check_file(const std::string& name, double tolerance) {
  const JsonFile file(name);
  int cases = 0;
  double worst = 0;
  for (const Json c : simdjson::dom::array(file["cases"])) {
    INFO(name << ' ' << text(c["id"]));
    const Json expected = c["expected"];
    const Visibility v = Case(c).look();
    CHECK(v.status == StarStatus::ok);
    CHECK(v.phase == phases.at(text(expected["class"])));
    CHECK(v.blocked == truth(expected, "centre_ray_blocked"));
    const double error = std::fabs(v.fraction - number(expected, "fraction_visible_solid_angle"));
    CHECK(error <= tolerance);
    CHECK(v.flux == v.fraction);
    CHECK(v.occluders == (v.phase == EclipsePhase::lit ? 0 : 1));
    CHECK(v.dominant == (v.phase == EclipsePhase::lit ? -1 : 0));
    worst = std::max(worst, error);
    ++cases;
  }
  std::printf("%s: %d scenes, worst error of the fraction %.1e\n", name.c_str(), cases, worst);
  return cases;
}

}  // namespace

TEST_CASE("starlight: solar and lunar eclipses, transits of Venus, shadow models of others", "[starlight]") {
  CHECK(check_file("eclipses_solar.json", 1e-9) == 220);
  CHECK(check_file("eclipses_lunar.json", 1e-9) == 372);
  CHECK(check_file("transits_venus.json", 1e-12) == 13);
  CHECK(check_file("shadow_models_peers.json", 1e-12) == 14);
}

TEST_CASE("starlight: the eclipse of 2017 in 14 cities", "[starlight]") {
  const JsonFile file("eclipse_2017_cities.json");
  int cases = 0;
  for (const Json c : simdjson::dom::array(file["cases"])) {
    INFO(text(c["city"]));
    const Visibility v = Case(c).look();
    CHECK(v.phase == EclipsePhase::penumbra);
    CHECK(std::fabs(v.magnitude - number(c["expected"], "magnitude")) <= 1e-12);
    CHECK(std::fabs(v.fraction - number(c["expected"], "fraction_visible_solid_angle")) <= 1e-9);
    if (const auto magnitude = find(c, "published_magnitude")) {
      if (text(c["city"]) != "Buffalo") CHECK(std::fabs(v.magnitude - number(*magnitude)) <= 0.0055);
    }
    if (const auto obscuration = find(c, "published_obscuration")) {
      CHECK(std::fabs(1 - v.fraction - number(*obscuration)) <= 0.005);
    }
    ++cases;
  }
  CHECK(cases == 14);
}

TEST_CASE("starlight: magnitudes of NASA's catalogue", "[starlight]") {
  const JsonFile solar("eclipses_solar.json");
  simdjson::dom::parser parser;
  int cases = 0;
  for (const Json c :
       simdjson::dom::array(parser.load(test::data_folder() + "/nasa_solar_crosscheck.json"))) {
    const std::string id = "sol-" + text(c["date"]) + "-global-peak-max";
    for (const Json s : simdjson::dom::array(solar["cases"])) {
      if (text(s["id"]) != id) continue;
      INFO(id);
      Case scene(s);
      scene.star.radius = 696e6, scene.bodies[0].radius = 0.272281 * 6378137;
      CHECK(std::fabs(scene.look().magnitude - number(c["nasa"], "mag")) <= 1.5e-4);
      ++cases;
    }
  }
  CHECK(cases == 11);
}

// Tables in the plane: lengths in stellar radii. The star is so small on the sky that sines, tangents and
// angles are proportional.
namespace {

constexpr double tiny_star = 1e-8;

/// A sphere whose disc has the center (x, y) and the radius p, in radii of the disc of a star at infinity
/// along z with the angular radius tiny_star.
Sphere disc(double x, double y, double p) {
  const double scale = std::sin(tiny_star);
  return {{x * scale, y * scale, 1}, p * scale};
}

}  // namespace

TEST_CASE("starlight: transits with limb darkening", "[starlight]") {
  std::ifstream file(test::data_folder() + "/transit_quadratic.csv");
  std::string line;
  std::getline(file, line);
  int rows = 0;
  double worst = 0;
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream fields(line);
    double p, z, u1, u2, flux;
    REQUIRE(fields >> p >> z >> u1 >> u2 >> flux);
    INFO(line);
    const Star star = Star::at_infinity({0, 0, 1}, tiny_star, LimbDarkening::quadratic(u1, u2));
    const std::array bodies{disc(z, 0, p)};
    const Visibility v = starlight(star, {}, bodies);
    CHECK(std::fabs(v.flux - flux) <= 1e-9);
    worst = std::max(worst, std::fabs(v.flux - flux));
    ++rows;
  }
  std::printf("transit_quadratic.csv: %d rows, worst error of the flux %.1e\n", rows, worst);
  CHECK(rows == 231);
}

TEST_CASE("starlight: overlapping planets before a darkened disc", "[starlight]") {
  const JsonFile file("transit_mutual.json");
  int cases = 0;
  double worst = 0;
  for (const Json c : simdjson::dom::array(file["cases"])) {
    const Star star =
        Star::at_infinity({0, 0, 1}, tiny_star, LimbDarkening::quadratic(number(c, "u1"), number(c, "u2")));
    std::vector<Sphere> bodies;
    for (const Json xyr : simdjson::dom::array(c["occulters_xyr_stellar_radii"])) {
      const Vec3 d = vector(xyr);
      bodies.push_back(disc(d.x, d.y, d.z));
    }
    const double error = std::fabs(starlight(star, {}, bodies).flux - number(c, "flux_ref"));
    INFO("case " << cases);
    CHECK(error <= 1e-9);
    worst = std::max(worst, error);
    ++cases;
  }
  std::printf("transit_mutual.json: %d cases, worst error of the flux %.1e\n", cases, worst);
  CHECK(cases == 60);
}
