/// \file What starlight's answers mean where bodies, star and observer meet: statuses, ground, points, ties.

#include <cmath>
#include <sphaera/sphaera.hpp>
#include <tests/catch.hpp>
#include <vector>

using namespace sphaera;

namespace {

constexpr Star sun = Star::at({0, 0, 100}, 1);
constexpr Sphere moon{{0, 0, 10}, 0.05};  // half of the Sun's angular radius

Visibility visibility_of(const Star& star, std::vector<Sphere> bodies, const Observer& observer = {}) {
  return starlight(star, observer, bodies);
}

void check_empty(const Visibility& v, StarStatus status) {
  CHECK(v.status == status);
  CHECK((std::isnan(v.fraction) && std::isnan(v.flux) && std::isnan(v.magnitude)));
  CHECK((v.occluders == 0 && v.dominant == -1 && !v.blocked));
}

void check_dark(const Visibility& v, std::int64_t dominant) {
  CHECK(v.status == StarStatus::ok);
  CHECK((v.fraction == 0 && v.flux == 0));
  CHECK(v.phase == EclipsePhase::umbra);
  CHECK(v.blocked);
  CHECK(v.dominant == dominant);
}

void check_lit(const Visibility& v) {
  CHECK(v.status == StarStatus::ok);
  CHECK((v.fraction == 1 && v.flux == 1 && v.magnitude == 0));
  CHECK(v.phase == EclipsePhase::lit);
  CHECK((v.occluders == 0 && v.dominant == -1 && !v.blocked));
}

}  // namespace

TEST_CASE("starlight: bodies that touch, intersect, contain or lie in the star", "[starlight]") {
  check_lit(visibility_of(sun, {}));
  check_lit(visibility_of(sun, {{{0, 0, 100}, 1}}));       // the star itself
  check_lit(visibility_of(sun, {{{0, 0, 99.5}, 0.5}}));    // inside it, touching
  check_lit(visibility_of(sun, {{{0, 0, 102}, 1}}));       // behind it, touching
  check_lit(visibility_of(sun, {{{0, 0, 1000}, 5}}));      // far behind
  check_lit(visibility_of(sun, {{{0, 0, -10}, 1}}));       // behind the observer
  check_dark(visibility_of(sun, {{{0, 0, 98}, 1}}), 0);    // in front of it, touching: larger on the sky
  check_dark(visibility_of(sun, {{{0, 0, 100}, 50}}), 0);  // around it
  check_dark(visibility_of(sun, {{{0, 0, 0}, 2}}), 0);     // around the observer
  check_dark(visibility_of(sun, {{{0, 0, -2}, 2}}), 0);    // touches the observer
  check_empty(visibility_of(sun, {{{0, 0, 99}, 0.5}}), StarStatus::intersects_star);
  check_empty(visibility_of(sun, {{{0, 0, 99}, 0.5}, {{0, 0, 0}, 2}}), StarStatus::intersects_star);
  check_empty(visibility_of(sun, {moon}, {{0, 0, 99.5}}), StarStatus::inside_star);
  check_empty(visibility_of(sun, {moon}, {{0, 0, 99}}), StarStatus::inside_star);  // on its surface
  CHECK(visibility_of(sun, {moon}, {{0, 0, std::nextafter(99, 0)}}).status == StarStatus::ok);
  check_empty(visibility_of(sun, {{{0, 0, 99}, 0.5}}, {{0, 0, 99.5}}), StarStatus::inside_star);
}

