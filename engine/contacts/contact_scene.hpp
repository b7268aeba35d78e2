#pragma once
/// \file Star, observer and bodies in motion: the view at a time, and position bounds over a time span.

#include <contacts/bounded_ball.hpp>
#include <contacts/motion.hpp>
#include <span>
#include <sphaera/contact_times.hpp>
#include <starlight/star_view.hpp>
#include <string>
#include <vector>

namespace sphaera::geometry {

/// Checked input of contact_times, with the working memory of its queries.
struct ContactScene {
  const MovingStar& star;
  const MovingObserver& observer;
  std::span<const MovingSphere> bodies;
  std::stop_token stop{};
  StarViewScratch scratch{};
  exact::Counts counts{};

  Star star_at(double t) const;
  bool at_infinity() const { return star.star.distance == Star::Distance::infinite; }
};

/// Throws Error invalid_argument about "body 3", or about "body" if `element` is Error::no_element.
[[noreturn, gnu::cold]] void refuse_mover(std::string_view kind, std::int64_t element,
                                          const std::string& why);

/// Result of `answer` for the view at time t behind the bodies with these ids. Throws Error: invalid_argument
/// if star, observer or a body is out of range or the view has no answer; cancelled.
Light light_of_view(ContactScene& scene, std::span<const std::int64_t> ids, double t,
                    Light (*answer)(StarView&));

/// Times in begin … end at which a cubic piece of star, observer or these bodies ends, and then `end` itself.
std::vector<double> ends_of_parts(const ContactScene& scene, std::span<const std::int64_t> ids, double begin,
                                  double end);

/// Exact relative position for all times, if star and body keep a constant offset: they share one path, or
/// both are at rest. Otherwise unknown.
RelativePosition constant_position(ContactScene& scene, std::int64_t id);

inline TimeSpan span_of(double from, double to) {
  const double middle = from + (to - from) / 2;
  return {middle, std::max(to - middle, middle - from)};
}

/// Position bounds of star, observer and some bodies in a time range in which each moves by one cubic.
class MovingView {
 public:
  MovingView(const ContactScene& scene, std::span<const std::int64_t> ids) : scene_(scene), ids_(ids) {}

  void enter_part(double from);
  /// True if star, observer and bodies are all at rest.
  bool is_at_rest() const;

  PositionBounds star(const TimeSpan& span) const { return position_bounds(observer_, star_, span); }
  /// Bounds of body ids[i] relative to the star, independent of the observer.
  PositionBounds body_from_star(std::size_t i, const TimeSpan& span) const {
    return position_bounds(star_, bodies_[i], span);
  }
  /// Bounds of body ids[i] relative to the observer.
  PositionBounds body(std::size_t i, const TimeSpan& span) const {
    return position_bounds(observer_, bodies_[i], span);
  }

 private:
  const ContactScene& scene_;
  std::span<const std::int64_t> ids_;
  MotionPiece star_, observer_;
  std::vector<MotionPiece> bodies_;
};

}  // namespace sphaera::geometry
