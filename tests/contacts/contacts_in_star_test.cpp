/// \file Contact times where a body lies in the star, equals or touches it, while the observer moves: a body
/// in the closed star ball hides nothing, whatever rounding does to the places of both.

#include <array>
#include <cmath>
#include <sphaera/sphaera.hpp>
#include <string>
#include <tests/catch.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/seed.hpp>
#include <tests/thread_seconds.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

constexpr double au = 1.496e11, sun_radius = 6.96e8, day = 86400;

/// A circle of this radius about the star, one turn a year; a sample per day for 30 days.
Motion orbit(double radius, double phase = 0) {
  constexpr double turn = 2 * 3.14159265358979323846 / (365.25 * day);
  std::vector<MotionSample> samples;
  for (int i = 0; i <= 30; ++i) {
    const double t = i * day, c = std::cos(turn * t + phase), s = std::sin(turn * t + phase);
    samples.push_back({t, {radius * c, radius * s, 0}, {-radius * turn * s, radius * turn * c, 0}});
  }
  return Motion(std::move(samples));
}

std::vector<ContactTime> contacts_in_a_month(const MovingStar& star, const MovingSphere& body) {
  return contact_times(star, {orbit(au, 1)}, std::array{body}, 0, 30 * day);
}

}  // namespace

TEST_CASE("contacts in the star: a body that is the star hides nothing", "[contacts]") {
  const Vec3 place{3e6, -4e5, 1e5}, velocity{11, -7, 3};
  const Star sun = Star::at(place, sun_radius);
  Motion turning = Motion::fixed_in(orbit(1e9), {{0, 0, 1}, day}, {1e8, 0, 0});
  for (const Motion& motion : {Motion::at_rest(place), Motion::linear(place, velocity),
                               Motion::beside(orbit(1e9), place), turning}) {
    const MovingStar star{sun, motion};
    CHECK(contacts_in_a_month(star, {motion, sun_radius}).empty());
    CHECK(contacts_in_a_month(star, {motion, std::nextafter(sun_radius, 0)}).empty());    // lit
    CHECK(contacts_in_a_month(star, {motion, std::nextafter(sun_radius, 1e9)}).empty());  // umbra
    const std::array both{MovingSphere{motion, sun_radius}, MovingSphere{motion, sun_radius / 2}};
    CHECK(phase_changes(star, {orbit(au, 1)}, both, 0, 30 * day).empty());
  }
  // A star without a motion, a body without a velocity.
  CHECK(contacts_in_a_month({sun}, {Motion::at_rest(place), sun_radius}).empty());
  CHECK(contacts_in_a_month({sun}, {Motion::linear(place, {}), sun_radius}).empty());
  const Motion sampled({{0, place, {}}, {day, place, {}}, {40 * day, place, {}}});
  CHECK(contacts_in_a_month({sun}, {sampled, sun_radius}).empty());
}

TEST_CASE("contacts in the star: a body at rest touches the star from inside or outside", "[contacts]") {
  const MovingStar sun{Star::at({}, 1)};
  const auto times = [&](const Motion& observer, const MovingSphere& body) {
    return contact_times(sun, {observer}, std::array{body}, 0, 1e5);
  };
  const Motion passes = Motion::linear({-50, 20, 100}, {1e-3, 0, 0});
  CHECK(times(passes, {Motion::at_rest({0.5, 0, 0}), 0.5}).empty());
  CHECK(times(passes, {Motion::at_rest({-0.5, 0, 0}), 1.5}).empty());
  // Touches from outside: comes before the star as the observer passes.
  const std::vector<ContactTime> before = times(passes, {Motion::at_rest({0, 0, 1.5}), 0.5});
  CHECK(before.empty() == false);
}

// The first body lies inside the star with a margin of 1 m. Within the resolution (1 ms), star and body each
// move farther than that relative to the observer.
TEST_CASE("contacts in the star: a body moves inside the star", "[contacts]") {
  const Motion path = orbit(1e9);
  const MovingStar star{Star::at({}, sun_radius), path};
  const double start = thread_seconds();
  CHECK(contacts_in_a_month(star, {Motion::beside(path, {50, 0, 0}), sun_radius - 51}).empty());
  CHECK(contacts_in_a_month(star, {Motion::beside(path, {0, 0, 1e6}), sun_radius / 2}).empty());
  CHECK(contacts_in_a_month(star, {Motion::beside(path, {0, 0, 1e6}), sun_radius + 1e6 + 1})
            .empty());                  // around it
  CHECK(thread_seconds() - start < 1);  // milliseconds; a search in steps of the resolution takes hours
  // A body that leaves the star during the interval is refused, because it cuts the star when it leaves.
  const auto error = [&](const Motion& body) -> std::string {
    try {
      contacts_in_a_month(star, {body, sun_radius / 2});
    } catch (const Error& e) {
      CHECK(e.element() == 0);
      return e.what();
    }
    return {};
  };
  std::vector<MotionSample> leaves(path.samples().begin(), path.samples().end());
  for (MotionSample& s : leaves) {
    if (s.time > 20 * day) s.position = s.position + Vec3{0, 0, (s.time - 20 * day) * 1e3};
  }
  CHECK(error(Motion(leaves)).starts_with("body 0: its surface crosses the star's at time "));
  // Inside up to the end.
  for (MotionSample& s : leaves) s.position.z = std::min(s.position.z, sun_radius / 4);
  CHECK(error(Motion(leaves)).empty());
}

TEST_CASE("contacts in the star: no contact is lost beside it", "[contacts]") {
  // A moon passes before the star while another body is the star.
  const Motion path = Motion::linear({0, 0, 1e3}, {0.5, 0, 0});
  const MovingStar star{Star::at({}, 10), path};
  const std::array bodies{MovingSphere{path, 10},
                          MovingSphere{Motion::linear({-20, 0, 500}, {0.75, 0, 0}), 2}};
  const Motion observer = Motion::linear({0, 0, 0}, {0.5, 0, 0});
  const std::vector<ContactTime> both = contact_times(star, {observer}, bodies, 0, 200),
                                 alone =
                                     contact_times(star, {observer}, std::span(bodies).subspan(1), 0, 200);
  REQUIRE(alone.size() == 4);
  REQUIRE(both.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(both[i].body == 1);
    CHECK(both[i].time == alone[i].time);
  }
}
