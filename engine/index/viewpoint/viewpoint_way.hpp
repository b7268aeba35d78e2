#pragma once
/// \file A way: a path on a line through a star, or parallel to the lines to a star at infinity, as a face of
/// the star's index sees it.

#include <index/viewpoint/face_frame.hpp>
#include <index/viewpoint/shear.hpp>
#include <index/viewpoint/viewpoint.hpp>

namespace sphaera::index {

/// Which way a path goes along its line: towards the star or away from it; `parallel`: towards a star at
/// infinity.
enum class Heading : std::uint8_t { towards, away, parallel };

/// The line of a path in a face's coordinates, in double, and how t becomes depth along it. Needs no frame.
struct ViewpointLine {
  std::uint32_t face;
  Heading heading;
  double u, v;
  double slope_u, slope_v;  ///< x/z and y/z of its direction
  double depth;             ///< z at t = 0, or at t = 1 (away); > 0 unless parallel
  double depth_rate;        ///< parallel: depth gained from t to t + 1
};

/// The line of a path that `ends` or `starts` at a point; false if its numbers are too large or too small for
/// the error bounds.
SPHAERA_INLINE bool put_line(const exact::Path& path, const Vec3& star, bool towards, ViewpointLine& line) {
  if (!(path.floor < infinity)) return false;
  const Vec3 d = towards ? path.origin - star : path.direction;
  const std::uint32_t face = face_of(d);
  const Vec3 own = turned(face, d);
  const double inverse = 1 / own.z, on_u = own.x * inverse, on_v = own.y * inverse;
  line = {face, towards ? Heading::towards : Heading::away, on_u, on_v, on_u, on_v, own.z, 0};
  return true;
}
/// The line of a path that has the direction of a star at infinity; false as above, or if it begins too far
/// from the spheres.
SPHAERA_INLINE bool put_line(const exact::Path& path, const Shear& shear, ViewpointLine& line) {
  const Vec3 image = shear.image(path.origin);
  const double depth_rate = shear.depth_rate(path.direction);
  if (!(path.floor < infinity) || !shear.resolves(image) || !exact::is_moderate(depth_rate)) return false;
  line = {0, Heading::parallel, image.x, image.y, shear.slope_u(), shear.slope_v(), image.z, depth_rate};
  return true;
}

/// A line in a face's frame, with the interval of its path.
struct ViewpointWay {
  float u, v;                    ///< local
  float w_low, w_high;           ///< outer bounds of W
  float near, far;               ///< depths of the path, rounded
  float slope_u, slope_v;        ///< x/z and y/z of the line
  float square, inverse_square;  ///< 1 + slope_u² + slope_v² and its inverse
  float per_depth;               ///< 1 / depth
  float unit_per_depth, unit;    ///< DiscDistances::unit is unit + unit_per_depth · depth
  float slack;                   ///< of a disc's radius
  double depth, depth_rate;      ///< as in ViewpointLine, in local units
  Heading heading;

  ViewpointWay() = default;
  SPHAERA_INLINE ViewpointWay(const FaceFrame& frame, const ViewpointLine& line, const exact::Path& path)
      : ViewpointWay(frame, line) {
    const bool towards = heading == Heading::towards;
    set_depths(towards ? (1 - path.t_max) * depth : depth_at(path.t_min),
               towards ? (1 - path.t_min) * depth : depth_at(path.t_max));
  }
  /// Without an interval.
  SPHAERA_INLINE ViewpointWay(const FaceFrame& frame, const ViewpointLine& line)
      : u(static_cast<float>(frame.local_u(line.u))),
        v(static_cast<float>(frame.local_v(line.v))),
        slope_u(static_cast<float>(line.slope_u)),
        slope_v(static_cast<float>(line.slope_v)),
        square(1 + slope_u * slope_u + slope_v * slope_v),
        inverse_square(1 / square),
        unit_per_depth(line.heading == Heading::parallel ? 0 : frame.per_scale()),
        unit(line.heading == Heading::parallel ? frame.per_scale() * static_cast<float>(frame.depth_scale())
                                               : 0),
        slack(frame.leaf_slack()),
        depth(line.depth * frame.depth_scale()),
        depth_rate(line.depth_rate * frame.depth_scale()),
        heading(line.heading) {
    per_depth = rounded(1 / depth);
  }

  /// Narrows the bounds of W to spheres that the path enters by `t`.
  SPHAERA_INLINE void limit_to(double t) {
    if (heading == Heading::towards) {
      w_high = smaller(w_high, (1 + FaceFrame::depth_slack) / ((1 - t) * depth));
    } else if (heading == Heading::away) {
      w_low = larger(w_low, (1 - FaceFrame::depth_slack) / (t * depth));
    } else {
      w_high = smaller(w_high, (1 + FaceFrame::depth_slack) * depth_at(t));
    }
  }
  /// t at τ = 0, and what t gains from there to τ = 1: τ is t on a path towards a point, and else the depth.
  SPHAERA_INLINE double first_t() const { return heading == Heading::parallel ? -depth / depth_rate : 0; }
  SPHAERA_INLINE double t_gain() const {
    if (heading == Heading::towards) return 1;
    return 1 / (heading == Heading::parallel ? depth_rate : depth);
  }

 private:
  static constexpr double most = std::numeric_limits<float>::max();

  /// Of a path that goes away from the star, or is parallel.
  SPHAERA_INLINE double depth_at(double t) const {
    return heading == Heading::parallel ? depth + t * depth_rate : t * depth;
  }
  SPHAERA_INLINE void set_depths(double first, double last) {
    near = rounded(first), far = rounded(last);
    if (heading == Heading::parallel) {  // W is the depth
      w_low = larger(0, (1 - FaceFrame::depth_slack) * first);
      w_high = smaller(std::numeric_limits<float>::infinity(), (1 + FaceFrame::depth_slack) * last);
      return;
    }
    w_low = larger(0, (1 - FaceFrame::depth_slack) / last);
    w_high = smaller(std::numeric_limits<float>::infinity(), (1 + FaceFrame::depth_slack) / first);
  }
  SPHAERA_INLINE static float rounded(double x) {
    return x < most ? static_cast<float>(std::max(x, -most)) : std::numeric_limits<float>::infinity();
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