TEST_CASE("starlight: phase, blocked center and magnitude behind one body", "[starlight]") {
  const Visibility annular = visibility_of(sun, {moon});
  CHECK(annular.phase == EclipsePhase::antumbra);
  CHECK((annular.blocked && annular.occluders == 1 && annular.dominant == 0));
  CHECK(annular.magnitude == Approx(std::asin(0.005) / std::asin(0.01)).epsilon(1e-15));
  CHECK(annular.fraction == Approx(0.75).epsilon(1e-4));
  const Visibility off_center = visibility_of(sun, {{{0.075, 0, 10}, 0.05}});
  CHECK(off_center.phase == EclipsePhase::penumbra);
  CHECK((!off_center.blocked && off_center.fraction > 0.75 && off_center.fraction < 1));
  const Visibility total = visibility_of(sun, {{{0, 0, 10}, 0.2}});
  check_dark(total, 0);
  CHECK(total.magnitude == Approx(std::asin(0.02) / std::asin(0.01)).epsilon(1e-15));
  const Visibility inside = visibility_of(sun, {{{0, 0, 0}, 2}});
  CHECK(inside.magnitude == Approx(std::acos(-1.0) / std::asin(0.01)).epsilon(1e-15));
}

TEST_CASE("starlight: several bodies", "[starlight]") {
  const Sphere left{{-0.03, 0, 10}, 0.02}, right{{0.03, 0, 10}, 0.02}, small{{0.03, 0, 9}, 0.01};
  const Visibility both = visibility_of(sun, {left, right});
  CHECK(both.phase == EclipsePhase::antumbra);
  CHECK((both.occluders == 2 && both.dominant == 0 && !both.blocked));
  const double one = visibility_of(sun, {left}).fraction;
  CHECK(both.fraction == Approx(2 * one - 1).epsilon(1e-15));
  const Visibility nested = visibility_of(sun, {small, right});  // the small one's disc lies in the other's
  CHECK((nested.occluders == 2 && nested.dominant == 1));
  CHECK(nested.fraction == visibility_of(sun, {right}).fraction);
  const Visibility twice = visibility_of(sun, {right, right, right});
  CHECK((twice.occluders == 3 && twice.dominant == 0));
  CHECK(twice.fraction == visibility_of(sun, {right}).fraction);
  // Two wide discs that overlap in front of the star: each alone hides the whole star.
  const Visibility covered_twice = visibility_of(sun, {{{5, 0, 5}, 5.05}, {{-5, 0, 5}, 5.05}});
  check_dark(covered_twice, 0);
}

TEST_CASE("starlight: the ground", "[starlight]") {
  const Sphere earth{{0, 0, -6},
                     6.5};  // the observer lies inside the ball; with `on` its radius does not matter
  check_lit(visibility_of(sun, {earth}, {{}, 0}));
  check_dark(visibility_of(Star::at({0, 0, -100}, 1), {earth}, {{}, 0}), 0);
  const Visibility sunset = visibility_of(Star::at({100, 0, 0}, 1), {earth}, {{}, 0});
  CHECK(sunset.fraction == Approx(0.5).epsilon(1e-15));
  CHECK(sunset.phase == EclipsePhase::penumbra);
  CHECK((!sunset.blocked && sunset.occluders == 1 && sunset.dominant == 0));
  CHECK(sunset.magnitude == Approx(0.5).epsilon(1e-15));
  CHECK(visibility_of(Star::at({100, 0, -0.5}, 1), {earth}, {{}, 0}).blocked);
  CHECK(visibility_of(Star::at({100, 0, 1}, 1), {earth}, {{}, 0}).phase ==
        EclipsePhase::lit);  // touches the horizon
  CHECK(visibility_of(Star::at({100, 0, -1}, 1), {earth}, {{}, 0}).phase == EclipsePhase::umbra);
  check_empty(visibility_of(Star::at({0, 0, -6}, 6.5), {earth}, {{0, 0, 0.6}, 0}), StarStatus::inside_star);
  check_empty(visibility_of(Star::at({0, 0, -12}, 1), {earth}, {{}, 0}), StarStatus::intersects_star);
  CHECK_THROWS_AS(visibility_of(sun, {earth}, {{0, 0, -6}, 0}), Error);
  CHECK_THROWS_AS(visibility_of(sun, {earth}, {{}, 1}), Error);
  CHECK_THROWS_AS(visibility_of(sun, {earth}, {{}, -2}), Error);
}

