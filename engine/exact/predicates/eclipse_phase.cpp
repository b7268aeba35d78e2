#include <cmath>
#include <exact/predicates/eclipse_phase.hpp>
#include <exact/predicates/sign_formulas.hpp>
#include <exact/predicates/staged_sign.hpp>

namespace sphaera::exact {
namespace {

template <class Number>
struct BallNumbers {
  Number offset[3], radius;

  explicit BallNumbers(const SeenBall& ball) : radius(ball.radius) {
    for (int i = 0; i < 3; ++i) {
      const double terms[] = {ball.offset[i], ball.offset_low[i]};
      offset[i] = Number::sum(terms);
    }
  }
  Number power() const { return dot(offset, offset) - radius * radius; }
};

/// Sign of x − √y, y ≥ 0, from the signs of x and x² − y.
template <class Number>
std::optional<int> sign_above_root(const Number& x, const Number& y) {
  const std::optional<int> sign = x.sign();
  if (!sign || *sign < 0) return sign;
  return (x * x - y).sign();
}

/// Sign of A·B ± R r − √(p_star p_body).
template <class Number>
std::optional<int> sign_edge(const SeenBall& star, const SeenBall& body, int sign_of_radii) {
  const BallNumbers<Number> s(star), b(body);
  const Number radii = Number(sign_of_radii) * (s.radius * b.radius);
  return sign_above_root(dot(s.offset, b.offset) + radii, s.power() * b.power());
}

/// Sign of direction · A·B − R|B|, B = down: +1 if the star's center is below the plane (direction 1) or
/// above it (direction −1) by more than the star's radius.
template <class Number>
std::optional<int> sign_depth(const SeenBall& star, const SeenBall& down, int direction) {
  const BallNumbers<Number> s(star), b(down);
  const Number depth = Number(direction) * dot(s.offset, b.offset);
  return sign_above_root(depth, s.radius * s.radius * dot(b.offset, b.offset));
}

/// Estimate of √p from the estimate of a power p. For p̂ ≥ 4E, |√p − √p̂| ≤ E/(√p̂ + √(p̂ − E)) ≤ 0.54 E/√p̂,
/// and u√p̂ for the rounding. Otherwise unsure: the error is infinite.
filter::Estimate root(const filter::Estimate& power) {
  if (!(power.value > 4 * power.error)) return {0, infinity};
  const double root = std::sqrt(power.value);
  return {root, 0.6 * power.error / root + 1.1 * u * root};
}

/// Product of estimates of numbers ≥ 0.
filter::Estimate operator*(const filter::Estimate& x, const filter::Estimate& y) {
  const double p = x.value * y.value;
  return {p, x.value * y.error + y.value * x.error + x.error * y.error + 1.1 * u * p};
}

filter::Estimate operator*(double x, const filter::Estimate& y) {
  const double p = x * y.value;
  return {p, x * y.error + 1.1 * u * p};
}

filter::Estimate operator-(const filter::Estimate& x, const filter::Estimate& y) {
  const double d = x.value - y.value;
  return {d, (x.error + y.error + u * std::fabs(d)) * (1 + 8 * u)};
}
filter::Estimate operator+(const filter::Estimate& x, const filter::Estimate& y) {
  return x - filter::Estimate{-y.value, y.error};
}

/// Estimate of A·B of rounded vectors: error 2u from the vectors, u from the product, 2u from the sums.
filter::Estimate dot_estimate(const Vec3& a, const Vec3& b) {
  const double size = filter::sum_of_products<Plain>(filter::absolute(a), filter::absolute(b));
  return {filter::sum_of_products<Plain>(a, b), 5.2 * u * size + length_floor};
}

/// Estimate of |A × B| of rounded vectors: each component is off by 3.1u m + u|w| (proofs.md, proof 1), the
/// norm by 2.5u more.
filter::Estimate cross_length(const Vec3& a, const Vec3& b) {
  const filter::CrossTerm x = filter::cross_term<Plain>(a.y, a.z, b.y, b.z),
                          y = filter::cross_term<Plain>(a.z, a.x, b.z, b.x),
                          z = filter::cross_term<Plain>(a.x, a.y, b.x, b.y);
  const double w = std::sqrt(x.w * x.w + y.w * y.w + z.w * z.w);
  const double m = std::sqrt(x.m * x.m + y.m * y.m + z.m * z.m);
  return {w, u * (3.2 * m + 4 * w) + length_floor};
}

/// True if products of four such lengths neither overflow nor underflow, so that length_floor covers the
/// losses.
bool moderate_ball(const SeenBall& ball) {
  return ball.power.value > 0x1p-200 && ball.power.value < 0x1p410 &&
         (ball.radius == 0 || ball.radius > 0x1p-240);
}

/// The two comparisons of `overlap` (apart, one in the other) in double. For small discs that almost touch,
/// the cosines are unsure; the sines then decide, if all angles are acute: apart ⟺ |A × B| ≥ R√p_body +
/// r√p_star, one in the other ⟺ |A × B| ≤ |R√p_body − r√p_star|.
class OverlapFilter {
 public:
  OverlapFilter(const SeenBall& star, const SeenBall& body) : star_(star), body_(body) {
    if (!moderate_ball(star) || !moderate_ball(body)) return;
    star_root_ = root(star.power), body_root_ = root(body.power);
    dot_ = dot_estimate(star.offset, body.offset);
    radii_ = {star.radius * body.radius, 1.1 * u * star.radius * body.radius};
    roots_ = star_root_ * body_root_;
    const filter::Estimate acute = roots_ - radii_;
    sines_decide_ = dot_.sure() && dot_.value > 0 && acute.sure() && acute.value > 0;
  }

