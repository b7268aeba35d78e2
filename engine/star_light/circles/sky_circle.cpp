#include <algorithm>
#include <cmath>
#include <exact/numbers/double_double.hpp>
#include <exact/numbers/length.hpp>
#include <exact/numbers/power_of_two.hpp>
#include <exact/numbers/scaled.hpp>
#include <exact/predicates/sign_formulas.hpp>
#include <limits>
#include <star_light/circles/half_angle.hpp>
#include <star_light/circles/sky_circle.hpp>

namespace sphaera::star_light {
namespace {

using exact::Dekker;
using exact::DoubleDouble;
using exact::Fused;
using exact::Plain;
using exact::SeenBall;
using exact::u;

template <class Arithmetic>
struct Triple {
  DoubleDouble<Arithmetic> x, y, z;

  SPHAERA_INLINE Triple(const Vec3& hi, const Vec3& lo, double scale)
      : x(exact::TwoDouble{scale * hi.x, scale * lo.x}),
        y(exact::TwoDouble{scale * hi.y, scale * lo.y}),
        z(exact::TwoDouble{scale * hi.z, scale * lo.z}) {}
  SPHAERA_INLINE Triple(DoubleDouble<Arithmetic> a, DoubleDouble<Arithmetic> b, DoubleDouble<Arithmetic> c)
      : x(a), y(b), z(c) {}
};

template <class Arithmetic>
SPHAERA_INLINE DoubleDouble<Arithmetic> dot(const Triple<Arithmetic>& a, const Triple<Arithmetic>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class Arithmetic>
SPHAERA_INLINE Triple<Arithmetic> cross(const Triple<Arithmetic>& a, const Triple<Arithmetic>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Quantities that determine a circle, with lengths scaled by powers of two: B is the body's center, A the
/// star's.
struct Placement {
  Vec3 moment;            ///< A × B
  double length;          ///< |B|
  double radius;          ///< r
  double root;            ///< √(|B|² − r²)
  double sine, cosine;    ///< of θ − α, times `size`
  double size;            ///< |A| |B|²; |A| |B| for a horizon
  double sum_of_cosines;  ///< (cos θ + cos α) |A||B|
};

/// sin(θ − α) |A||B|² = |A × B| √p − (A·B) r, p = |B|² − r², in double-double: each product is off by ≤ 40u²
/// of |A||B|², and so is near_edge by 20u²/τ, provided that √p is good to 20u²|B|. p is off by ≤ 20u²|B|², √p
/// by 20u²|B|²/√p: where that is more than u τ|B|/8 (an observer next to the surface, a small star) the
/// caller passes a more accurate √p.
template <class Arithmetic>
SPHAERA_INLINE Placement place(const StarDisc& star, const SeenBall& body, double scale,
                               const DoubleDouble<Dekker>* better_root) {
  using Value = DoubleDouble<Arithmetic>;
  const Triple<Arithmetic> a(star.offset, star.offset_low, 1), b(body.offset, body.offset_low, scale);
  const Triple<Arithmetic> w = cross(a, b);
  const Value radius = scale * body.radius, square = dot(b, b), cosine = dot(a, b), sine = sqrt(dot(w, w));
  const Value root = better_root ? Value(exact::TwoDouble{better_root->hi, better_root->lo})
                                 : sqrt(square - radius * radius);
  return {{w.x.hi, w.y.hi, w.z.hi},
          std::sqrt(square.hi),
          radius.hi,
          root.hi,
          static_cast<double>(sine * root - cosine * radius),
          cosine.hi * root.hi + sine.hi * radius.hi,
          star.length * square.hi,
          cosine.hi + star.length * root.hi};
}

/// As `place` for α = π/2: θ − α is the star's altitude above the plane, −asin(A·B/|A||B|).
template <class Arithmetic>
SPHAERA_INLINE Placement place_horizon(const StarDisc& star, const SeenBall& down, double scale) {
  const Triple<Arithmetic> a(star.offset, star.offset_low, 1), b(down.offset, down.offset_low, scale);
  const Triple<Arithmetic> w = cross(a, b);
  const double length = std::sqrt(dot(b, b).hi), cosine = dot(a, b).hi;
  return {{w.x.hi, w.y.hi, w.z.hi}, length, length, 0, -cosine, sqrt(dot(w, w)).hi,
          star.length * length,     cosine};
}

SPHAERA_TARGET_FMA Placement place_fused(const StarDisc& star, const SeenBall& body, double scale,
                                         const DoubleDouble<Dekker>* better_root) {
  return place<Fused>(star, body, scale, better_root);
}

SPHAERA_TARGET_FMA Placement place_horizon_fused(const StarDisc& star, const SeenBall& down, double scale) {
  return place_horizon<Fused>(star, down, scale);
}

template <class Arithmetic>
SPHAERA_INLINE void set_size(StarDisc& disc, double scaled_radius) {
  const Triple<Arithmetic> a(disc.offset, disc.offset_low, 1);
  const DoubleDouble<Arithmetic> radius = scaled_radius, square = dot(a, a);
  disc.length = std::sqrt(square.hi);
  disc.tau = radius.hi / (disc.length + sqrt(square - radius * radius).hi);
}

SPHAERA_TARGET_FMA void set_size_fused(StarDisc& disc, double scaled_radius) {
  set_size<Fused>(disc, scaled_radius);
}

Placement placement(const StarDisc& star, const SeenBall& body) {
  const double scale = exact::inverse_scale(body.offset);
  const double root_share = std::sqrt(body.power.value / dot(body.offset, body.offset));  // √p/|B|
  const bool digits_lost = !(root_share > 160 * u / star.tau);
  DoubleDouble<Dekker> better;
  if (digits_lost) better = root_of_power(body);
  const DoubleDouble<Dekker>* root = digits_lost ? &better : nullptr;
  return exact::has_fma() ? place_fused(star, body, scale, root) : place<Plain>(star, body, scale, root);
}

/// Unit vector from the star's center to the body's: A × B = |A|(x·up − y·right) for B at (x, y).
Vec2 direction(const StarDisc& star, const Vec3& moment) {
  const Vec2 d{dot(moment, star.up), -dot(moment, star.right)};
  const double length = exact::length({d.x, d.y, 0});
  if (!(length > std::numeric_limits<double>::min())) return {1, 0};  // concentric: any direction is correct
  return {d.x / length, d.y / length};
}

SkyCircle circle(const StarDisc& star, const Placement& p) {
  SkyCircle c{};
  c.toward = direction(star, p.moment);
  c.near_edge = p.sine / ((p.size + p.cosine) * star.tau);
  c.curvature = star.tau * p.sum_of_cosines / (star.length * p.radius);
  c.scale = std::max(std::fabs(c.curvature), 1.0) / 2;
  c.half_radius = p.radius / (p.length + p.root);
  return c;
}

/// Precondition: an exact predicate decided that the circle crosses the limb.
void cross_limb(SkyCircle& c) {
  const double n = c.near_edge, half = c.curvature / 2;
  cross_limb(c, {1 - n, 1 + n, 1 - half * (1 - n), 1 + half * (1 + n)});
}

}  // namespace

void cross_limb(SkyCircle& c, const LimbCrossing& crossing) {
  const double beyond_near = std::sqrt(std::max(crossing.beyond_near, 0.0)),
               before_near = std::sqrt(std::max(crossing.before_near, 0.0)),
               far_out = std::sqrt(std::max(crossing.far_out, 0.0)),
               far_around = std::sqrt(std::max(crossing.far_around, 0.0));
  c.limb_half = {before_near * far_around, beyond_near * far_out};
  const Vec2 half{far_out * far_around, c.scale * (beyond_near * before_near)};
  c.end = half.x + half.y > 0 ? quarter_tangent(half) : 0;
  if (!(c.limb_half.x + c.limb_half.y > 0)) c.limb_half = before_near < beyond_near ? Vec2{0, 1} : Vec2{1, 0};
}

DoubleDouble<Dekker> root_of_power(const SeenBall& body) {
  exact::Integer square;
  for (int i = 0; i < 3; ++i) {
    const double terms[] = {body.offset[i], body.offset_low[i]};
    const exact::Integer x = exact::Integer::sum(terms);
    square = square + x * x;
  }
  const exact::Scaled root = sqrt(exact::Scaled(square - exact::Integer(body.radius) * body.radius));
  const double scale = exact::inverse_scale(body.offset);
  const auto part = [&](double x) { return std::ldexp(x, root.exponent) * scale; };
  return exact::TwoDouble{part(root.value.hi), part(root.value.lo)};
}

StarDisc star_disc(const exact::SeenBall& star) {
  StarDisc disc{};
  const double scale = exact::inverse_scale(star.offset);
  disc.offset = scale * star.offset, disc.offset_low = scale * star.offset_low;
  exact::has_fma() ? set_size_fused(disc, scale * star.radius) : set_size<Plain>(disc, scale * star.radius);
  const Vec3 axis = (1 / disc.length) * disc.offset;
  const double x = std::fabs(axis.x), y = std::fabs(axis.y), z = std::fabs(axis.z);
  const Vec3 other = x <= y && x <= z ? Vec3{1, 0, 0} : y <= z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  const Vec3 across = sphaera::cross(other, axis);
  disc.right = (1 / std::sqrt(sphaera::dot(across, across))) * across;
  disc.up = sphaera::cross(axis, disc.right);
  return disc;
}

SkyCircle crossing_circle(const StarDisc& star, const exact::SeenBall& body) {
  SkyCircle c = circle(star, placement(star, body));
  cross_limb(c);
  return c;
}

SkyCircle inner_circle(const StarDisc& star, const exact::SeenBall& body) {
  SkyCircle c = circle(star, placement(star, body));
  c.limb_half = {1, 0}, c.end = 1;
  return c;
}

SkyCircle horizon(const StarDisc& star, const exact::SeenBall& down) {
  const double scale = exact::inverse_scale(down.offset);
  SkyCircle c = circle(star, exact::has_fma() ? place_horizon_fused(star, down, scale)
                                              : place_horizon<Plain>(star, down, scale));
  cross_limb(c);
  return c;
}

}  // namespace sphaera::star_light
