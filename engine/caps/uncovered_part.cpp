/// \file Proof 5, area without topology. The form (1 − z) dφ about a pole p has the derivative dA, and −p as
/// its only singularity. So its integral along the boundary is the area, or the area less 4π if −p is
/// uncovered: no components or holes are counted. An arc about c = ±n, whose disc lacks −p, adds the sector
/// Δφ(1 − cos) and the triangles (p, c, end) − (p, c, start): path and chords bound a region without −p. Half
/// a triangle is the angle of ((c + p)·(e + p), p·(c + p) × (e + p)). −p is the middle of the largest cap,
/// or, if that is small, the free one of 14 places that is farthest from all, so that arcs are at least α
/// away from it: a corner that moves by ε changes a triangle by 2ε/α at most.
///
/// The moment is ½∮ω × dω, on an arc −½(sin²α Δφ n − h (end − start) × n).

#include <algorithm>
#include <caps/corner.hpp>
#include <caps/near_caps.hpp>
#include <caps/uncovered_part.hpp>
#include <cmath>
#include <exact/numbers/elementary.hpp>
#include <numbers>

namespace sphaera::caps {
namespace {

constexpr double pi = std::numbers::pi;

/// A cap whose cosine is so near to 1 or −1 counts as nothing or all: 2^-49 of a hemisphere.
constexpr double least_share = 0x1p-49;

/// A largest cap of at least this cosine is too small to hold the pole if there is a better place.
constexpr double small_cap = 0.96;

/// With so many caps, each circle meets only those near it.
constexpr std::size_t many_caps = 96;

/// Axes and diagonals, of length 1.
constexpr double third = std::numbers::inv_sqrt3;
constexpr Vec3 places_of_pole[] = {{1, 0, 0},
                                   {-1, 0, 0},
                                   {0, 1, 0},
                                   {0, -1, 0},
                                   {0, 0, 1},
                                   {0, 0, -1},
                                   {third, third, third},
                                   {-third, third, third},
                                   {third, -third, third},
                                   {third, third, -third},
                                   {-third, -third, third},
                                   {-third, third, -third},
                                   {third, -third, -third},
                                   {-third, -third, -third}};

/// An order of equal caps, so that results do not depend on the order of `add` calls.
bool is_before(const Vec3& a, const Vec3& b) {
  return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

/// The angle of (x, y), −π … π, off by 2^-49.
double angle_of(double x, double y) {
  const double across = std::fabs(x), up = std::fabs(y);
  if (!(across + up > 0)) return 0;
  double angle =
      up <= across ? exact::quick_arc_tangent(up / across) : pi / 2 - exact::quick_arc_tangent(across / up);
  if (x < 0) angle = pi - angle;
  return std::copysign(angle, y);
}

/// Signed area of the triangle (p, a, b) of unit vectors, −2π … 2π; `a_sum` is a + p, `b_sum` b + p.
double triangle(const Vec3& p, const Vec3& a_sum, const Vec3& b_sum) {
  return 2 * angle_of(dot(a_sum, b_sum), dot(p, cross(a_sum, b_sum)));
}

/// Angle about an axis from a to b, both across it, counterclockwise; `turn` tells it roughly, 0 … 4.
double sweep(const Vec3& axis, const Vec3& a, const Vec3& b, double turn) {
  const double angle = angle_of(dot(a, b), dot(axis, cross(a, b)));
  if (angle < 0 && turn > 1) return angle + 2 * pi;
  if (angle >= 0 && angle < 1 && turn > 3) return angle + 2 * pi;
  return angle;
}

}  // namespace

/// Returns false if one cap covers all.
bool UncoveredPart::sort_caps() {
  order_.clear();
  for (std::size_t i = 0; i < added_.size(); ++i) {
    if (added_[i].cosine < 1 - least_share) order_.push_back({added_[i].cosine, i});
  }
  std::ranges::sort(order_, [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : is_before(added_[a.second].axis, added_[b.second].axis);
  });
  if (!order_.empty() && order_.front().first <= least_share - 1) return false;
  caps_.resize(order_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const auto [cosine, number] = order_[i];
    caps_.set(i, added_[number], std::sqrt((1 - cosine) * (1 + cosine)));
  }
  return true;
}

/// Leaves out caps that lie in larger ones, and not close to their edge.
void UncoveredPart::keep_largest() {
  find_nested(caps_, nested_);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < caps_.size(); ++i)
    if (!nested_[i]) caps_.set(kept++, caps_[i], caps_.sine[i]);
  caps_.resize(kept);
}

/// Opposite to the axis of the largest cap, or, if all caps are small, in the place farthest from them.
UncoveredPart::Pole UncoveredPart::choose_pole() const {
  const Pole largest{-caps_.axis(0), 0};
  if (caps_.cosine[0] < small_cap) return largest;
  Vec3 best;
  double least = 1;
  for (const Vec3& place : places_of_pole) {
    double nearest = -1;
    for (std::size_t i = 0; i < caps_.size() && nearest < least; ++i)
      nearest = std::max(nearest, dot(place, caps_.axis(i)));
    if (nearest < least) least = nearest, best = place;
  }
  // The distances from the edge of the largest cap are α there, and at least acos(least) − α here.
  if (least > 2 * caps_.cosine[0] * caps_.cosine[0] - 1) return largest;
  return {-best, 4 * pi};
}

UncoveredPart::UncoveredPart() = default;
UncoveredPart::~UncoveredPart() = default;

Uncovered UncoveredPart::find() {
  if (!sort_caps()) return {};
  if (caps_.size() == 0) return {4 * pi, {}};
  keep_largest();
  const Pole pole = choose_pole();
  Uncovered sum{pole.base, {}};
  bool any = false;
  const bool many = caps_.size() >= many_caps;
  if (many) {
    if (!near_) near_ = std::make_unique<NearCaps>();
    near_->build(caps_);
  }
  for (std::size_t i = 0; i < caps_.size(); ++i) {
    const std::size_t number = many ? near_->gather(i) : i;
    const CapArrays& caps = many ? near_->near() : caps_;
    const CircleCover::Kind kind = cover_.find(caps, number);
    if (kind == CircleCover::Kind::sphere) return {};
    if (kind == CircleCover::Kind::circle || cover_.gaps().empty()) continue;
    any = true;
    add_circle(caps, number, pole, sum);
  }
  if (!any) return {};
  sum.area = std::clamp(sum.area, 0.0, 4 * pi);
  return sum;
}

/// Adds the gaps of circle i (proof 5).
void UncoveredPart::add_circle(const CapArrays& caps, std::size_t i, const Pole& pole, Uncovered& sum) const {
  const Vec3 axis = caps.axis(i), p = pole.place;
  const double cosine = caps.cosine[i], sine = caps.sine[i];
  const double side = dot(axis, p) + cosine <= 0 ? -1 : 1;  // the antipode of p lies in the cap: −1
  const Vec3 center_sum = side * axis + p;
  const double height = side * cosine;
  const auto corner = [&](std::size_t other, bool begins) {
    const Crossing c = cross_circles(caps, std::min(i, other), std::max(i, other));
    return (i < other) != begins ? c.left : c.right;
  };
  for (const Gap& gap : cover_.gaps()) {
    double angle = 2 * pi;
    if (gap.from != i) {
      const Vec3 from = corner(gap.from, false), to = corner(gap.to, true);
      angle = sweep(axis, from - cosine * axis, to - cosine * axis, gap.turn);
      sum.area -= triangle(p, center_sum, to + p) - triangle(p, center_sum, from + p);
      sum.moment = sum.moment + 0.5 * cosine * cross(to - from, axis);
    }
    sum.area -= side * angle * (1 - height);
    sum.moment = sum.moment - 0.5 * sine * sine * angle * axis;
  }
}

void UncoveredPart::grow_to(const UncoveredPart& other) {
  added_.reserve(other.added_.capacity()), order_.reserve(other.order_.capacity());
  nested_.reserve(other.nested_.capacity());
  caps_.grow_to(other.caps_), cover_.grow_to(other.cover_);
  if (!other.near_) return;
  if (!near_) near_ = std::make_unique<NearCaps>();
  near_->grow_to(*other.near_);
}

}  // namespace sphaera::caps
