#pragma once
/// \file Where double becomes float: boxes, rays and points in a recentred, scaled frame, conservative by
/// proof.
///
/// A frame has a double centre F, half-sizes H_i per axis and a power-of-two scale such that all boxes, and
/// rays clipped to the frame, have |x_i| ≤ H_i ≤ 1 in scaled units. Below w = 2^-24 is float's unit roundoff,
/// everything is per axis and in units of H_i.
///
/// **Rays**. The double segment P0 + τ(P1 − P0), 0 ≤ τ ≤ 1, becomes org = fl32(P0), dir = fl32(P1 − P0).
///  - org is off by w, dir by 2w (|P1 − P0| ≤ 2): a point moves by ≤ 3w.
///  - A node takes t = fl(plane·rd − fl(org·rd)), rd = fl(1/dir), perhaps fused: as a shift of the plane
///    w|org| and w|plane| for the products, ≤ 1 each, 2w|plane − org| for rd and the difference, ≤ 2: 6.1w.
///    A point at τ inside a box has t_near ≤ τ ≤ t_far for every axis then, in any order of evaluation.
///  - |dir| < 1e-18 is replaced by 1e-18: moves a point by 1e-18, while the nearest plane is ≥ 18w·2^-20
///  away.
/// Total ≤ 9.1w (+ 2^-10 of it, since a clipped ray may overhang the frame by 2^-10 H). `inflation` = 20w
/// leaves room for boxes that are rounded to nearest (w, leaf_block_fit.hpp) and for double roundings (4u).
/// Measured on rays made for it: without inflation a tenth of them is lost, with 2w one in 400, with 4w one
/// in a million, with 5w none (tests/index/conservative.cpp). (Half of it would do; it costs nothing where
/// frames nest, so the room is kept.)
///
/// **Points**. x̂ = fl32(x) is off by w|x| an axis, the box distance (clamp, difference, sum of squares) by a
/// relative 3.1w, its comparison with fl(radius²) by w/2: a radius of (distance + 2w|x|∞ +
/// 2^-60)(1 + 8w) is enough: √3 w|x| ≤ 2w|x|, 2^-60 covers underflow.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <exact/numbers/arithmetic.hpp>
#include <exact/predicates/path.hpp>
#include <limits>
#include <optional>
#include <sphaera/sphere.hpp>

namespace sphaera::index {

/// A box in scaled float units.
struct LocalBox {
  std::array<float, 3> lower, upper;
};

/// The part of a path inside a frame, in scaled float units: org + τ·dir, 0 ≤ τ ≤ 1. Fourth lanes are 0.
struct LocalRay {
  alignas(16) std::array<float, 4> origin, direction;
  double s0, length;  ///< t = s0 + τ·length; s0 is NaN where t cannot be computed from τ
  double rate;        ///< 1 / length, rounded up

  /// For the part from s0 to s1.
  SPHAERA_INLINE void set_span(double from, double to) {
    s0 = from, length = to - from, rate = (1 + 0x1p-22) / length;
  }

  /// Bounds of t at τ between 0 and 1: length, product and sum are off by u each, of |s0| + 2·length at most.
  SPHAERA_INLINE double from(float tau) const { return s0 + tau * length - slack(); }
  SPHAERA_INLINE double to(float tau) const { return s0 + tau * length + slack(); }
  SPHAERA_INLINE double slack() const { return 8 * exact::u * (__builtin_fabs(s0) + length); }

  /// A float that no τ ≥ 0 of a t' ≤ `t` exceeds; NaN where that is unknown. Five roundings (5u, the
  /// last to float w, or 2^-150 if denormal) are covered by the 4w of the rate and by 2^-149: without a
  /// binary node, since the walk waits for it.
  SPHAERA_INLINE float up_to(double t) const { return static_cast<float>((t - s0) * rate + 0x1p-149); }
};

/// A point in scaled float units.
struct LocalPoint {
  std::array<float, 3> position;
  double scale, margin;

  /// A float radius that reaches every box of a sphere within `distance` (world units).
  float reach(double distance) const;
};

class Frame {
 public:
  Frame() = default;
  /// With centre F, for spheres whose balls lie within `half_size` of it along each axis. Tests pass a
  /// smaller inflation to see rays lost.
  Frame(const Vec3& center, const Vec3& half_size, double inflation_share = inflation);

  /// One of the same inflation.
  Frame about(const Vec3& center, const Vec3& half_size) const { return {center, half_size, inflation_}; }

  /// The box of a frame within this one, inflated. Its corners in world units would be too coarse far from 0.
  LocalBox box(const Frame& within) const;

  /// Clips to the frame; false where the path misses it. Precondition: t_min ≤ t_max.
  bool clip(const exact::Path& path, LocalRay& ray) const;

