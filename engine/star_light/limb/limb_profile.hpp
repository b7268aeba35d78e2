#pragma once
/// \file Light of a limb-darkened star's disc within a radius, as seen by the observer.
///
/// At angle ρ from the star's center on the sky, let z = sin ρ/k with k = sin α. Then μ = √(1 − z²) is the
/// cosine of the angle to the surface normal, at any distance of the observer. The light of a term μ^p within
/// ρ, per azimuth,
///     ∫ μ^p sin ρ dρ = k² ∫_μ^1 m^(p+1) (1 − k²(1 − m²))^(−1/2) dm
/// is k² times Σ_j β_j I_j, with the binomial series β_j = (2j)!/(2^j j!)² k^2j and, by parts,
///     I_j = ∫_μ^1 m^(p+1) (1 − m²)^j dm = (2j I_(j−1) − μ^(p+2) z^2j)/(p + 2 + 2j),
///     I_0 = (1 − μ^(p+2))/(p + 2)
/// so that the sum is, with d_j = 1/(p + 2 + 2j), ε_j = β_j + 2(j + 1) d_(j+1) ε_(j+1),
///     d_0 ε_0 − μ^(p+2) Σ d_j ε_j z^2j        all terms positive.
/// The term p = 0 is the area; with X = (1 − cos ρ)/k² the term p = 2 is X − X²(1 − k²X/3) in closed form.

#include <array>
#include <cstddef>
#include <span>
#include <sphaera/star.hpp>

namespace sphaera::star_light {

/// I(μ) of a law, as LimbDarkening::intensity. Precondition: the caller has set the floating-point mode.
double intensity(const LimbDarkening& law, double mu);

/// One limb-darkening law for one angular radius. Lengths are those of sky_circle.hpp: the limb is at r = 1.
class LimbProfile {
 public:
  /// Maximum number of series terms. The series ends earlier if the next β is below 2^-60. Accuracy: 1e-16
  /// for stars of up to 1.3 rad.
  static constexpr int max_terms = 512;

  void set(const LimbDarkening& law, double tau);

  /// Has the law powers of μ that are not integers?
  bool fractional_powers() const { return fractional_powers_; }

  /// Light of the whole disc divided by 2πk²: of the whole law, of its constant part, and of the rest.
  double total() const { return constant_ + darkened_; }
  double constant() const { return constant_; }
  double darkened() const { return darkened_; }

  /// A term weight·μ^power; the series are weight·d_j ε_j (no terms for power 2).
  struct Part {
    double power, weight;
    int terms;
    std::array<double, max_terms> series;
  };

  std::span<const Part> parts() const { return {part_.data(), static_cast<std::size_t>(parts_)}; }
  double tau2() const { return tau2_; }  ///< τ²
  double k2() const { return k2_; }      ///< k²

 private:
  void add(double weight, double power);

  double tau2_ = 0;
  double k2_ = 0;  ///< k²
  double constant_ = 0, darkened_ = 0;
  int parts_ = 0;
  bool fractional_powers_ = false;
  std::array<Part, 4> part_;
};

}  // namespace sphaera::star_light
