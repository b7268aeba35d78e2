/// \file 19 pairs of spheres from manuals and tests of other programs; `reference` is the truth.

#include <map>
#include <numbers>
#include <sphaera/sphaera.hpp>
#include <tests/catch.hpp>
#include <tests/json.hpp>

#include <tests/near.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

/// Volume of the spherical cap of height h over a circle of radius a.
double cap(double a, double h) { return std::numbers::pi * h * (3 * a * a + h * h) / 6; }

void check_circle(const IntersectionCircle& circle, Json reference, const Sphere& first,
                  const Sphere& second) {
  const Vec3 center = vector(reference, "center");
  CHECK(near(circle.center, center, first.radius));
  CHECK(near(circle.radius, number(reference, "radius")));
  CHECK(near(circle.normal, vector(reference, "normal"), 1));
  const double x = dot(circle.center - first.center, circle.normal);
  const double rest = dot(second.center - circle.center, circle.normal);
  CHECK(near(x, number(reference, "x_from_c1")));
  const double lens = cap(circle.radius, first.radius - x) + cap(circle.radius, second.radius - rest);
  CHECK(near(lens, number(reference, "lens_volume")));
}

void check_peer(const IntersectionCircle& circle, Json peer, const Sphere& first, const Sphere& second) {
  constexpr double peer_digits = 1e-7;
  if (const auto center = find(peer, "center")) CHECK(near(circle.center, vector(*center), 1));
  if (const auto radius = find(peer, "radius")) CHECK(near(circle.radius, number(*radius), peer_digits));
  const double gap = length(second.center - first.center) - first.radius - second.radius;
  if (const auto distance = find(peer, "surface_distance")) CHECK(near(gap, number(*distance), 1e-14));
  if (const auto depth = find(peer, "penetration")) CHECK(near(-gap, number(*depth)));
}

}  // namespace

TEST_CASE("pairs of spheres of other programs", "[closed_form]") {
  const std::map<std::string, CircleClass> classes{{"separate", CircleClass::apart},
                                                   {"external_tangent", CircleClass::touching},
                                                   {"circle", CircleClass::circle},
                                                   {"contained", CircleClass::inside},
                                                   {"identical", CircleClass::same}};
  const JsonFile file("sphere_sphere_peers.json");
  int cases = 0;
  for (const Json c : simdjson::dom::array(file["cases"])) {
    const std::string id = text(c["id"]);
    INFO(id);
    const Sphere first{vector(c, "c1"), number(c, "r1")}, second{vector(c, "c2"), number(c, "r2")};
    const IntersectionCircle circle = intersection_circle(first, second);
    CHECK(circle.kind == classes.at(text(c["reference"]["class"])));
    if (find(c["reference"], "radius")) check_circle(circle, c["reference"], first, second);
    const bool common_point = circle.kind != CircleClass::apart;
    const auto intersects = find(c["peer"], "intersects");
    // cir-05 is a touch within a float's tolerance: as doubles the spheres are apart.
    CHECK(truth(c, "agrees") == (id != "cir-05"));
    if (intersects) CHECK((bool(*intersects) == common_point) == truth(c, "agrees"));
    check_peer(circle, c["peer"], first, second);
    ++cases;
  }
  CHECK(cases == 19);
}
