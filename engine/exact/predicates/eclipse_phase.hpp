#pragma once
/// \file Exact decisions about a star and one body in front of it: filter → double-double → exact integers.
///
/// A, B are the centers of star and body relative to the observer, R, r their radii and p = |center|² −
/// radius² their powers, both > 0. The discs on the observer's sky have angular radii asin(R/|A|),
/// asin(r/|B|). With θ the angle between A and B:
///     apart            A·B + R r ≤ √(p_star p_body)                   (cos θ ≤ cos of the sum of the radii)
///     one in the other A·B − R r ≥ √(p_star p_body)                   (cos θ ≥ cos of their difference)
///     the star in the body, if so:  p_body R² ≤ p_star r²
/// After squaring, these are signs of polynomials.

#include <cstdint>
#include <exact/predicates/counts.hpp>
#include <exact/predicates/seen_ball.hpp>

namespace sphaera::exact {

/// How the disc of a nearer body overlaps the star's disc. Discs overlap only if they share positive area.
enum class Overlap : std::uint8_t {
  none,
  partial,
  annular,  ///< the body's disc lies within the star's
  total,    ///< the star's disc lies within the body's (or is the same)
};

/// Sign of the power at the observer: −1 inside the ball, 0 on it, +1 outside.
int sign_power(const SeenBall& ball, Counts& counts);

/// True if the body is nearer than the star. Precondition: the balls share no inner point and the observer is
/// outside both. Then they lie on different sides of their radical plane, and the body is on the observer's
/// side ⟺ its power is smaller.
bool in_front(const SeenBall& body, const SeenBall& star, Counts& counts);

/// Precondition: the observer is outside both balls; star.radius > 0.
Overlap overlap(const SeenBall& star, const SeenBall& body, Counts& counts);

/// Overlap for a body that hides the open half of the sky in the direction `down`, as the ground does.
/// down.offset points from the observer to the body's center; its radius is not used. Never annular.
Overlap overlap_half_sky(const SeenBall& star, const SeenBall& down, Counts& counts);

/// Sign of A·(down): +1 if the star's center is below the tangent plane.
int sign_below(const SeenBall& star, const SeenBall& down, Counts& counts);

}  // namespace sphaera::exact
