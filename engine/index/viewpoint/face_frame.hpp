#pragma once
/// \file The frame of a face, in which double becomes float: a center and a scale of (U, V), a scale of
/// depth. Boxes are inflated so that no way loses a ball (proofs.md, section 2).

#include <algorithm>
#include <cmath>
#include <index/boxes/frame.hpp>
#include <index/viewpoint/cube_face.hpp>

namespace sphaera::index {

/// Bounds of a face's balls.
struct FaceBounds {
  std::array<double, 2> lower{infinity, infinity}, upper{-infinity, -infinity};
  double near = infinity, far = 0;

  SPHAERA_INLINE void add(const BallImage& image) {
    for (std::size_t i = 0; i < 2; ++i)
      lower[i] = std::min(lower[i], image.lower[i]), upper[i] = std::max(upper[i], image.upper[i]);
    near = std::min(near, image.near), far = std::max(far, image.far);
  }
  void add(const FaceBounds& others) {
    for (std::size_t i = 0; i < 2; ++i)
      lower[i] = std::min(lower[i], others.lower[i]), upper[i] = std::max(upper[i], others.upper[i]);
    near = std::min(near, others.near), far = std::max(far, others.far);
  }
};

/// How a star sees balls: from a point, or along its direction from infinity.
enum class Projection : std::uint8_t { perspective, parallel };

/// Local units: |u|, |v| ≤ 1 and 0 ≤ depth ≤ 1 for balls. W is 1/depth in perspective, else the depth.
class FaceFrame {
 public:
  FaceFrame() = default;
  /// Tests pass a smaller share of the inflation to see balls lost.
  explicit FaceFrame(const FaceBounds& bounds, Projection projection = Projection::perspective,
                     double inflation_share = 1);

  SPHAERA_INLINE double local_u(double on_u) const { return (on_u - center_u_) * scale_; }
  SPHAERA_INLINE double local_v(double on_v) const { return (on_v - center_v_) * scale_; }
  double scale() const { return scale_; }              ///< of U and V: a power of two
  double depth_scale() const { return depth_scale_; }  ///< of z: a power of two
  double inflation() const { return inflation_; }      ///< of boxes, along u and v
  float leaf_slack() const { return leaf_slack_; }     ///< of a disc's radius
  float per_scale() const { return per_scale_; }       ///< 1 / scale
  double half_u() const { return half_u_; }            ///< half-sizes of the face's bounds, in local units
  double half_v() const { return half_v_; }

  /// The inflated box of an image: u, v, W.
  SPHAERA_INLINE LocalBox box(const BallImage& image) const {
    const auto local = [](double x) { return static_cast<float>(x); };
    const auto [first, last] = depths(image);
    return {{local(local_u(image.lower[0]) - inflation_), local(local_v(image.lower[1]) - inflation_), first},
            {local(local_u(image.upper[0]) + inflation_), local(local_v(image.upper[1]) + inflation_), last}};
  }

  /// Relative slack of W, and of depths as floats.
  static constexpr double depth_slack = 0x1p-20;
  /// Beyond this scale, double does not resolve directions.
  static constexpr double largest_scale = 0x1p40;
  static constexpr double largest_depth_scale = 0x1p250;

 private:
  struct Depths {
    float first, last;
  };
  /// Bounds of W.
  SPHAERA_INLINE Depths depths(const BallImage& image) const {
    constexpr double most = std::numeric_limits<float>::max();
    const double near = image.near * depth_scale_, far = image.far * depth_scale_;
    const bool parallel = projection_ == Projection::parallel;
    const double first = (1 - depth_slack) * (parallel ? near : 1 / far);
    const double last = (1 + depth_slack) * (parallel ? far : 1 / near);
    return {static_cast<float>(std::min(first, most)),
            last <= most ? static_cast<float>(last) : std::numeric_limits<float>::infinity()};
  }

  double center_u_ = 0, center_v_ = 0, scale_ = 1, depth_scale_ = 1, inflation_ = 0, half_u_ = 1, half_v_ = 1;
  float leaf_slack_ = 0, per_scale_ = 1;
  Projection projection_ = Projection::perspective;
};

}  // namespace sphaera::index
