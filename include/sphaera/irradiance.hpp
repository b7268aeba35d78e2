#pragma once
/// \file Irradiance: the light of stars that falls on a surface.

#include <sphaera/config/requirements.hpp>

#include <sphaera/config/export.hpp>
#include <sphaera/star.hpp>

namespace sphaera::inline SPHAERA_ABI {

/// A star with the same power in all directions. Valid: a star at finite distance, luminosity finite and ≥ 0.
struct Source {
  Star star;
  double luminosity = 0;  ///< watts
};

/// A small flat surface, lit on the side that its normal points to. It hides nothing. If observer.on is set,
/// that sphere hides everything below the observer's horizon; this affects Scene::irradiance, and the
/// functions below only through their `flux`. Valid: a valid observer and normal.
struct Receiver {
  Observer observer;
  Vec3 normal;  ///< finite, of any non-zero length
};

/// Watts per square unit of length on a surface at `position` that faces the star: luminosity / 4πd²
/// (inverse-square law), times `flux`, the visible fraction of the star's light (Visibility::flux, 0 … 1; not
/// checked). With the default, 1, nothing hides the star; Scene::irradiance computes the flux. Relative error
/// 9·2^-53, absolute 2^-1074 more for a denormal result. NaN for a NaN flux. ∞ at the star's center (NaN if
/// luminosity or flux is 0). Inside the star the formula is applied as it is. Throws Error(invalid_argument)
/// for a source or `position` out of range.
SPHAERA_API double normal_irradiance(const Source& source, const Vec3& position, double flux = 1);

/// normal_irradiance at the receiver's position, times Lambert's cosine of the angle between the receiver's
/// normal and the direction to the star's center; 0 from behind. For a fully visible extended star this rule
/// is exact; if the receiver's plane or a body cuts the disc, it is off by at most the star's angular radius.
/// The cosine is good to 1e-15. NaN at the star's center. `receiver.observer.on` is ignored. Throws
/// Error(invalid_argument) for a source or receiver out of range.
SPHAERA_API double irradiance(const Source& source, const Receiver& receiver, double flux = 1);

}  // namespace sphaera::inline SPHAERA_ABI
