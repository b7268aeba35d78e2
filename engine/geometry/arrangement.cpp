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

/// Circles that cross at an angle of at least 0.03, sine² > 1e-3, none curved more than 1000. 1 ∓ γ is off by
/// κ_i κ_j/2 ≤ 5e5 times the rounding of distances, 40u: by 1e-8 at most; angles on the circles, whose
/// coefficients a1, a2 are at least 2 sine/κ ≥ 6e-5, by 1e-6. Of nested circles the same share 1 − γ.
constexpr double plain_sine2 = 1e-3, plain_curvature = 1000;

/// What double shows to be covered to this angle around, and more, is: a crossing is off by at most 1e-6 if
/// plain; one with the limb by the root of what its factors are off by, 10κu ≤ 1e-12: 1e-6.
constexpr double bury_margin = 1e-3;

bool is_plain(const SkyCircle& more_curved, double sine2) {
  return more_curved.curvature < plain_curvature && sine2 > plain_sine2;
}

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
  sort_boxes();
  drop_nested();
  if (all_covered_) return;
  // The limb is a circle as the others: its crossings must agree with those of two bodies.
  if (sharp) {
    for (SkyCircle& c : circles_) cross_limb(c, sharp->limb_crossing(static_cast<std::size_t>(c.body)));
  }
  for (int i = 0; i < static_cast<int>(circles_.size()); ++i) {
    const SkyCircle& c = circles_[i];
    if (dropped_[i] || !(c.star_half_angle > 0)) continue;
    hide(star, std::atan2(c.toward.y, c.toward.x) - c.star_half_angle, 2 * c.star_half_angle, false);
  }
  for_near_pairs([&](int i, int j) {
    if (sharp) {
      cross_sharply(i, j, *sharp);
    } else {
      cross(i, j);
    }
  });
  sweep();
}

void Arrangement::sort_circles() {
  std::sort(circles_.begin(), circles_.end(),
            [](const SkyCircle& x, const SkyCircle& y) { return order_of(x) < order_of(y); });
}

void Arrangement::sort_boxes() {
  boxes_.clear(), from_left_.clear();
  for (const SkyCircle& c : circles_) boxes_.push_back(disc_box(c));
  for (int i = 0; i < static_cast<int>(circles_.size()); ++i) from_left_.push_back(i);
  std::sort(from_left_.begin(), from_left_.end(),
            [&](int i, int j) { return std::tie(boxes_[i].left, i) < std::tie(boxes_[j].left, j); });
}

/// Calls use(i, j) for the circles whose boxes meet, in an order that comes from their places, by a line that
/// sweeps the star from the left. What is dropped meanwhile takes no further part.
template <class Use>
void Arrangement::for_near_pairs(const Use& use) {
  on_line_.clear();
  for (const int j : from_left_) {
    if (dropped_[j]) continue;
    const DiscBox& box = boxes_[j];
    std::erase_if(on_line_, [&](int i) { return dropped_[i] || boxes_[i].right < box.left; });
    for (const int i : on_line_) {
      if (!dropped_[i] && boxes_[i].meets_upright(box)) use(i, j);
      if (dropped_[j]) break;
    }
    if (!dropped_[j]) on_line_.push_back(j);
  }
}

/// The more curved one first.
std::pair<int, int> Arrangement::by_size(int i, int j) const {
  return circles_[i].curvature > circles_[j].curvature ? std::pair(i, j) : std::pair(j, i);
}

// A circle that was dropped drops no other: of circles that are the same but for rounding one stays.
void Arrangement::drop_nested() {
  dropped_.assign(circles_.size(), 0), buried_.assign(circles_.size(), 0);
  for_near_pairs([&](int i, int j) {
    const auto [first, second] = by_size(i, j);
    const SkyCircle &a = circles_[first], &b = circles_[second];
    const CirclePair pair(a, b);
    const double same = same_disc(a.curvature);
    if (pair.one_minus_cosine <= same * same) {
      const int inner = is_inner(a, b, pair.between) ? first : second;
      dropped_[inner] = 1;
      buried_[inner] = is_plain(a, -pair.one_minus_cosine) ? 1 : 0;
    } else if (pair.one_plus_cosine <= 0) {
      const double overlap = depth(a, b, pair.between) + depth(b, a, -1 * pair.between);
      if (overlap > 0) all_covered_ = true;
    }
  });
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
  const bool plain = is_plain(a, sine2);
  hide(i, start, 2 * part.half_width, plain);

  // The same two points on b. Where a's edge goes into b, b's comes out of a.
  const auto on_b = [&](double phi) {
    const Vec2 from_b = pair.between + from_frame(a.toward, offset_at(a, phi));
    return angle_of(b, in_frame(b.toward, from_b));
  };
  const double first = on_b(end), last = on_b(start);
  // Which of last − first + 2πk is the length; its own view of the pair tells roughly.
  const double expected = 2 * covered_part(b, a, -1 * pair.between, sine).half_width;
  const double length = expected + std::remainder(last - first - expected, 2 * pi);
  hide(j, first, std::clamp(length, 0.0, 2 * pi), plain);
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
    if (pair.one_minus_cosine < 1) hide(is_inner(a, b, pair.between) ? i : j, -pi, 2 * pi, false);
    return;
  }
  const double sine = std::sqrt(std::max(pair.one_minus_cosine * pair.one_plus_cosine, 0.0));
  const auto hide_part = [&](int circle, double first, double last, double half_width) {
    const double length = 2 * half_width + std::remainder(last - first - 2 * half_width, 2 * pi);
    hide(circle, first, std::clamp(length, 0.0, 2 * pi), is_plain(a, sine * sine));
  };
  hide_part(i, angle_of(a, crossing->start_on_i), angle_of(a, crossing->end_on_i),
            covered_part(a, b, pair.between, sine).half_width);
  hide_part(j, angle_of(b, crossing->end_on_j), angle_of(b, crossing->start_on_j),
            covered_part(b, a, -1 * pair.between, sine).half_width);
}

void Arrangement::hide(int circle, double start, double length, bool plain) {
  hidden_.push_back({circle, wrapped(start), length, plain});
}

/// By the plain ones of what hides it, each a margin shorter at both ends, so that the circle's common points
/// with one lie in another.
template <class Iterator>
bool Arrangement::is_buried(int circle, Iterator begin, Iterator end) const {
  const double half = circles_[circle].body_half_angle, last = half < pi ? half + bury_margin : pi;
  double covered = -last;
  const auto extend = [&](double to) { covered = std::max(covered, to - bury_margin); };
  for (auto h = begin; h != end; ++h) {
    if (h->plain) extend(h->start + h->length - 2 * pi);
  }
  if (half >= pi && covered == -pi) return false;  // open across the seam
  for (auto h = begin; h != end && h->start + bury_margin <= covered; ++h) {
    if (h->plain) extend(h->start + h->length);
  }
  return covered >= last;
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
    if (circle != star) buried_[circle] = is_buried(circle, begin, next) ? 1 : 0;
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
