/// \file Reported points, normals, parameters, angles and circles against 100 digits, on every family of
/// tests/cases: all scales and the whole range of exponents.

#include <sphaera/sphaera.hpp>
#include <tests/cases/cases.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/oracle/decide.hpp>
#include <tests/oracle/roots.hpp>
#include <tests/seed.hpp>
#include <tests/unit_roundoff.hpp>

using namespace sphaera;
using namespace sphaera::test;
using oracle::Dyadic;
using oracle::Real;
using oracle::to_real;

namespace {

using Place = std::array<Real, 3>;

const int cases_per_family = fewer_in_repeats(400);
const Real least = ldexp(Real(1), -1073);  // allows for rounding among denormals

Place place(const Vec3& v) { return {v.x, v.y, v.z}; }

Real norm(const Place& v) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

Place difference(const Vec3& v, const Place& w) { return {v.x - w[0], v.y - w[1], v.z - w[2]}; }

/// |v − reference| in units of u·size.
double error(const Vec3& v, const Place& reference, const Real& size) {
  return static_cast<double>(Real((norm(difference(v, reference)) - least) / (u * (size + least))));
}

/// The exact quadratic of a line and a sphere, and its coefficients in 100 digits.
struct Line {
  oracle::Sight sight;
  oracle::Quadratic q = quadratic(sight);
  Real a = to_real(q.a), b = to_real(q.b), root_delta = sqrt(abs(to_real(q.discriminant())));

  /// P − C at t1 (sign −1) or t2 (sign 1): (a L − b D + sign √Δ D)/a.
  Place offset(int sign) const {
    Place p;
    for (int i = 0; i < 3; ++i) {
      const Dyadic foot_a = q.a * sight.l[i] - q.b * sight.d[i];
      p[i] = (to_real(foot_a) + sign * root_delta * to_real(sight.d[i])) / a;
    }
    return p;
  }

  /// P − C at any t.
  Place offset_at(double t) const {
    Place p;
    for (int i = 0; i < 3; ++i) p[i] = to_real(sight.l[i] + Dyadic(t) * sight.d[i]);
    return p;
  }

