#include <cmath>
#include <tests/oracle/decide.hpp>
#include <tests/oracle/radicals.hpp>

namespace sphaera::oracle {

namespace {

Vector exact(const Vec3& v) { return {v.x, v.y, v.z}; }

Vector operator-(const Vector& u, const Vector& v) { return {u[0] - v[0], u[1] - v[1], u[2] - v[2]}; }

Dyadic dot(const Vector& u, const Vector& v) { return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]; }

Dyadic squared_distance(const Vec3& x, const Vec3& y) {
  const Vector difference = exact(x) - exact(y);
  return dot(difference, difference);
}

/// The time t + more, or ±∞.
struct Instant {
  double t;
  Dyadic more = 0.0;

  bool is_infinite() const { return std::isinf(t); }
  int sign_of_infinite() const { return t > 0 ? 1 : -1; }
  Dyadic exact() const { return Dyadic(t) + more; }
};

Instant end_of(const Sight& s) { return {s.t_max, s.t_max_more}; }

Dyadic power(const Quadratic& q, const Dyadic& t) { return (q.a * t + q.b + q.b) * t + q.c; }

int sign_slope(const Quadratic& q, const Instant& t) {
  if (t.is_infinite()) return q.a.sign() * t.sign_of_infinite();
  return (q.a * t.exact() + q.b).sign();
}

int sign_power(const Quadratic& q, const Instant& t) {
  if (t.is_infinite()) return q.a.sign() == 0 ? q.c.sign() : 1;
  return power(q, t.exact()).sign();
}

/// Does [t_min, t_max] contain a finite time?
bool lasts(double t_min, const Instant& t_max) {
  if (std::isnan(t_min) || std::isnan(t_max.t) || t_min == infinity || t_max.t == -infinity) return false;
  return std::isinf(t_min) || t_max.is_infinite() || compare(Dyadic(t_min), t_max.exact()) <= 0;
}

/// Is the least value of p over [t_min, t_max] at most 0? p is a parabola with its vertex at −b/a. The least
/// value is at the vertex if the vertex lies in the interval, else at the end nearer to the vertex.
bool meets(const Quadratic& q, double t_min, const Instant& t_max) {
  if (!lasts(t_min, t_max)) return false;
  if (q.a.sign() == 0) return q.c.sign() <= 0;
  if (sign_slope(q, Instant{t_min}) >= 0) return sign_power(q, Instant{t_min}) <= 0;
  if (sign_slope(q, t_max) <= 0) return sign_power(q, t_max) <= 0;
  return compare(q.a * q.c, q.b * q.b) <= 0;
}

Contact contact(const Quadratic& q, double t_min, const Instant& t_max) {
  if (!meets(q, t_min, t_max)) return Contact::miss;
  if (q.a.sign() == 0) return Contact::starts_inside;  // inside at every t: t1 = −∞
  const int start = sign_power(q, Instant{t_min});
  const bool first_root = start == 0 && sign_slope(q, Instant{t_min}) <= 0;
  return start > 0 || first_root ? Contact::enters : Contact::starts_inside;
}

/// t1 ≤ t_min: a·t_min + b + √Δ ≥ 0. A path of no length has t1 = −∞.
bool starts_at_or_before(const Quadratic& q, double t_min) {
  if (q.a.sign() == 0) return true;
  if (std::isinf(t_min)) return t_min > 0;
  return sign_of_radicals(q.a * Dyadic(t_min) + q.b, q.discriminant(), 0) >= 0;
}

}  // namespace

Sight sight(const Ray& ray, const Sphere& sphere) {
  return {exact(ray.origin) - exact(sphere.center), exact(ray.direction), sphere.radius, ray.t_min,
          ray.t_max};
}

Sight sight(const Segment& segment, const Sphere& sphere) {
  return {exact(segment.from) - exact(sphere.center), exact(segment.to) - exact(segment.from), sphere.radius,
          0, 1};
}

Sight sight(const Bullet& bullet, const Sphere& sphere, const Vec3& velocity) {
  Sight s;
  for (int i = 0; i < 3; ++i) {
    const auto axis = static_cast<std::size_t>(i);
    s.l[axis] = Dyadic(bullet.origin[i]) - Dyadic(sphere.center[i]) - Dyadic(velocity[i]) * bullet.start;
    s.d[axis] = Dyadic(bullet.velocity[i]) - Dyadic(velocity[i]);
  }
  s.r = Dyadic(sphere.radius) + Dyadic(bullet.radius);
  s.t_min = 0, s.t_max = bullet.duration;
  return s;
}

Sight sight(const Bullet& bullet, const Sphere& sphere, const Vec3& velocity, const Horizon& horizon) {
  Sight s = sight(bullet, sphere, velocity);
  const Dyadic last = Dyadic(horizon.to) - Dyadic(bullet.start);
  if (std::isinf(bullet.duration) || compare(Dyadic(bullet.duration), last) > 0)
    s.t_max = horizon.to, s.t_max_more = -Dyadic(bullet.start);
  return s;
}

Quadratic quadratic(const Sight& sight) {
  return {dot(sight.d, sight.d), dot(sight.l, sight.d), dot(sight.l, sight.l) - sight.r * sight.r};
}

bool meets(const ExpandedSight& s) { return meets(s.q, s.sight.t_min, end_of(s.sight)); }

Contact contact(const ExpandedSight& s) { return contact(s.q, s.sight.t_min, end_of(s.sight)); }

int sign_discriminant(const ExpandedSight& s) { return s.q.discriminant().sign(); }

int sign_power(const ExpandedSight& s, double t) { return sign_power(s.q, Instant{t}); }

int sign_slope(const ExpandedSight& s, double t) { return sign_slope(s.q, Instant{t}); }

int compare_entries(const ExpandedSight& a, const ExpandedSight& b) {
  const Quadratic &p = a.q, &q = b.q;
  const bool a_at_start = starts_at_or_before(p, a.sight.t_min);
  const bool b_at_start = starts_at_or_before(q, b.sight.t_min);
  if (a_at_start || b_at_start) return static_cast<int>(b_at_start) - static_cast<int>(a_at_start);
  // t1 = (−b − √Δ)/a on both sides, multiplied by the positive product of both a.
  return sign_of_radicals(p.a * q.b - q.a * p.b, p.a * p.a * q.discriminant(), q.a * q.a * p.discriminant());
}

int compare_distances(const Sight& a, const Sight& b) {
  return sign_of_radicals(b.r - a.r, dot(a.l, a.l), dot(b.l, b.l));
}

int compare_distances(const Vec3& x, const Sphere& a, const Sphere& b) {
  const Segment at_x{x, x};
  return compare_distances(sight(at_x, a), sight(at_x, b));
}

int sign_gap(const Ball& a, const Ball& b) {
  const Dyadic reach = Dyadic(a.radius) + Dyadic(b.radius);
  return compare(squared_distance(a.center, b.center), reach * reach);
}

int compare_gap(const Ball& a, const Ball& b, double distance) {
  const Dyadic reach = Dyadic(a.radius) + Dyadic(b.radius) + Dyadic(distance);
  if (reach.sign() < 0) return 1;
  return compare(squared_distance(a.center, b.center), reach * reach);
}

int sign_nesting(const Ball& a, const Ball& b) {
  const Dyadic difference = Dyadic(a.radius) - Dyadic(b.radius);
  return compare(squared_distance(a.center, b.center), difference * difference);
}

}  // namespace sphaera::oracle
