/// \file Laws of limb darkening: the intensity at a point of the disc, and which coefficients are valid.

#include <base/floating_point_environment.hpp>
#include <base/strict_math.hpp>
#include <base/validate.hpp>
#include <cmath>
#include <exact/numbers/elementary.hpp>
#include <star_light/limb/limb_profile.hpp>

namespace sphaera {

double LimbDarkening::intensity(double mu) const {
  const base::FloatingPointEnvironment mode;
  return mode.finished(star_light::intensity(*this, mu));
}

namespace star_light {

double intensity(const LimbDarkening& law, double mu) {
  using Law = LimbDarkening::Law;
  const auto& c = law.coefficients;
  const double dark = 1 - mu, root = 1 - std::sqrt(mu);
  switch (law.law) {
    case Law::uniform:
      return 1;
    case Law::linear:
      return 1 - c[0] * dark;
    case Law::quadratic:
      return 1 - c[0] * dark - c[1] * dark * dark;
    case Law::sqrt:
      return 1 - c[0] * dark - c[1] * root;
    case Law::power2:
      return 1 - c[0] * (1 - exact::power(mu, c[1]));
    case Law::claret4:
      return 1 - c[0] * root - c[1] * dark - c[2] * (1 - mu * std::sqrt(mu)) - c[3] * (1 - mu * mu);
  }
  return 1;
}

}  // namespace star_light

bool base::valid(const LimbDarkening& law) {
  if (law.law == LimbDarkening::Law::uniform) return true;
  if (!is_known(law.law)) return false;
  for (const double c : law.coefficients) {
    if (!is_finite(c)) return false;
  }
  if (law.law == LimbDarkening::Law::power2 && !valid_alpha(law.coefficients[1])) return false;
  constexpr int samples = 64;  // the laws are smooth: a dip below 0 between two samples is shallow
  for (int i = 0; i <= samples; ++i) {
    if (!(star_light::intensity(law, static_cast<double>(i) / samples) >= 0)) return false;
  }
  return true;
}

}  // namespace sphaera
