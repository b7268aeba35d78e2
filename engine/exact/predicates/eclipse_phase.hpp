#pragma once
/// \file Exact decisions about a star and one body in front of it: filter → double-double → exact integers.
///
/// With A, B = centres of star and body from the observer, R, r their radii and p = |centre|² − radius² their
/// powers, both > 0, the discs on the observer's sky have angular radii asin(R/|A|), asin(r/|B|), and with θ
/// the angle between A and B
///     apart            A·B + R r ≤ √(p_star p_body)                   (cos θ ≤ cos of the sum of the radii)
///     one in the other A·B − R r ≥ √(p_star p_body)                   (cos θ ≥ cos of their difference)
///     the star in the body, if so:  p_body R² ≤ p_star r²
/// Squared once these are signs of polynomials.

#include <cstdint>
#include <exact/predicates/counts.hpp>
#include <exact/predicates/seen_ball.hpp>

namespace sphaera::exact {

/// How a body's disc lies on the star's, if nearer. Discs overlap only with positive area.
enum class Overlap : std::uint8_t {
  none,
  partial,
  annular,  ///< the body's disc lies within the star's
  total,    ///< the star's disc lies within the body's (or is the same)
};

/// Sign of the observer's power, −1 inside the ball, 0 on it, +1 outside.
int sign_power(const SeenBall& ball, Counts& counts);

/// Is the body nearer than the star? For balls without a common inner point, the observer outside both: they
/// lie on different sides of their radical plane, the body on the observer's ⟺ its power is less.
bool in_front(const SeenBall& body, const SeenBall& star, Counts& counts);

/// The observer is outside both; star.radius > 0.
Overlap overlap(const SeenBall& star, const SeenBall& body, Counts& counts);

/// A body that hides the half of the sky in the open direction `down`, as the ground does: down.offset points
/// from the observer to its centre (the radius is not used). Never annular.
Overlap overlap_half_sky(const SeenBall& star, const SeenBall& down, Counts& counts);

/// Sign of A·(down): +1 where the star's centre is below the tangent plane.
int sign_below(const SeenBall& star, const SeenBall& down, Counts& counts);

}  // namespace sphaera::exact
