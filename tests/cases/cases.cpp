#include <algorithm>
#include <cstdio>
#include <tests/cases/cases.hpp>
#include <tests/cases/edges.hpp>

namespace sphaera::test {

namespace {

constexpr double least_length = 1e-3, max_length = 1e13;

/// A path aimed within two radii of a's center, and a second sphere and a point nearby.
Case aimed(Random& random, const Sphere& a, double distance) {
  Case c;
  c.a = a;
  const Vec3 origin = a.center + distance * random.direction();
  const Vec3 aim = a.center + random.between(0, 2) * a.radius * random.direction();
  const double length = random.one_in(2) ? 1 / std::sqrt(dot(aim - origin, aim - origin))
                                         : random.log_uniform(least_length, max_length) / distance;
  Vec3 direction = length * (aim - origin);
  if (direction == Vec3{} || !std::isfinite(dot(direction, direction))) direction = random.direction();
  c.path = Ray{origin, direction, 0, infinity};
  c.b = {a.center + random.between(0, 2) * a.radius * random.direction(),
         a.radius * random.log_uniform(0.3, 3)};
  c.x = random.one_in(2) ? origin : a.center + random.log_uniform(0.1, 10) * a.radius * random.direction();
  c.t = distance / std::sqrt(dot(direction, direction)) * random.between(-0.5, 1.5);
  return c;
}

Case crowd(Random& random) {
  return aimed(random, {random.in_cube(1e3), random.between(0.1, 10)}, random.log_uniform(0.01, 1e3));
}

Case planetary(Random& random) {
  const double radius = random.log_uniform(1, 1e7);
  return aimed(random, {random.in_cube(1e5 * radius), radius}, radius * random.log_uniform(2, 1e6));
}

double length(Random& random) { return random.log_uniform(least_length, max_length); }

Case all_scales(Random& random) {
  const Sphere a{length(random) * random.direction(), length(random)};
  Case c = aimed(random, a, length(random));
  if (random.one_in(2)) c.b = {length(random) * random.direction(), length(random)};
  return c;
}

Case segments(Random& random) {
  Case c = all_scales(random);
  const Ray ray = std::get<Ray>(c.path);
  const Vec3 to = random.one_in(2) ? c.a.center + random.between(0, 4) * c.a.radius * random.direction()
                                   : length(random) * random.direction();
  c.path = Segment{ray.origin, to};
  c.t = random.between(-0.5, 1.5);
  return c;
}

Case infinite_ends(Random& random) {
  Case c = random.one_in(2) ? crowd(random) : all_scales(random);
  Ray& ray = std::get<Ray>(c.path);
  const auto end = [&](double usual) {
    switch (random.below(8)) {
      case 0:
        return infinity;
      case 1:
        return -infinity;
      case 2:
        return c.t * random.between(-2, 2);
      case 3:
        return 0.0;
      default:
        return usual;
    }
  };
  ray.t_min = end(random.one_in(2) ? -infinity : 0);
  ray.t_max = random.one_in(8) ? ray.t_min : end(infinity);
  if (random.one_in(2)) c.t = end(c.t);
  return c;
}

Case random_case(Random& random) {
  switch (random.below(3)) {
    case 0:
      return crowd(random);
    case 1:
      return planetary(random);
    default:
      return all_scales(random);
  }
}

Case axis(Random& random) {
  const int along = random.below(3);
  Case c = random_case(random);
  Ray ray = std::get<Ray>(c.path);
  double direction[3] = {};
  direction[along] = random.one_in(2) ? random.signed_log_uniform(least_length, max_length) : 1;
  ray.direction = {direction[0], direction[1], direction[2]};
  const double k = std::ldexp(random.whole(1, 1 << 20), random.whole(-30, 10));
  switch (random.below(4)) {
    case 0:
      break;
    case 1:  // through the center
      ray.origin = c.a.center;
      break;
    default: {  // 3-4-5 and 5-12-13 beside the axis, and grazes along one coordinate
      static constexpr int legs[4][3] = {{3, 4, 5}, {5, 12, 13}, {0, 1, 1}, {8, 15, 17}};
      const auto& leg = legs[random.below(4)];
      double offset[3];
      offset[along] = random.in_cube(k * 100).x;
      offset[(along + 1) % 3] = leg[0] * k;
      offset[(along + 2) % 3] = random.one_in(2) ? leg[1] * k : -leg[1] * k;
      c.a = {random.one_in(2) ? Vec3{} : Vec3{k * random.whole(-9, 9), k * random.whole(-9, 9), 0},
             leg[2] * k};
      ray.origin = c.a.center + Vec3{offset[0], offset[1], offset[2]};
      c.a.radius = step(c.a.radius, random.whole(-1, 1));
      c.b = random.one_in(2) ? c.a : Sphere{ray.origin + 3 * k * ray.direction, 2 * k};
    }
  }
  c.path = ray;
  return c;
}

/// A double whose exponent is within `spread` of `exponent` and at most `most`; sometimes 0.
double wild(Random& random, int exponent, int spread, int most) {
  const int low = std::max(-1074, exponent - spread), high = std::min(most, exponent + spread);
  if (random.one_in(32)) return 0;
  return random.pattern(std::min(low, high), high);
}

Vec3 wild_vector(Random& random, int exponent, int spread, int most) {
  return {wild(random, exponent, spread, most), wild(random, exponent, spread, most),
          wild(random, exponent, spread, most)};
}

Case patterns(Random& random) {
  constexpr int place_most = 199, direction_most = 1023;  // domain_limit; any double
  static constexpr int spreads[] = {0, 4, 60, 2100};
  const int spread = spreads[random.below(4)];
  const int place = random.whole(-1074, place_most), turn = random.whole(-1074, direction_most);
  const auto radius = [&] {
    const double r = std::abs(wild(random, place, spread, place_most));
    return r > 0 ? r : 0x1p-1074;
  };
  Case c;
  const Vec3 origin = wild_vector(random, place, spread, place_most);
  Vec3 direction = wild_vector(random, turn, spread, direction_most);
  if (direction == Vec3{}) direction.y = 0x1p-1074;
  const auto parameter = [&] { return wild(random, place - turn, spread, 1023); };
  c.path =
      Ray{origin, direction, random.one_in(2) ? parameter() : 0, random.one_in(2) ? parameter() : infinity};
  if (random.one_in(4)) c.path = Segment{origin, wild_vector(random, place, spread, place_most)};
  c.a = {random.one_in(4) ? origin : wild_vector(random, place, spread, place_most), radius()};
  c.b = {random.one_in(4) ? c.a.center : wild_vector(random, place, spread, place_most), radius()};
  c.x = random.one_in(4) ? c.a.center : wild_vector(random, place, spread, place_most);
  c.t = parameter();
  return c;
}

Case degenerate(Random& random) {
  Case c = random_case(random);
  Vec3 place = std::get<Ray>(c.path).origin;
  if (random.one_in(2)) place = c.a.center + random.between(0, 2) * c.a.radius * random.direction();
  if (random.one_in(4)) place = c.a.center;
  if (random.one_in(2)) c.a.radius = std::ldexp(1.0, -random.whole(100, 1074));
  if (random.one_in(2)) c.b = {c.a.center, c.a.radius * random.whole(1, 3)};
  if (random.one_in(2)) put_surface_at(c.a, place, random.whole(-2, 2));
  c.path = Segment{place, place};
  if (random.one_in(3)) c.path = Segment{place, {place.x, step(place.y, random.whole(-1, 1)), place.z}};
  if (random.one_in(3)) c.path = Ray{place, random.direction(), 0, 0};
  c.x = place;
  c.t = random.between(-2, 2);
  return c;
}

Case made(Family family, Random& random) {
  switch (family) {
    case Family::crowd:
      return crowd(random);
    case Family::planetary:
      return planetary(random);
    case Family::all_scales:
      return all_scales(random);
    case Family::segments:
      return segments(random);
    case Family::infinite_ends:
      return infinite_ends(random);
    case Family::near_tangent:
      return near_tangent(random_case(random), random);
    case Family::exact_tangent:
      return exact_tangent(random);
    case Family::axis:
      return axis(random);
    case Family::surface_origin:
      return surface_origin(random_case(random), random);
    case Family::end_at_root:
      return end_at_root(random_case(random), random);
    case Family::exact_roots:
      return exact_roots(random);
    case Family::order_tie:
      return order_tie(random);
    case Family::order_near_tie:
      return order_near_tie(random_case(random), random);
    case Family::distance_tie:
      return distance_tie(random_case(random), random);
    case Family::touching:
      return touching(random_case(random), random);
    case Family::segment_edge:
      return segment_edge(segments(random), random);
    case Family::degenerate:
      return degenerate(random);
    case Family::patterns:
      return patterns(random);
  }
  return {};
}

}  // namespace

const char* name(Family family) {
  static constexpr const char* names[family_count] = {
      "crowd",          "planetary",    "all_scales",     "segments",     "infinite_ends", "near_tangent",
      "exact_tangent",  "axis",         "surface_origin", "end_at_root",  "exact_roots",   "order_tie",
      "order_near_tie", "distance_tie", "touching",       "segment_edge", "degenerate",    "patterns"};
  return names[static_cast<int>(family)];
}

Case make_case(Family family, Random& random) {
  constexpr int rescaled_share = 8;
  Case c = made(family, random);
  while (!is_valid(c)) c = made(family, random);  // a radius of zero after a perturbation, or the like
  if (adversarial(family) && random.one_in(rescaled_share)) rescale(c, random);
  c.family = family;
  return c;
}

std::string describe(const Vec3& v) {
  char text[128];
  std::snprintf(text, sizeof text, "{%a, %a, %a}", v.x, v.y, v.z);
  return text;
}

std::string describe(const Sphere& sphere) {
  char radius[32];
  std::snprintf(radius, sizeof radius, "%a", sphere.radius);
  return "Sphere{" + describe(sphere.center) + ", " + radius + "}";
}

std::string describe(const Ray& ray) {
  char ends[64];
  std::snprintf(ends, sizeof ends, "%a, %a", ray.t_min, ray.t_max);
  return "Ray{" + describe(ray.origin) + ", " + describe(ray.direction) + ", " + ends + "}";
}

std::string describe(const Segment& segment) {
  return "Segment{" + describe(segment.from) + ", " + describe(segment.to) + "}";
}

std::string describe(const Case& c) {
  char t[32];
  std::snprintf(t, sizeof t, "%a", c.t);
  return std::string(name(c.family)) + ": " +
         std::visit([](const auto& path) { return describe(path); }, c.path) + ", a = " + describe(c.a) +
         ", b = " + describe(c.b) + ", x = " + describe(c.x) + ", t = " + t;
}

}  // namespace sphaera::test
