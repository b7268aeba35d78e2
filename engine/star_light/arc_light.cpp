#include <algorithm>
#include <cmath>
#include <exact/numbers/quadrature.hpp>
#include <numbers>
#include <star_light/arc_light.hpp>
#include <star_light/circles/half_angle.hpp>

namespace sphaera::star_light {
namespace {

/// y = 4/κ·tan(û/4), where û is the central angle from the near point. On a straight edge y is the length.
double coordinate(const SkyCircle& circle, double t) {
  if (circle.curvature >= 1) return 4 * t / circle.curvature;
  const Vec2 half = half_of(t);
  const double cosine = circle.scale * half.x, sine = circle.curvature * t;
  return 4 * t / (cosine + std::sqrt(cosine * cosine + sine * sine));
}

/// Strip of analyticity of an integrand of cos δ: |Im δ| < σ, cosh σ = 1/e, at most 5 so that the integrand
/// stays bounded. Returns a lower bound of tanh²(σ/4). With h = tanh²(σ/2) = (1 − e)/(1 + e) it equals h/(1 +
/// √(1 − h))²; the code sums the first terms of the series, and all terms are positive.
template <class N>
SPHAERA_INLINE N strip_of(const N& inverse_cosh) {
  const N e = at_least(0.2, inverse_cosh), h = (1 - e) / (1 + e);
  return h * (0.25 + h * (0.125 + 0.078125 * h));
}

/// Gauss's rule in tan(δ/4) over [−T, T], for an integrand that is analytic for |Im δ| < σ. The ellipse about
/// [−T, T] with semi-axes b = tanh(σ/4) and √(b² + T²), whose sum is ρT, lies within the image of the strip
/// under tan(δ/4). So the error of n nodes is ρ^-2n times a constant. Measured on 400,000 arcs of random
/// circles, with powers of μ up to 2 and stars of up to 1 rad: the error is at most 2e-15 of the disc for
/// each n. Returns null if T needs more than 32 nodes.
const exact::NodeRule* gauss_nodes(double reach, double strip) {
  const double square = reach * reach;
  if (square <= 0.19 * 0.19 * strip) return &exact::gauss_8;
  if (square <= 0.38 * 0.38 * strip) return &exact::gauss_12;
  if (square <= 0.6 * 0.6 * strip) return &exact::gauss_16;
  if (square <= strip) return &exact::gauss_24;
  if (square <= 1.7 * 1.7 * strip) return &exact::gauss_32;
  return nullptr;
}

/// A power p of μ is as wide as 1/√p and grows like a constant to the power p within its strip. So for p > 4
/// the strip is narrowed by the factor √(4/p), and tanh² by 4/p. Measured up to the greatest alpha,
/// 8: 1.4e-13 of the light at most.
double strip_share_of(const LimbProfile& profile) {
  double greatest = 4;
  for (const LimbProfile::Part& part : profile.parts()) greatest = std::max(greatest, part.power);
  return 4 / greatest;
}

/// An arc of a circle that crosses the limb, given by an angle θ with y = y0 sin θ. The limb is at θ = ±π/2.
/// There 1 − r² has zeros of second order, so its square root is analytic. With η = κy/4, e that of y0, I =
/// 1/(1 + e² sin²θ) and Y = (yI)²
///     r² = n² + (1 + κn)Y,  1 − r² = (1 − n²)(cos θ I)²(1 − e⁴ sin²θ),
///     v × dv = (n − (1 + κn)κY/2) y0 cos θ I dθ
/// Next to the real axis the light has singularities where sin²θ = −1/e², 1/e⁴ (I, another zero), where τ²r²
/// = −1, that is sin θ = ±i/E or more, E = P/2 + √(P²/4 + e²), P = τ(1 + e²), and where τ⁴r² = 1, farther
/// than that: none has |Im θ| < arcosh 1/E.
class LimbArc {
 public:
  LimbArc(const LimbArcs& arcs, int i)
      : near_(arcs.circle[i]->near_edge),
        bend_(1 + arcs.curvature[i] * near_),
        half_curvature_(arcs.curvature[i] / 2),
        reach_(arcs.reach[i]),
        width_(arcs.width[i]),
        middle_{arcs.middle_cosine[i], arcs.middle_sine[i]},
        even_(arcs.from[i] == -arcs.to[i]) {
    const double e = half_curvature_ * reach_ / 2;
    e2_ = e * e;
  }

