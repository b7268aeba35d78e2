#pragma once
/// \file A recentered, scaled frame of the Embree index, in which double becomes float (proofs.md, 1 to 3).
///
/// A frame has a double center F and a size S, a power of two, such that the balls of its spheres lie within
/// |x_i| < 1 in local units, x = (X − F)/S. w = 2^-24 is float's unit roundoff, u = 2^-53 is double's.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exact/predicates/path.hpp>
#include <sphaera/sphere.hpp>

namespace sphaera::embree_index {

/// A box about a point: corners center ± half.
struct Volume {
  Vec3 center, half;
};

/// A path, scaled where products with its direction could overflow or underflow. The scaled path has the
/// parameter s = t·2^exponent.
struct ScaledPath {
  explicit ScaledPath(const exact::Path& path);

  /// The parameter s for t. If s underflows, the point on the path moves by less than 2^-1000.
  double at(double t) const { return exponent == 0 ? t : std::ldexp(t, exponent); }

  const exact::Path& path;
  Vec3 direction, direction_low;
  double from, to;
  int exponent = 0;
  bool is_point = false;  ///< the direction is 0: the path is one point
};

/// The section of a path within a frame, in local units: origin + τ·direction, 0 ≤ τ ≤ 1, s = base + first +
/// τ·length.
struct LocalRay {
  float origin[3], direction[3];
  double base, first, length;

  /// A float τ ≤ 1 not before the parameter s (proofs.md, 3).
  float up_to(double s) const;
};

/// The section of a path near a frame, in world units about the frame's center: start + s·direction, first ≤
/// s ≤ last. The path's own parameter is base + s.
struct Section {
  Vec3 start;
  double base, first, last;
};

/// Does a path meet the frame? `far`: it may, but its origin is too far away for double-double.
enum class Meets : std::uint8_t { no, yes, far };

class Frame {
 public:
  Frame() = default;
  /// A frame around a volume. Tests pass a smaller inflation to see spheres lost.
  explicit Frame(const Volume& volume, double inflation_share = inflation);

  const Vec3& center() const { return center_; }
  double size() const { return size_; }
  double inflation_share() const { return inflation_; }
  /// The box around everything in the frame.
  Volume volume() const { return {center_, half_}; }

  /// Clips the path to the frame.
  Meets clip(const ScaledPath& path, LocalRay& ray) const;
  /// Clips the path to the frame grown by `margin`, without going to local units.
  Meets clip(const ScaledPath& path, double margin, Section& section) const;

  /// One axis of the inflated float box of a volume, in local units. `center` (relative to the frame's
  /// center) and `half` are in world units.
  struct Interval {
    float lower, upper;
  };
  Interval inflated(double center, double half) const {
    const double spare = inflation_ + outward;
    return {static_cast<float>((center - half) * scale_ - spare),
            static_cast<float>((center + half) * scale_ + spare)};
  }

  /// A point and a search radius in local float units; the radius is not smaller than needed.
  struct LocalBall {
    float position[3], radius;
  };
  /// `x`: the point relative to the frame's center. False if the point is too far away for floats.
  bool local(const Vec3& x, double search_radius, LocalBall& ball) const;
  /// The radius alone, after `search_radius` has shrunk.
  float local_radius(const Vec3& x, double search_radius) const;

  static constexpr double inflation = 16 * 0x1p-24;  ///< of a box, in local units; proofs.md, 1
  static constexpr double outward = 0x1p-24;         ///< more than the rounding of a corner to float, w/2

 private:
  Meets section_of(const ScaledPath& path, double margin, Section& section) const;
  bool cut(const ScaledPath& path, double margin, Section& section) const;
  bool is_touched_from_far(const ScaledPath& path, double margin) const;

  Vec3 center_, half_;
  double size_ = 1, scale_ = 1, inflation_ = inflation;
};

}  // namespace sphaera::embree_index
