#include <algorithm>
#include <cmath>
#include <exact/numbers/elementary.hpp>
#include <exact/numbers/power_of_two.hpp>
#include <exact/predicates/decide.hpp>
#include <limits>
#include <numbers>
#include <star_light/arc_light.hpp>
#include <star_light/star_view.hpp>
#include <tuple>

namespace sphaera::star_light {
namespace {

using exact::Overlap;
using exact::SeenBall;
constexpr double pi = std::numbers::pi;

/// A star with a smaller angular radius counts as a point (<sphaera/starlight.hpp>). It is 2^-70 of the
/// smallest radius at which fractions have their stated accuracy, and squares of larger radii do not
/// underflow.
constexpr double point_radius = 0x1p-100;

/// A body whose circle has a larger curvature covers less than 2^-198 of the star. It is counted but gets no
/// circle.
constexpr double dust_curvature = 0x1p100;

/// Stated error of `fraction`. Two covered fractions count as equal if they differ by less.
constexpr double fraction_error = 1e-12;

/// If several bodies leave less than this fraction visible, higher precision decides whether any part is
/// visible. A lens as wide as the error of `fraction`'s arcs, 1e-15, has an area of 1e-15 or less.
constexpr double sliver_fraction = 1e-10;

/// Largest accepted gap. Boundaries close up to a few roundings for each arc; a gap causes an error of half
/// its length.
constexpr double gap_allowed = 0x1p-47;

/// Bounds within which the error estimates of `leaves_a_part` hold, and its margin.
constexpr double least_square = 0x1p-200, max_square = 0x1p400, least_root_share2 = 0x1p-20,
                 least_radius2 = 0x1p-52, clear_share = 0x1p-9;

/// |v|, with the same bits for every permutation of the axes.
double symmetric_length(const Vec3& v) {
  double squares[] = {v.x * v.x, v.y * v.y, v.z * v.z};
  std::sort(squares, squares + 3);
  return std::sqrt(squares[0] + squares[1] + squares[2]);
}

SeenBall seen_star(const Star& star, const Vec3& observer) {
  if (star.distance == Star::Distance::finite) return exact::seen_ball(observer, {star.center, star.radius});
  const Vec3 direction = exact::inverse_scale(star.direction) * star.direction;
  return exact::seen_ball(direction, {}, symmetric_length(direction) * exact::sine(star.angular_radius));
}

/// tan(α/2) of a ball. Precondition: the observer is outside.
double half_tangent(const SeenBall& ball) {
  const double length = std::sqrt(dot(ball.offset, ball.offset));
  return ball.radius / (length + std::sqrt(std::max(ball.power.value, 0.0)));
}

/// Fraction of the limb that a body covers.
double limb_share(const SkyCircle& c) { return 2 * exact::arc_tangent(c.limb_half.y, c.limb_half.x) / pi; }

/// Solid angle of a body divided by that of the star. A solid angle is 4πt²/(1 + t²), t = tan(α/2).
double whole_share(const SkyCircle& c, double tau) {
  const double t2 = c.half_radius * c.half_radius, tau2 = tau * tau;
  return t2 / (1 + t2) * ((1 + tau2) / tau2);
}

/// True if a body certainly leaves more than 2^-22 of the star visible, far more than `fraction_error`.
///
/// a, b are the angular radii of star and body, θ their separation, w = a + θ − b. The cap of radius w/2
/// about the axis a − w/2 off the star's center, away from the body, lies in the star's disc (w ≤ 2a where
/// discs overlap) and off the body's, as its center is b + w/2 from the body's. So the body leaves at least
/// sin²(w/4)/sin²(a/2) ≥ (w/2a)² of the star. With x = b − θ and p = |B|² − r²,
///     sin x |A||B|² = (A·B) r − |A × B|√p,
/// which the function compares with (1 − 2^-9) R|B|² = (1 − 2^-9) sin a |A||B|².
///
/// |A × B| and A·B are off by ≤ 10u|A||B|, p by 12.4u|B|², so √p by ≤ 2^-39|B| where p ≥ 2^-20|B|². Together
/// that is < 2^-38|A||B|², and 2^-12 R|B|² where R ≥ 2^-26|A|. Both are conditions, as are squares of 2^-200
/// … 2^400, with which nothing overflows and underflow is far below the errors. So sin x < (1 − 2^-10) sin a
/// ≤ sin((1 − 2^-10) a), as x ≤ π/2, where the sine is concave. Then w = a − x > 2^-10 a: the covered
/// fraction, below 1 − 10^-7, does not tie with that of a body that covers all.
bool leaves_a_part(const SeenBall& star, const SeenBall& body) {
  const double star2 = dot(star.offset, star.offset), body2 = dot(body.offset, body.offset);
  const double power = body.power.value, radius = star.radius;
  const bool moderate = star2 > least_square && star2 < max_square && body2 > least_square &&
                        body2 < max_square && power > least_root_share2 * body2 &&
                        radius * radius > least_radius2 * star2;
  if (!moderate) return false;
  const Vec3 moment = cross(star.offset, body.offset);
  const double edge =
      dot(star.offset, body.offset) * body.radius - std::sqrt(dot(moment, moment)) * std::sqrt(power);
  return edge < (1 - clear_share) * radius * body2;
}

double roughly_covered(const SkyCircle& c, double tau) {
  return c.end == 1 ? whole_share(c, tau) : limb_share(c) - rough_area(c, tau);
}

}  // namespace

exact::Path sight_of(const Star& star, const Vec3& observer) {
  if (star.distance == Star::Distance::finite) return exact::path_of(Segment{observer, star.center});
  return exact::path_of(Ray{observer, star.direction});
}

BallRelation ball_relation(const Star& star, const Sphere& sphere, exact::Counts& counts) {
  if (star.distance == Star::Distance::infinite) return BallRelation::apart;
  const Ball ball{star.center, star.radius}, body{sphere.center, sphere.radius};
  if (exact::sign_gap(ball, body, counts) >= 0) return BallRelation::apart;
  if (exact::sign_nesting(ball, body, counts) > 0) return BallRelation::intersects;
  return body.radius <= ball.radius ? BallRelation::in_star : BallRelation::around_star;
}

StarView::StarView(const Star& star, const Vec3& observer, StarViewScratch& scratch, exact::Counts& counts)
    : star_(star), observer_(observer), scratch_(scratch), counts_(counts), ball_(seen_star(star, observer)) {
  scratch_.occluders.clear();
  if (exact::sign_power(ball_, counts_) <= 0) status_ = StarStatus::inside_star;
  if (ball_.radius <= point_radius * std::sqrt(dot(ball_.offset, ball_.offset))) point_ = true;
}

void StarView::stand_on(const Sphere& sphere, std::int64_t id) {
  const BallRelation met = ball_relation(star_, sphere, counts_);
  if (status_ != StarStatus::inside_star && met == BallRelation::intersects)
    status_ = StarStatus::intersects_star;
  if (met == BallRelation::in_star) status_ = StarStatus::inside_star;
  if (status_ != StarStatus::ok) return;
  const SeenBall down = exact::seen_ball(observer_, sphere);
  const bool below = exact::sign_below(ball_, down, counts_) > 0;
  blocked_ = blocked_ || below;
  const Overlap overlap =
      point_ ? (below ? Overlap::total : Overlap::none) : exact::overlap_half_sky(ball_, down, counts_);
  occlude(id, overlap, Occluder::Kind::ground, down);
}

// Most candidates of the index do not overlap the star, and a test of the discs is the cheapest way to tell.
// If the discs have no common inner point, neither have the balls, so the status does not change.
void StarView::add(const Sphere& sphere, std::int64_t id) {
  if (status_ != StarStatus::ok) return;
  const SeenBall body = exact::seen_ball(observer_, sphere);
  const bool inside = exact::sign_power(body, counts_) <= 0;
  Overlap overlap = Overlap::total;
  if (!inside && !point_) overlap = exact::overlap(ball_, body, counts_);
  if (overlap == Overlap::none) return;
  const BallRelation met = ball_relation(star_, sphere, counts_);
  if (met == BallRelation::in_star) return;
  if (met == BallRelation::intersects) status_ = StarStatus::intersects_star;
  if (status_ != StarStatus::ok) return;
  if (met == BallRelation::around_star) overlap = Overlap::total;
  if (!inside && met == BallRelation::apart && !hides(body, sphere)) return;
  blocked_ = blocked_ || overlap == Overlap::total || on_sight(sphere);
  occlude(id, overlap, inside ? Occluder::Kind::around : Occluder::Kind::ball, body);
}

/// Does the path to the star's center meet the sphere?
bool StarView::on_sight(const Sphere& sphere) const {
  return exact::meets(sight_of(star_, observer_), sphere, counts_);
}

/// Precondition: the discs overlap, and the body has no inner point in common with star or observer.
bool StarView::hides(const SeenBall& body, const Sphere& sphere) {
  if (point_) return on_sight(sphere);
  return star_.distance == Star::Distance::infinite || exact::in_front(body, ball_, counts_);
}

void StarView::occlude(std::int64_t id, Overlap overlap, Occluder::Kind kind, const SeenBall& ball) {
  if (overlap == Overlap::none) return;
  hidden_ = hidden_ || overlap == Overlap::total;
  scratch_.occluders.push_back({id, overlap, kind, ball});
}

Visibility StarView::result() {
  Visibility v;
  v.status = status_;
  if (status_ != StarStatus::ok) return v;
  v.blocked = blocked_;
  v.occluders = static_cast<std::int32_t>(scratch_.occluders.size());
  v.fraction = v.flux = 1, v.magnitude = 0;
  if (v.occluders == 0) return v;
  set_visible_part(v);
  find_dominant(v);
  return v;
}

EclipsePhase StarView::phase_of_one() const {
  if (scratch_.occluders.empty()) return EclipsePhase::lit;
  if (hidden_) return EclipsePhase::umbra;
  return scratch_.occluders[0].overlap == Overlap::annular ? EclipsePhase::antumbra : EclipsePhase::penumbra;
}

void StarView::place(Occluder& o, int number, const StarDisc& disc) {
  if (o.overlap == Overlap::total) return;
  SkyCircle circle = o.overlap == Overlap::annular      ? inner_circle(disc, o.ball)
                     : o.kind == Occluder::Kind::ground ? horizon(disc, o.ball)
                                                        : crossing_circle(disc, o.ball);
  o.near_edge = circle.near_edge, o.half_radius = circle.half_radius;
  o.dust = !(circle.curvature < dust_curvature);
  o.covered = 0;
  circle.body = number;
  if (!o.dust) scratch_.arrangement.add(circle);
}

/// Fraction of the star that the circle covers: the limb from −ψ to ψ less the area to the left of the
/// circle. For a circle within the star, the ratio of solid angles.
double StarView::covered_by(const SkyCircle& c, double tau) {
  if (c.end == 1) return whole_share(c, tau);
  ArcSums& sums = scratch_.sums;
  sums.start_area(tau);
  sums.add(c, -c.end, c.end);
  sums.finish();
  return std::clamp(limb_share(c) - sums.area(), 0.0, 1.0);
}

/// Uses tangents of half angles: of the star, of the body, and of the separation less the body's radius.
double StarView::magnitude_of(const Occluder& o, double star_angle) const {
  if (o.overlap == Overlap::partial)
    return std::max(0.0, 0.5 - exact::quick_arc_tangent(tau_ * o.near_edge) / star_angle);
  const double half = o.overlap == Overlap::annular      ? o.half_radius
                      : o.kind == Occluder::Kind::around ? infinity
                      : o.kind == Occluder::Kind::ground ? 1
                                                         : half_tangent(o.ball);
  return 2 * exact::quick_arc_tangent(half) / star_angle;
}

void StarView::set_visible_part(Visibility& v) {
  v.fraction = v.flux = 0, v.phase = EclipsePhase::umbra;
  v.magnitude = 1;  // a hidden point star has magnitude 1
  if (point_) return;
  const StarDisc disc = star_disc(ball_);
  tau_ = disc.tau;
  const int limb_crossers = place_all(disc);
  if (hidden_) return;
  arrange();
  const double area = sum_up();
  if (limb_crossers > 1 && area < sliver_fraction && !is_any_visible()) return;
  v.phase = limb_crossers == 0 ? EclipsePhase::antumbra : EclipsePhase::penumbra;
  v.fraction = std::clamp(area, 0.0, 1.0);
  v.flux = is_uniform() ? v.fraction : flux(v.fraction);
}

/// Finds the arcs that bound the visible part; in double-double if they do not close.
void StarView::arrange() {
  Arrangement& arrangement = scratch_.arrangement;
  arrangement.solve();
  if (scratch_.occluders.size() > 1 && arrangement.gap() > gap_allowed) arrangement.solve(&build_precise());
}

/// Sums area and light over the arcs. Returns the area as a fraction of the star's.
double StarView::sum_up() {
  const Arrangement& arrangement = scratch_.arrangement;
  ArcSums& sums = scratch_.sums;
  if (is_uniform()) {
    sums.start_area(tau_);
  } else {
    scratch_.profile.set(star_.limb_darkening, tau_);
    sums.start_light(scratch_.profile, tau_);
  }
  for (const Arc& arc : arrangement.arcs()) sums.add(arrangement.circle(arc.circle), arc.from, arc.to);
  sums.finish();
  return arrangement.limb() / (2 * pi) + sums.area();
}

/// Computes the circles of all bodies. Returns how many cross the limb.
int StarView::place_all(const StarDisc& disc) {
  scratch_.arrangement.clear();
  list_occluders();
  sort_occluders();
  int limb_crossers = 0;
  int number = 0;
  for (const int i : scratch_.order) {
    Occluder& o = scratch_.occluders[i];
    limb_crossers += o.overlap == Overlap::partial ? 1 : 0;
    place(o, number++, disc);
  }
  if (scratch_.occluders.size() > 1 && number > 0) compare_all(disc.tau);
  return limb_crossers;
}

/// Computes how much each body covers, as accurately as needed to find the largest: first approximately, then
/// accurately if several candidates remain. A body two errors below the approximate maximum covers less than
/// the body with this maximum.
void StarView::compare_all(double tau) {
  const Arrangement& arrangement = scratch_.arrangement;
  const auto occluder_of = [&](const SkyCircle& circle) -> Occluder& {
    return scratch_.occluders[scratch_.order[circle.body]];
  };
  for (int i = 0; i < arrangement.circles(); ++i) {
    const SkyCircle& circle = arrangement.circle(i);
    occluder_of(circle).covered = roughly_covered(circle, tau);
  }
  double most = 0;
  for (const Occluder& o : scratch_.occluders) most = std::max(most, o.covered);
  const auto is_rival = [&](const Occluder& o) { return o.covered >= most - 2 * rough_area_error; };
  if (std::count_if(scratch_.occluders.begin(), scratch_.occluders.end(), is_rival) == 1) return;
  for (int i = 0; i < arrangement.circles(); ++i) {
    const SkyCircle& circle = arrangement.circle(i);
    if (Occluder& o = occluder_of(circle); is_rival(o)) o.covered = covered_by(circle, tau);
  }
}

double StarView::flux(double fraction) const {
  const LimbProfile& profile = scratch_.profile;
  const double light = profile.darkened() * scratch_.arrangement.limb() + scratch_.sums.light();
  return std::clamp((profile.constant() * fraction + light / (2 * pi)) / profile.total(), 0.0, 1.0);
}

PreciseArrangement& StarView::build_precise() {
  PreciseArrangement& precise = scratch_.precise;
  precise.set(ball_);
  for (const int i : scratch_.order) {
    const Occluder& o = scratch_.occluders[i];
    if (o.dust) {
      precise.add_nothing();
    } else if (o.kind == Occluder::Kind::ground) {
      precise.add_ground(o.ball);
    } else {
      precise.add_ball(o.ball);
    }
  }
  return precise;
}

/// Decides in higher precision whether several bodies leave a part of the star visible.
bool StarView::is_any_visible() {
  PreciseArrangement& precise = build_precise();
  const Arrangement& arrangement = scratch_.arrangement;
  for (int i = 0; i < arrangement.circles(); ++i) {
    if (arrangement.is_edge_covered(i))
      precise.skip_corners(static_cast<std::size_t>(arrangement.circle(i).body));
  }
  return precise.is_any_visible();
}

/// Lists the occluders that need a circle. If one body hides the whole star, these are only the other bodies
/// that may hide nearly all of it, because only they can tie with the first.
void StarView::list_occluders() {
  std::vector<int>& order = scratch_.order;
  order.clear();
  for (int i = 0; i < static_cast<int>(scratch_.occluders.size()); ++i) {
    Occluder& o = scratch_.occluders[i];
    if (hidden_ && o.overlap == Overlap::total) continue;
    if (hidden_ && o.kind == Occluder::Kind::ball && leaves_a_part(ball_, o.ball)) {
      o.covered = 0;
    } else {
      order.push_back(i);
    }
  }
}

/// Sorts the occluders independently of the order of `add` calls.
void StarView::sort_occluders() {
  const auto& occluders = scratch_.occluders;
  std::vector<int>& order = scratch_.order;
  const auto key = [&](int i) {
    const Occluder& o = occluders[i];
    const Vec3 &v = o.ball.offset, &w = o.ball.offset_low;
    return std::tuple(v.x, v.y, v.z, w.x, w.y, w.z, o.ball.radius, o.kind);
  };
  std::sort(order.begin(), order.end(), [&](int x, int y) { return key(x) < key(y); });
}

void StarView::find_dominant(Visibility& v) const {
  const auto& occluders = scratch_.occluders;
  double most = 0, magnitude = 0;
  for (const Occluder& o : occluders) most = std::max(most, o.covered);
  v.dominant = std::numeric_limits<std::int64_t>::max();  // replaced below: there is at least one occluder
  const double star_angle = point_ ? 0 : 2 * exact::quick_arc_tangent(tau_);
  for (const Occluder& o : occluders) {
    if (o.covered < most - fraction_error) continue;
    v.dominant = std::min(v.dominant, o.id);
    if (!point_) magnitude = std::max(magnitude, magnitude_of(o, star_angle));
  }
  if (!point_) v.magnitude = magnitude;
}

}  // namespace sphaera::star_light
