#pragma once
/// \file Bounds of balls relative to a given point. With them the frame of moved spheres keeps the previous
/// center and takes one pass over the spheres; frame_of takes two.

#include <algorithm>
#include <index/boxes/frame.hpp>
#include <index/boxes/sphere_set.hpp>

namespace sphaera::index {

/// Bounds of balls relative to a point, rounded.
struct BoundsAbout {
  Vec3 about;
  Vec3 lower{infinity, infinity, infinity}, upper{-infinity, -infinity, -infinity};

  /// The largest distance from the point along each axis.
  Vec3 half() const { return SphereSet::greater(-lower, upper); }
};

/// Precondition: both are relative to the same point.
inline BoundsAbout united(const BoundsAbout& a, const BoundsAbout& b) {
  return {a.about, SphereSet::lesser(a.lower, b.lower), SphereSet::greater(a.upper, b.upper)};
}

/// Accumulates BoundsAbout, ball by ball.
class BoundsAboutSum {
 public:
  SPHAERA_INLINE explicit BoundsAboutSum(const Vec3& about) : about_{about.x, about.y, about.z, 0} {}

  SPHAERA_INLINE void add(const Vec3& center, const Vec3& half_size) {
    const Lanes h{half_size.x, half_size.y, half_size.z, 0},
        c = Lanes{center.x, center.y, center.z, 0} - about_;
    join(c - h, c + h);
  }
  /// Adds the volume that a sphere of the set sweeps: off by as much as SphereSet::swept.
  template <class Arithmetic>
  SPHAERA_INLINE void add(Arithmetic, const SphereSet& sphere_set, std::size_t i) {
    Lanes sphere, velocity;
    load(sphere, sphere_set.spheres[i]);
    const double r = sphere_set.spheres[i].radius;
    if (!sphere_set.move()) return add(sphere, r);
    load<Arithmetic>(velocity, sphere_set.velocities[i]);
    add(sphere, r, sphere_set.start(), sphere_set.to, velocity);
  }
  /// A sphere. The last lane is ignored.
  SPHAERA_INLINE void add(const Lanes& sphere, double radius) {
    const Lanes c = sphere - about_, r = Lanes{} + radius;
    join(c - r, c + r);
  }
  /// A sphere that moves, from time `from` ≤ 0 to `to` ≥ 0.
  SPHAERA_INLINE void add(const Lanes& sphere, double radius, double from, double to, const Lanes& velocity) {
    const Lanes c = sphere - about_, r = Lanes{} + radius, start = from == 0 ? c : c + from * velocity,
                end = c + to * velocity;
    join((start < end ? start : end) - r, (start > end ? start : end) + r);
  }
  SPHAERA_INLINE void add(const Frame& frame) { add(frame.center(), frame.half_size()); }

  SPHAERA_INLINE BoundsAbout bounds() const {
    return {{about_[0], about_[1], about_[2]},
            {lower_[0], lower_[1], lower_[2]},
            {upper_[0], upper_[1], upper_[2]}};
  }

 private:
  SPHAERA_INLINE void join(const Lanes& low, const Lanes& high) {
    lower_ = low < lower_ ? low : lower_;
    upper_ = high > upper_ ? high : upper_;
  }

  Lanes about_, lower_ = Lanes{} + infinity, upper_ = Lanes{} - infinity;
};

/// A frame for moved spheres, `spare` times as large as necessary. It keeps the previous frame's center if
/// the frame is then at most an eighth larger than necessary; else it lies about the middle.
/// `bounds_of(point)` returns the BoundsAbout of a point.
template <class BoundsOf>
Frame refitted(const Frame& before, const BoundsAbout& bounds, const BoundsOf& bounds_of, double spare = 1) {
  constexpr double bearable = 1.125;
  const Vec3 least = 0.5 * bounds.upper - 0.5 * bounds.lower, half = bounds.half();
  const auto largest = [](const Vec3& v) { return std::max({v.x, v.y, v.z}); };
  if (largest(half) <= bearable * largest(least)) return before.about(before.center(), spare * half);
  const Vec3 middle = bounds.about + (0.5 * bounds.lower + 0.5 * bounds.upper);
  return before.about(middle, spare * bounds_of(middle).half());
}

}  // namespace sphaera::index
