/// \file Paths that start or end before, on, inside and after a sphere, as drawings, forwards and backwards,
/// at many scales.

#include <cmath>
#include <sphaera/sphaera.hpp>
#include <string_view>
#include <tests/catch.hpp>
#include <vector>

#include <tests/near.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

// The sphere's entry is column 4, its exit column 12. A path runs from a to b; * is a path of no length.
struct Drawing {
  std::string_view path;
  Contact forwards, backwards;
};

constexpr std::string_view sphere_drawing = "    (       )    ";
constexpr auto miss = Contact::miss, enters = Contact::enters, inside = Contact::starts_inside;

const std::vector<Drawing> drawings{
    //(       )
    {"a-b              ", miss, miss},
    {"  a-b            ", enters, inside},  // backwards it starts on the surface and leaves
    {"  a---b          ", enters, inside},
    {"  a---------b    ", enters, enters},
    {"  a-----------b  ", enters, enters},
    {"    a---b        ", enters, inside},
    {"    a-------b    ", enters, enters},
    {"    a---------b  ", enters, enters},
    {"      a---b      ", inside, inside},
    {"        a--b     ", inside, inside},
    {"      a-----b    ", inside, enters},
    {"      a-------b  ", inside, enters},
    {"            a-b  ", inside, enters},
    {"              a-b", miss, miss},
    {"*                ", miss, miss},
    {"    *            ", inside, inside},  // a point has no entry
    {"      *          ", inside, inside},
    {"        *        ", inside, inside},
    {"            *    ", inside, inside},
    {"                *", miss, miss},
};

/// Where columns lie in space: center + (column − 8)·along + aside, along ⟂ aside; all exact.
struct Stage {
  Vec3 center, along, aside;
  double radius;

  Vec3 at(double column) const { return center + (column - 8) * along + aside; }
  Sphere sphere() const { return {center, radius}; }
};

/// Along each axis, through the center (radius 4) or beside it (3-4-5: half a chord of 4), at the scales
/// 2^-30, 1 and 2^40.
std::vector<Stage> stages() {
  std::vector<Stage> all;
  for (const double scale : {0x1p-30, 1.0, 0x1p40}) {
    const Vec3 x{scale, 0, 0}, y{0, scale, 0}, z{0, 0, -scale};
    const Vec3 center = 1024 * (x + y + z);
    for (const auto& [along, aside] : {std::pair{x, y}, std::pair{y, z}, std::pair{z, x}}) {
      all.push_back({center, along, {}, 4 * scale});
      all.push_back({center, along, 3 * aside, 5 * scale});
    }
  }
  return all;
}

void check_path(const Stage& stage, double a, double b, Contact expected) {
  const Sphere ball = stage.sphere();
  const Segment segment{stage.at(a), stage.at(b)};
  CHECK(contact(segment, ball) == expected);
  CHECK(meets(segment, ball) == (expected != miss));
  CHECK(meets(segment, ball, bartlett) == (expected == enters));
  const auto first = hit_point(segment, ball);
  CHECK(first.has_value() == (expected != miss));
  if (expected == inside) CHECK(first->point == segment.from);
  if (a == b) return;

  const double entry = a < b ? 4 : 12, exit = 16 - entry, sense = a < b ? 1 : -1;
  // The same points as a ray from a, and as a ray from the center of the drawing with a length of one column.
  const Ray from_a{segment.from, segment.to - segment.from, 0, 1};
  const Ray from_middle{stage.at(8), sense * stage.along, sense * (a - 8), sense * (b - 8)};
  for (const Ray& ray : {from_a, from_middle}) {
    CHECK(contact(ray, ball) == expected);
    CHECK(root_count(ray, ball) == 2);
  }
  const Intersection all = intersect(from_middle, ball);
  CHECK((all.t1 == -4 && all.t2 == 4 && all.t_closest == 0));
  const bool before_exit = sense * a <= sense * exit, past_entry = sense * b > sense * entry;
  CHECK(meets(segment, ball, jhitsphere) == (before_exit && past_entry));

  const auto through = pierce(segment, ball);
  REQUIRE(through.has_value() == (expected != miss));
  if (!through) return;
  CHECK(through->entry.on_path == (expected == enters));
  CHECK(through->exit.on_path == (sense * a <= sense * exit && sense * exit <= sense * b));
  CHECK(through->entry.surface.point == stage.at(entry));
  CHECK(through->exit.surface.point == stage.at(exit));
  CHECK(near(through->entry.surface.normal, (1 / stage.radius) * (stage.at(entry) - stage.center), 1));
  if (expected == enters) CHECK(first->point == stage.at(entry));
}

}  // namespace

TEST_CASE("paths before, on, inside and after a sphere", "[closed_form]") {
  CHECK((sphere_drawing.find('(') == 4 && sphere_drawing.find(')') == 12));
  for (const Stage& stage : stages()) {
    for (const Drawing& drawing : drawings) {
      INFO(drawing.path);
      const bool point = drawing.path.find('*') != std::string_view::npos;
      const auto a = static_cast<double>(drawing.path.find(point ? '*' : 'a'));
      const auto b = static_cast<double>(drawing.path.find(point ? '*' : 'b'));
      check_path(stage, a, b, drawing.forwards);
      check_path(stage, b, a, drawing.backwards);
    }
  }
}

