#include <algorithm>
#include <geometry/fail.hpp>
#include <geometry/moving_sky.hpp>
#include <geometry/validate.hpp>

namespace sphaera::geometry {
namespace {

std::string when(double t) { return " at time " + text_of(t); }

/// Adds a body, or stands on it.
void add(Setting& setting, std::int64_t id, double t, const Vec3& observer, StarView& view) {
  const Sphere sphere{setting.bodies[id].motion.at(t), setting.bodies[id].radius};
  if (!valid(sphere)) refuse_mover("body", id, "out of range" + when(t));
  if (id != setting.observer.on) return view.add(sphere, id);
  if (observer == sphere.center) {
    refuse_mover("observer", Error::no_element,
                 "at the centre of the body it stands on, where no way is up," + when(t));
  }
  view.stand_on(sphere, id);
}

}  // namespace

Star Setting::star_at(double t) const {
  Star s = star.star;
  if (star.motion) s.place = star.motion->at(t);
  return s;
}

void refuse_mover(const std::string& who, std::int64_t element, const std::string& why) {
  const std::string number = element == Error::no_element ? "" : ' ' + std::to_string(element);
  throw Error(ErrorCode::invalid_argument, who + number + ": " + why, element);
}

Light look(Setting& setting, std::span<const std::int64_t> ids, double t, Light (*answer)(StarView&)) {
  if (setting.stop.stop_requested()) throw Error(ErrorCode::cancelled, "the search was cancelled");
  const Star star = setting.star_at(t);
  const Vec3 observer = setting.observer.motion.at(t);
  if (!valid(star)) refuse_mover("star", Error::no_element, "out of range" + when(t));
  if (!valid(observer)) refuse_mover("observer", Error::no_element, "out of range" + when(t));
  StarView view(star, observer, setting.scratch, setting.counts);
  const auto check_inside = [&] {
    if (view.status() == StarStatus::inside_star)
      refuse_mover("observer", Error::no_element, "inside the star" + when(t));
  };
  check_inside();
  for (const std::int64_t id : ids) {
    add(setting, id, t, observer, view);
    check_inside();
    if (view.status() == StarStatus::intersects_star) refuse_mover("body", id, "it cuts the star" + when(t));
  }
  return answer(view);
}

std::vector<double> ends_of_parts(const Setting& setting, std::span<const std::int64_t> ids, double begin,
                                  double end) {
  std::vector<double> times{end};
  const auto add = [&](const Motion& motion) {
    for (const MotionSample& s : motion.samples) {
      if (s.time > begin && s.time < end) times.push_back(s.time);
    }
  };
  if (setting.star.motion) add(*setting.star.motion);
  add(setting.observer.motion);
  for (const std::int64_t id : ids) add(setting.bodies[id].motion);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

void MovingSky::enter_part(double from) {
  const MovingStar& star = setting_.star;
  star_ = star.motion ? piece_at(*star.motion, from) : MotionPiece{0, star.star.place};
  observer_ = piece_at(setting_.observer.motion, from);
  bodies_.clear();
  for (const std::int64_t id : ids_) bodies_.push_back(piece_at(setting_.bodies[id].motion, from));
}

bool MovingSky::is_at_rest() const {
  const auto rests = [](const MotionPiece& p) {
    return p.c1 == Vec3{} && p.c2 == Vec3{} && p.c3 == Vec3{} && p.arm == nullptr;
  };
  return rests(star_) && rests(observer_) && std::all_of(bodies_.begin(), bodies_.end(), rests);
}

}  // namespace sphaera::geometry
