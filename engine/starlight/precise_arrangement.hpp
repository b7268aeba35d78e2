#pragma once
/// \file The circles of sky_circle.hpp once more, in double-double, for the few skies where double does not
/// tell how they lie: is anything left between several bodies, and where do circles cross that all but
/// coincide.
///
/// What is left behind two or more bodies that cross the limb has corners, since no whole circle can bound
/// it: common points of two circles that no third covers. So a star is hidden ⟺ each such point is covered. A
/// point is taken for covered within `blur` of an edge: positions carry 2^-100/τ, 2^-70 of the star's radius
/// at 1e-9 rad.

#include <exact/numbers/double_double.hpp>
#include <exact/predicates/seen_ball.hpp>
#include <optional>
#include <starlight/sky_circle.hpp>
#include <vector>

namespace sphaera::geometry {

class PreciseArrangement {
 public:
  void set(const exact::SeenBall& star);
  // Numbered from 0 in the order of these calls.
  void add_ball(const exact::SeenBall& body);
  void add_ground(const exact::SeenBall& down);
  void add_nothing() { circles_.push_back({{}, {}, {}, true, true}); }  ///< keeps the count

  /// Body i's edge is known to be covered by others, by far: where it crosses others nothing is seen.
  void bury(std::size_t i) { circles_[i].buried = true; }

  /// Two circles at least cross the limb.
  bool anything_seen() const;

  /// Where circle i goes into disc j and comes out of it, in angle_of's coordinates for i and for j.
  struct Crossing {
    Vec2 start_on_i, end_on_i, start_on_j, end_on_j;
  };
  std::optional<Crossing> crossing(std::size_t i, std::size_t j) const;

  /// Where circle i crosses the limb.
  LimbCrossing limb_crossing(std::size_t i) const;

 private:
  using Number = exact::DoubleDouble<exact::Plain>;
  struct Point {
    Number x, y;
  };
  struct Circle {
    Point toward;
    Number near_edge, curvature;
    bool repeated;  ///< covers nothing: the same as an earlier one
    bool buried;    ///< has no corners to look at
  };
  /// A common point and where it is from the first circle's near point, in that circle's frame.
  struct Corner {
    Point place;
    Vec2 offset;
  };
  struct Corners {
    Corner start, end;
  };
  /// LimbCrossing with all digits.
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

}  // namespace sphaera::geometry
