#include <algorithm>
#include <base/validate.hpp>
#include <optional>
#include <tests/cases/edges.hpp>
#include <tests/cases/integer_frame.hpp>
#include <tests/cases/predicates.hpp>
#include <tests/oracle/roots.hpp>

namespace sphaera::test {

namespace {

Ray& ray_of(Case& c) { return std::get<Ray>(c.path); }

/// Mostly none or one, at times several.
int few_ulps(Random& random) { return random.one_in(8) ? random.whole(-9, 9) : random.whole(-1, 1); }

void set_radius(Sphere& sphere, long double distance, int ulps) {
  const double radius = step(static_cast<double>(distance), ulps);
  if (radius > 0 && radius <= domain_limit) sphere.radius = radius;
}

/// Sets the sphere's radius within ulps of the distance from its center to the whole line.
void graze(const Case& c, Sphere& sphere, int ulps) {
  oracle::Sight point = sight_of(c, sphere);
  point.r = 0;
  const oracle::Quadratic q = oracle::quadratic(point);
  const oracle::Dyadic square = q.a * q.c - q.b * q.b;  // |L × D|²
  if (q.a.sign() == 0 || square.sign() == 0) return;
  set_radius(sphere, std::sqrt(oracle::approximate(square) / oracle::approximate(q.a)), ulps);
}

struct ApproximateRoots {
  double t1, t2;
};

std::optional<ApproximateRoots> approximate_roots(const Case& c, const Sphere& sphere) {
  const oracle::Quadratic q = oracle::quadratic(sight_of(c, sphere));
  const oracle::Dyadic discriminant = q.discriminant();
  if (q.a.sign() == 0 || discriminant.sign() < 0) return std::nullopt;
  const long double a = oracle::approximate(q.a), b = oracle::approximate(q.b), c0 = oracle::approximate(q.c);
  const long double half_chord = std::sqrt(oracle::approximate(discriminant));
  const long double far = b > 0 ? -b - half_chord : -b + half_chord;  // far/a is one root, c/far the other
  if (far == 0) return ApproximateRoots{0, 0};
  const auto outer = static_cast<double>(far / a), inner = static_cast<double>(c0 / far);
  return ApproximateRoots{std::min(outer, inner), std::max(outer, inner)};
}

double closest_approach(const Case& c, const Sphere& sphere) {
  const oracle::Quadratic q = oracle::quadratic(sight_of(c, sphere));
  if (q.a.sign() == 0) return 0;
  return static_cast<double>(-oracle::approximate(q.b) / oracle::approximate(q.a));
}

/// An integer vector whose length n is an integer too.
struct IntegerSpoke {
  Vec3 v;
  double n;
};

IntegerSpoke integer_spoke(Random& random) {
  const IntegerFrame frame = integer_frame(random, 9);
  const Vec3& v = frame.rows[random.below(3)];
  return {random.one_in(2) ? v : -v, frame.n};
}

Vec3 integer_point(Random& random, int most) {
  return {1.0 * random.whole(-most, most), 1.0 * random.whole(-most, most), 1.0 * random.whole(-most, most)};
}

/// Changes one input of the decision by a few ulps.
void perturb(Case& c, Random& random) {
  const int ulps = few_ulps(random);
  switch (random.below(5)) {
    case 0:
      c.a.radius = step(c.a.radius, ulps);
      break;
    case 1:
      c.b.radius = step(c.b.radius, ulps);
      break;
    case 2:
      c.b.center.y = step(c.b.center.y, ulps);
      break;
    case 3:
      c.x.z = step(c.x.z, ulps);
      break;
    default:
      ray_of(c).origin.x = step(ray_of(c).origin.x, ulps);
  }
}

/// A mirror pair: the line lies in the mirror plane x = y.
Case mirror_tie(Random& random) {
  const double along = random.whole(1, 99), up = random.whole(-99, 99);
  const Vec3 l = integer_point(random, 1 << 20);
  Case c;
  const Vec3 origin = random.one_in(2) ? Vec3{} : integer_point(random, 1 << 20);
  c.path = Ray{origin, {along, along, up}, 0, infinity};
  const double radius = random.whole(1, 1 << 20);
  c.a = {origin - l, radius};
  c.b = {origin - Vec3{l.y, l.x, l.z}, radius};
  return c;
}

/// Two spheres ahead of a point of the line that lies on both surfaces: the line enters both there.
Case common_entry(Random& random) {
  const IntegerFrame frame = integer_frame(random, 9);
  const Vec3 direction = random.one_in(2) ? frame.rows[0] : integer_point(random, 99) + Vec3{100, 0, 0};
  const double s = random.whole(-1000, 1000);
  const Vec3 entry = integer_point(random, 1 << 15);
  const auto through_entry = [&] {
    IntegerSpoke spoke = integer_spoke(random);
    if (random.one_in(4)) spoke = {frame.rows[1], frame.n};  // tangent there, if the path is rows[0]
    const double k = random.whole(1, 99);
    const Vec3 v = dot(spoke.v, direction) < 0 ? -spoke.v : spoke.v;
    return Sphere{entry + k * v, k * spoke.n};
  };
  Case c;
  c.path = Ray{entry - s * direction, direction, random.one_in(4) ? s : -infinity, infinity};
  c.a = through_entry();
  c.b = through_entry();
  c.t = s;
  return c;
}

/// Multiplies lengths and directions by powers of two, which is exact.
void scale_integers(Case& c, Random& random) {
  Ray& ray = ray_of(c);
  const double length = std::ldexp(1.0, random.whole(-40, 40)),
               direction_scale = std::ldexp(1.0, random.whole(-40, 40));
  ray.origin = length * ray.origin;
  ray.direction = direction_scale * ray.direction;
  c.a = {length * c.a.center, length * c.a.radius};
  c.b = {length * c.b.center, length * c.b.radius};
  c.x = length * c.x;
  const double parameter = length / direction_scale;
  ray.t_min *= parameter, ray.t_max *= parameter, c.t *= parameter;
}

}  // namespace

bool is_valid(const Case& c) {
  return std::visit([](const auto& path) { return base::valid(path); }, c.path) && base::valid(c.a) &&
         base::valid(c.b) && base::valid(c.x) && !std::isnan(c.t);
}

void put_surface_at(Sphere& sphere, const Vec3& x, int ulps) {
  const oracle::Sight at = oracle::sight(Segment{x, x}, sphere);
  set_radius(sphere, std::sqrt(oracle::approximate(oracle::squared_distance_at(at, 0))), ulps);
}

Case near_tangent(Case c, Random& random) {
  graze(c, c.a, few_ulps(random));
  if (random.one_in(2)) graze(c, c.b, few_ulps(random));
  if (random.one_in(2)) c.t = step(closest_approach(c, c.a), few_ulps(random));
  if (random.one_in(4)) ray_of(c).t_min = step(closest_approach(c, c.a), few_ulps(random));
  if (random.one_in(4)) ray_of(c).t_max = step(closest_approach(c, c.a), few_ulps(random));
  return c;
}

Case surface_origin(Case c, Random& random) {
  Ray& ray = ray_of(c);
  const Vec3 outward = random.direction();
  if (random.one_in(8)) {
    ray.origin = c.a.center;
  } else {
    ray.origin = c.a.center + c.a.radius * outward;
    put_surface_at(c.a, ray.origin, few_ulps(random));
  }
  if (random.one_in(4)) ray.direction = cross(ray.direction, outward);  // next to tangent
  if (ray.direction == Vec3{}) ray.direction = outward;
  if (random.one_in(2)) put_surface_at(c.b, ray.origin, few_ulps(random));
  if (random.one_in(4)) ray.t_min = ray.t_max = 0;
  c.x = ray.origin;
  c.t = random.one_in(2) ? 0 : random.pattern(-60, 60);
  return c;
}

Case end_at_root(Case c, Random& random) {
  if (random.one_in(4)) graze(c, c.a, 2);
  const auto roots = approximate_roots(c, random.one_in(8) ? c.b : c.a);
  if (!roots) return c;
  const auto near_root = [&] { return step(random.one_in(2) ? roots->t1 : roots->t2, few_ulps(random)); };
  Ray& ray = ray_of(c);
  if (random.one_in(2)) ray.t_min = near_root();
  if (random.one_in(2)) ray.t_max = near_root();
  if (random.one_in(4)) ray.t_min = -infinity;
  if (random.one_in(4)) c.b = c.a;
  c.t = near_root();
  return c;
}

Case exact_tangent(Random& random) {
  const IntegerFrame frame = integer_frame(random, 9);
  const double k = random.whole(1, 1 << 10), s = random.whole(-(1 << 20), 1 << 20);
  const Vec3 direction = random.one_in(2)
                             ? frame.rows[1]
                             : random.whole(1, 9) * frame.rows[1] + random.whole(0, 9) * frame.rows[2];
  Case c;
  c.a = {integer_point(random, 1 << 20), k * frame.n};
  const Vec3 touch = c.a.center + k * frame.rows[0];
  c.path = Ray{touch - s * direction, direction, 0, infinity};
  c.b = {touch + frame.rows[0], frame.n};  // touches the line in the same point
  c.x = touch;
  c.t = s;
  if (random.one_in(4)) ray_of(c).t_min = s;
  if (random.one_in(4)) ray_of(c).t_max = s;
  scale_integers(c, random);
  return c;
}

Case exact_roots(Random& random) {
  const IntegerFrame frame = integer_frame(random, 9);
  const double k = random.whole(1, 1 << 10), s = random.whole(-(1 << 20), 1 << 20);
  Case c;
  c.a = {integer_point(random, 1 << 20),
         5 * k * frame.n};  // 3-4-5: half a chord is 4 k steps of the direction
  const Vec3 middle = c.a.center + 3 * k * frame.rows[0];
  const double t1 = s - 4 * k, t2 = s + 4 * k;
  c.path = Ray{middle - s * frame.rows[1], frame.rows[1], 0, infinity};
  c.b = {c.a.center + frame.rows[1], c.a.radius};
  c.x = middle;
  c.t = random.one_in(2) ? t1 : t2;
  if (random.one_in(2)) ray_of(c).t_min = random.one_in(2) ? t1 : t2;
  if (random.one_in(2)) ray_of(c).t_max = random.one_in(2) ? t1 : t2;
  scale_integers(c, random);
  return c;
}

Case order_tie(Random& random) {
  Case c = random.one_in(3) ? mirror_tie(random) : common_entry(random);
  if (random.one_in(8)) c.b = c.a;
  c.x = ray_of(c).origin;
  scale_integers(c, random);
  return c;
}

Case order_near_tie(Case c, Random& random) {
  if (random.one_in(2)) {
    c = order_tie(random);
    perturb(c, random);
    return c;
  }
  if (random.one_in(4)) graze(c, c.a, 1);
  const auto roots = approximate_roots(c, c.a);
  if (!roots) return c;
  if (random.one_in(2)) ray_of(c).t_min = -infinity;
  c.t = roots->t1;
  const oracle::Dyadic square = oracle::squared_distance_at(sight_of(c, c.b), roots->t1);
  set_radius(c.b, std::sqrt(oracle::approximate(square)), few_ulps(random));
  return c;
}

Case distance_tie(Case c, Random& random) {
  if (random.one_in(2)) {  // any place: one radius rounded
    const long double to_a = static_cast<long double>(oracle::distance(c.x, c.a.center)) - c.a.radius;
    set_radius(c.b, static_cast<long double>(oracle::distance(c.x, c.b.center)) - to_a, few_ulps(random));
    return c;
  }
  const IntegerSpoke to_a = integer_spoke(random), to_b = integer_spoke(random);
  const double ka = random.whole(1, 99), kb = random.whole(1, 99);
  const int least = static_cast<int>(std::min(ka * to_a.n, kb * to_b.n));
  const double signed_distance = random.whole(-999, least - 1);
  const Vec3 x = integer_point(random, 1 << 20);
  c.x = x;
  c.a = {x + ka * to_a.v, ka * to_a.n - signed_distance};
  c.b = {x + kb * to_b.v, kb * to_b.n - signed_distance};
  ray_of(c) = {x, to_a.v + to_b.v == Vec3{} ? to_a.v : to_a.v + to_b.v, 0, infinity};
  scale_integers(c, random);
  if (random.one_in(2)) perturb(c, random);
  return c;
}

Case touching(Case c, Random& random) {
  if (random.one_in(4)) {  // any place: one radius rounded
    put_surface_at(c.b, c.a.center, 0);
    const double sum = c.b.radius;
    set_radius(c.b, random.one_in(2) ? sum - c.a.radius : sum + c.a.radius, few_ulps(random));
    return c;
  }
  const IntegerSpoke spoke = integer_spoke(random);
  const double k = random.whole(1, 99), apart = k * spoke.n, other = random.whole(1, 9999);
  const Vec3 place = integer_point(random, 1 << 20);
  c.a = {place, other};
  c.b = {place + k * spoke.v, other < apart && random.one_in(2) ? apart - other : apart + other};
  if (random.one_in(8)) c.b = c.a;
  if (random.one_in(2)) std::swap(c.a, c.b);
  c.x = place;
  ray_of(c) = {place - 9 * spoke.v, spoke.v, 0, infinity};
  scale_integers(c, random);
  if (random.one_in(2)) perturb(c, random);
  return c;
}

Case segment_edge(Case c, Random& random) {
  const Segment segment = std::get<Segment>(c.path);
  switch (random.below(3)) {
    case 0:
      graze(c, c.a, few_ulps(random));
      break;
    case 1:
      put_surface_at(c.a, segment.to, few_ulps(random));
      break;
    default:
      put_surface_at(c.a, segment.from, few_ulps(random));
  }
  if (random.one_in(2)) graze(c, c.b, few_ulps(random));
  if (random.one_in(2)) c.t = step(closest_approach(c, c.a), few_ulps(random));
  if (random.one_in(4)) c.t = random.below(2);
  return c;
}

void rescale(Case& c, Random& random) {
  const int k = random.whole(-1060, 140), m = random.whole(-1060, 960);
  const auto scaled = [](const Vec3& v, int e) {
    return Vec3{std::ldexp(v.x, e), std::ldexp(v.y, e), std::ldexp(v.z, e)};
  };
  const auto sphere = [&](const Sphere& s) { return Sphere{scaled(s.center, k), std::ldexp(s.radius, k)}; };
  Case r = c;
  r.a = sphere(c.a);
  r.b = sphere(c.b);
  r.x = scaled(c.x, k);
  if (const Segment* segment = std::get_if<Segment>(&c.path)) {
    r.path = Segment{scaled(segment->from, k), scaled(segment->to, k)};
  } else {
    const Ray& ray = ray_of(c);
    r.path = Ray{scaled(ray.origin, k), scaled(ray.direction, m), std::ldexp(ray.t_min, k - m),
                 std::ldexp(ray.t_max, k - m)};
    r.t = std::ldexp(c.t, k - m);
  }
  if (is_valid(r)) c = r;
}

}  // namespace sphaera::test
