#pragma once
/// \file A ball whose position is known within bounds, and predicates that hold for every such position.

#include <cmath>
#include <contacts/motion_piece.hpp>
#include <cstdint>
#include <exact/numbers/arithmetic.hpp>
#include <exact/numbers/elementary.hpp>
#include <sphaera/ray.hpp>

namespace sphaera::contacts {

/// A ball, relative to the observer. Its center stays within `drift` of a reference place. Lengths are in the
/// caller's units, angles in radians.
struct BoundedBall {
  Vec3 toward;      ///< unit vector from the observer to the place
  double distance;  ///< from the observer to the place
  double radius, drift;
  double widest;     ///< a disc of this angular radius about `toward` contains the ball's disc, if `outside`
  double narrowest;  ///< the ball's disc contains a disc of this angular radius about `toward`; < 0: none is
                     ///< proven
  bool outside;      ///< the observer stays outside the ball

  /// The ball stays within the ball of radius + drift about the place and contains the ball of radius −
  /// drift. The sines are quotients of sums, off by 4.5u; the arc sine is off by 1 ulp.
  BoundedBall(const PositionBounds& where, double r) : radius(r), drift(where.drift) {
    distance = exact::length(where.offset);
    toward = (1 / distance) * where.offset;
    const double most = (radius + drift) / distance * (1 + 8 * exact::u),
                 least = (radius - drift) / distance * (1 - 8 * exact::u);
    outside = most < 1;
    widest = exact::arc_sine(std::min(most, 1.0)) * (1 + 4 * exact::u);
    narrowest = least >= 0 ? exact::arc_sine(std::min(least, 1.0)) * (1 - 4 * exact::u) : -1;
  }

  /// A disc at infinity, in a direction of any length > 0; its angular radius in radians.
  BoundedBall(const Vec3& direction, double angular_radius)
      : toward((1 / exact::length(direction)) * direction),
        distance(infinity),
        radius(0),
        drift(0),
        widest(angular_radius * (1 + 4 * exact::u)),
        narrowest(angular_radius * (1 - 4 * exact::u)),
        outside(true) {}

  bool at_infinity() const { return distance == infinity; }
};

/// Relative position of the closed balls of star and body. It is `unknown` also if their surfaces cross.
enum class RelativePosition : std::uint8_t { unknown, apart, body_in_star, star_in_body };

/// Relative position, proven for all positions within the bounds.
RelativePosition relative_position(const BoundedBall& star, const BoundedBall& body);

/// Relative position, proven for every offset of the body from the star within the bounds. It decides more
/// cases than the function above where star and body move alike.
RelativePosition relative_position(double star_radius, double body_radius, const PositionBounds& from_star);

/// Angle between the directions to the reference places, in radians.
double angle_between(const BoundedBall& star, const BoundedBall& body);

/// True if discs whose centers are `angle` radians apart are proven to be disjoint: the star is lit.
bool is_apart(const BoundedBall& star, const BoundedBall& body, double angle);

/// True if the star's phase behind this body alone is proven to be the same for all positions within the
/// bounds. `angle` is the result of angle_between. The discs may overlap.
bool is_phase_constant(const BoundedBall& star, const BoundedBall& body, double angle,
                       RelativePosition position);

/// The same for a body that the observer stands on. It hides the half sky around the direction to its center.
bool is_phase_constant_above(const BoundedBall& star, const BoundedBall& ground, RelativePosition position);

/// Upper bound of the angle between `toward` and the direction to the center, in radians; π if the center may
/// reach the observer.
double tilt(const BoundedBall& ball);

}  // namespace sphaera::contacts
