#include <algorithm>
#include <base/errors.hpp>
#include <base/validate.hpp>
#include <charconv>
#include <contacts/contact_search.hpp>

namespace sphaera::contacts {
namespace {

/// Message of a failed search. `rounding` is the rounding error of a body's position relative to the
/// observer.
std::string unresolved(std::uint64_t parts, double time, double rounding) {
  char digits[32];
  const std::to_chars_result end =
      std::to_chars(digits, digits + sizeof digits, rounding, std::chars_format::general, 2);
  return "in contact with the star, or too near to tell, for " + std::to_string(parts) +
         " times the resolution, for example at time " + base::text_of(time) +
         "; give a longer resolution, a shorter interval, or coordinates whose origin is nearer to the "
         "observer (positions are rounded by up to " +
         std::string(digits, end.ptr) + ')';
}

}  // namespace

void BodySearch::run(double begin, double end) {
  PhaseSearch::run(begin, phase_at(begin), piece_ends(scene_, id_, begin, end));
}

EclipsePhase BodySearch::phase_at(double t) {
  return phase_of_view(scene_, id_, t, [](star_light::StarView& view) { return view.phase_of_one(); });
}

bool BodySearch::is_phase_constant(double from, double to) {
  if (view_bounds_.is_at_rest()) return true;
  const TimeSpan span = span_of(from, to);
  const Star& star = scene_.star.star;
  const BoundedBall disc = scene_.at_infinity() ? BoundedBall(star.direction, star.angular_radius)
                                                : BoundedBall(view_bounds_.star(span), star.radius);
  const double radius = scene_.bodies[id_[0]].radius;
  const BoundedBall body(view_bounds_.body(0, span), radius);
  const auto position = [&] {
    if (constant_position_ != RelativePosition::unknown) return constant_position_;
    const RelativePosition seen = relative_position(disc, body);
    if (seen != RelativePosition::unknown) return seen;
    return relative_position(star.radius, radius, view_bounds_.body_from_star(0, span));
  };
  if (id_[0] == scene_.observer.on) return is_phase_constant_above(disc, body, position());
  const double angle = angle_between(disc, body);
  return is_apart(disc, body, angle) || contacts::is_phase_constant(disc, body, angle, position());
}

void BodySearch::throw_unresolved(double time) const {
  refuse("body", id_[0], unresolved(max_open_parts, time, view_bounds_.body(0, {time, 0}).drift));
}

EclipsePhase UnionSearch::run(double begin, EclipsePhase phase, double end) {
  return PhaseSearch::run(begin, phase, piece_ends(scene_, ids_, begin, end));
}

EclipsePhase UnionSearch::phase_at(double t) {
  return phase_of_view(scene_, ids_, t, [](star_light::StarView& view) { return view.result().phase; });
}

/// If the bodies, shrunk by their drifts, hide the star, enlarged by its drift, then the star is hidden for
/// all positions within the bounds. If the enlarged bodies do not hide the shrunk star, then the star is
/// hidden for none of these positions.
bool UnionSearch::is_phase_constant(double from, double to) {
  if (view_bounds_.is_at_rest()) return true;
  const TimeSpan span = span_of(from, to);
  const std::optional<Visibility> least = view(span, 1);
  if (least && least->phase == EclipsePhase::umbra) return true;
  const std::optional<Visibility> most = view(span, -1);
  return most && most->phase != EclipsePhase::umbra;
}

void UnionSearch::throw_unresolved(double time) const {
  double rounding = 0;
  for (std::size_t i = 0; i < ids_.size(); ++i)
    rounding = std::max(rounding, view_bounds_.body(i, {time, 0}).drift);
  refuse("bodies together", Error::no_element, unresolved(max_open_parts, time, rounding));
}

/// Upper bound of the angle by which the horizon turns from its place at the middle of the span, in radians;
/// 0 without a horizon.
double UnionSearch::horizon_rotation(const TimeSpan& span) const {
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    if (ids_[i] != scene_.observer.on) continue;
    return tilt(BoundedBall(view_bounds_.body(i, span), scene_.bodies[ids_[i]].radius));
  }
  return 0;
}

/// Visibility if sign · drift is added to the star's radius and subtracted from each body's radius; empty if
/// a radius or the view is invalid. The ground keeps its radius. Instead, the radii of the star and of the
/// other bodies change further, by the rotation of the horizon × distance.
std::optional<Visibility> UnionSearch::view(const TimeSpan& span, int sign) {
  const double rotation = horizon_rotation(span);
  const auto change = [&](const PositionBounds& w) {
    return sign * (w.drift + rotation * (exact::length(w.offset) + w.drift)) * (1 + 16 * exact::u);
  };
  Star star = scene_.star.star;
  if (scene_.at_infinity()) {
    star.angular_radius += sign * rotation * (1 + 4 * exact::u);
  } else {
    const PositionBounds w = view_bounds_.star(span);
    star.center = w.offset, star.radius += change(w);
  }
  if (!base::valid(star)) return std::nullopt;
  star_light::StarView view(star, {}, scene_.scratch, scene_.counts);
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    const PositionBounds w = view_bounds_.body(i, span);
    if (ids_[i] == scene_.observer.on) {
      if (base::is_zero(w.offset)) return std::nullopt;
      view.stand_on({w.offset, scene_.bodies[ids_[i]].radius}, ids_[i]);
      continue;
    }
    const Sphere body{w.offset, scene_.bodies[ids_[i]].radius - change(w)};
    if (!base::valid(body)) return std::nullopt;
    view.add(body, ids_[i]);
  }
  if (view.status() != StarStatus::ok) return std::nullopt;
  return view.result();
}

}  // namespace sphaera::contacts
