#pragma once
/// \file Integrals over what caps leave open of a disc on the unit sphere: over the distance ρ from the
/// disc's center; at each ρ the open azimuths are known. By the tanh–sinh rule, piece by piece between the ρ
/// at which the integrand has a kink: the ends of the caps and the crossings of their circles, placed with 70
/// digits.

#include <cmath>
#include <numbers>
#include <tests/oracle/caps/cap.hpp>
#include <utility>

namespace sphaera::oracle {

class OpenAzimuths {
 public:
  /// The disc of radius `limb` ≤ π about the axis.
  OpenAzimuths(const Direction& axis, long double limb);

  void add(const Cap& cap);

  /// The azimuths, from `right` to `up`, in [−π, π], that no cap covers at ρ.
  using Span = std::pair<long double, long double>;
  const std::vector<Span>& open(long double rho);

  /// Calls visit(ρ, weight): ∫ f(ρ) sin ρ dρ is the sum of weight·f(ρ).
  template <class Visit>
  void integrate(const Visit& visit);

  const Direction& axis() const { return axis_; }
  const Direction& right() const { return right_; }
  const Direction& up() const { return up_; }

 private:
  static constexpr long double pi = std::numbers::pi_v<long double>;

  /// What a cap covers: at ρ the azimuths from azimuth − h(ρ) to azimuth + h(ρ). θ is the angle between the
  /// centers of disc and cap, α the cap's radius.
  struct Cover {
    long double near, far, azimuth;  ///< near = θ − α, far = θ + α

    long double half_width(long double rho) const;
  };

  void kink(long double rho) {
    if (rho > 0 && rho < limb_) kinks_.push_back(rho);
  }

  Direction axis_, right_, up_;
  long double limb_;
  std::vector<Cap> caps_;
  std::vector<Cover> covers_;
  std::vector<long double> kinks_;
  std::vector<Span> covered_, open_;
};

template <class Visit>
void OpenAzimuths::integrate(const Visit& visit) {
  std::sort(kinks_.begin(), kinks_.end());
  for (std::size_t i = 1; i < kinks_.size(); ++i) {
    const long double a = kinks_[i - 1], b = kinks_[i];
    if (!(b > a)) continue;
    constexpr long double step = 0.0625L;
    for (int k = -72; k <= 72; ++k) {
      const long double t = k * step, u = pi / 2 * std::sinh(t), cosh_u = std::cosh(u);
      const long double share = 1 / (1 + std::exp(2 * std::fabs(u)));  // of the way from the nearer end
      const long double rho = u < 0 ? a + (b - a) * share : b - (b - a) * share;
      visit(rho, (b - a) / 2 * step * pi / 2 * std::cosh(t) / (cosh_u * cosh_u) * std::sin(rho));
    }
  }
}

}  // namespace sphaera::oracle
