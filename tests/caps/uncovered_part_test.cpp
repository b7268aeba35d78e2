/// \file Area and first moment of what caps leave uncovered: known shapes, and hostile cases against the
/// oracle.

#include <caps/uncovered_part.hpp>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/cap_cases.hpp>
#include <tests/near.hpp>
#include <tests/oracle/caps/open_part.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;
using caps::Cap, caps::Uncovered;

namespace {

constexpr double pi = std::numbers::pi;

Uncovered uncovered(const std::vector<Cap>& caps) {
  caps::UncoveredPart part;
  for (const Cap& cap : caps) part.add(cap);
  return part.find();
}
double area(const std::vector<Cap>& caps) { return uncovered(caps).area; }

Vec3 vector_of(const oracle::Direction& d) {
  return {static_cast<double>(d[0]), static_cast<double>(d[1]), static_cast<double>(d[2])};
}

/// The largest errors of area and moment, as a share of 4π.
struct CapErrors {
  double area = 0, moment = 0;

  void compare(const oracle::Caps& caps) {
    if (caps.all) return;
    const oracle::OpenPart expected = oracle::open_part(caps);
    std::vector<Cap> rounded;
    for (const oracle::Cap& cap : caps.list)
      rounded.push_back({vector_of(cap.axis), static_cast<double>(cap.cosine)});
    const Uncovered found = uncovered(rounded);
    const auto error = static_cast<double>(abs(expected.area - found.area));
    area = std::max(area, error / (4 * pi));
    moment = std::max(moment, length(found.moment - vector_of(expected.moment)) / (4 * pi));
    CHECK(error <= 1e-12);
    CHECK(moment <= 1e-12);
  }
};

/// The corners of an icosahedron.
std::vector<Vec3> icosahedron() {
  const double scale = 1 / std::sqrt(1 + std::numbers::phi * std::numbers::phi), a = scale,
               b = scale * std::numbers::phi;
  std::vector<Vec3> corners;
  for (const double x : {a, -a})
    for (const double y : {b, -b}) corners.insert(corners.end(), {{0, x, y}, {x, y, 0}, {y, 0, x}});
  return corners;
}

}  // namespace

TEST_CASE("uncovered part: no cap, one, two, hemispheres", "[caps]") {
  CHECK(area({}) == 4 * pi);
  CHECK(area({{{0, 0, 1}, 1}}) == 4 * pi);
  CHECK(area({{{0, 0, 1}, -1}}) == 0);
  for (const double cosine : {-0.999999, -0.5, 0.0, 0.3, 0.97, 0.9999999999}) {
    const Uncovered part = uncovered({{{0, 0.6, -0.8}, cosine}});
    const double square = pi * (1 - cosine) * (1 + cosine);  // the moment is half the flux through the circle
    CHECK(std::fabs(part.area - 2 * pi * (1 + cosine)) < 1e-14);
    CHECK(length(part.moment - square * Vec3{0, -0.6, 0.8}) < 1e-14);
    CHECK(std::fabs(area({{{0, 0.6, -0.8}, cosine}, {{0, 0.6, -0.8}, cosine}}) - part.area) < 1e-14);
  }
  CHECK(area({{{0, 0, 1}, 0}, {{0, 0, -1}, 0}}) == 0);
  CHECK(std::fabs(area({{{0, 0, 1}, 0.5}, {{0, 0, -1}, 0.25}}) - 2 * pi * 0.75) < 1e-14);
  CHECK(std::fabs(area({{{0, 0, 1}, 0}, {{0, 1, 0}, 0}}) - pi) < 1e-14);
  CHECK(std::fabs(area({{{0, 0, 1}, 0}, {{0, 1, 0}, 0}, {{1, 0, 0}, 0}}) - pi / 2) < 1e-14);
}

TEST_CASE("uncovered part: twelve caps about the corners of an icosahedron", "[caps]") {
  const std::vector<Vec3> corners = icosahedron();
  // The centers of the faces are this far from the corners.
  const double cover = std::sqrt((5 + 2 * std::sqrt(5.0)) / 15);
  const auto left = [&](double cosine) {
    std::vector<Cap> caps;
    for (const Vec3& corner : corners) caps.push_back({corner, cosine});
    return uncovered(caps);
  };
  CHECK(left(cover - 1e-9).area == 0);
  const Uncovered twenty = left(cover + 1e-4);
  CHECK(twenty.area > 0);
  CHECK(twenty.area < 1e-5);
  CHECK(length(twenty.moment) < 1e-14);
  CHECK(std::fabs(left(0.99).area - (4 * pi - 12 * 2 * pi * 0.01)) < 1e-13);
}

TEST_CASE("uncovered part: what touches, nests, covers and coincides, against the oracle", "[caps]") {
  const int cases = fewer_unless_all(2000);
  CapErrors spheres, skies;
  for (int i = 0; i < cases; ++i) {
    Random random(seed(), i);
    const SphereCase s = random_sphere_case(random, random.whole(1, i % 8 ? 5 : 16));
    const SkyCase sky = random_sky_case(random, random.whole(1, i % 8 ? 5 : 16));
    INFO("case " << i << ": " << text(s) << "\n" << text(sky));
    spheres.compare(oracle::caps_on(s.sphere, s.probe, s.others));
    skies.compare(oracle::caps_of_sky(sky.point, sky.balls, i % 2 ? &sky.normal : nullptr));
  }
  std::printf(
      "uncovered part: worst errors, of the sphere: on spheres %.1e and %.1e, of skies %.1e and %.1e\n",
      spheres.area, spheres.moment, skies.area, skies.moment);
}