  /// The same for slabs that lie `margin` farther out. Coordinates are as large, then.
  bool clip_grown(const exact::Path& path, double margin, LocalRay& ray) const {
    Frame grown = *this;
    grown.half_ = half_ + Vec3{margin, margin, margin};
    return grown.clip(path, ray);
  }

  /// Does a point lie in it? To a rounding.
  SPHAERA_INLINE bool holds(const Vec3& point) const {
    const Vec3 l = point - center_;
    return std::fabs(l.x) <= half_.x && std::fabs(l.y) <= half_.y && std::fabs(l.z) <= half_.z;
  }

  /// Nothing where the point is too far away for float: everything is then a candidate.
  std::optional<LocalPoint> local(const Vec3& point) const;

  const Vec3& center() const { return center_; }
  double scale() const { return scale_; }  ///< of local units to world units, a power of two
  const Vec3& half_size() const { return half_; }
  /// H, along the longest axis.
  double largest_half_size() const { return std::max({half_.x, half_.y, half_.z}); }

  double inflation_share() const { return inflation_; }
  static constexpr double inflation = 20 * 0x1p-24;  ///< ε/H: 20w

  /// Up to here l + s·d in double is good to 4u·2^20 H = w·H/128; beyond it takes double-double.
  static constexpr double near_limit = 0x1p20;
  /// Of slabs up to there: 8u(2^20 + 1)H ≤ 2^-29 H takes in all roundings (see clip_slabs).
  static constexpr double slab_widening = 1 + 0x1p-29;

 private:
  struct Interval {
    double s0, s1;
  };
  /// Cuts s to where l + s·d lies in the frame's slabs, widened by the error of doing so.
  bool clip_slabs(const Vec3& l, const Vec3& d, Interval& s) const;
  bool clip_near(const exact::Path& path, LocalRay& ray) const;
  bool clip_elsewhere(const exact::Path& path, LocalRay& ray) const;
  bool clip_by_steps(const exact::Path& path, Interval s, LocalRay& ray) const;
  bool farther_than(double factor, const Vec3& l) const;
  void set(const Vec3& p0, const Vec3& d, const Interval& s, LocalRay& ray) const;

  Vec3 center_, half_{1, 1, 1};
  double scale_ = 1, inflation_ = inflation;
};

SPHAERA_INLINE bool Frame::farther_than(double factor, const Vec3& l) const {
  return std::fabs(l.x) > factor * half_.x || std::fabs(l.y) > factor * half_.y ||
         std::fabs(l.z) > factor * half_.z;
}

/// Three axes and an idle lane at once.
using Lanes = double __attribute__((vector_size(32)));
using FloatLanes = float __attribute__((vector_size(16)));

/// For |l| ≤ near_limit·H. An axis along which the path stands still has a huge inverse: it cuts all where l
/// lies outside, else nothing.
SPHAERA_INLINE bool Frame::clip_near(const exact::Path& path, LocalRay& ray) const {
  constexpr double huge = std::numeric_limits<double>::max();
  const Lanes l = Lanes{path.origin.x, path.origin.y, path.origin.z, 0} -
                  Lanes{center_.x, center_.y, center_.z, 0},
              d = {path.direction.x, path.direction.y, path.direction.z, 0},
              half = slab_widening * Lanes{half_.x, half_.y, half_.z, 1};
  Lanes inverse = 1 / d;
  inverse = inverse > huge ? Lanes{} + huge : inverse < -huge ? Lanes{} - huge : inverse;
  const Lanes a = (-half - l) * inverse, b = (half - l) * inverse, first = a < b ? a : b,
              last = a < b ? b : a;
  const double s0 = std::max(std::max(path.t_min, first[0]), std::max(first[1], first[2])),
               s1 = std::min(std::min(path.t_max, last[0]), std::min(last[1], last[2]));
  if (!(s0 <= s1)) return false;
  const auto origin = __builtin_convertvector((l + s0 * d) * scale_, FloatLanes),
             direction = __builtin_convertvector((s1 - s0) * d * scale_, FloatLanes);
  std::memcpy(&ray.origin, &origin, sizeof origin);
  std::memcpy(&ray.direction, &direction, sizeof direction);
  ray.set_span(s0, s1);
  return true;
}

SPHAERA_INLINE bool Frame::clip(const exact::Path& path, LocalRay& ray) const {
  const bool near = path.floor < infinity && !farther_than(near_limit, path.origin - center_);
  return near ? clip_near(path, ray) : clip_elsewhere(path, ray);
}

/// The largest float ≤ x and the smallest ≥ x.
float round_down(double x);
float round_up(double x);

}  // namespace sphaera::index
