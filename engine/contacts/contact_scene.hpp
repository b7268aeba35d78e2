#pragma once
/// \file Star, observer and bodies in motion: what is seen at a time, and where all may be in a part of it.

#include <contacts/drifting_ball.hpp>
#include <contacts/motion.hpp>
#include <span>
#include <sphaera/contact_times.hpp>
#include <starlight/star_view.hpp>
#include <string>
#include <vector>

namespace sphaera::geometry {

/// What contact_times is asked about, checked, and what looking at it takes.
struct Setting {
  const MovingStar& star;
  const MovingObserver& observer;
  std::span<const MovingSphere> bodies;
  std::stop_token stop{};
  StarViewScratch scratch{};
  exact::Counts counts{};

  Star star_at(double t) const;
  bool at_infinity() const { return star.star.distance == Star::Distance::infinite; }
};

/// Throws Error invalid_argument: "body 3: why".
[[noreturn, gnu::cold]] void refuse_mover(const std::string& who, std::int64_t element,
                                          const std::string& why);

/// What `answer` says of the view at t past the bodies of these numbers. Throws Error invalid_argument where
/// one is out of range or there is no answer; cancelled.
Light look(Setting& setting, std::span<const std::int64_t> ids, double t, Light (*answer)(StarView&));

/// Times after begin where a cubic of star, observer or these bodies ends, and the end.
std::vector<double> ends_of_parts(const Setting& setting, std::span<const std::int64_t> ids, double begin,
                                  double end);

/// Exact, at all times, where star and body keep their places to each other: they have one path, or both are
/// at rest. Else unknown.
RelativePosition constant_position(Setting& setting, std::int64_t id);

inline TimeSpan span_of(double from, double to) {
  const double middle = from + (to - from) / 2;
  return {middle, std::max(to - middle, middle - from)};
}

/// Star, observer and some bodies in a part of the time in which each moves by one cubic.
class MovingView {
 public:
  MovingView(const Setting& setting, std::span<const std::int64_t> ids) : setting_(setting), ids_(ids) {}

  void enter_part(double from);
  /// Nothing moves, however close to a contact.
  bool is_at_rest() const;

  PositionBounds star(const TimeSpan& span) const { return position_bounds(observer_, star_, span); }
  /// Of number i among `ids`, from the star, whatever the observer does.
  PositionBounds body_from_star(std::size_t i, const TimeSpan& span) const {
    return position_bounds(star_, bodies_[i], span);
  }
  /// Of number i among `ids`.
  PositionBounds body(std::size_t i, const TimeSpan& span) const {
    return position_bounds(observer_, bodies_[i], span);
  }

 private:
  const Setting& setting_;
  std::span<const std::int64_t> ids_;
  MotionPiece star_, observer_;
  std::vector<MotionPiece> bodies_;
};

}  // namespace sphaera::geometry