TEST_CASE("starlight: points and stars at infinity", "[starlight]") {
  const Star point = Star::at({0, 0, 100}, 0), far = Star::at_infinity({0, 0, 3}, 0.01);
  check_lit(visibility_of(point, {{{1, 0, 10}, 0.5}}));
  check_dark(visibility_of(point, {{{1, 0, 10}, 1}}), 0);   // the segment touches
  check_dark(visibility_of(point, {{{0, 0, 101}, 1}}), 0);  // ends on the sphere
  check_lit(visibility_of(point, {{{0, 0, 102}, 1}}));
  CHECK(visibility_of(point, {{{1, 0, 10}, 1}}).magnitude == 1);
  check_lit(
      visibility_of(Star::at({1, 0, 0}, 0), {{{0, 0, -1}, 1}}, {{}, 0}));  // on the horizon: not below it
  check_dark(visibility_of(Star::at({1, 0, -1e-300}, 0), {{{0, 0, -1}, 1}}, {{}, 0}), 0);
  CHECK(visibility_of(far, {{{0, 0, 1e6}, 5e3}}).phase == EclipsePhase::antumbra);
  check_dark(visibility_of(far, {{{0, 0, 1e6}, 2e4}}), 0);
  check_lit(visibility_of(far, {{{0, 0, -1e6}, 2e4}}));
  check_dark(visibility_of(Star::at_infinity({0, 0, 3}, 0), {{{1, 0, 10}, 1}}), 0);
}

TEST_CASE("starlight: the length of a direction does not matter, from 2^-960 to 2^1023", "[starlight]") {
  const std::vector<Sphere> bodies{{{10.1, 3, 2}, 0.5}, {{5, 1.55, 1.02}, 0.1}, {{-3, 0, 0}, 1}};
  const Scene scene = Scene::build(bodies);
  const auto seen_along = [&](double scale) {
    const Star star = Star::at_infinity(scale * Vec3{1, 0.3, 0.2}, 0.05);
    const Visibility by_list = starlight(star, {}, bodies), by_scene = scene.starlight(star, Observer{});
    CHECK(by_list.fraction == by_scene.fraction);
    return by_list;
  };
  const Visibility expected = seen_along(1);
  CHECK((expected.fraction > 0 && expected.fraction < 1));
  for (const double scale : {0x1p-960, 0x1p-400, 0x1p400, 0x1p1022, 0x1p1023}) {
    const Visibility v = seen_along(scale);
    CHECK((v.fraction == expected.fraction && v.flux == expected.flux && v.phase == expected.phase));
  }
}

TEST_CASE("starlight: bad input", "[starlight]") {
  const auto refuses = [](const Star& star) { CHECK_THROWS_AS(visibility_of(star, {}), Error); };
  refuses(Star::at({0, 0, NAN}, 1));
  refuses(Star::at({0, 0, 1}, -1));
  refuses(Star::at({0, 0, 1}, infinity));
  refuses(Star::at_infinity({}, 0.1));
  refuses(Star::at_infinity({0, 0, infinity}, 0.1));
  refuses(Star::at_infinity({0, 0, 1}, 1.6));
  refuses(Star::at_infinity({0, 0, 1}, -1e-9));
  // Fields of the other form are ignored.
  Star near = Star::at({0, 0, 9}, 1), far = Star::at_infinity({0, 0, 1}, 0.1);
  near.direction = {NAN, 0, 0}, near.angular_radius = 2, far.center = {0, 0, NAN}, far.radius = -1;
  check_lit(visibility_of(near, {}));
  check_lit(visibility_of(far, {}));
  refuses(Star::at({0, 0, 9}, 1, LimbDarkening::linear(NAN)));
  refuses(Star::at({0, 0, 9}, 1, LimbDarkening::linear(1.1)));  // negative at the limb
  refuses(Star::at({0, 0, 9}, 1, LimbDarkening::power2(0.5, 0)));
  CHECK_THROWS_AS(visibility_of(sun, {{{0, 0, 1}, 0}}), Error);
  CHECK_THROWS_AS(visibility_of(sun, {}, {{NAN, 0, 0}}), Error);
  CHECK(visibility_of(Star::at({0, 0, 9}, 1, LimbDarkening::linear(1)), {}).flux == 1);
}
