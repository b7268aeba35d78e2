#include <algorithm>
#include <base/errors.hpp>
#include <base/floating_point_environment.hpp>
#include <base/validate.hpp>
#include <contacts/contact_scene.hpp>
#include <exact/numbers/arithmetic.hpp>
#include <sphaera/contact_times.hpp>
#include <string>
#include <tuple>
#include <utility>

namespace sphaera::inline SPHAERA_ABI {
namespace {

using contacts::refuse;

/// The contacts where the ball begins and ceases to be in a shadow, and that shadow.
struct Edge {
  ShadowContact in, out;
  bool of_umbra;
  double star_grows, body_grows;  ///< times the ball's radius (proof 4)
};
constexpr Edge touches_penumbra{ShadowContact::enters_penumbra, ShadowContact::outside_penumbra, false, -1,
                                1};
constexpr Edge whole_in_penumbra{ShadowContact::inside_penumbra, ShadowContact::leaves_penumbra, false, 1,
                                 -1};
constexpr Edge touches_umbra{ShadowContact::enters_umbra, ShadowContact::outside_umbra, true, 1, 1};
constexpr Edge whole_in_umbra{ShadowContact::inside_umbra, ShadowContact::leaves_umbra, true, -1, -1};

/// Where the ball's center, as an observer, must see the star for the ball to be in the shadow.
enum class Place : std::uint8_t { shaded, umbra, antumbra };

bool is_in(EclipsePhase phase, Place place) {
  if (place == Place::shaded) return phase != EclipsePhase::lit;
  return phase == (place == Place::umbra ? EclipsePhase::umbra : EclipsePhase::antumbra);
}

/// Adds the contacts of the ball's center with one surface.
void add_contacts(const Edge& edge, const MovingStar& star, const MovingSphere& ball,
                  const MovingSphere& body, std::int64_t number, const std::pair<double, double>& times,
                  const ContactOptions& options, std::vector<ShadowChange>& found) {
  MovingStar sized_star = star;
  MovingSphere sized_body = body;
  if (star.star.distance == Star::Distance::finite) sized_star.star.radius += edge.star_grows * ball.radius;
  sized_body.radius += edge.body_grows * ball.radius;
  Place place = edge.of_umbra ? Place::umbra : Place::shaded;
  if (sized_body.radius <= 0) {
    if (edge.of_umbra)
      return;  // the ball is never whole in it: the star is larger than the ball, so it narrows
    place = Place::antumbra;
    // A point is taken as a sphere within the rounding of the difference.
    sized_body.radius = std::max(-sized_body.radius, exact::u * body.radius);
  }
  try {
    for (const ContactTime& contact :
         contact_times(sized_star, {ball.motion}, {&sized_body, 1}, times.first, times.second, options)) {
      const bool before = is_in(contact.before, place), after = is_in(contact.after, place);
      if (before != after) found.push_back({contact.time, number, after ? edge.in : edge.out});
    }
  } catch (const Error& error) {
    if (error.element() < 0) throw;
    refuse("body", number, std::string(error.reason()));
  }
}

}  // namespace

std::vector<ShadowChange> shadow_contacts(const MovingStar& star, const MovingSphere& ball,
                                          std::span<const MovingSphere> bodies, double begin, double end,
                                          const ContactOptions& options) {
  const base::FloatingPointEnvironment mode;
  if (!(ball.radius > 0) || !(ball.radius <= domain_limit))
    refuse("ball", Error::no_element, base::bad_radius(ball.radius, "greater than 0"));
  if (star.star.distance == Star::Distance::finite && !(ball.radius < star.star.radius))
    refuse("ball", Error::no_element, "it is not smaller than the star; give a smaller one");
  for (const MovingSphere& body : bodies) {
    if (!(body.radius > 0) || !(body.radius <= domain_limit))
      refuse("body", &body - bodies.data(), base::bad_radius(body.radius, "greater than 0"));
  }
  if (options.unseen != nullptr) *options.unseen = {};
  std::vector<ShadowChange> found;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (const Edge& edge : {touches_penumbra, whole_in_penumbra, touches_umbra, whole_in_umbra}) {
      add_contacts(edge, star, ball, bodies[i], static_cast<std::int64_t>(i), {begin, end}, options, found);
      if (options.unseen == nullptr || options.unseen->status == StarStatus::ok) continue;
      if (options.unseen->body >= 0) options.unseen->body = static_cast<std::int64_t>(i);
      return {};
    }
  }
  std::ranges::sort(found, {}, [](const ShadowChange& change) {
    return std::tuple(change.time, change.body, change.contact);
  });
  return found;
}

}  // namespace sphaera::inline SPHAERA_ABI
