#include <algorithm>
#include <cmath>
#include <numbers>
#include <tests/oracle/radicals.hpp>
#include <tests/oracle/roots.hpp>
#include <tests/oracle/starlight.hpp>
#include <vector>

namespace sphaera::oracle {
namespace {

using Long = bmp::number<bmp::backends::cpp_bin_float<70, bmp::backends::digit_base_10, void, std::int32_t>,
                         bmp::et_off>;
using Direction = std::array<Long, 3>;
constexpr long double pi = std::numbers::pi_v<long double>;

Long dot(const Direction& a, const Direction& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Direction cross(const Direction& a, const Direction& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Long length(const Direction& a) { return sqrt(dot(a, a)); }
Direction scaled(const Long& s, const Direction& a) { return {s * a[0], s * a[1], s * a[2]}; }
Direction operator+(const Direction& a, const Direction& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Long angle(const Direction& a, const Direction& b) { return atan2(length(cross(a, b)), dot(a, b)); }
Direction from(const Vec3& x, const Vec3& y) {
  return {Long(y.x) - Long(x.x), Long(y.y) - Long(x.y), Long(y.z) - Long(x.z)};
}
Direction unit(const Direction& a) { return scaled(1 / length(a), a); }

/// A disc on the sky.
struct Cap {
  Direction axis;
  Long radius, cosine;
};

Cap cap(const Direction& to_center, double radius) {
  const Long square = dot(to_center, to_center), power = square - Long(radius) * Long(radius);
  return {unit(to_center), atan2(Long(radius), sqrt(power)), sqrt(power / square)};
}

Cap half_sky(const Direction& to_center) { return {unit(to_center), atan2(Long(1), Long(0)), 0}; }

/// The common points a·A + b·B ± c·A×B of two circles.
std::vector<Direction> common_points(const Cap& first, const Cap& second) {
  const Direction normal = cross(first.axis, second.axis);
  const Long d = dot(first.axis, second.axis), sine2 = dot(normal, normal);
  if (sine2 == 0) return {};
  const Long a = (first.cosine - d * second.cosine) / sine2, b = (second.cosine - d * first.cosine) / sine2;
  const Long rest = (1 - a * a - b * b - 2 * a * b * d) / sine2;
  if (rest < 0) return {};
  const Long c = sqrt(rest);
  const Direction middle = scaled(a, first.axis) + scaled(b, second.axis);
  return {middle + scaled(c, normal), middle + scaled(-c, normal)};
}

/// The part of the star that a cap hides: of the circle at ρ from azimuth − h(ρ) to azimuth + h(ρ). θ is the
/// angle between the star's center and the cap's, α the cap's angular radius.
struct Cover {
  long double near, far, azimuth;  ///< near = θ − α, far = θ + α

  /// h by the half-angles of the triangle with sides θ, ρ, α.
  long double half_width(long double rho) const {
    if (rho <= std::fabs(near)) return near < 0 ? pi : 0;
    if (rho >= far) return 0;
    const long double above = std::sin((rho - near) / 2) * std::sin((far - rho) / 2);
    const long double below = std::sin((far + rho) / 2) * std::sin((near + rho) / 2);
    return 2 * std::atan2(std::sqrt(above), std::sqrt(below));
  }
};

class Sky {
 public:
  static Cap star_cap(const Star& star, const Vec3& observer) {
    if (star.distance == Star::Distance::finite) return cap(from(observer, star.center), star.radius);
    const Vec3& d = star.direction;
    const Long angle = star.angular_radius;
    return {unit({Long(d.x), Long(d.y), Long(d.z)}), angle, cos(angle)};
  }

  Sky(const Star& star, const Vec3& observer) {
    const Cap disc = star_cap(star, observer);
    axis_ = disc.axis, radius_ = disc.radius;
    const Direction other = abs(axis_[0]) < 0.6 ? Direction{1, 0, 0} : Direction{0, 1, 0};
    right_ = unit(cross(other, axis_)), up_ = cross(axis_, right_);
    limb_ = static_cast<long double>(radius_);
    kinks_ = {0, limb_};
  }

  void add(const Cap& c) {
    const Long theta = angle(axis_, c.axis);
    const Cover cover{static_cast<long double>(theta - c.radius), static_cast<long double>(theta + c.radius),
                      static_cast<long double>(atan2(dot(c.axis, up_), dot(c.axis, right_)))};
    covers_.push_back(cover);
    kink(std::fabs(cover.near)), kink(cover.far);
    for (const Cap& earlier : caps_) cross_caps(earlier, c);
    caps_.push_back(c);
  }

  Seen integrate(const LimbDarkening& law) {
    std::sort(kinks_.begin(), kinks_.end());
    Seen sum{0, 0};
    long double area = 0, light = 0;
    for (std::size_t i = 1; i < kinks_.size(); ++i) {
      stretch(kinks_[i - 1], kinks_[i], law, sum, area, light);
    }
    return {sum.fraction / area, sum.flux / light};
  }

 private:
  void kink(long double rho) {
    if (rho > 0 && rho < limb_) kinks_.push_back(rho);
  }

  void cross_caps(const Cap& first, const Cap& second) {
    for (const Direction& p : common_points(first, second)) kink(static_cast<long double>(angle(axis_, p)));
  }

  /// 2π less the union of the covered azimuths.
  long double visible(long double rho) {
    spans_.clear();
    for (const Cover& c : covers_) {
      const long double h = c.half_width(rho);
      if (h >= pi) return 0;
      if (h <= 0) continue;
      long double start = std::remainder(c.azimuth - h, 2 * pi);
      if (start < -pi) start = -pi;
      spans_.push_back({start, start + 2 * h});
      if (start + 2 * h > pi) spans_.push_back({-pi, start + 2 * h - 2 * pi});
    }
    std::sort(spans_.begin(), spans_.end());
    long double covered = -pi, sum = 0;
    for (const auto& [start, end] : spans_) {
      if (start > covered) sum += start - covered;
      covered = std::max(covered, std::min(end, pi));
    }
    return sum + (pi - covered);
  }

  void stretch(long double a, long double b, const LimbDarkening& law, Seen& sum, long double& area,
               long double& light) {
    if (!(b > a)) return;
    constexpr long double step = 0.0625L;
    for (int k = -72; k <= 72; ++k) {
      const long double t = k * step, u = pi / 2 * std::sinh(t);
      const long double share = 1 / (1 + std::exp(2 * std::fabs(u)));  // of the way from the nearer end
      const long double rho = u < 0 ? a + (b - a) * share : b - (b - a) * share;
      const long double cosh_u = std::cosh(u);
      const long double weight =
          (b - a) / 2 * step * pi / 2 * std::cosh(t) / (cosh_u * cosh_u) * std::sin(rho);
      const long double edge = limb_ - rho;
      const long double mu =
          std::sqrt(std::max(std::sin(edge) * std::sin(limb_ + rho), 0.0L)) / std::sin(limb_);
      const long double seen = visible(rho), glow = intensity(law, mu);
      sum.fraction += weight * seen, sum.flux += weight * seen * glow;
      area += weight * 2 * pi, light += weight * 2 * pi * glow;
    }
  }

  static long double intensity(const LimbDarkening& law, long double mu) {
    using Law = LimbDarkening::Law;
    const auto& c = law.coefficients;
    switch (law.law) {
      case Law::uniform:
        return 1;
      case Law::linear:
        return 1 - c[0] * (1 - mu);
      case Law::quadratic:
        return 1 - c[0] * (1 - mu) - c[1] * (1 - mu) * (1 - mu);
      case Law::sqrt:
        return 1 - c[0] * (1 - mu) - c[1] * (1 - std::sqrt(mu));
      case Law::power2:
        return 1 - c[0] * (1 - std::pow(mu, static_cast<long double>(c[1])));
      case Law::claret4: {
        long double sum = 1;
        for (int n = 1; n <= 4; ++n) sum -= c[n - 1] * (1 - std::pow(mu, n / 2.0L));
        return sum;
      }
    }
    return 1;
  }

  Direction axis_, right_, up_;
  Long radius_;
  long double limb_;
  std::vector<Cap> caps_;
  std::vector<Cover> covers_;
  std::vector<long double> kinks_;
  std::vector<std::pair<long double, long double>> spans_;
};

Vector exact_from(const Vec3& x, const Vec3& y) {
  return {Dyadic(y.x) - Dyadic(x.x), Dyadic(y.y) - Dyadic(x.y), Dyadic(y.z) - Dyadic(x.z)};
}

Dyadic inner(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Dyadic power(const Vector& to_center, double radius) {
  return inner(to_center, to_center) - Dyadic(radius) * Dyadic(radius);
}

}  // namespace

Seen starlight(const Star& star, const Vec3& observer, std::span<const Sphere> bodies, int ground) {
  Sky sky(star, observer);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Direction to_center = from(observer, bodies[i].center);
    sky.add(static_cast<int>(i) == ground ? half_sky(to_center) : cap(to_center, bodies[i].radius));
  }
  return sky.integrate(star.limb_darkening);
}

bool has_open_corner(const Star& star, const Vec3& observer, std::span<const Sphere> bodies) {
  const Long sharp = 1e-50;
  std::vector<Cap> caps{Sky::star_cap(star, observer)};
  for (const Sphere& s : bodies) caps.push_back(cap(from(observer, s.center), s.radius));
  for (std::size_t i = 0; i < caps.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      for (const Direction& p : common_points(caps[i], caps[j])) {
        bool open = true;
        for (std::size_t k = 0; k < caps.size() && open; ++k) {
          const Long inside = dot(p, caps[k].axis) - caps[k].cosine;
          open = k == i || k == j || (k == 0 ? inside > sharp : inside < -sharp);
        }
        if (open) return true;
      }
    }
  }
  return false;
}

Discs discs(const Star& star, const Vec3& observer, const Sphere& body) {
  const Vector a = exact_from(observer, star.center), b = exact_from(observer, body.center);
  const Dyadic power_star = power(a, star.radius), power_body = power(b, body.radius);
  const Dyadic radii = Dyadic(star.radius) * Dyadic(body.radius), cosine = inner(a, b);
  const Dyadic roots = power_star * power_body;
  if (sign_of_radicals(cosine + radii, 0, roots) <= 0) return Discs::apart;
  if (sign_of_radicals(cosine - radii, 0, roots) < 0) return Discs::crossing;
  const Dyadic star_size = power_body * Dyadic(star.radius) * Dyadic(star.radius);
  const Dyadic body_size = power_star * Dyadic(body.radius) * Dyadic(body.radius);
  return compare(star_size, body_size) <= 0 ? Discs::star_in_body : Discs::body_in_star;
}

bool in_front(const Star& star, const Vec3& observer, const Sphere& body) {
  return compare(power(exact_from(observer, body.center), body.radius),
                 power(exact_from(observer, star.center), star.radius)) < 0;
}

}  // namespace sphaera::oracle
