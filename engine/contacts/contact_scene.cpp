#include <algorithm>
#include <base/errors.hpp>
#include <base/validate.hpp>
#include <contacts/contact_scene.hpp>

namespace sphaera::contacts {
namespace {

std::string when(double t) { return " at time " + base::text_of(t); }
constexpr const char* shorten = "; give a shorter interval or other samples";
constexpr const char* move = "; move it, or give another interval";

/// Adds a body, or sets it as the sphere that the observer stands on.
void add(ContactScene& scene, std::int64_t id, double t, const Vec3& observer, star_light::StarView& view) {
  const Sphere sphere{position_at(scene.bodies[id].motion, t), scene.bodies[id].radius};
  if (!base::valid(sphere)) refuse("body", id, "out of range" + when(t) + shorten);
  if (id != scene.observer.on) return view.add(sphere, id);
  if (observer == sphere.center) {
    refuse("observer", Error::no_element,
           "at the center of the body that it stands on, where up is undefined," + when(t) + move);
  }
  view.stand_on(sphere, id);
}

/// Throws NotSeen if the view has no phase; `id` is the body that was added last.
void check_seen(const star_light::StarView& view, double t, std::int64_t id) {
  const StarStatus status = view.status();
  if (status == StarStatus::inside_star)
    throw NotSeen({status, t}, "observer", "inside the star" + when(t) + move);
  if (status == StarStatus::intersects_star)
    throw NotSeen({status, t, id}, base::numbered("body", id),
                  "its surface crosses the star's" + when(t) + move);
}

/// True if the motion has no arm and its samples have one position and velocity 0. Then Motion::at is
/// constant. Sufficient, not necessary: an arm parallel to its spin axis gives false.
bool is_at_rest(const Motion& motion) {
  if (motion.arm()) return false;
  const Vec3 position = sample_of(motion, 0).position;
  for (std::size_t i = 0; i < motion.samples().size(); ++i) {
    const MotionSample s = sample_of(motion, i);
    if (s.velocity != Vec3{} || s.position != position) return false;
  }
  return true;
}

bool is_same(const std::optional<TurningArm>& a, const std::optional<TurningArm>& b) {
  if (!a || !b) return !a && !b;
  return a->arm == b->arm && a->spin.axis == b->spin.axis && a->spin.period == b->spin.period;
}

/// True if both motions have equal arms and equal samples. Then Motion::at gives equal positions at every
/// time. Sufficient, not necessary: two different lists of samples of one path give false.
bool is_same(const Motion& a, const Motion& b) {
  if (!is_same(a.arm(), b.arm()) || a.samples().size() != b.samples().size()) return false;
  for (std::size_t i = 0; i < a.samples().size(); ++i) {
    const MotionSample x = sample_of(a, i), y = sample_of(b, i);
    if (x.time != y.time || x.position != y.position || x.velocity != y.velocity) return false;
  }
  return true;
}

bool have_constant_offset(const MovingStar& star, const Motion& body) {
  return star.motion ? is_same(*star.motion, body) || (is_at_rest(*star.motion) && is_at_rest(body))
                     : is_at_rest(body);
}

}  // namespace

Star ContactScene::star_at(double t) const {
  Star s = star.star;
  if (star.motion) s.center = position_at(*star.motion, t);
  return s;
}

void refuse(std::string_view subject, std::int64_t element, const std::string& why) {
  throw Error(ErrorCode::invalid_argument, base::numbered(subject, element), why, element);
}

EclipsePhase phase_of_view(ContactScene& scene, std::span<const std::int64_t> ids, double t,
                           EclipsePhase (*phase_in)(star_light::StarView&)) {
  if (scene.stop.stop_requested()) throw Error(ErrorCode::cancelled, "the search was cancelled");
  const Star star = scene.star_at(t);
  const Vec3 observer = position_at(scene.observer.motion, t);
  if (!base::valid(star)) refuse("star", Error::no_element, "out of range" + when(t) + shorten);
  if (!base::valid(observer)) refuse("observer", Error::no_element, "out of range" + when(t) + shorten);
  star_light::StarView view(star, observer, scene.scratch, scene.counts);
  check_seen(view, t, Error::no_element);
  for (const std::int64_t id : ids) {
    add(scene, id, t, observer, view);
    check_seen(view, t, id);
  }
  return phase_in(view);
}

RelativePosition constant_position(ContactScene& scene, std::int64_t id) {
  if (scene.at_infinity()) return RelativePosition::apart;
  const MovingSphere& body = scene.bodies[id];
  if (!have_constant_offset(scene.star, body.motion)) return RelativePosition::unknown;
  const double t = body.motion.samples()[0].time;
  switch (star_light::ball_relation(scene.star_at(t), {body.motion.at(t), body.radius}, scene.counts)) {
    case star_light::BallRelation::apart:
      return RelativePosition::apart;
    case star_light::BallRelation::in_star:
      return RelativePosition::body_in_star;
    case star_light::BallRelation::around_star:
      return RelativePosition::star_in_body;
    case star_light::BallRelation::intersects:
      break;
  }
  return RelativePosition::unknown;
}

std::vector<double> piece_ends(const ContactScene& scene, std::span<const std::int64_t> ids, double begin,
                               double end) {
  std::vector<double> times{end};
  const auto add = [&](const Motion& motion) {
    for (const MotionSample& s : motion.samples()) {
      if (s.time > begin && s.time < end) times.push_back(s.time);
    }
  };
  if (scene.star.motion) add(*scene.star.motion);
  add(scene.observer.motion);
  for (const std::int64_t id : ids) add(scene.bodies[id].motion);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

void MovingView::enter_piece(double from) {
  const MovingStar& star = scene_.star;
  star_ = star.motion ? piece_at(*star.motion, from) : MotionPiece{0, star.star.center};
  observer_ = piece_at(scene_.observer.motion, from);
  bodies_.clear();
  for (const std::int64_t id : ids_) bodies_.push_back(piece_at(scene_.bodies[id].motion, from));
}

bool MovingView::is_at_rest() const {
  const auto rests = [](const MotionPiece& p) {
    return p.c1 == Vec3{} && p.c2 == Vec3{} && p.c3 == Vec3{} && p.arm == nullptr;
  };
  return rests(star_) && rests(observer_) && std::all_of(bodies_.begin(), bodies_.end(), rests);
}

}  // namespace sphaera::contacts
