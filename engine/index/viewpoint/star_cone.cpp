#include <index/viewpoint/star_cone.hpp>

namespace sphaera::index {
namespace {

/// A float ≤ x, for x ≥ 0.
float below(double x) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>((1 - FaceFrame::depth_slack) * std::min(x, most));
}
/// A float ≥ x, for x ≥ 0.
float above(double x) {
  constexpr double most = std::numeric_limits<float>::max() / 2;
  return x < most ? static_cast<float>((1 + FaceFrame::depth_slack) * x)
                  : std::numeric_limits<float>::infinity();
}

}  // namespace

StarCone::StarCone(const FaceFrame& frame, const Vec3& x, double star_radius, std::uint32_t face)
    : per_scale(frame.per_scale()) {
  const double scale = frame.depth_scale();
  if (!(x.z > 2 * star_radius)) {
    if (star_radius > 0) set_nearer_than(2 * star_radius * scale);
    return;
  }
  const double aside = std::max(std::fabs(x.x), std::fabs(x.y));
  const double spread = std::sqrt(x.z * x.z + aside * aside) * (star_radius / (x.z - star_radius));
  if (aside > farthest_slope * x.z) {
    if (star_radius > 0) set_nearer_than(scale / (1 / x.z + (aside - x.z) / (x.z * spread)));
    return;
  }
  const double inverse = 1 / x.z, u = x.x * inverse, v = x.y * inverse;
  set_growth(frame, {face, Heading::towards, u, v, u, v, x.z, 0}, spread * scale);
  share_rate = -axis.per_depth;  // of the radius at the star
  w_low = below(axis.per_depth), far = above(axis.depth);
  radius = above(star_radius * scale);
  square_cosine = below(1 - star_radius * star_radius / dot(x, x));
}

StarCone::StarCone(const FaceFrame& frame, const Shear& shear, const Vec3& x, double sine) {
  const double u = shear.slope_u(), v = shear.slope_v(), stretch = std::sqrt(1 + u * u + v * v);
  const double steepest = std::max(std::fabs(u), std::fabs(v));
  const double spread = sine * std::sqrt(1 + steepest * steepest) / (1 / stretch - sine);
  set_growth(frame, {0, Heading::parallel, x.x, x.y, u, v, x.z, 1}, spread / frame.depth_scale());
  const double depth = axis.depth;
  first_share = -static_cast<float>(depth), share_rate = 1;
  w_low = near = static_cast<float>(depth - FaceFrame::depth_slack * std::max(std::fabs(depth), 1.0));
  far = std::numeric_limits<float>::infinity();
  radius = above(sine * stretch);
  square_cosine = below(1 - sine * sine);
}

void StarCone::set_growth(const FaceFrame& frame, const ViewpointLine& x, double spread) {
  kind = FaceCone::grows;
  axis = ViewpointWay(frame, x);
  // Positive for a point, too: infinity · 0 would lose boxes that reach to the star.
  growth = std::max(above(spread * frame.scale()), std::numeric_limits<float>::min());
  slack = static_cast<float>((8 * 0x1p-24) * (1 + std::max(std::fabs(axis.u), std::fabs(axis.v))));
}

void StarCone::set_nearer_than(double depth) {
  kind = FaceCone::near_star;
  w_low = below(1 / depth), far = above(depth);
}

}  // namespace sphaera::index