  SPHAERA_INLINE void put(ArcPoints& points, const exact::NodeRule& rule) const {
    Angles angles;
    set_angles(angles, rule);
    if (!even_) put_some(points, rule.positive_nodes, angles.before);
    put_some(points, rule.positive_nodes, angles.after);
  }

 private:
  static constexpr int most = exact::NodeRule::most;
  /// θ at nodes, and the weights of dθ, times y0.
  struct Angle {
    std::array<double, most> sine, cosine, step;
  };
  struct Angles {
    Angle before, after;
  };

  SPHAERA_INLINE void set_angles(Angles& angles, const exact::NodeRule& rule) const {
    const double width = width_, weight = (even_ ? 8 : 4) * width * reach_;
    const Vec2 middle = middle_;
    for (int i = 0; i < (rule.positive_nodes + 3) / 4 * 4; ++i) {
      const double t = width * rule.s[i], inverse = 1 / (1 + t * t);
      const double s = 2 * t * inverse, c = (1 - t) * (1 + t) * inverse;  // of δ/2
      const double sine = 2 * s * c, cosine = 1 - 2 * s * s;
      angles.before.sine[i] = middle.y * cosine - middle.x * sine;
      angles.before.cosine[i] = middle.x * cosine + middle.y * sine;
      angles.after.sine[i] = middle.y * cosine + middle.x * sine;
      angles.after.cosine[i] = middle.x * cosine - middle.y * sine;
      angles.before.step[i] = angles.after.step[i] = weight * rule.weight[i] * inverse;
    }
  }

  // Whole vectors are written; later points overwrite the elements beyond the count.
  SPHAERA_INLINE void put_some(ArcPoints& points, int count, const Angle& angle) const {
    const double near = near_, near2 = near * near, bend = bend_, bow = bend * half_curvature_;
    const double rim = (1 - near) * (1 + near), reach2 = reach_ * reach_, e2 = e2_, e4 = e2 * e2;
    const int begin = points.take(count);
    for (int i = 0; i < (count + 3) / 4 * 4; ++i) {
      const double s2 = angle.sine[i] * angle.sine[i], inverse = 1 / (1 + e2 * s2);
      const double c = angle.cosine[i] * inverse, y2 = reach2 * s2 * (inverse * inverse);
      points.r2[begin + i] = near2 + bend * y2;
      points.rim[begin + i] = rim * (c * c) * (1 - e4 * s2);
      points.turn[begin + i] = (near - bow * y2) * c * angle.step[i];
    }
  }

  double near_, bend_, half_curvature_, reach_, e2_, width_;
  Vec2 middle_;  ///< (cos θ, sin θ)
  bool even_;    ///< the integrand is even: both halves give the same
};

/// Directions of θ/2 are (1 + cos θ, sin θ). Their product is the direction of the middle, their quotient
/// that of half the width.
SPHAERA_INLINE void compute_four(LimbArcs& arcs, double tau, int i) {
  const DoubleLanes a(&arcs.first[i]), b(&arcs.last[i]);
  const DoubleLanes e = DoubleLanes(&arcs.curvature[i]) * DoubleLanes(&arcs.reach[i]) / 4, e2 = e * e,
                    p = tau * (1 + e2);
  strip_of((p + root(p * p + 4 * e2)) / 2).store(&arcs.strip[i]);
  const Plane<DoubleLanes> first{1 + root((1 - a) * (1 + a)), a}, last{1 + root((1 - b) * (1 + b)), b};
  const DoubleLanes inverse = 1 / (2 * root(first.x * last.x));  // of the product of the two lengths
  const Plane<DoubleLanes> middle = inverse * from_frame(first, last),
                           width = inverse * in_frame(first, last);
  middle.x.store(&arcs.middle_cosine[i]), middle.y.store(&arcs.middle_sine[i]);
  const DoubleLanes twice = 1 + width.x;
  (width.y / (twice + root(twice * twice + width.y * width.y))).store(&arcs.width[i]);
}

SPHAERA_INLINE void compute(LimbArcs& arcs, double tau) {
  for (int i = 0; i < arcs.count; i += DoubleLanes::lanes) compute_four(arcs, tau, i);
}

SPHAERA_TARGET_FMA void compute_wide(LimbArcs& arcs, double tau) { compute(arcs, tau); }

/// A stretch of a circle about its point M: in the frame of the inward normal e there, with y = 4/κ·tan(û/4),
/// where û is the central angle from M (on a straight edge y is the length), and η = κy/4
///     v = M + e·w,  w = y(2η + i(1 − η²))/(1 + η²)²,  dv/dy = e·i((1 − η²) − 2iη)²/(1 + η²)³
/// It needs only + − × ÷.
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

