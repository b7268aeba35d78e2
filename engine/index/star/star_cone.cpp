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

StarCone::StarCone(const StarFrame& frame, const Vec3& x, double star_radius, const Cone& cone,
                   std::uint32_t face, double share) {
  const double scale = frame.depth_scale();
  if (!(x.z > 2 * star_radius)) {
    if (star_radius == 0) return;
    kind = FaceCone::near_star;
    w_low = below(1 / (2 * star_radius * scale));
    return;
  }
  const double most = std::max(std::fabs(x.x), std::fabs(x.y)) / x.z, w = 1 / x.z;
  const double kappa = std::sqrt(1 + most * most) / (1 - star_radius * w) * star_radius;
  if (most > farthest_slope) {
    if (star_radius == 0) return;
    kind = FaceCone::near_star;
    const double reached = most < infinity ? (most - 1) / kappa : 0;  // not infinity / infinity
    w_low = below((w + reached) / scale);
    return;
  }
  kind = FaceCone::grows;
  axis = StarWay(frame, {face, Heading::towards, x.x / x.z, x.y / x.z, x.z}, cone.axis);
  w_low = below(w / scale);
  // Positive for a point, too: infinity · 0 would lose boxes that reach to the star.
  growth = std::max(above(share * kappa * scale * frame.scale()), std::numeric_limits<float>::min());
  slack = static_cast<float>(share * (8 * 0x1p-24) * (1 + std::max(std::fabs(axis.u), std::fabs(axis.v))));
  radius = above(star_radius * scale * frame.scale());
  per_depth = axis.per_depth;
  cosine = below(std::sqrt(1 - cone.sine * cone.sine));
}

}  // namespace sphaera::index
