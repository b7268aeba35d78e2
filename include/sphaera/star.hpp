#pragma once
/// \file Stars and observers.

#include <sphaera/config/requirements.hpp>

#include <array>
#include <cstdint>
#include <sphaera/config/export.hpp>
#include <sphaera/vec3.hpp>

namespace sphaera::inline SPHAERA_ABI {

/// How a star's disc darkens towards its limb: intensity I(μ), with I = 1 at the disc's center and μ the
/// cosine of the angle between the line of sight and the star's surface normal (exact for near stars, too).
/// Valid: finite coefficients, I ≥ 0 for μ from 0 to 1 (checked at μ = 0, 1/64, …, 1), 0 < alpha ≤ 8. Real
/// stars have alpha < 2; beyond 8 the integration would not reach its accuracy of 1e-12. Sources of the laws:
/// Claret, Astronomy & Astrophysics 363 (2000) 1081; power-2: Hestroffer, Astronomy & Astrophysics 327 (1997)
/// 199.
struct LimbDarkening {
  enum class Law : std::uint8_t {
    uniform,    ///< 1
    linear,     ///< 1 − u(1 − μ)
    quadratic,  ///< 1 − u1(1 − μ) − u2(1 − μ)²
    sqrt,       ///< 1 − c(1 − μ) − d(1 − √μ)
    power2,     ///< 1 − c(1 − μ^alpha)
    claret4,    ///< 1 − Σ c_n(1 − μ^(n/2)), n = 1 … 4
  };

  Law law = Law::uniform;
  /// In the order of the law's formula. The rest has no effect, but must be finite unless the law is uniform.
  std::array<double, 4> coefficients{};

  /// The laws with their coefficients in the order of the formulas. Not checked here: functions that take the
  /// star check it.
  static constexpr LimbDarkening linear(double u) { return {Law::linear, {u}}; }
  static constexpr LimbDarkening quadratic(double u1, double u2) { return {Law::quadratic, {u1, u2}}; }
  static constexpr LimbDarkening sqrt(double c, double d) { return {Law::sqrt, {c, d}}; }
  static constexpr LimbDarkening power2(double c, double alpha) { return {Law::power2, {c, alpha}}; }
  static constexpr LimbDarkening claret4(double c1, double c2, double c3, double c4) {
    return {Law::claret4, {c1, c2, c3, c4}};
  }

  /// I(μ), 0 ≤ μ ≤ 1; error 8u(1 + Σ|coefficients|), u = 2^-53. Nothing is checked: an unknown law gives 1, μ
  /// beyond 0 … 1 what the formula gives (NaN for a root or power of μ < 0).
  SPHAERA_API double intensity(double mu) const;

  static constexpr double greatest_alpha = 8;  ///< of power2
};

/// A star: a luminous ball or point. It hides nothing; a scene may contain a sphere at the same position.
/// Valid at finite distance: center and radius as those of a Ball (radius 0 is a point). Valid at infinity: a
/// finite direction, not zero, and 0 ≤ angular_radius < π/2. The fields of the other form are ignored.
struct Star {
  enum class Distance : std::uint8_t { finite, infinite };

  Distance distance = Distance::finite;
  Vec3 center{};              ///< at finite distance
  double radius = 0;          ///< at finite distance; unit of length
  Vec3 direction{};           ///< at infinity: towards the star, of any length
  double angular_radius = 0;  ///< at infinity; radians
  LimbDarkening limb_darkening{};

  /// At a finite distance; `center` and `radius` in the scene's unit.
  static constexpr Star at(const Vec3& center, double radius, const LimbDarkening& law = {}) {
    return {.center = center, .radius = radius, .limb_darkening = law};
  }
  /// At infinity; `angular_radius` in radians.
  static constexpr Star at_infinity(const Vec3& direction, double angular_radius,
                                    const LimbDarkening& law = {}) {
    return {.distance = Distance::infinite,
            .direction = direction,
            .angular_radius = angular_radius,
            .limb_darkening = law};
  }
};

/// Viewpoint. If `on` is set, that sphere hides exactly the half of the sky below its tangent plane through
/// `position`, even if rounding moves `position` off the surface; the sphere hides nothing else. Valid:
/// position within `domain_limit` and not the sphere's center, `on` the id of a sphere or `nowhere`.
struct Observer {
  static constexpr std::int64_t nowhere = -1;

  Vec3 position;
  std::int64_t on = nowhere;  ///< id of the sphere that the observer stands on
};

}  // namespace sphaera::inline SPHAERA_ABI