  double eta(double y) const { return quarter_curvature_ * y; }

  SPHAERA_INLINE void put(ArcPoints& points, const exact::NodeRule& rule, double middle, double reach) const {
    put_some(points, rule, middle, -reach);
    put_some(points, rule, middle, reach);
  }

 private:
  SPHAERA_INLINE void put_some(ArcPoints& points, const exact::NodeRule& rule, double middle,
                               double reach) const {
    const double bend = quarter_curvature_, weight = std::fabs(reach);
    const Vec2 point = point_;
    const int begin = points.take(rule.positive_nodes);
    for (int i = 0; i < (rule.positive_nodes + 3) / 4 * 4; ++i) {
      const double y = middle + reach * rule.s[i];
      const double eta = bend * y, eta2 = eta * eta, cosine = 1 - eta2, sine = 2 * eta;
      const double inverse = 1 / (1 + eta2), inverse2 = inverse * inverse, step = y * inverse2;
      const double x = point.x + step * sine, z = point.y + step * cosine;
      const double speed = weight * rule.weight[i] * (inverse * inverse2), r2 = x * x + z * z;
      points.r2[begin + i] = r2 < 1 ? r2 : 1;
      points.rim[begin + i] = r2 < 1 ? 1 - r2 : 0;
      points.turn[begin + i] = speed * (x * (cosine * cosine - sine * sine) - z * (2 * sine * cosine));
    }
  }

  double quarter_curvature_;
  Vec2 origin_, normal_, point_;
};

struct StretchRule {
  const exact::NodeRule* nodes;
  double middle, reach;
};

SPHAERA_TARGET_FMA void put_wide(const LimbArc& arc, ArcPoints& points, const exact::NodeRule& nodes) {
  arc.put(points, nodes);
}

SPHAERA_TARGET_FMA void put_wide(const Stretch& stretch, ArcPoints& points, const StretchRule& rule) {
  stretch.put(points, *rule.nodes, rule.middle, rule.reach);
}

SPHAERA_TARGET_FMA double sum_area_wide(double tau2, const ArcPoints& points) {
  return sum_area(tau2, points);
}

SPHAERA_TARGET_FMA double sum_light_wide(const LimbProfile& profile, const ArcPoints& points) {
  return sum_light(profile, points);
}

/// For a circle within the disc, of radius R about a point at distance d: 1/cosh of the imaginary part of the
/// central angle at which r² = 1, from 1 − r² = 1 − d² − R² + 2dR cos û. All other singularities of the light
/// are farther.
double inverse_cosh_of(const SkyCircle& circle) {
  const double radius = 1 / circle.curvature, distance = std::fabs(circle.near_edge + radius);
  const double across = 2 * distance * radius, free = 1 - distance * distance - radius * radius;
  return across < free ? across / free : 1;
}

/// gauss_16 for θ from 0 to π/2, transformed by tan(θ/4): sin²θ, cos θ and the weights of 2dθ.
struct RoughNodes {
  std::array<double, 8> sine2, cosine, step;

  constexpr RoughNodes() : sine2(), cosine(), step() {
    for (int i = 0; i < 8; ++i) {
      const double t = (std::numbers::sqrt2 - 1) * exact::gauss_16.s[i], inverse = 1 / (1 + t * t);
      const double s = 2 * t * inverse, c = (1 - t) * (1 + t) * inverse;
      cosine[i] = 1 - 2 * s * s, sine2[i] = 4 * s * s * c * c;
      step[i] = 8 * (std::numbers::sqrt2 - 1) * exact::gauss_16.weight[i] * inverse;
    }
  }
};

constexpr RoughNodes rough_nodes;

/// Sums the area of the arc between the crossings with the limb, by the formulas of LimbArc.
SPHAERA_INLINE double sum_roughly(const SkyCircle& circle, double tau) {
  const double near = circle.near_edge, bend = 1 + circle.curvature * near;
  const double reach = coordinate(circle, circle.end), e = circle.curvature * reach / 4;
  const double reach2 = reach * reach, e2 = e * e, bow = bend * circle.curvature / 2, tau2 = tau * tau;
  double sum[4] = {0, 0, 0, 0};
  for (int i = 0; i < 8; i += 4) {
    for (int lane = 0; lane < 4; ++lane) {
      const double s2 = rough_nodes.sine2[i + lane], inverse = 1 / (1 + e2 * s2);
      const double y2 = reach2 * s2 * (inverse * inverse), r2 = near * near + bend * y2;
      const double weight = rough_nodes.cosine[i + lane] * rough_nodes.step[i + lane];
      sum[lane] += (near - bow * y2) * inverse * weight / (1 + tau2 * r2);
    }
  }
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) * reach * ((1 + tau2) / 2);
}

