/// \file Each convention of the five sources, compared with ours: one check an entry, in the file's order.

#include <numbers>
#include <sphaera/sphaera.hpp>
#include <tests/catch.hpp>
#include <vector>

#include <tests/closed_form/seed_entries.hpp>
#include <tests/near.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

const std::vector<SeedEntry> conventions{
    {"000", "D<=0 -> miss: exact tangency is a MISS",
     [] {
       const Ray tangent{{-5, 1, 0}, {1, 0, 0}};
       CHECK_FALSE(meets(tangent, unit, jhitsphere));
       CHECK(meets(tangent, unit));
     }},
    {"000", "hit interval 0<=t1 && t0<dt",
     [] {
       const Ray ends_at_entry{{-5, 0, 0}, {1, 0, 0}, 0, 4};
       CHECK_FALSE(meets(ends_at_entry, unit, jhitsphere));
       CHECK(meets(ends_at_entry, unit));
       CHECK(meets(Ray{{1, 0, 0}, {1, 0, 0}, 0, 5}, unit, jhitsphere));      // t1 == 0
       CHECK(meets(Ray{{0.5, 0, 0}, {1, 0, 0}, 0, 5}, unit, jhitsphere));    // inside
       CHECK(meets(Ray{{0.5, 0, 0}, {1, 0, 0}, 0, 0.1}, unit, jhitsphere));  // all inside
     }},
    {"000", "dir is not normalised; t is in units of |dir|",
     [] {
       const Ray ray{{-5, 0, 0}, {2, 0, 0}, 0, 2.5};
       CHECK(intersect(ray, unit).t1 == 2);
       CHECK(intersect(ray, unit).t2 == 3);
       CHECK(meets(ray, unit, jhitsphere));  // t2 > dt: only t0 must be below dt
     }},
    {"000", "zero direction -> false (even inside)",
     [] {  // an error here, so that a degenerate ray is not taken for a miss; a segment of no length is a
           // point
       CHECK_THROWS_AS(meets(Ray{{0, 0, 0}, {0, 0, 0}, 0, 5}, unit, jhitsphere), Error);
       CHECK_FALSE(meets(Segment{{0, 0, 0}, {0, 0, 0}}, unit, jhitsphere));
       CHECK(meets(Segment{{0, 0, 0}, {0, 0, 0}}, unit));
     }},
    {"000", "t_m = -(r0.d)/|d|^2",
     [] {
       const Intersection miss = intersect(Ray{{-5, 3, 0}, {2, 0, 0}}, unit);
       CHECK(miss.contact == Contact::miss);
       CHECK(miss.t_closest == 2.5);
     }},
    {"001", "direction must be unit length",
     [] {  // here any length does
       CHECK(root_count(line({0, 0, -5}, {0, 0, 1e-9}), unit) == 2);
       CHECK(near(intersect(line({0, 0, -5}, {0, 0, 1e-9}), unit).t1, 4e9));
     }},
    {"001", "disc<0 miss; disc==0 one point",
     [] {  // no epsilon here
       CHECK(root_count(line({0, 1, -5}, {0, 0, 1}), unit) == 1);
       CHECK(root_count(line({0, std::nextafter(1.0, 0.0), -5}, {0, 0, 1}), unit) == 2);
       CHECK(root_count(line({0, std::nextafter(1.0, 2.0), -5}, {0, 0, 1}), unit) == 0);
     }},
    {"001", "distances may be negative",
     [] {
       const Intersection behind = intersect(line({0, 0, 5}, {0, 0, 1}), unit);
       CHECK((behind.t1 == -6 && behind.t2 == -4));
       CHECK(behind.contact == Contact::enters);  // a line has no start
       CHECK_FALSE(meets(Ray{{0, 0, 5}, {0, 0, 1}}, unit));
     }},
    {"002", "clamp the parameter to [0,1]; touch",
     [] {
       CHECK(meets(Segment{{-5, 0, 0}, {-1, 0, 0}}, unit));
       CHECK(closest_point(Segment{{-5, 0, 0}, {-1, 0, 0}}, {0, 0, 0}).t == 1);
     }},
    {"003", "point 2 only gives the direction",
     [] { CHECK(ricochet({{-50, 0, 0}, {-49, 0, 0}, 1}, unit)->distance == 49); }},
    {"003", "tangent (D2==R2) is a HIT",
     [] {
       const auto hit = ricochet({{-5, 1, 0}, {0, 1, 0}, 1}, unit);
       REQUIRE(hit);
       CHECK(hit->velocity == Vec3{1, 0, 0});
     }},
    {"003", "start strictly inside (D2<R2) -> no hit",
     [] {  // ricochet throws, as the text demands
       CHECK_THROWS_AS(ricochet({{std::nextafter(1.0, 0.0), 0, 0}, {0, 0, 0}, 1}, unit), Error);
       CHECK(ricochet({{1, 0, 0}, {0, 0, 0}, 1}, unit));
       CHECK_FALSE(meets(Ray{{0.5, 0, 0}, {1, 0, 0}}, unit, bartlett));
     }},
    {"003", "ds<0 (closest approach behind) -> no hit",
     [] {
       CHECK_FALSE(ricochet({{1, 0, 0}, {2, 0, 0}, 1}, unit));
       CHECK_FALSE(ricochet({{1, 0, 0}, {2, 9, 0}, 1}, unit));
       CHECK_FALSE(meets(Ray{{1, 0, 0}, {1, 0, 0}}, unit, bartlett));
     }},
    {"003", "ricochet angle is measured from the TANGENT PLANE",
     [] {
       CHECK(ricochet({{-5, 0, 0}, {0, 0, 0}, 1}, unit)->angle == std::numbers::pi / 2);
       CHECK(ricochet({{-5, 1, 0}, {0, 1, 0}, 1}, unit)->angle == 0);
     }},
    {"003", "mirror reflection, speed preserved",
     [] {
       const auto hit = ricochet({{-5, 0.6, 0}, {0, 0.6, 0}, 10}, unit);
       CHECK(near(hit->velocity, 10 * Vec3{1 - 2 * 0.64, 2 * 0.48, 0}, 10));
     }},
    {"003", "speed<=0, radius<=0, p1==p2 -> FALSE",
     [] {  // errors here
       CHECK_THROWS_AS(ricochet({{-5, 0, 0}, {0, 0, 0}, 0}, unit), Error);
       CHECK_THROWS_AS(ricochet({{-5, 0, 0}, {0, 0, 0}, -1}, unit), Error);
       CHECK_THROWS_AS(ricochet({{-5, 0, 0}, {0, 0, 0}, 1}, {{0, 0, 0}, 0}), Error);
       CHECK_THROWS_AS(ricochet({{-5, 0, 0}, {-5, 0, 0}, 1}, unit), Error);
     }},
    {"003", "distance/speed = frames to hit",
     [] { CHECK(ricochet({{-5, 0, 0}, {0, 0, 0}, 8}, unit)->time == 0.5); }},
    {"004", "intersect if sum of radii is LARGER",
     [] {
       CHECK(intersection_circle(unit, {{2, 0, 0}, 1}).kind == CircleClass::touching);
       CHECK(intersection_circle(unit, {{0.25, 0, 0}, 0.5}).kind == CircleClass::inside);
     }},
    {"004", "pathological tangent: one point",
     [] {
       const auto through = pierce(Segment{{-5, 1, 0}, {5, 1, 0}}, unit);
       CHECK(through->entry.surface.point == Vec3{0, 1, 0});
       CHECK(through->exit.surface.point == Vec3{0, 1, 0});
     }},
    {"004", "circle: x=(d^2-r2^2+r1^2)/(2d)",
     [] {
       const IntersectionCircle circle = intersection_circle({{0, 0, 0}, 5}, {{6, 0, 0}, 5});
       CHECK((circle.center == Vec3{3, 0, 0} && circle.radius == 4 && circle.normal == Vec3{1, 0, 0}));
     }},
};

}  // namespace

TEST_CASE("the conventions of the five sources", "[closed_form]") {
  check_entries("conventions", "c", conventions);
}
