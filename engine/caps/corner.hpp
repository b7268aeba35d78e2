#pragma once
/// \file Corners: the points in which the circles of two caps cross.
///
/// Proof 2, in double. For the angle d between axes q = |n_b − n_a|² is 4 sin²(d/2); the same squares of
/// α_b − α_a and α_a + α_b are
///     inner = (h_b − h_a)² (1 + ((h_a + h_b)/(sin α_a + sin α_b))²)
///     outer = (h_b − h_a)² + (sin α_a + sin α_b)²,   h = cos α.
/// All are good to 10u. Circle b cuts circle a at ±φ from its direction:
///     sin α_a sin d (cos φ, sin φ) = (h_b − h_a + h_a q/2, √((q − inner)(outer − q))/2).
/// Where both differences exceed 2^-10 of their terms, φ is off by at most 10u 2^5, a corner by less than
/// 2^-43.
///
/// Proof 3, in double-double. A cap is n·ω ≥ H, with one H = h|n| in all pairs. N = n_a × n_b and v = H_a n_b
/// − H_b n_a are sums of exact products, good to 2^-100 under any cancellation. The corners are
///     (v × N ± √(|N|² − |v|²) N)/|N|².
/// The root is off by 2^-50 |N| at most, also where the circles touch or almost coincide. Circles of one axis
/// do not cross; of equal caps the first covers the other.

#include <caps/cap.hpp>
#include <cstdint>
#include <exact/numbers/double_lanes.hpp>

namespace sphaera::caps {

/// Two circles are nearly tangent if the squared sines of half the distances between their tangent positions
/// differ by less than this, relative. Then double-double decides.
inline constexpr double tangent_share = 0x1p-10;

/// Axes that are nearer to each other need double-double, too, as their lengths are off by rounding.
inline constexpr double least_chord2 = 0x1p-40;

/// How two circles lie (proof 2), from squares of chords: of the axes, `inner` and `outer` of the angles
/// α_b − α_a and α_a + α_b. The circles cross if inner < chord2 < outer. For double and DoubleLanes.
template <class N>
struct CircleRelation {
  N chord2, rise, sum;         ///< cos α_b − cos α_a, sin α_a + sin α_b
  N past_inner, before_outer;  ///< (chord2 − inner) sum², outer − chord2
  N inner_bound, outer_bound;  ///< within these of 0 they are unsure

  SPHAERA_INLINE CircleRelation(const N& q2, const N& cosine_a, const N& sine_a, const N& cosine_b,
                                const N& sine_b)
      : chord2(q2), rise(cosine_b - cosine_a), sum(sine_a + sine_b) {
    const N cosines = cosine_a + cosine_b, rise2 = rise * rise, sum2 = sum * sum;
    const N outer = rise2 + sum2, inner_sum2 = rise2 * (cosines * cosines + sum2),
            chord2_sum2 = chord2 * sum2;
    past_inner = chord2_sum2 - inner_sum2, before_outer = outer - chord2;
    inner_bound = tangent_share * (chord2_sum2 + inner_sum2) + least_chord2 * sum2,
    outer_bound = tangent_share * (outer + chord2);
  }
  /// Cosine and sine of the half-angle under which circle b cuts circle a, times a common factor.
  SPHAERA_INLINE N along(const N& cosine_a) const { return sum * (rise + 0.5 * chord2 * cosine_a); }
  SPHAERA_INLINE N across() const { return 0.5 * exact::root(past_inner * before_outer); }
};

/// Do two circles cross, and where?
struct Crossing {
  enum class Kind : std::uint8_t { cross, nested, apart };
  Kind kind;
  Vec3 left, right;  ///< corners on the side of axis_a × axis_b, and on the other
};

/// The crossing in double-double. Exact for the caps' axes, taken with directions of length 1, and cosines,
/// up to relative errors of 2^-98. Precondition: 0 < |cosine| < 1.
Crossing cross_precisely(const Cap& a, const Cap& b);

/// The crossing, in double where that suffices. Corners are off by at most 2^-43.
Crossing cross_circles(const CapArrays& caps, std::size_t a, std::size_t b);

}  // namespace sphaera::caps
