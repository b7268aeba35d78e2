#include <caps/circle_cover.hpp>
#include <caps/corner.hpp>
#include <cmath>
#include <exact/numbers/dispatch.hpp>
#include <exact/numbers/double_lanes.hpp>
#include <limits>

namespace sphaera::caps {
namespace {

using exact::DoubleLanes, exact::double_lanes;
using Bits = DoubleLanes::Bits;

constexpr std::size_t lanes = DoubleLanes::lanes;
static_assert(lanes == CapArrays::width);

/// The place of an empty part: no place is beyond it.
constexpr double nowhere = std::numeric_limits<double>::infinity();

/// Sectors of equal length in places, which a word of 64 bits holds.
constexpr double sectors_of_turn = 15;
constexpr int sectors = 60;
static_assert(sectors_of_turn * whole_turn == sectors);

/// Two unit vectors across a unit vector n; first × second = n (Duff et al., "Building an Orthonormal Basis,
/// Revisited", JCGT 6, 2017).
struct Across {
  Vec3 first, second;
};
SPHAERA_INLINE Across across(const Vec3& n) {
  const double sign = std::copysign(1.0, n.z), a = -1 / (sign + n.z), b = n.x * n.y * a;
  return {{1 + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}};
}

/// From 0 to less than 4.
SPHAERA_INLINE double place_of(double x, double y) {
  const double part = y / (std::fabs(x) + std::fabs(y)), place = x < 0 ? 2 - part : y < 0 ? 4 + part : part;
  return place < 4 ? place : 0;
}
SPHAERA_INLINE DoubleLanes place_of(const DoubleLanes& x, const DoubleLanes& y) {
  const DoubleLanes part = y / (absolute(x) + absolute(y));
  const DoubleLanes right = double_lanes(y.v < 0 ? 4 + part.v : part.v);
  const DoubleLanes place = double_lanes(x.v < 0 ? 2 - part.v : right.v);
  return double_lanes(place.v < 4 ? place.v : DoubleLanes::Vector{});
}

/// Moves an integer to the last bits of a double.
constexpr double to_last_bits = 0x1.8p52;

/// A set of sectors, or all bits for a true condition, in each lane. A class, as DoubleLanes is one.
struct Sets {
  Bits v{};

  SPHAERA_INLINE std::uint64_t united() const {
    return static_cast<std::uint64_t>((v[0] | v[1]) | (v[2] | v[3]));
  }
};
SPHAERA_INLINE bool any(const Bits& conditions) { return Sets{conditions}.united() != 0; }

constexpr std::uint64_t all_sectors = (std::uint64_t{1} << sectors) - 1;

/// The sectors within a part, from the first boundary in it to the last. Rounding may leave one out.
SPHAERA_INLINE Sets sectors_within(const DoubleLanes& begin, const DoubleLanes& end) {
  const DoubleLanes after = double_lanes(sectors_of_turn * begin.v + 0.5 + to_last_bits),
                    before = double_lanes(sectors_of_turn * end.v - 0.5 + to_last_bits);
  const Bits one = Bits{} + 1, before_begin = (one << ((Bits)after.v & 63)) - 1,
             before_end = (one << ((Bits)before.v & 63)) - 1, wraps = begin.v > end.v;
  return {(before_end & ~before_begin) | ((before_end | ~before_begin) & wraps)};
}

/// The relation of cap i to the four from j on, and the steps from its axis to theirs.
struct RelationInLanes {
  DoubleLanes x, y, z;
  CircleRelation<DoubleLanes> relation;

