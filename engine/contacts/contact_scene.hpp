#pragma once
/// \file Star, observer and bodies in motion: the view at a time, and position bounds over a time span.

#include <algorithm>
#include <contacts/bounded_ball.hpp>
#include <contacts/motion_piece.hpp>
#include <span>
#include <sphaera/contact_times.hpp>
#include <sphaera/error.hpp>
#include <star_light/star_view.hpp>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::contacts {

/// Checked input of contact_times, with the working memory of its queries.
struct ContactScene {
  const MovingStar& star;
  const MovingObserver& observer;
  std::span<const MovingSphere> bodies;
  std::stop_token stop{};
  exact::Counts counts{};
  star_light::StarViewScratch scratch{};  // last, as it is aligned to cache lines

  Star star_at(double t) const;
  bool at_infinity() const { return star.star.distance == Star::Distance::infinite; }
};

/// Throws Error invalid_argument with the subject "body 3", or `subject` alone if `element` is
/// Error::no_element.
[[noreturn, gnu::cold]] void refuse(std::string_view subject, std::int64_t element, const std::string& why);

/// Thrown where the star has no phase.
class NotSeen final : public Error {
 public:
  NotSeen(const UnseenStar& unseen, std::string_view subject, std::string_view reason)
      : Error(ErrorCode::invalid_argument, subject, reason, unseen.body), unseen_(unseen) {}

  const UnseenStar& unseen() const { return unseen_; }

 private:
  UnseenStar unseen_;
};

/// Builds the view at time t with these bodies and returns phase_in(view). Throws Error: invalid_argument if
/// star, observer or a body is out of range, or the observer is at the center of the body that it stands on;
/// NotSeen if the observer is inside the star, or the surface of a body crosses the star's; cancelled.
EclipsePhase phase_of_view(ContactScene& scene, std::span<const std::int64_t> ids, double t,
                           EclipsePhase (*phase_in)(star_light::StarView&));

/// The times strictly between begin and end at which a cubic piece of star, observer or one of these bodies
/// ends, ascending; then `end`.
std::vector<double> piece_ends(const ContactScene& scene, std::span<const std::int64_t> ids, double begin,
                               double end);

/// Relative position of the star and of body `id`, if it is the same at all times: apart if the star is at
/// infinity; decided exactly if star and body keep a constant offset (both at rest, or the same motion).
/// Unknown otherwise, and if their surfaces cross.
RelativePosition constant_position(ContactScene& scene, std::int64_t id);

/// The TimeSpan that contains from … to.
inline TimeSpan span_of(double from, double to) {
  const double middle = from + (to - from) / 2;
  return {middle, std::max(to - middle, middle - from)};
}

/// Position bounds of star, observer and some bodies in a time range in which each moves by one cubic.
class MovingView {
 public:
  MovingView(const ContactScene& scene, std::span<const std::int64_t> ids) : scene_(scene), ids_(ids) {}

  /// Selects the cubic pieces that are valid from time `from` on.
  void enter_piece(double from);
  /// True if star, observer and bodies are all at rest in the current piece.
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

}  // namespace sphaera::contacts