TEST_CASE("a tangent touches in one point, before, at and after its ends", "[closed_form]") {
  for (const Stage& drawn : stages()) {
    Stage stage = drawn;
    if (stage.aside == Vec3{}) continue;
    stage.radius = length(stage.aside);  // it touches at column 8
    const Sphere ball = stage.sphere();
    const auto touches = [&](double a, double b) { return contact(Segment{stage.at(a), stage.at(b)}, ball); };
    CHECK((touches(0, 6) == miss && touches(6, 0) == miss));
    CHECK((touches(0, 8) == enters && touches(8, 0) == enters));
    CHECK((touches(0, 16) == enters && touches(16, 0) == enters));
    CHECK((touches(10, 16) == miss && touches(16, 10) == miss));
    const Segment segment{stage.at(0), stage.at(16)};
    CHECK(root_count(segment, ball) == 1);
    CHECK_FALSE(meets(segment, ball, jhitsphere));
    CHECK(meets(segment, ball, bartlett));
    const Convention open{.end = Convention::End::open};
    CHECK_FALSE(meets(Segment{stage.at(0), stage.at(8)}, ball, open));
    CHECK(meets(Segment{stage.at(8), stage.at(16)}, ball, open));
    const auto through = pierce(segment, ball);
    CHECK((through->entry.t == 0.5 && through->exit.t == 0.5));
    CHECK((through->entry.on_path && through->exit.on_path));
    CHECK(through->entry.surface.point == stage.at(8));
    CHECK(through->exit.surface.point == stage.at(8));
    const auto hit = ricochet({segment.from, segment.to, 3}, ball);
    CHECK((hit->angle == 0 && near(hit->velocity, (3 / length(stage.along)) * stage.along, 3)));
  }
}

TEST_CASE("a bullet that starts exactly on the sphere hits it at distance 0", "[closed_form]") {
  // |(m²+n²−p²−q², 2(mq+np), 2(nq−mp))| = m²+n²+p²+q². The squares of these have 104 bits and more: rounded
  // ones would not decide.
  const double m = 33554393, n = 30000001, p = 28999999, q = 27654321;
  const Vec3 from{m * m + n * n - p * p - q * q, 2 * (m * q + n * p), 2 * (n * q - m * p)};
  const Sphere ball{{0, 0, 0}, m * m + n * n + p * p + q * q};
  const Vec3 aims[] = {{0, 0, 0}, {1, 2, 3}, -from, -2 * from, {from.x, from.y, -from.z}};
  for (const Vec3& aim : aims) {
    const auto hit = ricochet({from, aim, 5}, ball);
    REQUIRE(hit);
    CHECK(hit->distance == 0);
    CHECK(hit->point == from);
    CHECK(near(length(hit->velocity), 5, 1e-15));
  }
}

TEST_CASE("no parameter of a contact is -0", "[closed_form]") {
  const Sphere unit{{0, 0, 0}, 1};
  const auto is_no_minus_zero = [](double t) { return t != 0 || !std::signbit(t); };
  const Vec3 places[] = {{1, 0, 0}, {0, 0, 0}, {-0.0, -0.0, -1}, {-1, -1, -0.0}},
             ways[] = {{1, 0, 0}, {0, 0, 1}};
  for (const Vec3& place : places) {
    for (const Vec3& way : ways) {
      for (const Vec3& direction : {way, -way, 0x1p100 * way}) {
        for (const double t_min : {0.0, -0.0}) {
          const Ray ray{place, direction, t_min};
          const Intersection met = intersect(ray, unit);
          CHECK((is_no_minus_zero(met.t1) && is_no_minus_zero(met.t2) && is_no_minus_zero(met.t_closest)));
          const Hit hit = Scene::build({unit}).first_hit(ray);
          CHECK((is_no_minus_zero(hit.t_enter) && is_no_minus_zero(hit.t_exit)));
        }
      }
    }
  }
}

TEST_CASE("a speck on a planet cuts it in a circle of its own radius", "[closed_form]") {
  // h² = s²(1 − s²/4r²) for a sphere of radius s centered on one of radius r: (r + s)² − r² and r² − (r − s)²
  // cancel up to 97 bits.
  const double m = 33554393, n = 30000001, p = 28999999, q = 27654321;
  const Vec3 place{m * m + n * n - p * p - q * q, 2 * (m * q + n * p), 2 * (n * q - m * p)};
  const Sphere planet{{0, 0, 0}, m * m + n * n + p * p + q * q};
  for (const double s : {0x1.8p-45, 0x1.123456789abcdp-40, 1.0}) {
    const IntersectionCircle circle = intersection_circle(planet, {place, s});
    REQUIRE(circle.kind == CircleClass::circle);
    CHECK(circle.radius == s);
    CHECK(circle.center == place);
  }
  // From outside: r1 + r2 = d + g, and only (r1 + r2)² − d² = g(2d + g) cancels.
  const double d = planet.radius, g = 0x1p-18, r2 = 0x1p32 + g;
  const IntersectionCircle circle = intersection_circle({planet.center, d - 0x1p32}, {place, r2});
  REQUIRE(circle.kind == CircleClass::circle);
  CHECK(
      near(circle.radius, std::sqrt(g * (2 * d + g) * (0x1p33 + g) * (2 * d - 0x1p33 - g)) / (2 * d), 1e-15));
}