  SPHAERA_INLINE RelationInLanes(const CapArrays& caps, std::size_t i, std::size_t j)
      : x(double_lanes(DoubleLanes(&caps.x[j]).v - caps.x[i])),
        y(double_lanes(DoubleLanes(&caps.y[j]).v - caps.y[i])),
        z(double_lanes(DoubleLanes(&caps.z[j]).v - caps.z[i])),
        relation(x * x + y * y + z * z, double_lanes(caps.cosine[i] + DoubleLanes::Vector{}),
                 double_lanes(caps.sine[i] + DoubleLanes::Vector{}), DoubleLanes(&caps.cosine[j]),
                 DoubleLanes(&caps.sine[j])) {}
};

/// So many of the largest caps are tried as those that hold others.
constexpr std::size_t most_outer = 96;

SPHAERA_INLINE void find_nested_in_lanes(const CapArrays& caps, char* nested) {
  const std::size_t n = caps.size();
  for (std::size_t i = 0; i < std::min(n, most_outer); ++i) {
    if (nested[i]) continue;
    for (std::size_t j = i + 1; j < n; j += lanes) {
      const CircleRelation<DoubleLanes> r = RelationInLanes(caps, i, j).relation;
      const Bits inside = r.past_inner.v < -r.inner_bound.v;
      for (std::size_t k = 0; k < lanes; ++k)
        nested[j + k] = static_cast<char>(nested[j + k] | (inside[k] & 1));
    }
  }
}
void find_nested_plain(const CapArrays& caps, char* nested) { find_nested_in_lanes(caps, nested); }
SPHAERA_TARGET_FMA void find_nested_wide(const CapArrays& caps, char* nested) {
  find_nested_in_lanes(caps, nested);
}

}  // namespace

void find_nested(const CapArrays& caps, std::vector<char>& nested) {
  nested.assign(caps.size() + CapArrays::width, 0);
  exact::has_fma() ? find_nested_wide(caps, nested.data()) : find_nested_plain(caps, nested.data());
}

/// The four caps from number j on, of which one needs double-double, or covers the circle.
CircleCover::Kind CircleCover::cover_specially(const CapArrays& caps, std::size_t i, std::size_t j) {
  for (std::size_t k = j; k < std::min(j + lanes, caps.size()); ++k) {
    if (k == i || begin_[k] < nowhere) continue;
    const Kind kind = cover_precisely(caps, i, k);
    if (kind != Kind::gaps) return kind;
  }
  return Kind::gaps;
}

/// Places are rounded: a part that has almost no length, or almost the circle's, must not turn into the
/// other.
CircleCover::Kind CircleCover::cover_precisely(const CapArrays& caps, std::size_t i, std::size_t j) {
  const Crossing crossing = cross_circles(caps, std::min(i, j), std::max(i, j));
  if (crossing.kind == Crossing::Kind::nested) return j < i ? Kind::circle : Kind::gaps;
  if (crossing.kind == Crossing::Kind::apart)
    return caps.cosine[i] + caps.cosine[j] < 0 ? Kind::sphere : Kind::gaps;
  const Vec3& from = i < j ? crossing.right : crossing.left;
  const Vec3& to = i < j ? crossing.left : crossing.right;
  const double begin = place_of(dot(from, frame_.first), dot(from, frame_.second)),
               end = place_of(dot(to, frame_.first), dot(to, frame_.second));
  const double length = end - begin + (end < begin ? whole_turn : 0);
  const Vec3 step = caps.axis(j) - caps.axis(i);
  const bool is_small = caps.cosine[j] - caps.cosine[i] + 0.5 * dot(step, step) * caps.cosine[i] > 0;
  if (is_small && length > 3) return Kind::gaps;
  if (!is_small && length < 1) return Kind::circle;
  begin_[j] = begin, end_[j] = end, any_ = true;
  return Kind::gaps;
}

SPHAERA_INLINE CircleCover::Kind CircleCover::find_in_lanes(const CapArrays& caps, std::size_t i) {
  const Vec3 axis = caps.axis(i);
  const auto [first, second] = across(axis);
  frame_ = {axis, first, second};
  const double cosine = caps.cosine[i];
  const std::size_t n = caps.size();
  covered_ = 0, any_ = false;
  const Bits numbers{0, 1, 2, 3};
  for (std::size_t j = 0; j < n; j += lanes) {
    const auto [x, y, z, r] = RelationInLanes(caps, i, j);
    const Bits sure =
        (absolute(r.past_inner).v > r.inner_bound.v) & (absolute(r.before_outer).v > r.outer_bound.v);
    const Bits beyond = r.past_inner.v > 0, within = r.before_outer.v > 0, crosses = sure & beyond & within;
    const Bits larger = numbers < static_cast<std::int64_t>(i - j);
    const Bits wide = DoubleLanes(&caps.cosine[j]).v + cosine < 0;
    const Bits special = ~sure | (~beyond & larger) | (~within & wide);
    const DoubleLanes along = r.along(double_lanes(cosine + DoubleLanes::Vector{}));
    const DoubleLanes side =
        0.5 * root(double_lanes(crosses ? (r.past_inner * r.before_outer).v : DoubleLanes::Vector{}));
    const DoubleLanes u = first.x * x + first.y * y + first.z * z,
                      v = second.x * x + second.y * y + second.z * z;
    const DoubleLanes begin = place_of(u * along + v * side, v * along - u * side),
                      end = place_of(u * along - v * side, v * along + u * side);
    const DoubleLanes::Vector no = nowhere + DoubleLanes::Vector{};
    double_lanes(crosses ? begin.v : no).store(&begin_[j]);
    double_lanes(crosses ? end.v : no).store(&end_[j]);
    any_ = any_ || any(crosses);
    covered_ |= Sets{sectors_within(begin, end).v & crosses}.united();
    if (any(special)) [[unlikely]] {
      const Kind kind = cover_specially(caps, i, j);
      if (kind != Kind::gaps) return kind;
    }
    if ((covered_ & all_sectors) == all_sectors) return Kind::circle;
  }
  find_gaps(i, n);
  return Kind::gaps;
}

/// Is a place, the end of part j, in a part that another cap covers? A part holds its begin, and its end if
/// that is the end of no earlier part.
SPHAERA_INLINE bool CircleCover::is_covered(double place, std::size_t j, std::size_t n) const {
  for (std::size_t k = 0; k < n; k += lanes) {
    const DoubleLanes begin(&begin_[k]), end(&end_[k]);
    const Bits after = begin.v <= place, before = end.v > place, wraps = begin.v > end.v;
    if (any((after & before) | ((after | before) & wraps))) return true;
    const Bits same = end.v == place;
    for (std::size_t lane = 0; lane < lanes; ++lane)
      if (same[lane] && k + lane < j) return true;
  }
  return false;
}

/// The gap up to the next begin of a part.
SPHAERA_INLINE Gap CircleCover::gap_from(double place, std::size_t j, std::size_t n) const {
  Gap gap{j, j, nowhere};
  for (std::size_t k = 0; k < n; ++k) {
    const double step = begin_[k] - place, turn = step < 0 ? step + whole_turn : step;
    if (turn < gap.turn) gap.turn = turn, gap.to = k;
  }
  return gap;
}

SPHAERA_INLINE void CircleCover::find_gaps(std::size_t i, std::size_t n) {
  gaps_.clear();
  if (!any_) gaps_.push_back({i, i, whole_turn});
  for (std::size_t j = 0; j < n; ++j) {
    const double place = end_[j];
    if (!(place < nowhere)) continue;
    const int sector = static_cast<int>(place * sectors_of_turn) % sectors;
    if ((covered_ >> sector & 1) == 0 && !is_covered(place, j, n)) gaps_.push_back(gap_from(place, j, n));
  }
}

CircleCover::Kind CircleCover::find_plain(CircleCover& cover, const CapArrays& caps, std::size_t i) {
  return cover.find_in_lanes(caps, i);
}
SPHAERA_TARGET_FMA CircleCover::Kind CircleCover::find_wide(CircleCover& cover, const CapArrays& caps,
                                                            std::size_t i) {
  return cover.find_in_lanes(caps, i);
}

CircleCover::Kind CircleCover::find(const CapArrays& caps, std::size_t i) {
  const std::size_t room = caps.size() + CapArrays::width - 1;
  if (begin_.size() < room) begin_.resize(room), end_.resize(room);
  return exact::has_fma() ? find_wide(*this, caps, i) : find_plain(*this, caps, i);
}

}  // namespace sphaera::caps
