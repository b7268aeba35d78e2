#pragma once
/// \file Stars and those who look at them.

#include <sphaera/requirements.hpp>

#include <array>
#include <cstdint>
#include <sphaera/export.hpp>
#include <sphaera/vec3.hpp>

namespace sphaera {

/// How a star's disc darkens towards its limb: intensity I(μ), 1 at the disc's centre, μ the cosine of the
/// angle between the line of sight and the star's surface normal (exact also for a near star).
/// Valid: finite coefficients, I ≥ 0 for all μ from 0 to 1, 0 < alpha ≤ 8 (stars have less than 2; steeper
/// discs are not integrated to the 1e-12 that is promised). Sources of the laws: Claret,
/// Astronomy & Astrophysics 363 (2000) 1081; power-2: Hestroffer, Astronomy & Astrophysics 327 (1997) 199.
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
  std::array<double, 4> coefficients{};  ///< in the order named above, the rest unused

  static constexpr LimbDarkening linear(double u) { return {Law::linear, {u}}; }
  static constexpr LimbDarkening quadratic(double u1, double u2) { return {Law::quadratic, {u1, u2}}; }
  static constexpr LimbDarkening sqrt(double c, double d) { return {Law::sqrt, {c, d}}; }
  static constexpr LimbDarkening power2(double c, double alpha) { return {Law::power2, {c, alpha}}; }
  static constexpr LimbDarkening claret4(double c1, double c2, double c3, double c4) {
    return {Law::claret4, {c1, c2, c3, c4}};
  }

  /// I(μ), 0 ≤ μ ≤ 1.
  SPHAERA_API double intensity(double mu) const;

  static constexpr double greatest_alpha = 8;
};

/// A source of light, a ball or a point. It occludes nothing unless it is a sphere of the scene, too.
struct Star {
  enum class Distance : std::uint8_t { finite, infinite };

  Distance distance = Distance::finite;
  Vec3 place;         ///< finite: centre; infinite: direction towards the star, of any non-zero length
  double radius = 0;  ///< finite: radius, 0 is a point; infinite: angular radius in radians, 0 … < π/2
  LimbDarkening limb_darkening{};

  static constexpr Star at(const Vec3& center, double radius, const LimbDarkening& law = {}) {
    return {Distance::finite, center, radius, law};
  }
  static constexpr Star at_infinity(const Vec3& direction, double angular_radius,
                                    const LimbDarkening& law = {}) {
    return {Distance::infinite, direction, angular_radius, law};
  }
};

/// Someone who looks. Who stands on a sphere sees the half of the sky above its tangent plane, the plane
/// through the observer at right angles to the way from the sphere's centre, whatever rounding did to the
/// observer's height; that sphere hides nothing else.
struct Observer {
  static constexpr std::int64_t nowhere = -1;

  Vec3 position;
  std::int64_t on = nowhere;  ///< id of the sphere stood on
};

}  // namespace sphaera
