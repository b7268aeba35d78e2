#pragma once
/// \file How much of a star an observer sees behind any number of spheres.
///
/// Fractions are by solid angle, not by the discs' angles taken for lengths in a plane (they differ by 1e-6
/// for the Sun behind the Moon, 2e-4 in a low orbit). Method: the circles' edges arranged exactly on the
/// observer's sky, areas by arcs; light by Green's theorem along the same arcs (Pál, MNRAS 420 (2012) 1630;
/// Short et al., Research Notes of the AAS 2 (2018) 117).

#include <sphaera/requirements.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <sphaera/export.hpp>
#include <sphaera/sphere.hpp>
#include <sphaera/star.hpp>

namespace sphaera {

/// Discs overlap only with positive area. The first that holds:
enum class Light : std::uint8_t {
  lit,       ///< no body's disc overlaps the star's
  umbra,     ///< nothing of the star is seen
  antumbra,  ///< part is seen and no point of the limb is covered
  penumbra,  ///< part is seen
};

/// Whether there are numbers.
enum class StarStatus : std::uint8_t {
  ok,
  inside_star,      ///< the observer is in the closed ball of the star, or stands on a sphere that is
  intersects_star,  ///< a sphere's surface cuts the star's
};

/// What is seen of a star. Where the status is not ok, numbers are NaN, the rest as initialised here.
struct Visibility {
  double fraction = std::numeric_limits<double>::quiet_NaN();  ///< solid angle seen ÷ the star's; 1e-12
  double flux = std::numeric_limits<double>::quiet_NaN();      ///< ∫I dΩ seen ÷ over the whole disc; 1e-12
  /// Eclipse magnitude for the dominant body, with angular radii a of the star, b of the body and separation
  /// d: (a + b − d)/2a, or b/a where one disc lies in the other; 0 where lit. b is π/2 for the ground that
  /// the observer stands on, π around one inside a body. Of bodies that tie for dominant, the greatest. A
  /// point star: 0 or 1.
  double magnitude = std::numeric_limits<double>::quiet_NaN();
  std::int64_t dominant = -1;  ///< id of the body that alone covers most, ties within 1e-12 to the lowest id
  std::int32_t occluders = 0;  ///< bodies whose discs overlap the star's, hidden behind others or not
  Light light = Light::lit;
  bool blocked = false;  ///< the segment (ray) to the star's centre meets a closed ball, or goes below `on`
  StarStatus status = StarStatus::ok;
};

/// How the star is seen past the spheres; ids are positions in the span.
///
/// Exact, as real arithmetic gives for the input doubles: `blocked`, `occluders`, which body is in front, and
/// `light` behind one body. `fraction` and `flux` are good to 1e-12 absolute for angular radii of the star
/// from 1e-9 to 1 rad, however nearly circles touch; `light` behind a union follows the numbers, refined
/// where what is left uncovered is less than their error. Nothing but ids depends on the order of the
/// spheres.
///
/// Closed balls: an observer in or on a sphere (but not `on` it) is in its umbra. A sphere that lies in the
/// closed star ball, or equals it, hides nothing; one that holds the star hides it all. A star of angular
/// radius below 2^-100 is a point: seen unless blocked. The angular radius of a star at infinity is taken as
/// the arc sine of a double.
///
/// Throws Error(invalid_argument) for an input outside its documented range (the element is the sphere's
/// number), `on` out of range, or an observer at the centre of `on`; out_of_memory.
SPHAERA_API Visibility starlight(const Star& star, const Observer& observer, std::span<const Sphere> spheres);

}  // namespace sphaera
