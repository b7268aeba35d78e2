/// \file Each erratum of the five sources, shown to err by doing what it prints; one check an entry, in the
/// file's order.

#include <cmath>
#include <sphaera/sphaera.hpp>
#include <tests/catch.hpp>
#include <vector>

#include <tests/closed_form/seed_entries.hpp>
#include <tests/near.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

/// The discriminant b² − 4c as the bullet's listing computes it, in float.
float float_discriminant(float closest, float distance, float radius) {
  const float b = 2 * closest, c = distance * distance - radius * radius;
  return b * b - 4 * c;
}

const std::vector<SeedEntry> errata{
    {"001", "printed solution t = -D.(O-C)",
     [] {
       const Vec3 o{0, 0.5, -5}, d{0, 0, 1};
       const double b = dot(d, o), printed = b * b - dot(o, o) - 1, right = b * b - dot(o, o) + 1;
       CHECK(printed < 0);  // no root
       CHECK(near(intersect(line(o, d), unit).t1, -b - std::sqrt(right)));
     }},
    {"001", "A term written \\hat D t^2",
     [] {  // notation only: the square of the direction makes the quadratic term, here for a direction of
           // length 2
       CHECK(intersect(line({0, 0, -4}, {0, 0, 2}), unit).t1 == 1.5);
     }},
    {"001", "return (discriminant>1e-7)?2:1",
     [] {
       const Sphere small{{0, 0, 0}, 3e-4};
       CHECK_FALSE(small.radius * small.radius > 1e-7);  // the article's count is 1
       CHECK(root_count(line({0, 0, -5}, {0, 0, 1}), small) == 2);
     }},
    {"002", "listing returns (SqrLengSphereToLine >= SphereRadius)",
     [] {
       const Segment segment{{0, 0, 0}, {5, 0, 0}};
       const Sphere missed{{3, 0, -2}, 1}, met{{3, 0, -2}, 2.2};
       const double d2 = closest_point(segment, {3, 0, -2}).squared_distance;
       CHECK(d2 == 4);
       CHECK((d2 >= missed.radius && !meets(segment, missed)));  // the listing
       CHECK((!(d2 <= met.radius) && meets(segment, met)));      // the commenter's correction
     }},
    {"002", "clamping assigns to a const float",
     [] {  // its example of an end point is printed as (0,0,0) + (1.0*(0,0,5))
       CHECK(closest_point(Segment{{0, 0, 0}, {5, 0, 0}}, {5.7, 0, -1.8}).point == Vec3{5, 0, 0});
     }},
    {"002", "zero-length segment divides by zero",
     [] {
       const ClosestPoint closest = closest_point(Segment{{3, 0, 0}, {3, 0, 0}}, {0, 4, 0});
       CHECK((closest.t == 0 && closest.point == Vec3{3, 0, 0} && closest.squared_distance == 25));
     }},
    {"003", "check_hit assigns sz = center.x",
     [] {  // the center's x is lost: head on becomes a miss
       const Sphere target{{5, 0, 3}, 1}, as_listed{{0, 0, 3}, 1};
       const Shot shot{{0, -5, 3}, {5, 0, 3}, 1};
       CHECK(ricochet(shot, target));
       CHECK_FALSE(ricochet(shot, as_listed));
     }},
    {"003", "text quadratic: X=(-2b -+ sqrt(b^2+4ac))/2a",
     [] {  // roots 4 and 6 of X² − 10 X + 24
       const double a = 1, b = -10, c = 24;
       CHECK_FALSE((-2 * b - std::sqrt(b * b + 4 * a * c)) / 2 * a == 4);
       CHECK((-b - std::sqrt(b * b - 4 * a * c)) / (2 * a) == 4);
       CHECK(intersect(line({0, 0, 0}, {1, 0, 0}), {{5, 0, 0}, 1}).t1 == 4);
     }},
    {"003", "default data \"fpoint start={0.0,0,0.0,0}\"",
     [] {  // four zeros where three are meant
       CHECK(ricochet({{0, 0, 0}, {4, 4, 4}, 3}, {{4, 4, 0}, 4}));
     }},
    {"003", "the default scene start (0,0,0)",
     [] {  // with the typo it tests a sphere at (0,4,0), on which the bullet already sits
       const Shot shot{{0, 0, 0}, {4, 4, 4}, 3};
       CHECK(near(ricochet(shot, {{4, 4, 0}, 4})->distance, 4 / std::sqrt(3.0)));
       CHECK(ricochet(shot, {{0, 4, 0}, 4})->distance == 0);
     }},
    {"003", "D2 = |..|^2 - (..)^2 computed as difference of large squares",
     [] {  // a tangent sphere, grown and shrunk by one part in a thousand, 1e5 away: float sees no difference
       CHECK(float_discriminant(1e5F, std::hypot(1e5F, 1.0F), 1.001F) ==
             float_discriminant(1e5F, std::hypot(1e5F, 1.0F), 0.999F));
       const Shot shot{{-1e5, 1, 0}, {0, 1, 0}, 1};
       CHECK(ricochet(shot, {{0, 0, 0}, std::nextafter(1.0, 2.0)}));
       CHECK_FALSE(ricochet(shot, {{0, 0, 0}, std::nextafter(1.0, 0.0)}));
       // acos(t) of a rounded t near 1 loses half the digits of a small angle: asin h, h² = 1 − offset².
       const double offset = 1 - 0x1p-40, sine = std::sqrt(0x1p-39 - 0x1p-80);
       CHECK(near(ricochet({{-5, offset, 0}, {0, offset, 0}, 1}, unit)->angle, std::asin(sine), 1e-15));
     }},
    {"003", "\"Bullet can't start inside\" but step 10 says",
     [] { CHECK_THROWS_AS(ricochet({{0.5, 0, 0}, {2, 0, 0}, 1}, unit), Error); }},
    {"004", "s_i = p + l(p-s) and t_i = p + l(p-t)",
     [] {
       const Vec3 s{0, 0, 0}, p{5, 0, 0};
       const double l = 2;
       CHECK(p + l * (p - s) == Vec3{15, 0, 0});
       CHECK(pierce(Segment{s, {10, 0, 0}}, {p, l})->entry.surface.point == Vec3{3, 0, 0});
     }},
    {"004", "p = c1 + x*c1c2 uses the raw vector",
     [] {
       const Sphere first{{0, 0, 0}, 3}, second{{4, 0, 0}, 3};
       const double x = 2;
       CHECK(first.center + x * (second.center - first.center) == Vec3{8, 0, 0});
       CHECK(intersection_circle(first, second).center == Vec3{2, 0, 0});
     }},
    {"004", "\"length of that project is less than the radius\"",
     [] {  // the projection of the center on the path is 50 long, its rejection 0.5
       CHECK(meets(Segment{{0, 0, 0}, {100, 0, 0}}, {{50, 0.5, 0}, 1}));
     }},
    {"004", "no check that p lies between s and t",
     [] {
       CHECK_FALSE(pierce(Segment{{0, 0, 0}, {3, 0, 0}}, {{5, 0, 0}, 1}));
       CHECK_FALSE(pierce(Segment{{0, 2, 0}, {10, 2, 0}}, {{5, 0, 0}, 1}));
       CHECK(intersection_circle({{0, 0, 0}, 3}, {{1, 0, 0}, 1}).kind == CircleClass::inside);
       CHECK(intersection_circle({{0, 0, 0}, 3}, {{0, 0, 0}, 1}).kind == CircleClass::inside);
       CHECK(intersection_circle(unit, unit).kind == CircleClass::same);
     }},
};

}  // namespace

TEST_CASE("the errata of the five sources", "[closed_form]") { check_entries("errata", "e", errata); }