SPHAERA_TARGET_FMA double sum_roughly_wide(const SkyCircle& circle, double tau) {
  return sum_roughly(circle, tau);
}

}  // namespace

double rough_area(const SkyCircle& circle, double tau) {
  return (exact::has_fma() ? sum_roughly_wide(circle, tau) : sum_roughly(circle, tau)) / std::numbers::pi;
}

void ArcSums::start_area(double tau) {
  profile_ = nullptr, fractional_powers_ = false, strip_share_ = 1;
  tau_ = tau, area_ = light_ = 0, arcs_.count = points_.count = 0;
}

void ArcSums::start_light(const LimbProfile& profile, double tau) {
  start_area(tau);
  profile_ = &profile, fractional_powers_ = profile.fractional_powers(),
  strip_share_ = strip_share_of(profile);
}

void ArcSums::add(const SkyCircle& circle, double from, double to) {
  if (circle.end == 1 || fractional_powers_) return add_parts(circle, from, to);
  if (arcs_.count == LimbArcs::most) put_limb_arcs();
  const int i = arcs_.count++;
  const double reach = coordinate(circle, circle.end);
  const auto sine = [&](double t) { return std::clamp(coordinate(circle, t) / reach, -1.0, 1.0); };
  arcs_.circle[i] = &circle, arcs_.curvature[i] = circle.curvature, arcs_.reach[i] = reach;
  arcs_.from[i] = from, arcs_.to[i] = to, arcs_.first[i] = sine(from), arcs_.last[i] = sine(to);
}

void ArcSums::put_limb_arcs() {
  const bool wide = exact::has_fma();
  wide ? compute_wide(arcs_, tau_) : compute(arcs_, tau_);
  for (int i = 0; i < arcs_.count; ++i) {
    const exact::NodeRule* nodes = gauss_nodes(arcs_.width[i], strip_share_ * arcs_.strip[i]);
    if (!nodes) {
      add_parts(*arcs_.circle[i], arcs_.from[i], arcs_.to[i]);
      continue;
    }
    make_room();
    const LimbArc arc(arcs_, i);
    wide ? put_wide(arc, points_, *nodes) : arc.put(points_, *nodes);
  }
  arcs_.count = 0;
}

void ArcSums::finish() {
  put_limb_arcs();
  flush();
}

void ArcSums::add_parts(const SkyCircle& circle, double from, double to) {
  const Vec2 first = half_of(from), last = half_of(to);
  if (dot(first, last) >= 0) return add_stretch(circle, from, to);
  const double middle = quarter_tangent(half_direction(from_frame(first, last)));
  add_stretch(circle, from, middle);
  add_stretch(circle, middle, to);
}

// Each stretch covers at most half a turn.
void ArcSums::add_stretch(const SkyCircle& circle, double from, double to) {
  const double middle = quarter_tangent(half_direction(from_frame(half_of(from), half_of(to))));
  const Stretch stretch(circle, middle);
  const double first = stretch.coordinate(point_at(circle, from)),
               last = stretch.coordinate(point_at(circle, to));
  StretchRule rule{nullptr, first + (last - first) / 2, (last - first) / 2};
  if (circle.end == 1)
    rule.nodes = gauss_nodes(stretch.eta(rule.reach), strip_share_ * strip_of(inverse_cosh_of(circle)));
  if (!rule.nodes) rule.nodes = fractional_powers_ ? &exact::quintic_nodes : &exact::cubic_nodes;
  make_room();
  exact::has_fma() ? put_wide(stretch, points_, rule)
                   : stretch.put(points_, *rule.nodes, rule.middle, rule.reach);
}

void ArcSums::make_room() {
  if (points_.count + 2 * exact::NodeRule::most > ArcPoints::most) flush();
}

void ArcSums::flush() {
  while (points_.count % 4 != 0) {
    const int i = points_.count++;
    points_.r2[i] = points_.rim[i] = 0.5, points_.turn[i] = 0;
  }
  const bool wide = exact::has_fma();
  const double tau2 = tau_ * tau_;
  area_ += (wide ? sum_area_wide(tau2, points_) : sum_area(tau2, points_)) / std::numbers::pi;
  if (profile_) light_ += wide ? sum_light_wide(*profile_, points_) : sum_light(*profile_, points_);
  points_.count = 0;
}

}  // namespace sphaera::star_light
