#include <algorithm>
#include <cmath>
#include <exact/arithmetic.hpp>
#include <geometry/arrangement.hpp>
#include <geometry/circle_pair.hpp>
#include <numbers>
#include <tuple>

namespace sphaera::geometry {
namespace {

constexpr double pi = std::numbers::pi;

auto order_of(const SkyCircle& c) {
  return std::tie(c.near_edge, c.curvature, c.toward.x, c.toward.y, c.azimuth_scale, c.body);
}

/// Discs that are the same but for this share of their size are taken for one: where their edges cross is
/// lost in rounding (near_edge and toward carry a few u of the star's radius, κ_max times that of the smaller
/// disc's). The sliver between them is less than this times the star's radius wide.
double same_disc(double curvature) { return 64 * exact::u * (1 + std::fabs(curvature)); }

/// x + 2πk in [−π, π).
double wrapped(double x) {
  if (x < -pi) x += 2 * pi;
  return x >= pi ? x - 2 * pi : x;
}

}  // namespace

void Arrangement::solve(const SharpSky* sharp) {
  arcs_.clear(), hidden_.clear();
  all_covered_ = false, limb_ = 0, limb_chords_ = {};
  sort_circles();
  drop_nested();
  if (all_covered_) return;
  const int n = static_cast<int>(circles_.size());
  for (int i = 0; i < n; ++i) {
    if (dropped_[i]) continue;
    const SkyCircle& c = circles_[i];
    if (c.star_half_angle > 0) {
      hide(star, std::atan2(c.toward.y, c.toward.x) - c.star_half_angle, 2 * c.star_half_angle);
    }
    for (int j = i + 1; j < n; ++j) {
      if (dropped_[j]) continue;
      if (sharp) {
        cross_sharply(i, j, *sharp);
      } else {
        cross(i, j);
      }
    }
  }
  sweep();
}

void Arrangement::sort_circles() {
  std::sort(circles_.begin(), circles_.end(),
            [](const SkyCircle& x, const SkyCircle& y) { return order_of(x) < order_of(y); });
}

/// The more curved one first.
std::pair<int, int> Arrangement::by_size(int i, int j) const {
  return circles_[i].curvature > circles_[j].curvature ? std::pair(i, j) : std::pair(j, i);
}

// A circle that was dropped drops no other: of circles that are the same but for rounding one stays.
void Arrangement::drop_nested() {
  const int n = static_cast<int>(circles_.size());
  dropped_.assign(circles_.size(), 0);
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n && !dropped_[i]; ++j) {
      if (dropped_[j]) continue;
      const auto [first, second] = by_size(i, j);
      const SkyCircle &a = circles_[first], &b = circles_[second];
      const CirclePair pair(a, b);
      const double same = same_disc(a.curvature);
      if (pair.one_minus_cosine <= same * same) {
        dropped_[is_inner(a, b, pair.between) ? first : second] = 1;
      } else if (pair.one_plus_cosine <= 0) {
        const double overlap = depth(a, b, pair.between) + depth(b, a, -1 * pair.between);
        if (overlap > 0) all_covered_ = true;
      }
    }
  }
}

void Arrangement::cross(int i, int j) {
  // Seen from the smaller disc, where the crossings are well apart.
  std::tie(i, j) = by_size(i, j);
  const SkyCircle &a = circles_[i], &b = circles_[j];
  const CirclePair pair(a, b);
  const double sine2 = pair.one_minus_cosine * pair.one_plus_cosine;
  if (!(sine2 > 0)) return;
  const double sine = std::sqrt(sine2);
  const CoveredPart part = covered_part(a, b, pair.between, sine);
  const double start = part.middle - part.half_width, end = part.middle + part.half_width;
  hide(i, start, 2 * part.half_width);

  // The same two points on b. Where a's edge goes into b, b's comes out of a.
  const auto on_b = [&](double phi) {
    const Vec2 from_b = pair.between + from_frame(a.toward, offset_at(a, phi));
    return angle_of(b, in_frame(b.toward, from_b));
  };
  const double first = on_b(end), last = on_b(start);
  // Which of last − first + 2πk is the length; its own view of the pair tells roughly.
  const double expected = 2 * covered_part(b, a, -1 * pair.between, sine).half_width;
  const double length = expected + std::remainder(last - first - expected, 2 * pi);
  hide(j, first, std::clamp(length, 0.0, 2 * pi));
}

double Arrangement::gap() const {
  Vec2 sum = limb_chords_;
  for (const Arc& arc : arcs_) sum = sum + (arc.last - arc.first);
  return std::sqrt(dot(sum, sum));
}

void Arrangement::cross_sharply(int i, int j, const SharpSky& sharp) {
  std::tie(i, j) = by_size(i, j);
  const SkyCircle &a = circles_[i], &b = circles_[j];
  const CirclePair pair(a, b);
  const auto crossing = sharp.crossing(static_cast<std::size_t>(a.body), static_cast<std::size_t>(b.body));
  if (!crossing) {
    if (pair.one_minus_cosine < 1) hide(is_inner(a, b, pair.between) ? i : j, -pi, 2 * pi);
    return;
  }
  const double sine = std::sqrt(std::max(pair.one_minus_cosine * pair.one_plus_cosine, 0.0));
  const auto hide_part = [&](int circle, double first, double last, double half_width) {
    const double length = 2 * half_width + std::remainder(last - first - 2 * half_width, 2 * pi);
    hide(circle, first, std::clamp(length, 0.0, 2 * pi));
  };
  hide_part(i, angle_of(a, crossing->start_on_i), angle_of(a, crossing->end_on_i),
            covered_part(a, b, pair.between, sine).half_width);
  hide_part(j, angle_of(b, crossing->end_on_j), angle_of(b, crossing->start_on_j),
            covered_part(b, a, -1 * pair.between, sine).half_width);
}

void Arrangement::hide(int circle, double start, double length) {
  hidden_.push_back({circle, wrapped(start), length});
}

void Arrangement::sweep() {
  std::sort(hidden_.begin(), hidden_.end(), [](const Hidden& x, const Hidden& y) {
    return std::tie(x.circle, x.start, x.length) < std::tie(y.circle, y.start, y.length);
  });
  const auto see = [&](int circle, double from, double to) {
    if (circle == star) {
      limb_ += to - from;
      limb_chords_ = limb_chords_ + (Vec2{std::cos(to), std::sin(to)} - Vec2{std::cos(from), std::sin(from)});
    } else {
      const SkyCircle& c = circles_[circle];
      arcs_.push_back({circle, from, to, point_at(c, from), point_at(c, to)});
    }
  };
  auto next = hidden_.cbegin();
  for (int circle = star; circle < static_cast<int>(circles_.size()); ++circle) {
    const auto begin = next;
    while (next != hidden_.cend() && next->circle == circle) ++next;
    if (circle != star && dropped_[circle]) continue;
    const double end =
        circle == star ? pi : circles_[circle].body_half_angle;  // where the circle leaves the star
    double covered = -end;
    for (auto h = begin; h != next; ++h) covered = std::max(covered, h->start + h->length - 2 * pi);
    for (auto h = begin; h != next && h->start < end; ++h) {
      if (h->start > covered) see(circle, covered, h->start);
      covered = std::max(covered, h->start + h->length);
    }
    if (covered < end) see(circle, covered, end);
  }
}

}  // namespace sphaera::geometry
