#include <cmath>
#include <geometry/arc_light.hpp>
#include <geometry/arc_nodes.hpp>
#include <geometry/cap_area.hpp>
#include <geometry/limb_density.hpp>
#include <numbers>
#include <span>

namespace sphaera::geometry {
namespace {

/// A stretch of a circle about its point M: in the frame of the inward normal e there, with y = 4/κ·tan(û/4),
/// û the central angle from M (y is the length along a straight edge), and η = κy/4
///     v = M + e·w,  w = y(2η + i(1 − η²))/(1 + η²)²,  dv/dy = e·i((1 − η²) − 2iη)²/(1 + η²)³
/// no function but + − × ÷.
class Stretch {
 public:
  Stretch(const SkyCircle& circle, double middle) : quarter_curvature_(circle.curvature / 4) {
    const Vec2 w = offset_at(circle, middle);
    origin_ = near_point(circle) + from_frame(circle.toward, w);
    normal_ = from_frame(circle.toward, {1 - circle.curvature * w.x, -circle.curvature * w.y});
    point_ = in_frame(normal_, origin_);
  }

  /// y of a point at most half a turn away. κw = (1 − cos û) + i sin û.
  double coordinate(Vec2 point) const {
    const Vec2 w = in_frame(normal_, point - origin_);
    const double cosine = 1 - 4 * quarter_curvature_ * w.x, sine = 4 * quarter_curvature_ * w.y;
    const double length = std::sqrt(cosine * cosine + sine * sine);
    const double half = w.y / (length + cosine), bend = 4 * quarter_curvature_ * half;  // q/2, tan(û/2)
    return 4 * half / (1 + std::sqrt(1 + bend * bend));
  }

  /// |v|², at most 1, and weight · v × dv/dy
  SPHAERA_INLINE void put(ArcPoints& points, int i, double y, double weight) const {
    const double eta = quarter_curvature_ * y, eta2 = eta * eta, cosine = 1 - eta2, sine = 2 * eta;
    const double inverse = 1 / (1 + eta2), inverse2 = inverse * inverse, step = y * inverse2;
    const double x = point_.x + step * sine, z = point_.y + step * cosine;
    const double speed = weight * (inverse * inverse2), r2 = x * x + z * z;
    points.r2[i] = r2 < 1 ? r2 : 1;
    points.turn[i] = speed * (x * (cosine * cosine - sine * sine) - z * (2 * sine * cosine));
  }

 private:
  double quarter_curvature_;
  Vec2 origin_, normal_, point_;
};

struct Rule {
  std::span<const Node> nodes;
  double middle, reach;
};

SPHAERA_INLINE double integrate(const LimbProfile& profile, const Stretch& stretch, const Rule& rule) {
  ArcPoints points;
  const int half = static_cast<int>(rule.nodes.size());
  points.count = 2 * half;
  for (int i = 0; i < half; ++i) {
    const Node& node = rule.nodes[i];
    const double step = rule.reach * node.s;
    stretch.put(points, i, rule.middle - step, node.weight);
    stretch.put(points, half + i, rule.middle + step, node.weight);
  }
  return rule.reach * sum_light(profile, points);
}

SPHAERA_TARGET_FMA double integrate_wide(const LimbProfile& profile, const Stretch& stretch,
                                         const Rule& rule) {
  return integrate(profile, stretch, rule);
}

double stretch_light(const LimbProfile& profile, const SkyCircle& circle, double from, double to) {
  const Stretch stretch(circle, from + (to - from) / 2);
  const double first = stretch.coordinate(point_at(circle, from)),
               last = stretch.coordinate(point_at(circle, to));
  const bool half_powers = profile.half_powers();
  const std::span<const Node> nodes =
      half_powers ? std::span<const Node>(quintic_nodes) : std::span<const Node>(cubic_nodes);
  const Rule rule{nodes, first + (last - first) / 2, (last - first) / 2};
  return exact::has_fma() ? integrate_wide(profile, stretch, rule) : integrate(profile, stretch, rule);
}

}  // namespace

double arc_area(double tau, const SkyCircle& circle, Vec2 from, Vec2 to, double turn) {
  const double segment = cap_segment(circle.half_radius, turn) / (tau * tau);  // bulges to the right
  return (polar_triangle(tau, from, to) - segment) * (1 + tau * tau) / (4 * std::numbers::pi);
}

// At most half a turn at once.
double arc_light(const LimbProfile& profile, const SkyCircle& circle, double from, double to) {
  if (to - from <= std::numbers::pi) return stretch_light(profile, circle, from, to);
  const double middle = from + (to - from) / 2;
  return stretch_light(profile, circle, from, middle) + stretch_light(profile, circle, middle, to);
}

}  // namespace sphaera::geometry
