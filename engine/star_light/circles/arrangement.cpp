#include <algorithm>
#include <cmath>
#include <exact/numbers/arithmetic.hpp>
#include <star_light/circles/arrangement.hpp>
#include <star_light/circles/half_angle.hpp>
#include <tuple>

namespace sphaera::star_light {
namespace {

auto order_of(const SkyCircle& c) {
  return std::tie(c.near_edge, c.curvature, c.toward.x, c.toward.y, c.half_radius, c.body);
}

/// Relative difference below which two discs count as equal, because rounding hides the crossings of their
/// edges. near_edge and toward are off by a few u of the star's radius; relative to the smaller disc's radius
/// the error is κ times larger. The sliver between the discs is narrower than the returned value times the
/// star's radius.
double same_disc(double curvature) { return 64 * exact::u * (1 + std::fabs(curvature)); }

/// A crossing is plain if the circles cross at an angle of at least 0.03 (sine² > 1e-3) and no curvature
/// exceeds 1000. 1 ∓ γ is off by κ_i κ_j/2 ≤ 5e5 times the rounding of distances, 40u: by 1e-8 at most.
/// Angles on the circles are off by 1e-6, as their coefficients a1, a2 are at least 2 sine/κ ≥ 6e-5. For
/// nested circles, the same limit applies to γ − 1.
constexpr double plain_sine2 = 1e-3, plain_curvature = 1000;

/// Margin in t that proves a part covered in double; it is an angle of 1e-3 or more (half_angle.hpp). A plain
/// crossing is off by an angle of at most 1e-6. A crossing with the limb is off by the square root of the
/// error of its factors, 10κu ≤ 1e-12: by 1e-6.
constexpr double cover_margin = 5e-4;

bool is_plain(const SkyCircle& more_curved, double sine2) {
  return more_curved.curvature < plain_curvature && sine2 > plain_sine2;
}

double sine2_of(const CirclePair& pair) { return pair.one_minus_cosine * pair.one_plus_cosine; }

Vec2 limb_point(double t) {
  const Vec2 half = (1 / (1 + t * t)) * half_of(t);
  return from_frame(half, half);
}

}  // namespace

void Arrangement::solve(const PreciseArrangement* precise) {
  arcs_.clear(), hidden_.clear(), pairs_.clear();
  all_covered_ = false, limb_ = 0, chords_ = {};
  sort_circles();
  sort_boxes();
  drop_nested();
  if (all_covered_) return;
  cross_all(precise);
  sweep();
}

void Arrangement::cross_all(const PreciseArrangement* precise) {
  // The limb needs the same precision: its crossings must agree with those of two bodies.
  if (precise) {
    for (SkyCircle& c : circles_) cross_limb(c, precise->limb_crossing(static_cast<std::size_t>(c.body)));
  }
  for (int i = 0; i < circles(); ++i) {
    if (!dropped_[i] && circles_[i].limb_half.y > 0) hide_on_limb(circles_[i]);
  }
  for (int number = 0; number < static_cast<int>(pairs_.size()); ++number) {
    const Pair& pair = pairs_[number];
    if (dropped_[pair.first] || dropped_[pair.second]) continue;
    if (precise) {
      cross_precisely(pair, *precise);
    } else if (const double sine2 = sine2_of(pair.relation); sine2 > 0) {
      if (crossings_.count == Crossings::most) hide_crossed();
      crossings_.put(number, circles_[pair.first], circles_[pair.second], pair.relation.between, sine2);
    }
  }
  hide_crossed();
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

/// Calls use(i, j) for the circles whose boxes overlap, by a sweep line from the left. The order depends only
/// on the circles' positions. Circles dropped meanwhile are skipped.
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

/// Returns the pair with the more curved circle first.
std::pair<int, int> Arrangement::by_size(int i, int j) const {
  return circles_[i].curvature > circles_[j].curvature ? std::pair(i, j) : std::pair(j, i);
}

// A dropped circle drops no other circle, so one of several circles that are equal up to rounding stays.
void Arrangement::drop_nested() {
  dropped_.assign(circles_.size(), 0), edge_covered_.assign(circles_.size(), 0);
  for_near_pairs([&](int i, int j) {
    const auto [first, second] = by_size(i, j);
    const SkyCircle &a = circles_[first], &b = circles_[second];
    const CirclePair pair(a, b);
    const double same = same_disc(a.curvature);
    if (pair.one_minus_cosine <= same * same) {
      const int inner = is_inner(a, b, pair.between) ? first : second;
      dropped_[inner] = 1;
      edge_covered_[inner] = is_plain(a, -pair.one_minus_cosine) ? 1 : 0;
    } else if (pair.one_plus_cosine <= 0) {
      const double overlap = depth(a, b, pair.between) + depth(b, a, -1 * pair.between);
      if (overlap > 0) all_covered_ = true;
      pairs_.push_back({first, second, pair});
    } else {
      pairs_.push_back({first, second, pair});
    }
  });
}

/// Computes the pending crossings and hides the parts of circles between them.
void Arrangement::hide_crossed() {
  crossings_.compute();
  for (int i = 0; i < crossings_.count; ++i) {
    const Pair& pair = pairs_[crossings_.pair[i]];
    const bool plain = is_plain(circles_[pair.first], crossings_.sine2[i]);
    const auto hide = [&](int circle, const Crossings::Parts& parts) {
      hide_part(circle, parts.start[i], parts.end[i], parts.excess[i] > 0, plain);
    };
    hide(pair.first, crossings_.on_first), hide(pair.second, crossings_.on_second);
  }
  crossings_.count = 0;
}

void Arrangement::cross_precisely(const Pair& pair, const PreciseArrangement& precise) {
  const SkyCircle &a = circles_[pair.first], &b = circles_[pair.second];
  const Vec2 between = pair.relation.between;
  const auto crossing = precise.crossing(static_cast<std::size_t>(a.body), static_cast<std::size_t>(b.body));
  if (!crossing) {
    if (pair.relation.one_minus_cosine < 1) hide_all(is_inner(a, b, between) ? pair.first : pair.second);
    return;
  }
  const bool plain = is_plain(a, sine2_of(pair.relation));
  hide_part(pair.first, quarter_at(a, crossing->start_on_i), quarter_at(a, crossing->end_on_i),
            covers_most(a, b, between), plain);
  hide_part(pair.second, quarter_at(b, crossing->end_on_j), quarter_at(b, crossing->start_on_j),
            covers_most(b, a, -1 * between), plain);
}

void Arrangement::hide_on_limb(const SkyCircle& c) {
  const Vec2 toward = half_direction(c.toward), &half = c.limb_half;
  hide_part(star, quarter_tangent(in_frame(half, toward)), quarter_tangent(from_frame(half, toward)),
            half.y > half.x, false);
}

/// t runs over a length of 2. Less than half of a circle takes at most 2 − 2 tan(π/8) = 1.2, more than half
/// at least 0.8. Otherwise rounding has swapped the ends: the part is almost nothing, or almost the whole
/// circle.
void Arrangement::hide_part(int circle, double from, double to, bool wide, bool plain) {
  const double length = to >= from ? to - from : to - from + 2;
  if (wide ? length < 0.5 : length > 1.5) {
    if (wide) hide_all(circle);
    return;
  }
  if (from <= to) {
    hidden_.push_back(
        {.circle = circle, .from = from, .to = to, .open_from = false, .open_to = false, .plain = plain});
  } else {
    hidden_.push_back(
        {.circle = circle, .from = -1, .to = to, .open_from = true, .open_to = false, .plain = plain});
    hidden_.push_back(
        {.circle = circle, .from = from, .to = 1, .open_from = false, .open_to = true, .plain = plain});
  }
}

/// Uses only plain hidden parts, each shortened by a margin at both ends, so that a crossing of the circle
/// with one disc lies inside another disc.
template <class Iterator>
bool Arrangement::covered_with_margin(int circle, Iterator begin, Iterator end) const {
  const double last = circles_[circle].end < 1 ? circles_[circle].end + cover_margin : 1;
  double covered = -last;
  for (auto h = begin; h != end; ++h) {
    if (!h->plain) continue;
    if ((h->open_from ? -1 : h->from + cover_margin) > covered) break;
    covered = std::max(covered, h->open_to ? 1 : h->to - cover_margin);
  }
  return covered >= last;
}

void Arrangement::add_visible(int circle, double from, double to) {
  if (circle == star) {
    limb_ += angle_between(from, to);
    chords_ = chords_ + (limb_point(to) - limb_point(from));
  } else {
    const SkyCircle& c = circles_[circle];
    arcs_.push_back({circle, from, to});
    chords_ = chords_ + (point_at(c, to) - point_at(c, from));
  }
}

/// Collects the parts of the limb, or of a circle within the star, that no disc hides.
template <class Iterator>
void Arrangement::add_visible_parts(int circle, Iterator begin, Iterator end) {
  const double last = circle == star ? 1 : circles_[circle].end;
  double covered = -last;
  for (auto h = begin; h != end && h->from < last; ++h) {
    if (h->from > covered) add_visible(circle, covered, h->from);
    covered = std::max(covered, h->to);
  }
  if (covered < last) add_visible(circle, covered, last);
}

void Arrangement::sweep() {
  std::sort(hidden_.begin(), hidden_.end(), [](const Hidden& x, const Hidden& y) {
    return std::tie(x.circle, x.from, x.to) < std::tie(y.circle, y.from, y.to);
  });
  auto next = hidden_.cbegin();
  for (int circle = star; circle < circles(); ++circle) {
    const auto begin = next;
    while (next != hidden_.cend() && next->circle == circle) ++next;
    if (circle != star) {
      if (dropped_[circle]) continue;
      edge_covered_[circle] = covered_with_margin(circle, begin, next) ? 1 : 0;
    }
    add_visible_parts(circle, begin, next);
  }
}

}  // namespace sphaera::star_light
