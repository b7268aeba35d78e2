#pragma once
/// \file The circles of sky_circle.hpp in double-double, for the few views that double cannot decide: whether
/// several bodies leave any part of the star visible, and where nearly equal circles cross.
///
/// If two or more bodies cross the limb, the visible part has corners, since no whole circle can bound it. A
/// corner is a common point of two circles that no third circle covers. So the star is hidden ⟺ each such
/// point is covered. A point within `blur` of an edge counts as covered: positions are accurate to 2^-100/τ,
/// which is 2^-70 of the star's radius at 1e-9 rad.

#include <exact/numbers/double_double.hpp>
#include <exact/predicates/seen_ball.hpp>
#include <optional>
#include <star_light/circles/sky_circle.hpp>
#include <vector>

namespace sphaera::star_light {

class PreciseArrangement {
 public:
  void set(const exact::SeenBall& star);
  // Circles are numbered from 0 in the order of these calls.
  void add_ball(const exact::SeenBall& body);
  void add_ground(const exact::SeenBall& down);
  void add_nothing() {  ///< takes a number, but covers nothing
    circles_.push_back(
        {.toward = {}, .near_edge = {}, .curvature = {}, .repeated = true, .corners_skipped = true});
  }

  /// Marks the edge of body i as covered by other bodies with a wide margin: its crossings are all hidden.
  void skip_corners(std::size_t i) { circles_[i].corners_skipped = true; }

  /// True if some part of the star is visible. Precondition: at least two circles cross the limb.
  bool is_any_visible() const;

  /// Points where circle i enters and leaves disc j, each as its offset from the near point of i and from
  /// that of j, in the frame of that circle (argument w of quarter_at).
  struct Crossing {
    Vec2 start_on_i, end_on_i, start_on_j, end_on_j;
  };
  std::optional<Crossing> crossing(std::size_t i, std::size_t j) const;

  /// Crossing of circle i with the limb.
  LimbCrossing limb_crossing(std::size_t i) const;

  /// Makes room for as many circles as `other` has room for. Throws std::bad_alloc.
  void grow_to(const PreciseArrangement& other) { circles_.reserve(other.circles_.capacity()); }

 private:
  using Number = exact::DoubleDouble<exact::Dekker>;
  struct Point {
    Number x, y;
  };
  struct Circle {
    Point toward;
    Number near_edge, curvature;
    bool repeated;         ///< equal to an earlier circle: covers nothing
    bool corners_skipped;  ///< has no corners to test
  };
  /// A common point of two circles, and its offset from the first circle's near point in that circle's frame.
  struct Corner {
    Point place;
    Vec2 offset;
  };
  struct Corners {
    Corner start, end;
  };
  /// LimbCrossing in double-double.
  struct LimbFactors {
    Number beyond_near, before_near, far_out, far_around;
  };
  static constexpr double blur = 0x1p-66;

  void add(const exact::SeenBall& body, const Number& sine, const Number& cosine, const Number& size,
           const Number& curvature);
  std::optional<Corners> corners(const Circle& a, const Circle& b) const;
  static LimbFactors limb_factors(const Circle& circle);
  static Vec2 seen_from(const Circle& circle, const Point& v);
  static bool covers(const Circle& circle, const Point& v);
  bool open_on_limb(std::size_t i, std::size_t& hint) const;
  bool uncovered(const Point& v, std::size_t i, std::size_t j, std::size_t& hint) const;

  Number star_[3], right_[3], up_[3], length_, tau_;
  std::vector<Circle> circles_;
};

}  // namespace sphaera::star_light
