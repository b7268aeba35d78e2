#pragma once
/// \file A recentered, scaled frame, in which double becomes float. Boxes, rays and points are conservative
/// (../proofs.md, sections 1 and 2).
///
/// A frame has a double center F, half-sizes H_i along each axis and a power-of-two scale. All boxes, and all
/// rays clipped to the frame, have |x_i| ≤ H_i ≤ 1 in scaled units. w = 2^-24 is float's unit roundoff.
///
/// Each box is inflated by 20w·H. Rays against boxes need 9.1w; the rest covers boxes that are rounded to
/// nearest and double roundings.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exact/predicates/path.hpp>
#include <index/boxes/lanes.hpp>
#include <limits>
#include <optional>
#include <sphaera/sphere.hpp>

namespace sphaera::index {

/// A box in scaled float units.
struct LocalBox {
  std::array<float, 3> lower, upper;
};

/// The section of a path inside a frame, in scaled float units: origin + τ·direction, 0 ≤ τ ≤ 1. The fourth
/// lanes are 0.
struct LocalRay {
  alignas(16) std::array<float, 4> origin, direction;
  double s0, length;  ///< t = s0 + τ·length; s0 is NaN where t cannot be computed from τ
  double rate;        ///< 1 / length, rounded up

  /// Sets the section from t = `from` to t = `to`.
  SPHAERA_INLINE void set_span(double from, double to) {
    s0 = from, length = to - from, rate = (1 + 0x1p-22) / length;
  }

  /// Bounds of t at τ between 0 and 1. Length, product and sum are off by u each, of at most |s0| + 2·length.
  SPHAERA_INLINE double from(float tau) const { return s0 + tau * length - slack(); }
  SPHAERA_INLINE double to(float tau) const { return s0 + tau * length + slack(); }
  SPHAERA_INLINE double slack() const { return 8 * exact::u * (__builtin_fabs(s0) + length); }

  /// A float ≥ every τ ≥ 0 with s0 + τ·length ≤ `t`; NaN where t cannot be computed from τ. The 4w of the
  /// rate and 2^-149 cover five roundings in double (5u) and one to float (w, or 2^-150 if denormal). There
  /// is no branch, since the walk waits for the result.
  SPHAERA_INLINE float up_to(double t) const { return static_cast<float>((t - s0) * rate + 0x1p-149); }
};

/// A point in scaled float units.
struct LocalPoint {
  std::array<float, 3> position;
  double scale, margin;  ///< the frame's scale; bound of the rounding error of `position`

  /// A float radius that reaches every box of a sphere within `distance` (world units) of the point.
  float local_radius(double distance) const;
};

class Frame {
 public:
  Frame() = default;
  /// A frame with center F for spheres whose balls lie within `half_size` of it along each axis. Tests pass a
  /// smaller inflation to see rays lost.
  Frame(const Vec3& center, const Vec3& half_size, double inflation_share = inflation);

  /// A frame as its accessors gave it; empty if no constructor makes such a frame.
  static std::optional<Frame> opened(const Vec3& center, const Vec3& half_size, double scale);

  /// Another frame with the same inflation.
  Frame about(const Vec3& center, const Vec3& half_size) const { return {center, half_size, inflation_}; }

  /// The inflated box, in this frame's units, of the frame `within` inside it. The box's corners in world
  /// units would be too coarse far from 0.
  LocalBox box(const Frame& within) const;

  /// Clips the path to the frame; false if the path misses the frame. Precondition: t_min ≤ t_max.
  bool clip(const exact::Path& path, LocalRay& ray) const;

  /// Clips to slabs that lie `margin` farther out. The ray's coordinates are then that much larger, too.
  bool clip_grown(const exact::Path& path, double margin, LocalRay& ray) const {
    Frame grown = *this;
    grown.half_ = half_ + Vec3{margin, margin, margin};
    return grown.clip(path, ray);
  }

  /// Does the frame contain the point? Correct to a rounding.
  SPHAERA_INLINE bool holds(const Vec3& point) const {
    const Vec3 l = point - center_;
    return std::fabs(l.x) <= half_.x && std::fabs(l.y) <= half_.y && std::fabs(l.z) <= half_.z;
  }

  /// The point in local units; empty if it is too far away for float. Everything is then a candidate.
  std::optional<LocalPoint> local(const Vec3& point) const;

  const Vec3& center() const { return center_; }
  double scale() const { return scale_; }  ///< world units to local units: a power of two
  const Vec3& half_size() const { return half_; }
  /// Half-size of the longest axis.
  double largest_half_size() const { return std::max({half_.x, half_.y, half_.z}); }

  double inflation_share() const { return inflation_; }
  static constexpr double inflation = 20 * 0x1p-24;  ///< ε/H: 20w

  /// Up to this many half-sizes H from the center, l + s·d in double is accurate to 4u·2^20 H = w·H/128.
  /// Beyond, the sum needs double-double.
  static constexpr double near_limit = 0x1p20;
  /// Factor for slabs up to there: 8u(2^20 + 1)H ≤ 2^-29 H covers all roundings (see clip_slabs).
  static constexpr double slab_widening = 1 + 0x1p-29;

 private:
  struct Interval {
    double s0, s1;
  };
  /// Cuts s to the interval in which l + s·d lies between the frame's slabs, widened by the error of this
  /// computation.
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

/// Sets the lanes to a sphere's center and radius, and back.
SPHAERA_INLINE void load(Lanes& to, const Sphere& sphere) {
  static_assert(sizeof(Lanes) == sizeof(Sphere) && offsetof(Sphere, radius) == 3 * sizeof(double));
  std::memcpy(&to, &sphere, sizeof to);
}
SPHAERA_INLINE void store(Sphere& to, const Lanes& sphere) {
  std::memcpy(static_cast<void*>(&to), &sphere, sizeof to);
}

/// Clips a path whose origin has |l| ≤ near_limit·H. An axis with zero direction gets a huge inverse: if l
/// lies outside the slab, the path misses the frame; else this axis does not clip.
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

/// round_down: the largest float ≤ x; round_up: the smallest float ≥ x.
float round_down(double x);
float round_up(double x);

}  // namespace sphaera::index
