#pragma once
/// \file Edge of a body's disc on the observer's sky, as a circle in a plane where the star is the unit disc.
///
/// The sky is projected stereographically from the point opposite to the star's center, so that circles map
/// to circles, and scaled: a direction at angle ρ from the star's center lies at distance tan(ρ/2)/τ from the
/// origin, τ = tan(α_star/2). A body at angle θ with angular radius α is stored by three quantities. They
/// stay finite and keep their digits if the body fills half of the sky (the circle becomes a line) or if the
/// star is tiny:
///     toward     unit vector e from the star to the body
///     near_edge  n = tan((θ − α)/2)/τ; along the direction e, the disc begins at the near point n e
///     curvature  κ = 2/(far edge − near edge) = τ (cos θ + cos α)/sin α, negative for more than half a sky
/// The body covers the points v with (v − n e)·e ≥ κ/2 |v − n e|².
///
/// A point on the circle is given by an angle φ, 0 at the near edge, −π and π opposite, growing with the body
/// on the right-hand side (clockwise):
///     v = e·(n + i q/(1 + i κ q/2)),  tan(φ/2) = λ q,  λ = max(|κ|, 1)/2            (complex notation)
/// For κ ≥ 1, φ is the central angle. φ keeps its digits also for circles much larger than the star.
/// Arcs are given by t = tan(φ/4) (half_angle.hpp).

#include <exact/numbers/double_double.hpp>
#include <exact/numbers/double_lanes.hpp>
#include <exact/predicates/seen_ball.hpp>
#include <type_traits>

namespace sphaera::star_light {

using exact::absolute, exact::at_least, exact::by_sign, exact::DoubleLanes, exact::root, exact::with_sign;

/// A vector in the plane: of doubles, or of DoubleLanes for four vectors at once (double_lanes.hpp).
template <class Number>
struct Plane {
  Number x{}, y{};
};
using Vec2 = Plane<double>;

template <class N>
SPHAERA_INLINE Plane<N> operator+(const Plane<N>& a, const Plane<N>& b) {
  return {a.x + b.x, a.y + b.y};
}
template <class N>
SPHAERA_INLINE Plane<N> operator-(const Plane<N>& a, const Plane<N>& b) {
  return {a.x - b.x, a.y - b.y};
}
template <class N>
SPHAERA_INLINE Plane<N> operator-(const Plane<N>& a) {
  return {-a.x, -a.y};
}
template <class N>
SPHAERA_INLINE Plane<N> operator*(const std::type_identity_t<N>& s, const Plane<N>& a) {
  return {s * a.x, s * a.y};
}
template <class N>
SPHAERA_INLINE N dot(const Plane<N>& a, const Plane<N>& b) {
  return a.x * b.x + a.y * b.y;
}
template <class N>
SPHAERA_INLINE N cross(const Plane<N>& a, const Plane<N>& b) {
  return a.x * b.y - a.y * b.x;
}
/// Product of complex numbers: transforms b from the frame of unit vector a to the plane's frame.
template <class N>
SPHAERA_INLINE Plane<N> from_frame(const Plane<N>& a, const Plane<N>& b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
template <class N>
SPHAERA_INLINE Plane<N> in_frame(const Plane<N>& a, const Plane<N>& b) {
  return {dot(a, b), cross(a, b)};
}

/// A star as the observer sees it, prepared for many bodies. Its radius is > 0.
struct StarDisc {
  Vec3 offset, offset_low;  ///< A·2^k, of length 1 … 2√3, as an exact sum of two vectors
  double length;            ///< |A|
  double tau;               ///< tan(α/2)
  Vec3 right, up;           ///< axes of the plane
};

StarDisc star_disc(const exact::SeenBall& star);

struct SkyCircle {
  Vec2 toward;
  double near_edge, curvature;
  double scale;        ///< λ
  double half_radius;  ///< tan(α/2) of the body
  Vec2 limb_half;      ///< direction of ψ/2; the body covers the star's limb up to angle ψ on both sides of
                       ///< `toward`
  double end;          ///< the circle lies within the star for |t| ≤ end; 1: the whole circle does
  int body;            ///< number of the body among the star's occluders
};

/// Crossing of a circle with the limb, by quantities that keep their digits if the circle nearly equals the
/// limb. f is the far edge.
struct LimbCrossing {
  double beyond_near;  ///< 1 − n
  double before_near;  ///< 1 + n
  double far_out;      ///< 1 − κ(1 − n)/2 = κ(f − 1)/2
  double far_around;   ///< 1 + κ(1 + n)/2 = κ(f + 1)/2
};

/// Sets `limb_half` and `end` from the triangle of the centers and a crossing. By the half-angle formula,
/// with s = (α_s + θ + α)/2
///     tan²(ψ/2) = sin(s − α_s) sin(s − θ)/(sin s · sin(s − α))
/// and the four sines are the numbers of LimbCrossing up to a common factor. A number can be negative by
/// rounding, or because the far edge lies within the star; it then counts as 0. A circle that equals the limb
/// up to rounding covers the whole limb or nothing.
void cross_limb(SkyCircle& circle, const LimbCrossing& crossing);

/// Offset of the circle's point at t from the near point n e, in the frame of e.
template <class Circle, class N>
SPHAERA_INLINE Plane<N> offset_at(const Circle& circle, const N& t) {
  // w = iq/(1 + iκq/2) with q = s/c; numerator and denominator are multiplied by c². c is 0 only if the
  // circle is not a line.
  const N s = 2 * t, c = circle.scale * (1 - t) * (1 + t);
  const N bend = circle.curvature * s / 2, scale = s / (c * c + bend * bend);
  return {bend * scale, c * scale};
}

inline Vec2 near_point(const SkyCircle& circle) { return circle.near_edge * circle.toward; }
inline Vec2 point_at(const SkyCircle& circle, double t) {
  return near_point(circle) + from_frame(circle.toward, offset_at(circle, t));
}

/// √(|B|² − r²) for B scaled by inverse_scale, from exact integers. All digits are correct, also next to the
/// surface.
exact::DoubleDouble<exact::Dekker> root_of_power(const exact::SeenBall& body);

/// Circle of a body. Precondition: it crosses the star's limb.
SkyCircle crossing_circle(const StarDisc& star, const exact::SeenBall& body);
/// Circle of a body. Precondition: it lies within the star's disc.
SkyCircle inner_circle(const StarDisc& star, const exact::SeenBall& body);
/// Circle of the half of the sky below the tangent plane. Precondition: it crosses the star's limb.
SkyCircle horizon(const StarDisc& star, const exact::SeenBall& down);

}  // namespace sphaera::star_light
