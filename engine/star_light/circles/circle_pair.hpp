#pragma once
/// \file Relation of two circles in the plane of sky_circle.hpp: apart, nested or crossing, and the covered
/// part.

#include <algorithm>
#include <cmath>
#include <star_light/circles/half_angle.hpp>
#include <star_light/circles/sky_circle.hpp>

namespace sphaera::star_light {

/// With N = n e the near points and D = N_i − N_j, the cosine of the angle at which the circles cross is
///     γ = e_i·e_j + κ_i D·e_j − κ_j D·e_i − κ_i κ_j |D|²/2
/// γ ≥ 1: the disc of less curvature contains the other disc. γ ≤ −1: the discs have no common point, or
/// cover the plane together.
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
  /// Circles above this curvature use centers, others use near points. Two nearly equal circles that are
  /// nearly concentric with the star can have near points on opposite sides, but their centers are close. For
  /// larger circles the near points are close, and the centers are too far away to keep their digits.
  static constexpr double small_circle = 0.5;

  /// 2 (1 − γ) = κ_i κ_j (d² − (R_i − R_j)²), where d is the distance of the centers and R = 1/κ.
  void by_centers(const SkyCircle& i, const SkyCircle& j) {
    const double radius_i = 1 / i.curvature, radius_j = 1 / j.curvature, bend = i.curvature * j.curvature / 2;
    const Vec2 d = (i.near_edge + radius_i) * i.toward - (j.near_edge + radius_j) * j.toward;
    const double distance = std::sqrt(dot(d, d)), difference = std::fabs(radius_i - radius_j);
    one_minus_cosine = bend * (distance - difference) * (distance + difference);
    one_plus_cosine = bend * (radius_i + radius_j - distance) * (radius_i + radius_j + distance);
  }

  /// Computes 1 − γ from differences if the circles lie on the same side of the star, else 1 + γ from sums.
  /// For nearly equal circles, 1 − γ is small of second order and would cancel.
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

/// The fields of SkyCircle from which crossings are computed, for one circle or for four.
template <class Number>
struct CrossedCircle {
  Plane<Number> toward;
  Number curvature, scale;
};

/// Part of circle i that disc j covers, from angle `start` to angle `end`, both given as directions of the
/// half angle.
template <class Number>
struct CoveredPart {
  Plane<Number> start, end;
  Number excess;  ///< > 0: the part is more than half of the circle's angles
};

/// Precondition: the circles cross, so 0 < sine² = 1 − γ². On circle i disc j's inequality (sky_circle.hpp)
/// reads
///     a0 + a1 cos φ + a2 sin φ ≥ 0,   a0 = g + A, a1 = g − A, a2 = 2B,   a1² + a2² − a0² = sine²/λ²
///     g = e_j·D − κ_j|D|²/2,  2B λ = e_j·ie_i − κ_j D·ie_i,
///     A λ² = g κ_i²/4 + (e_i·e_j − κ_j D·e_i) κ_i/2 − κ_j/2
/// so the covered part is centered at the direction of (a1, a2) and extends to both sides by the direction of
/// (−a0, sine/λ).
template <class Number>
struct CoverTerms {
  Number g, across, a;  ///< g, 2Bλ, A

  template <class Circle>
  SPHAERA_INLINE CoverTerms(const Circle& i, const Circle& j, const Plane<Number>& between) {
    const Number along = dot(j.toward, i.toward) - j.curvature * dot(between, i.toward);
    g = dot(j.toward, between) - j.curvature * dot(between, between) / 2;
    across = cross(i.toward, j.toward) - j.curvature * cross(i.toward, between);
    a = ((g * i.curvature / 2 + along) * i.curvature - j.curvature) / (2 * i.scale * i.scale);
  }
};

template <class Circle, class Number>
SPHAERA_INLINE CoveredPart<Number> covered_part(const Circle& i, const Circle& j,
                                                const Plane<Number>& between, const Number& sine) {
  const CoverTerms<Number> terms(i, j, between);
  const Number inverse = 1 / i.scale, excess = terms.g + terms.a;
  const auto middle = half_direction<Number>({terms.g - terms.a, terms.across * inverse}),
             width = half_direction<Number>({-excess, sine * inverse});
  return {in_frame(width, middle), from_frame(width, middle), excess};
}

inline bool covers_most(const SkyCircle& i, const SkyCircle& j, Vec2 between) {
  const CoverTerms<double> terms(i, j, between);
  return terms.g + terms.a > 0;
}

/// Depth of circle i in disc j, up to a positive factor: the sum of disc j's inequality at two points of
/// circle i. The points lie on both sides of the near point, at most a star's radius or a quarter of the
/// circle away.
inline double depth(const SkyCircle& i, const SkyCircle& j, Vec2 between) {
  const double q = std::min(1.0, 2 / std::fabs(i.curvature)), bend = i.curvature * q / 2;
  const double g = dot(j.toward, between) - j.curvature * dot(between, between) / 2;
  const double along = dot(j.toward, i.toward) - j.curvature * dot(between, i.toward);
  return g * (1 + bend * bend) + (along * i.curvature - j.curvature) * q * q / 2;
}

/// True if circle i is the inner one of two nested circles. Curvatures alone do not decide this if both
/// circles are nearly lines.
inline bool is_inner(const SkyCircle& i, const SkyCircle& j, Vec2 between) {
  return depth(i, j, between) > depth(j, i, -1 * between);
}

}  // namespace sphaera::star_light
