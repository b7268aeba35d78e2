#pragma once
/// \file A ball that moves a little: what is so wherever in its bounds it is.

#include <cmath>
#include <contacts/motion.hpp>
#include <cstdint>
#include <exact/numbers/arithmetic.hpp>
#include <exact/numbers/elementary.hpp>
#include <sphaera/ray.hpp>

namespace sphaera::geometry {

/// A ball whose centre keeps within `drift` of a place, as the observer sees it.
struct DriftingBall {
  Vec3 toward;      ///< unit vector to the place
  double distance;  ///< of the place
  double radius, drift;
  double widest;     ///< a disc of this angular radius about `toward` holds the ball's; if `outside`
  double narrowest;  ///< the ball's disc holds one of this angular radius; < 0 if none is known to be held
  bool outside;      ///< the observer stays outside

  /// The ball stays within the one of radius + drift about the place and holds the one of radius − drift. The
  /// sines are quotients of sums: off by 3u; the arc sine by 1 ulp.
  DriftingBall(const PositionBounds& where, double r) : radius(r), drift(where.drift) {
    distance = length(where.offset);
    toward = (1 / distance) * where.offset;
    const double most = (radius + drift) / distance * (1 + 8 * exact::u),
                 least = (radius - drift) / distance * (1 - 8 * exact::u);
    outside = most < 1;
    widest = exact::arc_sine(std::min(most, 1.0)) * (1 + 4 * exact::u);
    narrowest = least >= 0 ? exact::arc_sine(std::min(least, 1.0)) * (1 - 4 * exact::u) : -1;
  }

  /// A disc at infinity.
  DriftingBall(const Vec3& direction, double angular_radius)
      : toward((1 / length(direction)) * direction),
        distance(infinity),
        radius(0),
        drift(0),
        widest(angular_radius * (1 + 4 * exact::u)),
        narrowest(angular_radius * (1 - 4 * exact::u)),
        outside(true) {}

  bool at_infinity() const { return distance == infinity; }
};

/// How the closed balls of star and body lie to each other. Unknown also where they cut each other.
enum class RelativePosition : std::uint8_t { unknown, apart, body_in_star, star_in_body };

/// Proven wherever in their bounds they are.
RelativePosition relative_position(const DriftingBall& star, const DriftingBall& body);

/// Proven for every place that the body may have from the star: where both move alike this tells more.
RelativePosition relative_position(double star_radius, double body_radius, const PositionBounds& from_star);

/// Between their places.
double angle_between(const DriftingBall& star, const DriftingBall& body);

/// Are the discs, at this angle, proven to be apart, so that the star is lit?
bool is_apart(const DriftingBall& star, const DriftingBall& body, double angle);

/// Is the class of star and body (Light, behind this one) proven to be one and the same, wherever in their
/// bounds they are? Their discs, at this angle, may overlap.
bool is_settled(const DriftingBall& star, const DriftingBall& body, double angle, RelativePosition position);

/// The same of a body that the observer stands on, which hides the half sky about the way to its centre.
bool is_settled_above(const DriftingBall& star, const DriftingBall& ground, RelativePosition position);

/// The way to the centre keeps within this angle of `toward`.
double tilt(const DriftingBall& ball);

}  // namespace sphaera::geometry
