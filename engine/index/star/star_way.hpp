#pragma once
/// \file A way: a path on a line through a star, as a face of the star's index sees it.

#include <index/star/star_frame.hpp>

namespace sphaera::index {

/// The point in which paths end or begin. A path ends there only if its origin plus its direction (high and
/// low parts) is exactly this point.
class SharedPoint {
 public:
  explicit SharedPoint(const Vec3& point) : point_(point) {}
  const Vec3& point() const { return point_; }

  /// Does the path go towards the point? It does if it would reach the point at t = 1 and ends at t ≤ 1.
  SPHAERA_INLINE bool ends(const exact::Path& path) const {
    const Vec3 &o = path.origin, &d = path.direction, &low = path.direction_low;
    const exact::TwoDouble x = exact::two_diff(point_.x, o.x), y = exact::two_diff(point_.y, o.y),
                           z = exact::two_diff(point_.z, o.z);
    return (x.hi == d.x) & (y.hi == d.y) & (z.hi == d.z) & (x.lo == low.x) & (y.lo == low.y) &
           (z.lo == low.z) & (path.t_min >= 0) & (path.t_max <= 1);
  }
  /// Does the path go away from the point?
  SPHAERA_INLINE bool starts(const exact::Path& path) const {
    return (path.origin == point_) & (path.t_min >= 0);
  }

 private:
  Vec3 point_;
};

/// Which way a path goes along its line.
enum class Heading : std::uint8_t { towards, away };

/// Before a face's frame is known: the line's direction from the star, and t as depths along it.
struct StarLine {
  std::uint32_t face;
  Heading heading;
  double u, v;
  double depth;  ///< z at t = 0 (towards) or of t = 1 (away), > 0
};

/// The line of a path that `ends` or `starts` at the star; false if its numbers are too large or too small
/// for the error bounds.
SPHAERA_INLINE bool put_line(const exact::Path& path, const Vec3& star, bool towards, StarLine& line) {
  if (!(path.floor < infinity)) return false;
  const Vec3 d = towards ? path.origin - star : path.direction;
  line.face = face_of(d);
  line.heading = towards ? Heading::towards : Heading::away;
  const Vec3 own = turned(line.face, d);
  const double inverse = 1 / own.z;
  line.u = own.x * inverse, line.v = own.y * inverse, line.depth = own.z;
  return true;
}

/// A line in a face's frame, with the interval of its path.
struct StarWay {
  float u, v;                    ///< local
  float w_low, w_high;           ///< bounds of W, from outside
  float near, far;               ///< depths of the path, rounded
  float slope_u, slope_v;        ///< U and V
  float square, inverse_square;  ///< 1 + U² + V² and its inverse
  float per_scale;               ///< 1 / the frame's scale
  float per_depth;               ///< 1 / depth
  float slack;                   ///< of a disc's radius
  double depth;                  ///< as in StarLine, in local units
  Heading heading;

  StarWay() = default;
  SPHAERA_INLINE StarWay(const StarFrame& frame, const StarLine& line, const exact::Path& path)
      : StarWay(frame, line) {
    const bool towards = heading == Heading::towards;
    set_depths(towards ? (1 - path.t_max) * depth : path.t_min * depth,
               towards ? (1 - path.t_min) * depth : path.t_max * depth);
  }
  /// Without an interval.
  SPHAERA_INLINE StarWay(const StarFrame& frame, const StarLine& line)
      : u(static_cast<float>(frame.local_u(line.u))),
        v(static_cast<float>(frame.local_v(line.v))),
        slope_u(static_cast<float>(line.u)),
        slope_v(static_cast<float>(line.v)),
        square(1 + slope_u * slope_u + slope_v * slope_v),
        inverse_square(1 / square),
        per_scale(frame.per_scale()),
        slack(frame.leaf_slack()),
        depth(line.depth * frame.depth_scale()),
        heading(line.heading) {
    per_depth = rounded(1 / depth);
  }

  /// Bounds of W if only spheres entered by t = limit matter.
  SPHAERA_INLINE void limit_to(double t) {
    if (heading == Heading::towards) {
      const double last = (1 - t) * depth;
      w_high = smaller(w_high, (1 + StarFrame::depth_slack) / last);
    } else {
      const double last = t * depth;
      w_low = larger(w_low, (1 - StarFrame::depth_slack) / last);
    }
  }

 private:
  static constexpr double most = std::numeric_limits<float>::max();

  SPHAERA_INLINE void set_depths(double first, double last) {
    near = rounded(first), far = rounded(last);
    w_low = larger(0, (1 - StarFrame::depth_slack) / last);
    w_high = smaller(std::numeric_limits<float>::infinity(), (1 + StarFrame::depth_slack) / first);
  }
  SPHAERA_INLINE static float rounded(double x) {
    return x < most ? static_cast<float>(x) : std::numeric_limits<float>::infinity();
  }
  /// The smaller of `now` and `bound`; `now` if the bound is NaN, negative or too large for float.
  SPHAERA_INLINE static float smaller(float now, double bound) {
    return bound >= 0 && bound < most ? std::min(now, static_cast<float>(bound)) : now;
  }
  SPHAERA_INLINE static float larger(float now, double bound) {
    return bound > 0 ? std::max(now, static_cast<float>(std::min(bound, most))) : now;
  }
};

}  // namespace sphaera::index
