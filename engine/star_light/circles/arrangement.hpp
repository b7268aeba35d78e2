#pragma once
/// \file Arcs of the star's limb and of body edges that bound the visible part of the star.
///
/// Every crossing of two circles is computed once and used for both circles, so the boundary closes up to
/// rounding even at very flat crossings. Circles are sorted first, so the result does not depend on the order
/// of `add` calls.

#include <star_light/circles/circle_pair.hpp>
#include <star_light/circles/crossings.hpp>
#include <star_light/circles/disc_box.hpp>
#include <star_light/circles/precise_arrangement.hpp>
#include <star_light/circles/sky_circle.hpp>
#include <utility>
#include <vector>

namespace sphaera::star_light {

/// Part of a circle's edge between two angles φ, from < to, given by t = tan(φ/4). An arc never crosses φ =
/// ±π.
struct Arc {
  int circle;
  double from, to;
};

/// Filled and cleared for each pair of star and observer. `clear` keeps the memory.
class Arrangement {
 public:
  void clear() { circles_.clear(); }
  void add(const SkyCircle& circle) { circles_.push_back(circle); }

  /// Computes `limb` and `arcs` and sorts the circles. If `precise` is set, crossings come from this
  /// double-double arrangement; its circles are numbered as SkyCircle::body.
  void solve(const PreciseArrangement* precise = nullptr);

  /// Length by which the boundary fails to close: a rounding error, unless three circles nearly coincide
  /// where they cross.
  double gap() const { return std::sqrt(dot(chords_, chords_)); }

  /// Visible part of the star's limb, as an angle about the star's center in radians, 0 … 2π.
  double limb() const { return limb_; }
  /// Body edges seen against the star, with the star's visible part on their left.
  const std::vector<Arc>& arcs() const { return arcs_; }
  const SkyCircle& circle(int i) const { return circles_[i]; }
  int circles() const { return static_cast<int>(circles_.size()); }

  /// True if the whole part of circle i on the star lies well inside other discs, and so does each of its
  /// crossings with another circle (inside a third disc).
  bool is_edge_covered(int i) const { return edge_covered_[i] != 0; }

  /// Makes room for as much as `other` has room for. Throws std::bad_alloc.
  void grow_to(const Arrangement& other) {
    circles_.reserve(other.circles_.capacity()), boxes_.reserve(other.boxes_.capacity());
    from_left_.reserve(other.from_left_.capacity()), on_line_.reserve(other.on_line_.capacity());
    dropped_.reserve(other.dropped_.capacity()), edge_covered_.reserve(other.edge_covered_.capacity());
    pairs_.reserve(other.pairs_.capacity()), hidden_.reserve(other.hidden_.capacity());
    arcs_.reserve(other.arcs_.capacity());
  }

 private:
  /// Part of a circle that one disc covers, as an interval of t = tan(φ/4). A part that crosses φ = ±π is
  /// split in two.
  struct Hidden {
    int circle;  ///< `star` for the limb
    double from, to;
    bool open_from, open_to;  ///< the part continues beyond ±π
    bool plain;               ///< the error of its crossings is far below cover_margin
  };
  /// Two circles that are not nested, the more curved one first. They cross if 1 − γ² > 0.
  struct Pair {
    int first, second;
    CirclePair relation;
  };
  static constexpr int star = -1;

  void sort_circles();
  void sort_boxes();
  template <class Use>
  void for_near_pairs(const Use& use);
  std::pair<int, int> by_size(int i, int j) const;
  void drop_nested();
  void cross_all(const PreciseArrangement* precise);
  void hide_crossed();
  void cross_precisely(const Pair& pair, const PreciseArrangement& precise);
  void hide_on_limb(const SkyCircle& circle);
  void hide_part(int circle, double from, double to, bool wide, bool plain);
  void hide_all(int circle) {
    hidden_.push_back(
        {.circle = circle, .from = -1, .to = 1, .open_from = true, .open_to = true, .plain = false});
  }
  template <class Iterator>
  bool covered_with_margin(int circle, Iterator begin, Iterator end) const;
  void add_visible(int circle, double from, double to);
  template <class Iterator>
  void add_visible_parts(int circle, Iterator begin, Iterator end);
  void sweep();

  Crossings crossings_;  ///< pending; first, as it is aligned to cache lines
  std::vector<SkyCircle> circles_;
  std::vector<DiscBox> boxes_;
  std::vector<int> from_left_;  ///< circles, sorted by the left side of their boxes
  std::vector<int> on_line_;    ///< circles whose boxes contain the sweep line
  std::vector<char> dropped_, edge_covered_;
  std::vector<Pair> pairs_;
  std::vector<Hidden> hidden_;
  std::vector<Arc> arcs_;
  Vec2 chords_;  ///< sum of (end − start) of all visible arcs
  double limb_ = 0;
  bool all_covered_ = false;
};

}  // namespace sphaera::star_light
