#include <index/star/star_cone.hpp>

namespace sphaera::index {
namespace {

/// A float ≤ x ≥ 0.
float below(double x) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>((1 - StarFrame::depth_slack) * std::min(x, most));
}
/// A float ≥ x ≥ 0.
float above(double x) {
  constexpr double most = std::numeric_limits<float>::max() / 2;
  return x < most ? static_cast<float>((1 + StarFrame::depth_slack) * x)
                  : std::numeric_limits<float>::infinity();
}

}  // namespace

StarCone::StarCone(const StarFrame& frame, const Vec3& x, double star_radius, std::uint32_t face,
                   double share)
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
  kind = FaceCone::grows;
  const double inverse = 1 / x.z;
  axis = StarWay(frame, {face, Heading::towards, x.x * inverse, x.y * inverse, x.z});
  per_depth = axis.per_depth;
  w_low = below(per_depth), far = above(axis.depth);
  // Positive for a point, too: infinity · 0 would lose boxes that reach to the star.
  growth = std::max(above(share * spread * scale * frame.scale()), std::numeric_limits<float>::min());
  slack = static_cast<float>(share * (8 * 0x1p-24) * (1 + std::max(std::fabs(axis.u), std::fabs(axis.v))));
  radius = above(star_radius * scale * frame.scale());
  square_cosine = below(1 - star_radius * star_radius / dot(x, x));
}

void StarCone::set_nearer_than(double depth) {
  kind = FaceCone::near_star;
  w_low = below(1 / depth), far = above(depth);
}

}  // namespace sphaera::index
