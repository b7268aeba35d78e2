/// Light time against apparent places by astronomy-engine.

#include <fstream>
#include <map>
#include <sphaera/error.hpp>
#include <sstream>
#include <string>
#include <vector>

#include <tests/catch.hpp>
#include <tests/folders.hpp>
#include <tests/near.hpp>
#include <tools/scene/light_time.hpp>

using namespace sphaera;
using namespace sphaera::test;
using tool::seen_from;

namespace {

constexpr double light_speed = 299792.458;  // km/s

/// The rows of tests/data/light_time.csv, by "what,body".
std::map<std::string, std::vector<MotionSample>> reference() {
  std::ifstream file(data_folder() + "/light_time.csv");
  REQUIRE(file);
  std::map<std::string, std::vector<MotionSample>> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string what, body, field;
    std::getline(fields, what, ','), std::getline(fields, body, ',');
    std::vector<double> n;
    while (std::getline(fields, field, ',')) n.push_back(field.empty() ? 0 : std::stod(field));
    n.resize(7);
    rows[what + ',' + body].push_back({n[0], {n[1], n[2], n[3]}, {n[4], n[5], n[6]}});
  }
  return rows;
}

}  // namespace

TEST_CASE("bodies are seen where astronomy-engine sees them", "[light_time]") {
  constexpr double tolerance = 0.001;  // km: the reference stops its rounds at 86 µs
  auto rows = reference();
  const auto check = [&](const std::string& frame, const std::string& body, const Motion& from) {
    INFO(frame << ' ' << body);
    const Motion motion{rows.at(frame + ',' + body)}, seen = seen_from(from, motion, light_speed);
    REQUIRE(rows.at("seen " + frame + ',' + body).size() == 7);
    for (const auto& [t, place, _] : rows.at("seen " + frame + ',' + body)) {
      CHECK(length(seen.at(t) - from.at(t) - place) < tolerance);
      CHECK(length(motion.at(t) - from.at(t) - place) > 1000);  // without light time
    }
  };
  for (const char* const body : {"Sun", "Venus", "Jupiter"}) check("geocentric", body, Motion::at_rest({}));
  for (const char* const body : {"Venus", "Jupiter"})
    check("heliocentric", body, Motion(rows.at("heliocentric,Earth")));
}

TEST_CASE("light time of uniform motion, in closed form", "[light_time]") {
  // A body that flies away along x at c/2, from the origin at time 0, is seen at c·t/3.
  const std::vector<MotionSample> flight{{2, {1, 0, 0}, {0.5, 0, 0}}, {100, {50, 0, 0}, {0.5, 0, 0}}};
  const Motion seen = seen_from(Motion::at_rest({}), Motion(flight), 1);
  CHECK(seen.samples().back().time == 150);
  for (const double t : {3.0, 60.0, 149.0}) CHECK(near(seen.at(t).x, t / 3));
  // An observer who flies at c/2, too, 60 ahead: the light of time 2 arrives at 122.
  const std::vector<MotionSample> ahead{{0, {60, 0, 0}, {0.5, 0, 0}}, {400, {260, 0, 0}, {0.5, 0, 0}}};
  CHECK(near(seen_from(Motion(ahead), Motion(flight), 1).samples().front().time, 122));
  // Light that arrives outside the observer's ephemeris.
  const std::vector<MotionSample> early{{0, {60, 0, 0}, {0.5, 0, 0}}, {10, {65, 0, 0}, {0.5, 0, 0}}};
  CHECK_THROWS_AS(seen_from(Motion(early), Motion(flight), 1), Error);
  CHECK_THROWS_AS(seen_from(Motion::at_rest({}), Motion(flight), 0.25), Error);
}
