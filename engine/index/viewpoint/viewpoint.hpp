#pragma once
/// \file Where the star of an index is, and the paths that lie on lines through it.

#include <exact/predicates/path.hpp>

namespace sphaera::index {

/// A point in which paths end or begin, or a direction that they share: a star at infinity. A path ends in a
/// point only if its origin plus its direction (high and low parts) is exactly this point.
class Viewpoint {
 public:
  Viewpoint() = default;
  Viewpoint(const Vec3& point) : at_(point) {}  // NOLINT(google-explicit-constructor): a point is a place
  /// `direction`: towards the star, finite and not zero, of any length.
  static Viewpoint at_infinity(const Vec3& direction) {
    Viewpoint place(direction);
    place.at_infinity_ = true;
    return place;
  }

  const Vec3& at() const { return at_; }  ///< the point; at infinity the direction
  bool at_infinity() const { return at_infinity_; }
  friend bool operator==(const Viewpoint& a, const Viewpoint& b) {
    return a.at_infinity_ == b.at_infinity_ && a.at_ == b.at_;
  }

  /// Does the path go towards the star? It does if it would reach the point at t = 1 and its limits are
  /// 0 ≤ t_min, t_max ≤ 1; at infinity if it has the star's direction.
  SPHAERA_INLINE bool ends(const exact::Path& path) const {
    const Vec3 &o = path.origin, &d = path.direction, &low = path.direction_low;
    if (at_infinity_) return d == at_ && low == Vec3{};
    const exact::TwoDouble x = exact::two_diff(at_.x, o.x), y = exact::two_diff(at_.y, o.y),
                           z = exact::two_diff(at_.z, o.z);
    return (x.hi == d.x) & (y.hi == d.y) & (z.hi == d.z) & (x.lo == low.x) & (y.lo == low.y) &
           (z.lo == low.z) & (path.t_min >= 0) & (path.t_max <= 1);
  }
  /// Does the path start in the point, with t_min ≥ 0?
  SPHAERA_INLINE bool starts(const exact::Path& path) const {
    return !at_infinity_ & (path.origin == at_) & (path.t_min >= 0);
  }

 private:
  Vec3 at_{};
  bool at_infinity_ = false;
};

}  // namespace sphaera::index
