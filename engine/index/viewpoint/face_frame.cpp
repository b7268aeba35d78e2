#include <index/viewpoint/face_frame.hpp>

namespace sphaera::index {
namespace {

constexpr double float_roundoff = 0x1p-24;

}  // namespace

FaceFrame::FaceFrame(const FaceBounds& bounds, Projection projection, double inflation_share)
    : center_u_((bounds.lower[0] + bounds.upper[0]) / 2),
      center_v_((bounds.lower[1] + bounds.upper[1]) / 2),
      projection_(projection) {
  const double half_u = bounds.upper[0] - center_u_, half_v = bounds.upper[1] - center_v_;
  scale_ = scale_for(std::max(half_u, half_v), largest_scale);
  depth_scale_ = scale_for(bounds.far, largest_depth_scale);
  half_u_ = half_u * scale_, half_v_ = half_v * scale_;
  per_scale_ = static_cast<float>(1 / scale_);
  inflation_ = inflation_share * (4 * float_roundoff + image_error * scale_);
  leaf_slack_ = static_cast<float>(inflation_share * (16 * float_roundoff + 4 * image_error * scale_));
}

}  // namespace sphaera::index
