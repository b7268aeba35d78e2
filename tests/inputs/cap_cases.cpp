#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <tests/inputs/cap_cases.hpp>

namespace sphaera::test {
namespace {

constexpr double half_turn = std::numbers::pi;

double length_of(const Vec3& v) { return std::sqrt(dot(v, v)); }
Vec3 unit_of(const Vec3& v) { return (1 / length_of(v)) * v; }

/// A circle on the unit sphere: the center of its cap and the cap's radius.
struct CircleOfCap {
  Vec3 axis;
  double angle;
};

double tiny(Random& random) { return random.one_in(4) ? 0 : random.signed_log_uniform(1e-16, 1e-3); }

/// The direction at `angle` from another, on a random side.
Vec3 tilted(const Vec3& axis, double angle, Random& random) {
  const Vec3 side = unit_of(cross(axis, random.direction()));
  return unit_of(std::cos(angle) * axis + std::sin(angle) * side);
}

/// One more circle: anywhere, or with a relation to an earlier one; `common` is a point on many circles.
CircleOfCap next_spot(Random& random, double least, double most, const Vec3& common,
                      const std::vector<CircleOfCap>& earlier) {
  const double angle = random.one_in(2) ? random.log_uniform(least, most) : random.between(least, most);
  const auto fits = [&](double a) { return std::clamp(a, least, most); };
  if (earlier.empty() || random.one_in(3)) return {random.direction(), angle};
  const CircleOfCap s = earlier[random.below(static_cast<int>(earlier.size()))];
  switch (random.below(7)) {
    case 0:
      return s;
    case 1:
      return {tilted(s.axis, tiny(random), random), fits(s.angle * (1 + tiny(random)))};
    case 2:  // touches from outside
      return {tilted(s.axis, s.angle + angle + std::min(s.angle, angle) * tiny(random), random), angle};
    case 3:  // touches from inside
      return {tilted(s.axis, std::fabs(s.angle - angle) + std::min(s.angle, angle) * tiny(random), random),
              angle};
    case 4:  // opposite
      return {tilted(-s.axis, tiny(random), random), fits((half_turn - s.angle) * (1 + tiny(random)))};
    case 5:  // nested
      return {tilted(s.axis, s.angle * 0.4 * random.unit(), random), fits(s.angle * 0.5)};
    default:
      return {tilted(common, angle + tiny(random), random), angle};
  }
}

/// A sphere that cuts the cap from a sphere of radius r about a center.
Sphere cutter(const Vec3& center, double r, const CircleOfCap& spot, double distance) {
  const Vec3 to_center = distance * spot.axis;
  const double x = std::cos(spot.angle) * r, y = std::sin(spot.angle) * r;
  return {center + to_center, std::hypot(y, distance - x)};
}

/// Vectors of integer length: 3·4·5 and 1, 2, 2 in all orders and signs.
Vec3 whole_vector(Random& random) {
  static constexpr std::array<std::array<int, 4>, 5> quadruples = {
      {{1, 2, 2, 3}, {3, 4, 0, 5}, {1, 0, 0, 1}, {2, 3, 6, 7}, {0, 5, 12, 13}}};
  const auto& q = quadruples[random.below(5)];
  const int first = random.below(3), turn = random.whole(1, 2);
  std::array<int, 3> v{};
  for (int i = 0; i < 3; ++i) v[(first + i * turn) % 3] = q[i];
  const auto sign = [&] { return random.one_in(2) ? 1.0 : -1.0; };
  return {sign() * v[0], sign() * v[1], sign() * v[2]};
}

/// Through one point, through one circle from both sides, through great circles of one axis; touching; in
/// integers, so that all of it is exact.
SphereCase whole_case(Random& random, int n) {
  SphereCase c;
  const int kind = random.below(3);
  const double unit = random.one_in(3) ? std::ldexp(1, random.whole(-30, 30)) : 1;
  static constexpr double legs[] = {5, 9, 16, 35};  // with 12 they make 13, 15, 20, 37
  const auto hypotenuse = [](double leg) { return std::sqrt(leg * leg + 144); };
  const double z = legs[random.below(4)];
  const Vec3 corner = whole_vector(random);
  c.sphere.radius = kind == 0 ? length_of(corner) : kind == 1 ? hypotenuse(z) : 4;
  for (int i = 0; i < n; ++i) {
    Sphere s;
    if (kind == 0) {  // all through one point
      const Vec3 to_corner = random.whole(1, 4) * whole_vector(random);
      s = {corner - to_corner, length_of(to_corner)};
    } else if (kind == 1) {  // all through one circle
      const double leg = legs[random.below(4)];
      s = {{0, 0, z + (random.one_in(2) ? leg : -leg)}, hypotenuse(leg)};
    } else {  // great circles
      Vec3 direction{0, 0, 0};
      do direction = whole_vector(random);
      while (length_of(direction) != 3 && length_of(direction) != 1);
      s = {(length_of(direction) == 1 ? 3.0 : 1.0) * direction, 5};
    }
    if (random.one_in(8)) s.radius = step(s.radius, random.whole(-2, 2));
    if (s.center != Vec3{} || s.radius != c.sphere.radius) c.others.push_back(s);
  }
  const auto scale = [&](Sphere& s) { s = {unit * s.center, unit * s.radius}; };
  scale(c.sphere);
  for (Sphere& s : c.others) scale(s);
  return c;
}

void move(SphereCase& c, const Vec3& offset) {
  c.sphere.center = c.sphere.center + offset;
  for (Sphere& s : c.others) s.center = s.center + offset;
}

/// All grown by the probe become c's spheres: radii stay positive.
void take_probe(SphereCase& c, double probe) {
  probe = std::min(probe, c.sphere.radius * 0.75);
  for (const Sphere& s : c.others) probe = std::min(probe, s.radius * 0.75);
  c.probe = probe, c.sphere.radius -= probe;
  for (Sphere& s : c.others) s.radius -= probe;
}

Sphere random_other(Random& random, double r, const Vec3& common, std::vector<CircleOfCap>& spots) {
  const Vec3 axis = random.direction();
  const double size = r * random.log_uniform(1e-6, 1e6), apart = r + size, within = std::fabs(r - size);
  switch (random.below(12)) {
    case 0:  // touches from outside
      return {step(apart, random.whole(-3, 3)) * axis, size};
    case 1:  // touches from inside
      return {step(within, random.whole(-3, 3)) * axis, size};
    case 2:  // concentric, or nearly
      return {random.one_in(2) ? Vec3{} : r * random.log_uniform(1e-300, 1e-3) * axis,
              random.one_in(2) ? r * (1 + tiny(random)) : size};
    case 3:  // inside or around
      return {within * random.unit() * axis, size};
    case 4:  // anywhere across
      return {random.between(within, apart) * axis, size};
    default:
      spots.push_back(next_spot(random, 1e-6, half_turn - 1e-6, common, spots));
      return cutter({}, r, spots.back(), r * random.log_uniform(1e-3, 1e3));
  }
}

std::string hex(std::initializer_list<double> numbers) {
  std::string line;
  for (const double x : numbers) {
    char word[40];
    std::snprintf(word, sizeof word, "%s%a", line.empty() ? "" : ", ", x);
    line += word;
  }
  return line;
}

std::string line_of(const Sphere& s) {
  return "\n  {{" + hex({s.center.x, s.center.y, s.center.z}) + "}, " + hex({s.radius}) + "}";
}

}  // namespace

SphereCase random_sphere_case(Random& random, int n) {
  SphereCase c;
  if (random.one_in(4)) {
    c = whole_case(random, n);
    if (random.one_in(4)) take_probe(c, random.one_in(2) ? 0.5 : c.sphere.radius * random.unit());
  } else {
    c.sphere.radius = random.one_in(2) ? 1 : random.log_uniform(1e-6, 1e6);
    const Vec3 common = random.direction();
    std::vector<CircleOfCap> spots;
    for (int i = 0; i < n; ++i) c.others.push_back(random_other(random, c.sphere.radius, common, spots));
    if (random.one_in(2)) take_probe(c, c.sphere.radius * random.log_uniform(1e-3, 0.9));
  }
  if (random.one_in(3)) move(c, random.in_cube(c.sphere.radius * random.log_uniform(1, 1e9)));
  return c;
}

SkyCase random_sky_case(Random& random, int n) {
  SkyCase c;
  const Vec3 common = random.direction();
  std::vector<CircleOfCap> spots;
  for (int i = 0; i < n; ++i) {
    const double distance = random.log_uniform(1e-6, 1e6);
    if (random.one_in(12)) {  // on the ball, or just outside or inside
      const Vec3 axis = random.one_in(2) ? Vec3{0, 0, -1} : random.direction();
      spots.push_back({axis, half_turn / 2});
      c.balls.push_back(
          {distance * axis, random.one_in(8) ? distance : distance * (1 - std::fabs(tiny(random)))});
      continue;
    }
    spots.push_back(next_spot(random, 1e-9, half_turn / 2, common, spots));
    c.balls.push_back({distance * spots.back().axis, distance * std::sin(spots.back().angle)});
  }
  c.normal = random.one_in(2) ? Vec3{0, 0, 1} : random.log_uniform(1e-3, 1e3) * random.direction();
  if (random.one_in(3)) {
    c.point = random.in_cube(random.log_uniform(1e-3, 1e9));
    for (Sphere& s : c.balls) s.center = s.center + c.point;
  }
  return c;
}

std::string text(const SphereCase& c) {
  std::string all = "{" + line_of(c.sphere) + ", " + hex({c.probe}) + ", {";
  for (const Sphere& s : c.others) all += line_of(s) + ",";
  return all + "}}";
}

std::string text(const SkyCase& c) {
  std::string all = "{{" + hex({c.point.x, c.point.y, c.point.z}) + "}, {" +
                    hex({c.normal.x, c.normal.y, c.normal.z}) + "}, {";
  for (const Sphere& s : c.balls) all += line_of(s) + ",";
  return all + "}}";
}

}  // namespace sphaera::test
