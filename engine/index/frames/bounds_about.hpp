#pragma once
/// \file Bounds of balls about a point known beforehand. They give moved spheres a frame about the previous
/// frame's center in one pass over the spheres; frame_of needs two passes.

#include <algorithm>
#include <index/frames/drift.hpp>

namespace sphaera::index {

struct BoundsAbout {
  Vec3 lower{infinity, infinity, infinity},
      upper{-infinity, -infinity, -infinity};  ///< of the balls, rounded
  Vec3 half;                                   ///< the largest |c − about| + r along each axis, rounded
};

inline BoundsAbout joined(const BoundsAbout& a, const BoundsAbout& b) {
  return {SphereSet::lesser(a.lower, b.lower), SphereSet::greater(a.upper, b.upper),
          SphereSet::greater(a.half, b.half)};
}

/// Accumulates BoundsAbout, ball by ball.
class BoundsAboutSum {
 public:
  SPHAERA_INLINE explicit BoundsAboutSum(const Vec3& about) : about_{about.x, about.y, about.z, 0} {}

  SPHAERA_INLINE void add(const Lanes& center, const Lanes& half_size) {
    const Lanes c = center - about_;
    join(center - half_size, center + half_size, (c < 0 ? -c : c) + half_size);
  }
  SPHAERA_INLINE void add(const Vec3& center, double radius) {
    add(Lanes{center.x, center.y, center.z, 0}, Lanes{} + radius);
  }
  /// Adds the volume that a moving ball sweeps: off by as much as SphereSet::swept.
  SPHAERA_INLINE void add(const Vec3& center, double radius, const Drift& drift) {
    const Lanes r = Lanes{} + radius, c{center.x, center.y, center.z, 0}, seen = c - about_,
                before = r - (seen + drift.least), behind = seen + drift.most + r;
    join(c + drift.least - r, c + drift.most + r, before > behind ? before : behind);
  }
  /// Adds the volume that a sphere of the set sweeps.
  SPHAERA_INLINE void add(const SphereSet& sphere_set, std::size_t i) {
    const Sphere& s = sphere_set.spheres[i];
    if (!sphere_set.move()) return add(s.center, s.radius);
    add(s.center, s.radius, {sphere_set.velocities[i], sphere_set.from, sphere_set.to});
  }
  SPHAERA_INLINE void add(const Frame& frame) {
    const Vec3 &c = frame.center(), &h = frame.half_size();
    add(Lanes{c.x, c.y, c.z, 0}, Lanes{h.x, h.y, h.z, 0});
  }

  SPHAERA_INLINE BoundsAbout bounds() const {
    return {
        {lower_[0], lower_[1], lower_[2]}, {upper_[0], upper_[1], upper_[2]}, {half_[0], half_[1], half_[2]}};
  }

 private:
  SPHAERA_INLINE void join(const Lanes& low, const Lanes& high, const Lanes& half) {
    lower_ = low < lower_ ? low : lower_;
    upper_ = high > upper_ ? high : upper_;
    half_ = half > half_ ? half : half_;
  }

  Lanes about_, lower_ = Lanes{} + infinity, upper_ = Lanes{} - infinity, half_{};
};

/// A frame for moved spheres. It keeps the previous frame's center if the frame is then at most an eighth
/// larger than necessary; else it lies about the middle. `bounds_of(point)` returns the BoundsAbout of a
/// point.
template <class BoundsOf>
Frame refitted(const Frame& before, const BoundsAbout& bounds, const BoundsOf& bounds_of) {
  constexpr double bearable = 1.125;
  const Vec3 least = 0.5 * bounds.upper - 0.5 * bounds.lower;
  const auto largest = [](const Vec3& v) { return std::max({v.x, v.y, v.z}); };
  if (largest(bounds.half) <= bearable * largest(least)) return before.about(before.center(), bounds.half);
  const Vec3 middle = 0.5 * bounds.lower + 0.5 * bounds.upper;
  return before.about(middle, bounds_of(middle).half);
}

}  // namespace sphaera::index
