#include <cmath>
#include <exact/numbers/power_of_two.hpp>
#include <exact/predicates/sign_formulas.hpp>
#include <star_light/circles/precise_arrangement.hpp>

namespace sphaera::star_light {
namespace {

using Number = exact::DoubleDouble<exact::Dekker>;
using Vector = exact::Triple<Number>;

Vector vector(const exact::SeenBall& ball, double scale) {
  const Vec3 hi = scale * ball.offset, lo = scale * ball.offset_low;
  return {{exact::TwoDouble{hi.x, lo.x}, exact::TwoDouble{hi.y, lo.y}, exact::TwoDouble{hi.z, lo.z}}};
}

Number product(const Number (&a)[3], const Number (&b)[3]) { return exact::dot(a, b); }

bool near(const Number& a, const Number& b, double width) { return std::fabs((a - b).hi) <= width; }

}  // namespace

void PreciseArrangement::set(const exact::SeenBall& star) {
  circles_.clear();
  const double scale = exact::inverse_scale(star.offset);
  const Vector a = vector(star, scale);
  const Number radius = scale * star.radius, square = product(a.v, a.v);
  length_ = sqrt(square), tau_ = radius / (length_ + sqrt(square - radius * radius));
  const Vec3 axis = scale * star.offset;
  Number other[3]{};
  const double x = std::fabs(axis.x), y = std::fabs(axis.y), z = std::fabs(axis.z);
  other[x <= y && x <= z ? 0 : y <= z ? 1 : 2] = 1;
  const Vector across = exact::cross(other, a.v);
  const Number width = sqrt(product(across.v, across.v));
  for (int i = 0; i < 3; ++i) star_[i] = a.v[i], right_[i] = across.v[i] / width;
  const Vector up = exact::cross(star_, right_);
  for (int i = 0; i < 3; ++i) up_[i] = up.v[i] / length_;
}

// The same formulas as in sky_circle.cpp.
void PreciseArrangement::add_ball(const exact::SeenBall& body) {
  const double scale = exact::inverse_scale(body.offset);
  const Vector b = vector(body, scale), moment = exact::cross(star_, b.v);
  const Number square = product(b.v, b.v), cosine = product(star_, b.v),
               sine = sqrt(product(moment.v, moment.v));
  const Number radius = scale * body.radius;
  const exact::DoubleDouble<exact::Dekker> root = root_of_power(body);
  add(body, sine * root - cosine * radius, cosine * root + sine * radius, length_ * square,
      tau_ * (cosine + length_ * root) / (length_ * radius));
}

void PreciseArrangement::add_ground(const exact::SeenBall& down) {
  const Vector b = vector(down, exact::inverse_scale(down.offset)), moment = exact::cross(star_, b.v);
  const Number cosine = product(star_, b.v), size = length_ * sqrt(product(b.v, b.v));
  add(down, -cosine, sqrt(product(moment.v, moment.v)), size, tau_ * cosine / size);
}

void PreciseArrangement::add(const exact::SeenBall& body, const Number& sine, const Number& cosine,
                             const Number& size, const Number& curvature) {
  const Vector b = vector(body, exact::inverse_scale(body.offset)), moment = exact::cross(star_, b.v);
  Point e{product(moment.v, up_), -product(moment.v, right_)};
  const Number length = sqrt(e.x * e.x + e.y * e.y);
  e = length.hi > 0 ? Point{e.x / length, e.y / length} : Point{1, 0};
  Circle c{.toward = e,
           .near_edge = sine / ((size + cosine) * tau_),
           .curvature = curvature,
           .repeated = false,
           .corners_skipped = false};
  for (const Circle& d : circles_) {  // is the same disc already there?
    const double width = blur * (1 + std::fabs(curvature.hi));
    if (near(c.toward.x, d.toward.x, blur) && near(c.toward.y, d.toward.y, blur) &&
        near(c.near_edge, d.near_edge, blur) && near(c.curvature, d.curvature, width)) {
      c.repeated = c.corners_skipped = true;
    }
  }
  circles_.push_back(c);
}

bool PreciseArrangement::is_any_visible() const {
  std::size_t hint = 0;
  for (std::size_t i = 0; i < circles_.size(); ++i) {
    if (circles_[i].corners_skipped) continue;
    if (open_on_limb(i, hint)) return true;
    for (std::size_t j = 0; j < i; ++j) {
      if (circles_[j].corners_skipped) continue;
      const std::optional<Corners> c = corners(circles_[i], circles_[j]);
      if (c && (uncovered(c->start.place, i, j, hint) || uncovered(c->end.place, i, j, hint))) return true;
    }
  }
  return false;
}

bool PreciseArrangement::covers(const Circle& c, const Point& v) {
  const Number x = v.x - c.near_edge * c.toward.x, y = v.y - c.near_edge * c.toward.y;
  const Number depth = x * c.toward.x + y * c.toward.y - c.curvature * 0.5 * (x * x + y * y);
  return !(depth.hi < -blur);
}

/// Returns true if v, a common point of circles i and j (i = j: of i and the limb), is on the star's disc and
/// outside all other bodies. `hint` is the last body that covered a point; with many bodies it probably
/// covers the next point, too.
bool PreciseArrangement::uncovered(const Point& v, std::size_t i, std::size_t j, std::size_t& hint) const {
  if (i != j && !((v.x * v.x + v.y * v.y - 1).hi < -blur)) return false;
  const auto covered_by = [&](std::size_t k) {
    return k != i && k != j && !circles_[k].repeated && covers(circles_[k], v);
  };
  if (covered_by(hint)) return false;
  for (std::size_t k = 0; k < circles_.size(); ++k) {
    if (k == hint || !covered_by(k)) continue;
    hint = k;
    return false;
  }
  return true;
}

LimbCrossing PreciseArrangement::limb_crossing(std::size_t i) const {
  const LimbFactors f = limb_factors(circles_[i]);
  return {f.beyond_near.hi, f.before_near.hi, f.far_out.hi, f.far_around.hi};
}

PreciseArrangement::LimbFactors PreciseArrangement::limb_factors(const Circle& c) {
  const Number half = c.curvature * 0.5, low = Number(1) - c.near_edge, high = Number(1) + c.near_edge;
  return {low, high, Number(1) - half * low, Number(1) + half * high};
}

bool PreciseArrangement::open_on_limb(std::size_t i, std::size_t& hint) const {
  const Circle& c = circles_[i];
  const LimbFactors f = limb_factors(c);
  const Number top = f.beyond_near * f.far_out, bottom = f.before_near * f.far_around;  // of tan²(ψ/2)
  if (!(top.hi > 0 && bottom.hi > 0)) return false;
  const Number sum = top + bottom, cosine = (bottom - top) / sum, sine = sqrt(top * bottom) * 2.0 / sum;
  const Point &e = c.toward, ahead{e.x * cosine, e.y * cosine}, aside{e.y * sine, e.x * sine};
  return uncovered({ahead.x - aside.x, ahead.y + aside.y}, i, i, hint) ||
         uncovered({ahead.x + aside.x, ahead.y - aside.y}, i, i, hint);
}

/// Solves disc b's inequality on circle a, A q² + 2B q + g ≥ 0 (circle_pair.hpp), for equality: q = (−B ±
/// √Δ)/A, with + where the inequality begins to hold. One root is −(B ± √Δ)/A without cancellation, the other
/// −g/(B ± √Δ).
std::optional<PreciseArrangement::Corners> PreciseArrangement::corners(const Circle& a,
                                                                       const Circle& b) const {
  const Point &e = a.toward, &f = b.toward;
  const Number x = a.near_edge * e.x - b.near_edge * f.x, y = a.near_edge * e.y - b.near_edge * f.y;
  const Number g = f.x * x + f.y * y - b.curvature * 0.5 * (x * x + y * y);
  const Number along = f.x * e.x + f.y * e.y - b.curvature * (x * e.x + y * e.y);
  const Number across = (f.y * e.x - f.x * e.y - b.curvature * (y * e.x - x * e.y)) * 0.5;
  const Number square = ((g * a.curvature * 0.5 + along) * a.curvature - b.curvature) * 0.5;
  const Number discriminant = across * across - square * g;
  if (!(discriminant.hi > 0)) return std::nullopt;
  const bool falls = across.hi >= 0;
  const Number root = sqrt(discriminant), sum = falls ? across + root : across - root;
  const auto at = [&](const Number& s, const Number& c) {  // q = s/c
    const Number bend = a.curvature * s * 0.5, scale = s / (c * c + bend * bend);
    const Number inward = bend * scale, forward = a.near_edge + inward, sideways = c * scale;
    return Corner{{e.x * forward - e.y * sideways, e.y * forward + e.x * sideways},
                  {static_cast<double>(inward), static_cast<double>(sideways)}};
  };
  const Corner first = at(-sum, square), second = at(-g, sum);
  return falls ? Corners{second, first} : Corners{first, second};
}

Vec2 PreciseArrangement::seen_from(const Circle& circle, const Point& v) {
  const Point& e = circle.toward;
  const Number x = v.x - circle.near_edge * e.x, y = v.y - circle.near_edge * e.y;
  return {static_cast<double>(x * e.x + y * e.y), static_cast<double>(y * e.x - x * e.y)};
}

std::optional<PreciseArrangement::Crossing> PreciseArrangement::crossing(std::size_t i, std::size_t j) const {
  const std::optional<Corners> c = corners(circles_[i], circles_[j]);
  if (!c) return std::nullopt;
  return Crossing{c->start.offset, c->end.offset, seen_from(circles_[j], c->start.place),
                  seen_from(circles_[j], c->end.place)};
}

}  // namespace sphaera::star_light
