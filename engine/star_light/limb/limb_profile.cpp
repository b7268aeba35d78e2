#include <base/floating_point_environment.hpp>
#include <base/strict_math.hpp>
#include <cmath>
#include <exact/numbers/elementary.hpp>
#include <star_light/limb/limb_profile.hpp>

namespace sphaera::star_light {

void LimbProfile::set(const LimbDarkening& law, double tau) {
  using Law = LimbDarkening::Law;
  const auto& c = law.coefficients;
  tau2_ = tau * tau;
  k2_ = 4 * tau2_ / ((1 + tau2_) * (1 + tau2_));
  parts_ = 0, fractional_powers_ = false, darkened_ = 0;
  double constant = 1;
  switch (law.law) {
    case Law::uniform:
      break;
    case Law::linear:
      constant -= c[0], add(c[0], 1);
      break;
    case Law::quadratic:
      constant -= c[0] + c[1], add(c[0] + 2 * c[1], 1), add(-c[1], 2);
      break;
    case Law::sqrt:
      constant -= c[0] + c[1], add(c[1], 0.5), add(c[0], 1);
      break;
    case Law::power2:
      constant -= c[0], add(c[0], c[1]);
      break;
    case Law::claret4:
      constant -= (c[0] + c[1]) + (c[2] + c[3]);
      for (int n = 0; n < 4; ++n) add(c[n], 0.5 * (n + 1));
      break;
  }
  constant_ = constant * (1 + tau2_) / 2;  // the area over 2πk²: 1/(1 + cos α)
}

void LimbProfile::add(double weight, double power) {
  if (weight == 0) return;
  Part& part = part_[parts_++];
  part.power = power, part.weight = weight;
  if (power == 2) {
    const double x = (1 + tau2_) / 2;  // X at the limb: 1/(1 + cos α)
    part.terms = 0, darkened_ += weight * x * (1 - x * (1 - k2_ * x / 3));
    return;
  }
  fractional_powers_ = fractional_powers_ || power != std::floor(power);
  auto& series = part.series;
  int n = 0;
  for (double beta = 1; n < max_terms && beta > 0x1p-60; ++n) {
    series[n] = beta;
    beta *= k2_ * (2 * n + 1) / (2 * n + 2);
  }
  double later = 0;  // 2(j + 1) d_(j+1) ε_(j+1)
  for (int j = n - 1; j >= 0; --j) {
    const double share = (series[j] + later) / (power + 2 + 2 * j);
    series[j] = weight * share, later = 2 * j * share;
  }
  part.terms = n;
  darkened_ += series[0];
}

}  // namespace sphaera::star_light
