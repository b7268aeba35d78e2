#pragma once
/// \file How two circles of the sky lie to each other.

#include <algorithm>
#include <cmath>
#include <starlight/half_angle.hpp>
#include <starlight/sky_circle.hpp>

namespace sphaera::geometry {

/// With N = n e the near points and D = N_i − N_j, the cosine of the angle at which the circles cross is
///     γ = e_i·e_j + κ_i D·e_j − κ_j D·e_i − κ_i κ_j |D|²/2
/// γ ≥ 1: one disc holds the other (the one of less curvature), γ ≤ −1: they have no common point, or cover
/// the plane together.
struct CirclePair {
  Vec2 between;  ///< D
  double one_minus_cosine, one_plus_cosine;

  CirclePair(const SkyCircle& i, const SkyCircle& j) : between(near_point(i) - near_point(j)) {
    if (i.curvature >= small_circle && j.curvature >= small_circle) {
      by_centers(i, j);
    } else {
      by_near_points(i, j);
    }
  }

 private:
  /// The near points of circles that are nearly the same, and nearly concentric with the star, may lie on
  /// different sides; their centres are near each other. Larger circles have their near points together, and
  /// centres too far for their digits.
  static constexpr double small_circle = 0.5;

  /// 2 (1 − γ) = κ_i κ_j (d² − (P_i − P_j)²), d the distance of the centres, P = 1/κ.
  void by_centers(const SkyCircle& i, const SkyCircle& j) {
    const double pi = 1 / i.curvature, pj = 1 / j.curvature, bend = i.curvature * j.curvature / 2;
    const Vec2 d = (i.near_edge + pi) * i.toward - (j.near_edge + pj) * j.toward;
    const double distance = std::sqrt(dot(d, d)), difference = std::fabs(pi - pj);
    one_minus_cosine = bend * (distance - difference) * (distance + difference);
    one_plus_cosine = bend * (pi + pj - distance) * (pi + pj + distance);
  }

  /// 1 − γ from differences where the circles are nearly the same: second-order small then.
  void by_near_points(const SkyCircle& i, const SkyCircle& j) {
    const Vec2 difference = i.toward - j.toward, sum = i.toward + j.toward;
    const double bend = i.curvature * j.curvature * dot(between, between) / 2;
    const double along_j = dot(between, j.toward);
    if (dot(i.toward, j.toward) > 0) {
      one_minus_cosine = dot(difference, difference) / 2 - (i.curvature - j.curvature) * along_j +
                         j.curvature * dot(between, difference) + bend;
      one_plus_cosine = 2 - one_minus_cosine;
    } else {
      one_plus_cosine =
          dot(sum, sum) / 2 + (i.curvature + j.curvature) * along_j - j.curvature * dot(between, sum) - bend;
      one_minus_cosine = 2 - one_plus_cosine;
    }
  }
};

/// The part of circle i that disc j covers: between two angles, by the directions of their halves.
struct CoveredPart {
  Vec2 start, end;
  bool wide;  ///< more than half of the circle's angles
};

/// Given that they cross, 0 < sine² = 1 − γ². On circle i disc j's inequality (sky_circle.hpp) reads
///     a0 + a1 cos φ + a2 sin φ ≥ 0,   a0 = g + A, a1 = g − A, a2 = 2B,   a1² + a2² − a0² = sine²/λ²
///     g = e_j·D − κ_j|D|²/2,  2B λ = e_j·ie_i − κ_j D·ie_i,
///     A λ² = g κ_i²/4 + (e_i·e_j − κ_j D·e_i) κ_i/2 − κ_j/2
/// so that it covers the direction of (a1, a2) and to both sides of it that of (−a0, sine/λ).
struct CoverTerms {
  double g, across, a;  ///< g, 2Bλ, A

  CoverTerms(const SkyCircle& i, const SkyCircle& j, Vec2 between) {
    const double along = dot(j.toward, i.toward) - j.curvature * dot(between, i.toward);
    g = dot(j.toward, between) - j.curvature * dot(between, between) / 2;
    across = cross(i.toward, j.toward) - j.curvature * cross(i.toward, between);
    a = ((g * i.curvature / 2 + along) * i.curvature - j.curvature) / (2 * i.scale * i.scale);
  }
};

inline CoveredPart covered_part(const SkyCircle& i, const SkyCircle& j, Vec2 between, double sine) {
  const CoverTerms terms(i, j, between);
  const double inverse = 1 / i.scale;
  const Vec2 middle = half_direction({terms.g - terms.a, terms.across * inverse}),
             width = half_direction({-(terms.g + terms.a), sine * inverse});
  return {in_frame(width, middle), from_frame(width, middle), terms.g + terms.a > 0};
}

inline bool covers_most(const SkyCircle& i, const SkyCircle& j, Vec2 between) {
  const CoverTerms terms(i, j, between);
  return terms.g + terms.a > 0;
}

/// How deep circle i lies in disc j: the sum of disc j's inequality at two points of i to both sides of the
/// near point, at most a star's radius or a quarter of the circle away, up to a positive factor.
inline double depth(const SkyCircle& i, const SkyCircle& j, Vec2 between) {
  const double q = std::min(1.0, 2 / std::fabs(i.curvature)), bend = i.curvature * q / 2;
  const double g = dot(j.toward, between) - j.curvature * dot(between, between) / 2;
  const double along = dot(j.toward, i.toward) - j.curvature * dot(between, i.toward);
  return g * (1 + bend * bend) + (along * i.curvature - j.curvature) * q * q / 2;
}

/// Of two circles one of which lies in the other: is it i? Curvatures alone do not tell where both are nearly
/// lines.
inline bool is_inner(const SkyCircle& i, const SkyCircle& j, Vec2 between) {
  return depth(i, j, between) > depth(j, i, -1 * between);
}

}  // namespace sphaera::geometry
