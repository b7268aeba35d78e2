#pragma once
/// \file How much of a star an observer sees behind any number of spheres.
///
/// Fractions are ratios of solid angles. Ratios of plane disc areas with angles as lengths would differ by
/// 1e-6 for the Sun behind the Moon, by 2e-4 in a low orbit. Method: the edges of all discs are arranged
/// on the observer's sky in double, and in double-double where that cannot decide. Areas are sums over arcs;
/// light is integrated along the same arcs by Green's theorem (Pál, MNRAS 420 (2012) 1630; Short et al.,
/// Research Notes of the AAS 2 (2018) 117).

#include <sphaera/config/requirements.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <sphaera/config/export.hpp>
#include <sphaera/sphere.hpp>
#include <sphaera/star.hpp>

namespace sphaera::inline SPHAERA_ABI {

/// The eclipse phase: the first value that holds. Discs that share no positive area do not overlap.
enum class EclipsePhase : std::uint8_t {
  lit,       ///< no body's disc overlaps the star's
  umbra,     ///< no part of the star is seen
  antumbra,  ///< part of the star is seen and no point of its limb is covered
  penumbra,  ///< part of the star is seen
};

/// Says whether the numbers of a Visibility are defined.
enum class StarStatus : std::uint8_t {
  ok,
  inside_star,      ///< the observer is in the closed ball of the star, or stands on a sphere inside it
  intersects_star,  ///< the surface of a sphere intersects the surface of the star
};

/// The visibility of one star for one observer. Check `status` first: if it is not ok, the numbers are NaN
/// and the other fields keep their initial values, so `phase` is lit and `blocked` is false.
struct Visibility {
  /// Visible solid angle ÷ the star's; error 1e-12.
  double fraction = std::numeric_limits<double>::quiet_NaN();
  /// ∫I dΩ over the visible part, divided by the same integral over the whole disc; error 1e-12.
  double flux = std::numeric_limits<double>::quiet_NaN();
  /// Eclipse magnitude of the dominant body, with the angular radii a of the star and b of the body, and
  /// their separation d: (a + b − d)/2a, or b/a if one disc lies in the other; 0 if lit. b is π/2 for the
  /// ground that the observer stands on, π for a body around the observer. If bodies tie, this is the
  /// greatest of their magnitudes; it may not be that of `dominant`. For a point star: 0 or 1. No error bound
  /// is proven; tested to 1e-12.
  double magnitude = std::numeric_limits<double>::quiet_NaN();
  /// Id of the body that, taken alone, covers the largest part of the disc; −1 if no body overlaps it. Ties
  /// within 1e-12 go to the lowest id.
  std::int64_t dominant = -1;
  std::int32_t occluders = 0;  ///< bodies whose discs overlap the star's, also those behind other bodies
  EclipsePhase phase = EclipsePhase::lit;
  /// True if the segment to the star's center (at infinity: the ray) meets a body other than `on`, or goes
  /// below the horizon of `on`. Spheres inside the star do not count.
  bool blocked = false;
  StarStatus status = StarStatus::ok;
};

/// The visibility of the star behind the spheres; ids are positions in the span.
///
/// Exact for the input doubles: `blocked`, `occluders`, which body is in front, and `phase` behind one body.
/// `fraction` and `flux` are good to 1e-12 absolute for angular radii of the star from 1e-9 to 1 rad, even
/// for circles that almost touch. Behind several bodies `phase` is derived from the uncovered part. If
/// that is tiny, higher precision decides whether any part is uncovered. Apart from ids, nothing depends on
/// the order of the spheres.
///
/// Spheres are closed balls: an observer in or on a sphere (unless `on` names it) is in its umbra. A sphere
/// that lies in the closed ball of the star, or equals it, hides nothing; a sphere that contains the star
/// hides all of it. A star of angular radius below 2^-100 is a point: fully visible unless blocked. The
/// angular radius of a star at infinity is taken as the arc sine of a double.
///
/// Throws Error(invalid_argument) for an input outside its documented range (element = number of the sphere;
/// none for star and observer), `on` out of range, or an observer at the center of the sphere `on`;
/// out_of_memory.
SPHAERA_API Visibility starlight(const Star& star, const Observer& observer, std::span<const Sphere> spheres);

}  // namespace sphaera::inline SPHAERA_ABI