  /// > 0: apart, < 0: overlapping; may be unsure.
  filter::Estimate outer() const {
    const filter::Estimate gap = roots_ - (dot_ + radii_);
    if (gap.sure() || !sines_decide_) return gap;
    return cross_length(star_.offset, body_.offset) - (star_.radius * body_root_ + body_.radius * star_root_);
  }

  /// > 0: neither disc lies in the other.
  filter::Estimate inner() const {
    const filter::Estimate gap = roots_ - (dot_ - radii_);
    if (gap.sure() || !sines_decide_) return gap;
    const filter::Estimate difference = size_difference();
    return cross_length(star_.offset, body_.offset) -
           filter::Estimate{std::fabs(difference.value), difference.error};
  }

  /// > 0: the star's disc is larger.
  filter::Estimate size_difference() const { return star_.radius * body_root_ - body_.radius * star_root_; }

 private:
  const SeenBall &star_, &body_;
  filter::Estimate star_root_{0, infinity}, body_root_{0, infinity}, dot_{0, infinity};
  filter::Estimate radii_{0, infinity}, roots_{0, infinity};
  bool sines_decide_ = false;
};

int sign_edge(const SeenBall& star, const SeenBall& body, int sign_of_radii, Counts& counts) {
  return staged_sign(
      [&](auto tag) { return sign_edge<typename decltype(tag)::type>(star, body, sign_of_radii); }, counts);
}

int sign_depth(const SeenBall& star, const SeenBall& down, int direction, Counts& counts) {
  const filter::Estimate star_dot_down = dot_estimate(star.offset, down.offset);
  const double length = std::sqrt(dot(down.offset, down.offset));  // 4u: u of the offset, 3u from here
  const filter::Estimate depth =
      filter::Estimate{direction * star_dot_down.value, star_dot_down.error} -
      filter::Estimate{star.radius * length, 6 * u * star.radius * length + length_floor};
  if (depth.sure()) return depth.sign();
  return staged_sign(
      [&](auto tag) { return sign_depth<typename decltype(tag)::type>(star, down, direction); }, counts);
}

/// True if the star's disc is smaller or equal: p_body R² ≤ p_star r².
bool star_is_smaller(const SeenBall& star, const SeenBall& body, Counts& counts) {
  return staged_sign(
             [&](auto tag) {
               using Number = typename decltype(tag)::type;
               const BallNumbers<Number> s(star), b(body);
               return (b.power() * s.radius * s.radius - s.power() * b.radius * b.radius).sign();
             },
             counts) <= 0;
}

}  // namespace

int sign_power(const SeenBall& ball, Counts& counts) {
  if (ball.power.sure()) return ball.power.sign();
  return staged_sign([&](auto tag) { return BallNumbers<typename decltype(tag)::type>(ball).power().sign(); },
                     counts);
}

bool in_front(const SeenBall& body, const SeenBall& star, Counts& counts) {
  const filter::Estimate difference = body.power - star.power;
  if (difference.sure()) return difference.value < 0;
  return staged_sign(
             [&](auto tag) {
               using Number = typename decltype(tag)::type;
               return (BallNumbers<Number>(body).power() - BallNumbers<Number>(star).power()).sign();
             },
             counts) < 0;
}

Overlap overlap(const SeenBall& star, const SeenBall& body, Counts& counts) {
  const OverlapFilter filter(star, body);
  const filter::Estimate outer = filter.outer();
  if (outer.sure() ? outer.value > 0 : sign_edge(star, body, 1, counts) <= 0) return Overlap::none;
  const filter::Estimate inner = filter.inner();
  if (inner.sure() ? inner.value > 0 : sign_edge(star, body, -1, counts) < 0) return Overlap::partial;
  const filter::Estimate size = filter.size_difference();
  const bool total = size.sure() ? size.value < 0 : star_is_smaller(star, body, counts);
  return total ? Overlap::total : Overlap::annular;
}

Overlap overlap_half_sky(const SeenBall& star, const SeenBall& down, Counts& counts) {
  if (sign_depth(star, down, -1, counts) >= 0) return Overlap::none;
  return sign_depth(star, down, 1, counts) >= 0 ? Overlap::total : Overlap::partial;
}

int sign_below(const SeenBall& star, const SeenBall& down, Counts& counts) {
  const filter::Estimate star_dot_down = dot_estimate(star.offset, down.offset);
  if (star_dot_down.sure()) return star_dot_down.sign();
  return staged_sign(
      [&](auto tag) {
        using Number = typename decltype(tag)::type;
        return dot(BallNumbers<Number>(star).offset, BallNumbers<Number>(down).offset).sign();
      },
      counts);
}

}  // namespace sphaera::exact