  /// |L × D|² / a.
  Real squared_distance() const {
    const Dyadic l2 = q.c + sight.r * sight.r;
    return to_real(q.a * l2 - q.b * q.b) / a;
  }
};

/// Checks a reported point and its normal, given the exact offset from the sphere's center.
void check_surface(const SurfacePoint& surface, const Place& offset, const Sphere& ball, const Vec3& origin) {
  const Real size = norm(offset);
  Place unit = offset, point = place(ball.center);
  for (int i = 0; i < 3; ++i) {
    point[i] += offset[i];
    unit[i] = size == 0 ? Real(0) : Real(offset[i] / size);
  }
  CHECK(error(surface.normal, unit, 1) <= 1.5);
  const Real cut = ldexp(ball.radius + norm(place(origin)), -78);  // error before the only rounding
  CHECK(error(surface.point, point, norm(point) + cut / u) <= 1);
}

template <class Path>
void check_pierce(const Path& path, const Vec3& origin, const Sphere& ball) {
  const Line line{oracle::sight(path, ball)};
  const Contact expected = oracle::contact(line.sight);
  const auto through = pierce(path, ball);
  REQUIRE(through.has_value() == (expected != Contact::miss && line.q.a.sign() > 0));
  const auto first = hit_point(path, ball);
  REQUIRE(first.has_value() == (expected != Contact::miss));
  if (expected == Contact::starts_inside)
    check_surface(*first, line.offset_at(line.sight.t_min), ball, origin);
  if (!through) return;
  if (expected == Contact::enters) check_surface(*first, line.offset(-1), ball, origin);
  check_surface(through->entry.surface, line.offset(-1), ball, origin);
  check_surface(through->exit.surface, line.offset(1), ball, origin);
  CHECK(through->entry.on_path == (expected == Contact::enters));
  const oracle::Roots roots = *oracle::roots(line.sight);
  CHECK(oracle::error_in_half_ulps(through->entry.t, roots.t1) <= 2);
  CHECK(oracle::error_in_half_ulps(through->exit.t, roots.t2) <= 2);
  const double end = line.sight.t_max;
  const bool close = std::isfinite(end) && abs(Real(roots.t2 - end)) <= ldexp(abs(roots.t2), -256);
  // Where 100 digits do not tell, integers do.
  const bool exits =
      close ? oracle::sign_power(line.sight, end) >= 0 && oracle::sign_slope(line.sight, end) >= 0
            : roots.t2 <= end;
  CHECK(through->exit.on_path == exits);
}

void check_closest(const Segment& segment, const Vec3& target) {
  const Line line{oracle::sight(segment, Sphere{target, 0})};
  const ClosestPoint closest = closest_point(segment, target);
  const bool at_from = line.q.b.sign() >= 0, at_to = !at_from && (line.q.a + line.q.b).sign() <= 0;
  if (at_from || at_to) {
    CHECK(closest.t == (at_from ? 0 : 1));
    CHECK(closest.point == (at_from ? segment.from : segment.to));
    const Dyadic square = oracle::squared_distance_at(line.sight, closest.t);
    CHECK(oracle::error_in_half_ulps(closest.squared_distance, to_real(square)) <= 2);
    return;
  }
  CHECK(oracle::error_in_half_ulps(closest.t, -line.b / line.a) <= 2);
  CHECK(oracle::error_in_half_ulps(closest.squared_distance, line.squared_distance()) <= 2);
  Place point;
  for (int i = 0; i < 3; ++i) point[i] = segment.from[i] - line.b / line.a * to_real(line.sight.d[i]);
  CHECK(error(closest.point, point, 4 * std::max(norm(place(segment.from)), norm(point))) <= 1);
}

void check_ricochet(const Shot& shot, const Sphere& ball) {
  Line line{oracle::sight(Segment{shot.from, shot.aim}, ball)};
  line.sight.t_max = infinity;
  if (line.q.a.sign() == 0 || oracle::sign_power(line.sight, 0) < 0) {
    CHECK_THROWS_AS(ricochet(shot, ball), Error);
    return;
  }
  const auto hit = ricochet(shot, ball);
  REQUIRE(hit.has_value() == (oracle::contact(line.sight) == Contact::enters));
  if (!hit) return;
  const Place offset = line.offset(-1);
  check_surface({hit->point, hit->normal}, offset, ball, shot.from);
  const Real root_a = sqrt(line.a), sine = line.root_delta / (root_a * ball.radius);
  CHECK(oracle::error_in_half_ulps(hit->angle,
                                   atan2(line.root_delta, sqrt(line.squared_distance()) * root_a)) <= 4);
  CHECK((hit->angle >= 0 && hit->angle <= std::acos(0.0)));
  Place velocity;
  for (int i = 0; i < 3; ++i) {
    velocity[i] = shot.speed * (to_real(line.sight.d[i]) / root_a + 2 * sine * offset[i] / ball.radius);
  }
  CHECK(error(hit->velocity, velocity, shot.speed) <= 1.5);
  CHECK(oracle::error_in_half_ulps(shot.speed, norm(place(hit->velocity))) <= 2);
  const Real distance = oracle::roots(line.sight)->t1 * root_a;
  CHECK(oracle::error_in_half_ulps(hit->distance, distance) <= 2);
  CHECK(oracle::error_in_half_ulps(hit->time, hit->distance / Real(shot.speed)) <= 2);
}

CircleClass expected_class(const Sphere& first, const Sphere& second) {
  const Ball a{first.center, first.radius}, b{second.center, second.radius};
  if (first == second) return CircleClass::same;
  const int gap = oracle::sign_gap(a, b), nesting = oracle::sign_nesting(a, b);
  if (gap == 0 || nesting == 0) return CircleClass::touching;
  return gap > 0 ? CircleClass::apart : nesting < 0 ? CircleClass::inside : CircleClass::circle;
}

void check_basis(const IntersectionCircle& circle) {
  const Vec3 &n = circle.normal, &p = circle.axis_u, &q = circle.axis_v;
  for (const double product : {dot(n, p), dot(n, q), dot(p, q)}) CHECK(std::fabs(product) <= 8 * u);
  for (const Vec3& v : {n, p, q}) CHECK(std::fabs(dot(v, v) - 1) <= 8 * u);
  const Vec3 rest = cross(p, q) - n;
  CHECK(dot(rest, rest) <= (8 * u) * (8 * u));
}

void check_circle(const Sphere& first, const Sphere& second) {
  const IntersectionCircle circle = intersection_circle(first, second);
  REQUIRE(circle.kind == expected_class(first, second));
  if (circle.kind != CircleClass::touching && circle.kind != CircleClass::circle) {
    CHECK((std::isnan(circle.radius) && std::isnan(circle.center.x) && std::isnan(circle.axis_v.z)));
    return;
  }
  const Dyadic r1 = first.radius, r2 = second.radius, sum = r1 + r2, gap = r1 - r2;
  Dyadic step[3], d2 = 0;
  for (int i = 0; i < 3; ++i) {
    step[i] = Dyadic(second.center[i]) - Dyadic(first.center[i]);
    d2 = d2 + step[i] * step[i];
  }
  const Real d = sqrt(to_real(d2)), product = to_real((sum * sum - d2) * (d2 - gap * gap));
  CHECK(oracle::error_in_half_ulps(circle.radius, sqrt(product) / (2 * d)) <= 2);
  if (circle.kind == CircleClass::touching) CHECK(circle.radius == 0);
  Place center = place(first.center), normal;
  for (int i = 0; i < 3; ++i) {
    normal[i] = to_real(step[i]) / d;
    center[i] += to_real(d2 + sum * gap) / (2 * d) * normal[i];
  }
  CHECK(error(circle.normal, normal, 1) <= 1.5);
  CHECK(error(circle.center, center, 2 * (norm(place(first.center)) + first.radius)) <= 1);
  check_basis(circle);
}

/// The reversed segment has the same answers.
void check_reversed(const Segment& segment, const Sphere& ball) {
  const Segment back{segment.to, segment.from};
  CHECK(meets(back, ball) == meets(segment, ball));
  CHECK(root_count(back, ball) == root_count(segment, ball));
  const auto there = pierce(segment, ball), back_again = pierce(back, ball);
  REQUIRE(there.has_value() == back_again.has_value());
  const ClosestPoint closest = closest_point(segment, ball.center),
                     closest_back = closest_point(back, ball.center);
  if (segment.from != segment.to) CHECK(std::fabs(closest.t + closest_back.t - 1) <= 4 * u);
  CHECK(closest.squared_distance == closest_back.squared_distance);
  if (!there) return;
  CHECK(there->entry.on_path == back_again->exit.on_path);
  CHECK(there->exit.on_path == back_again->entry.on_path);
  const Place normal = place(there->entry.surface.normal);
  CHECK(error(back_again->exit.surface.normal, normal, 1) <= 8);
}

void check_case(const Case& c, double speed) {
  if (const Ray* ray = std::get_if<Ray>(&c.path)) {
    check_pierce(*ray, ray->origin, c.a);
    const Vec3 aim = ray->origin + ray->direction;
    const bool in_domain = std::max({std::fabs(aim.x), std::fabs(aim.y), std::fabs(aim.z)}) <= domain_limit;
    if (in_domain) check_ricochet({ray->origin, aim, speed}, c.a);
  } else {
    const Segment& segment = std::get<Segment>(c.path);
    check_pierce(segment, segment.from, c.a);
    check_closest(segment, c.a.center);
    check_closest(segment, c.x);
    check_reversed(segment, c.a);
    check_ricochet({segment.from, segment.to, speed}, c.a);
  }
  check_circle(c.a, c.b);
  check_circle(c.b, c.a);
}

}  // namespace

TEST_CASE("places, normals, angles, circles against 100 digits", "[closed_form]") {
  for (int f = 0; f < family_count; ++f) {
    const auto family = static_cast<Family>(f);
    Random random(seed() + static_cast<std::uint64_t>(f));
    for (int i = 0; i < cases_per_family; ++i) {
      const Case c = make_case(family, random);
      INFO(describe(c));
      check_case(c, random.log_uniform(1e-3, 1e13));
    }
  }
}
