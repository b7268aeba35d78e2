#pragma once
/// \file Which arcs of the star's limb and of the bodies' edges bound what is seen of the star.
///
/// Every crossing of two circles is computed once and given to both, so that the arcs that one leaves off are
/// taken up by the other and the boundary closes to rounding, however flat the crossing. Circles are put into
/// an order of their own first: the result does not depend on the order in which they came.

#include <starlight/circle_pair.hpp>
#include <starlight/disc_box.hpp>
#include <starlight/precise_arrangement.hpp>
#include <starlight/sky_circle.hpp>
#include <utility>
#include <vector>

namespace sphaera::geometry {

/// Part of a circle's edge from one angle φ to a greater one, by the tangents of their quarters; never across
/// ±π.
struct Arc {
  int circle;
  double from, to;
};

/// Filled and cleared for each star and observer; keeps its memory.
class Arrangement {
 public:
  void clear() { circles_.clear(); }
  void add(const SkyCircle& circle) { circles_.push_back(circle); }

  /// Works out `limb`, `arcs`; the circles are then sorted. With a sharp sky (numbered as SkyCircle::body) it
  /// takes the crossings from there.
  void solve(const PreciseArrangement* sharp = nullptr);

  /// By how much the boundary does not close: rounding, unless three circles all but coincide where they
  /// cross.
  double gap() const { return std::sqrt(dot(chords_, chords_)); }

  /// The star's limb that is seen, as an angle about its centre, 0 … 2π.
  double limb() const { return limb_; }
  /// The bodies' edges that are seen against the star, the star's visible part on their left.
  const std::vector<Arc>& arcs() const { return arcs_; }
  const SkyCircle& circle(int i) const { return circles_[i]; }
  int circles() const { return static_cast<int>(circles_.size()); }

  /// All of circle i on the star lies well inside other discs, each common point with another in a third.
  bool buried(int i) const { return buried_[i] != 0; }

 private:
  /// What one disc covers of a circle, by the tangents of quarters; cut in two where it goes across ±π.
  struct Hidden {
    int circle;  ///< `star` for the limb
    double from, to;
    bool open_from, open_to;  ///< goes on beyond ±π
    bool plain;               ///< where it crosses is good to far less than bury_margin
  };
  /// Two circles neither of which lies in the other, the more curved one first.
  struct Pair {
    int first, second;
    CirclePair lie;
  };
  static constexpr int star = -1;

  void sort_circles();
  void sort_boxes();
  template <class Use>
  void for_near_pairs(const Use& use);
  std::pair<int, int> by_size(int i, int j) const;
  void drop_nested();
  void cross_all(const PreciseArrangement* sharp);
  void cross(const Pair& pair);
  void cross_sharply(const Pair& pair, const PreciseArrangement& sharp);
  void hide_on_limb(const SkyCircle& circle);
  void hide_part(int circle, double from, double to, bool wide, bool plain);
  void hide_all(int circle) { hidden_.push_back({circle, -1, 1, true, true, false}); }
  template <class Iterator>
  bool is_buried(int circle, Iterator begin, Iterator end) const;
  void see(int circle, double from, double to);
  template <class Iterator>
  void see_between(int circle, Iterator begin, Iterator end);
  void sweep();

  std::vector<SkyCircle> circles_;
  std::vector<DiscBox> boxes_;
  std::vector<int> from_left_;  ///< circles by where their boxes begin
  std::vector<int> on_line_;    ///< those that the sweep line is in
  std::vector<char> dropped_, buried_;
  std::vector<Pair> pairs_;
  std::vector<Hidden> hidden_;
  std::vector<Arc> arcs_;
  Vec2 chords_;  ///< sum of end less start of all visible arcs
  double limb_ = 0;
  bool all_covered_ = false;
};

}  // namespace sphaera::geometry
