#pragma once
/// \file Light of a limb-darkened disc at many points at once. Plain loops over arrays let the compiler
/// vectorize; no operation is fused, so every instruction set gives the same bits.

#include <algorithm>
#include <cmath>
#include <exact/numbers/arithmetic.hpp>
#include <star_light/limb/limb_profile.hpp>
#include <star_light/limb/quick_power.hpp>

namespace sphaera::star_light {

/// Quadrature points on arcs.
struct ArcPoints {
  static constexpr int most = 128;

  int count = 0;
  alignas(64) std::array<double, most> r2;  ///< r², the squared distance from the star's center
  std::array<double, most> rim;             ///< 1 − r²
  std::array<double, most> turn;            ///< weight · v × dv

  /// Reserves `size` more points and returns the index of the first.
  int take(int size) { return (count += size) - size; }
};

/// Sum of `count` terms in four lanes. Precondition: `count` is a multiple of 4.
template <class Term>
SPHAERA_INLINE double sum_of(int count, const Term& term) {
  double lanes[4] = {0, 0, 0, 0};
  for (int i = 0; i < count; i += 4) {
    for (int lane = 0; lane < 4; ++lane) lanes[lane] += term(i + lane);
  }
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

/// Σ turn · area(r)/r² where area(r) is the area of the disc within r per azimuth, 1/2 for the whole disc.
SPHAERA_INLINE double sum_area(double tau2, const ArcPoints& points) {
  const auto term = [&](int i) SPHAERA_INLINE_LAMBDA { return points.turn[i] / (1 + tau2 * points.r2[i]); };
  return sum_of(points.count, term) * ((1 + tau2) / 2);
}

/// μ^(p + 2) from μ² and μ.
template <class Power>
SPHAERA_INLINE void fill_powers(std::array<double, ArcPoints::most>& out,
                                const std::array<double, ArcPoints::most>& mu2, int count,
                                const Power& power) {
  for (int i = 0; i < count; ++i) out[i] = power(mu2[i], std::sqrt(mu2[i]));
}

SPHAERA_INLINE void mu_powers(std::array<double, ArcPoints::most>& out,
                              const std::array<double, ArcPoints::most>& mu2, int count, double p) {
  if (p == 1) {
    fill_powers(out, mu2, count, [](double m2, double m) SPHAERA_INLINE_LAMBDA { return m2 * m; });
  } else if (p == 0.5) {
    fill_powers(out, mu2, count, [](double m2, double m) SPHAERA_INLINE_LAMBDA { return m2 * std::sqrt(m); });
  } else if (p == 1.5) {
    fill_powers(out, mu2, count,
                [](double m2, double m) SPHAERA_INLINE_LAMBDA { return m2 * (m * std::sqrt(m)); });
  } else {
    const double by_square = 1 + p / 2;
    for (int i = 0; i < count; ++i) out[i] = quick_power(mu2[i], by_square);
  }
}

/// Σ turn · light(r)/r² where light(r) is the light of the μ^p terms within r per azimuth, divided by k².
/// Points that pad the last vector must have turn = 0.
SPHAERA_INLINE double sum_light(const LimbProfile& profile, const ArcPoints& points) {
  const int n = points.count;
  const double tau2 = profile.tau2(), half = (1 + tau2) / 2, third = profile.k2() / 3;
  std::array<double, ArcPoints::most> stretch, z2, mu2, power, sum, light{}, closed{};
  for (int i = 0; i < n; ++i) {
    const double r2 = points.r2[i], s = 1 / (1 + tau2 * r2), limb_stretch = (1 + tau2) * s;
    stretch[i] = limb_stretch;
    z2[i] = r2 * (limb_stretch * limb_stretch);
    const double square = points.rim[i] * (1 - tau2 * tau2 * r2) * (s * s);  // 1 − z²
    mu2[i] = square > 0 ? square : 0;
  }
  double at_center = 0;
  for (const LimbProfile::Part& part : profile.parts()) {
    if (part.power == 2) {
      for (int i = 0; i < n; ++i) {
        const double x_by_r2 = half * stretch[i], x = points.r2[i] * x_by_r2;  // X
        closed[i] += part.weight * x_by_r2 * (1 - x * (1 - third * x));
      }
      continue;
    }
    at_center += part.weight;
    sum.fill(0);
    for (int j = part.terms - 1; j >= 0; --j) {
      const double term = part.series[j];
      for (int i = 0; i < n; ++i) sum[i] = sum[i] * z2[i] + term;
    }
    mu_powers(power, mu2, n, part.power);
    for (int i = 0; i < n; ++i) light[i] += part.series[0] - power[i] * sum[i];
  }
  // Near the center light grows as z²/2·(1 + O(z²)), and the difference above loses all digits. The neglected
  // term is 2^-30 of the light of a disc of r² = 2^-30.
  const double central = at_center * ((1 + tau2) * half);
  return sum_of(n, [&](int i) SPHAERA_INLINE_LAMBDA {
    const double r2 = points.r2[i];
    return points.turn[i] * (closed[i] + (r2 < 0x1p-30 ? central : light[i] / r2));
  });
}

}  // namespace sphaera::star_light
