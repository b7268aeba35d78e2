#pragma once
/// \file Corners: the points in which the circles of two caps cross (proofs 2 and 3).

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
