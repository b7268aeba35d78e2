#include <algorithm>
#include <array>
#include <cmath>
#include <exact/floating_point_environment.hpp>
#include <geometry/class_search.hpp>
#include <geometry/drifting_ball.hpp>
#include <geometry/fail.hpp>
#include <geometry/motion.hpp>
#include <geometry/star_view.hpp>
#include <geometry/validate.hpp>
#include <new>
#include <optional>
#include <sphaera/contact_times.hpp>
#include <string>

namespace sphaera {
namespace {

using exact::u;
using geometry::DriftingBall;
using geometry::MotionPiece;
using geometry::piece_at;
using geometry::TimeSpan;
using geometry::Whereabouts;

[[noreturn, gnu::cold]] void refuse(const std::string& who, std::int64_t element, const std::string& why) {
  const std::string number = element == Error::no_element ? "" : ' ' + std::to_string(element);
  throw Error(ErrorCode::invalid_argument, who + number + ": " + why, element);
}

void check_motion(const Motion& motion, const std::string& who, std::int64_t element = Error::no_element) {
  if (motion.samples.empty()) refuse(who, element, "its motion has no samples; give one at least");
  for (std::size_t i = 0; i < motion.samples.size(); ++i) {
    const MotionSample& s = motion.samples[i];
    const auto sample = [&] { return "sample " + std::to_string(i) + " of its motion "; };
    if (!geometry::in_domain(s.position) || !geometry::in_domain(s.velocity) ||
        !geometry::in_domain(s.time)) {
      refuse(who, element, sample() + "is not finite; give numbers of at most 2^200 in magnitude");
    }
    if (i > 0 && !(motion.samples[i - 1].time < s.time)) {
      refuse(who, element, sample() + "is not after the one before; give samples by ascending time");
    }
  }
}

void check_star(const MovingStar& star) {
  geometry::check(star.star);
  if (!star.motion) return;
  if (star.star.distance == Star::Distance::infinite) {
    refuse("star", Error::no_element, "it is at infinity and has a motion; leave the motion out");
  }
  check_motion(*star.motion, "star");
}

void check_body(const MovingSphere& body, std::int64_t element) {
  check_motion(body.motion, "body", element);
  geometry::check(Sphere{body.motion.samples[0].position, body.radius}, element);
}

void check_interval(double begin, double end, const ContactOptions& options) {
  const bool finite = geometry::is_finite(begin) && geometry::is_finite(end);
  if (!finite || !(begin < end)) {
    refuse("interval", Error::no_element, "empty or not finite; give a finite begin before a finite end");
  }
  if (!(options.resolution > 0)) {
    refuse("resolution", Error::no_element, "not positive; give a time greater than 0");
  }
}

/// What is asked about, and what looking at it takes.
struct Setting {
  const MovingStar& star;
  const Motion& observer;
  std::span<const MovingSphere> bodies;
  geometry::StarViewScratch scratch{};
  exact::Counts counts{};

  Star star_at(double t) const {
    Star s = star.star;
    if (star.motion) s.place = star.motion->at(t);
    return s;
  }
  bool at_infinity() const { return star.star.distance == Star::Distance::infinite; }
};

std::string when(double t) { return " at time " + std::to_string(t); }

/// What `answer` says of the view at t past some of the bodies.
template <class Answer>
Light look(Setting& setting, std::span<const std::int64_t> ids, double t, const Answer& answer) {
  const Star star = setting.star_at(t);
  const Vec3 observer = setting.observer.at(t);
  if (!geometry::valid(star)) refuse("star", Error::no_element, "out of range" + when(t));
  if (!geometry::valid(observer)) refuse("observer", Error::no_element, "out of range" + when(t));
  geometry::StarView view(star, observer, setting.scratch, setting.counts);
  for (const std::int64_t id : ids) {
    const Sphere sphere{setting.bodies[id].motion.at(t), setting.bodies[id].radius};
    if (!geometry::valid(sphere)) refuse("body", id, "out of range" + when(t));
    view.add(sphere, id);
    if (view.status() == StarStatus::inside_star) {
      refuse("observer", Error::no_element, "inside the star" + when(t));
    }
    if (view.status() == StarStatus::intersects_star) refuse("body", id, "it cuts the star" + when(t));
  }
  return answer(view);
}

/// Times after begin where one of the cubics ends, and the end.
std::vector<double> ends_of_parts(const Setting& setting, std::span<const std::int64_t> ids, double begin,
                                  double end) {
  std::vector<double> times{end};
  const auto add = [&](const Motion& motion) {
    for (const MotionSample& s : motion.samples) {
      if (s.time > begin && s.time < end) times.push_back(s.time);
    }
  };
  if (setting.star.motion) add(*setting.star.motion);
  add(setting.observer);
  for (const std::int64_t id : ids) add(setting.bodies[id].motion);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

/// Star, observer and some bodies in a part of the time in which each moves by one cubic.
class MovingSky {
 public:
  MovingSky(const Setting& setting, std::span<const std::int64_t> ids) : setting_(setting), ids_(ids) {}

  void enter_part(double from) {
    const MovingStar& star = setting_.star;
    star_ = star.motion ? piece_at(*star.motion, from) : MotionPiece{0, star.star.place};
    observer_ = piece_at(setting_.observer, from);
    bodies_.clear();
    for (const std::int64_t id : ids_) bodies_.push_back(piece_at(setting_.bodies[id].motion, from));
  }

  /// Nothing moves, however close to a contact.
  bool is_at_rest() const {
    const auto rests = [](const MotionPiece& p) {
      return p.c1 == Vec3{} && p.c2 == Vec3{} && p.c3 == Vec3{};
    };
    return rests(star_) && rests(observer_) && std::all_of(bodies_.begin(), bodies_.end(), rests);
  }

  Whereabouts star(const TimeSpan& span) const { return whereabouts(observer_, star_, span); }
  Whereabouts body(std::size_t i, const TimeSpan& span) const {
    return whereabouts(observer_, bodies_[i], span);
  }

 private:
  const Setting& setting_;
  std::span<const std::int64_t> ids_;
  MotionPiece star_, observer_;
  std::vector<MotionPiece> bodies_;
};

TimeSpan span_of(double from, double to) {
  const double middle = from + (to - from) / 2;
  return {middle, std::max(to - middle, middle - from)};
}

/// Contacts of one body.
class BodySearch : public geometry::ClassSearch {
 public:
  BodySearch(Setting& setting, std::int64_t id, double resolution, std::vector<ContactTime>& contacts)
      : ClassSearch(resolution), setting_(setting), id_{id}, sky_(setting, id_), contacts_(contacts) {}

  void run(double begin, double end) {
    ClassSearch::run(begin, light_at(begin), ends_of_parts(setting_, id_, begin, end));
  }

  Light light_at(double t) override {
    return look(setting_, id_, t, [](geometry::StarView& view) { return view.light_of_one(); });
  }

 private:
  void enter_part(double from) override { sky_.enter_part(from); }

  bool is_settled(double from, double to) override {
    if (sky_.is_at_rest()) return true;
    const TimeSpan span = span_of(from, to);
    const Star& star = setting_.star.star;
    const DriftingBall disc = setting_.at_infinity() ? DriftingBall(star.place, star.radius)
                                                     : DriftingBall(sky_.star(span), star.radius);
    return geometry::is_settled(disc, DriftingBall(sky_.body(0, span), setting_.bodies[id_[0]].radius));
  }

  void found(double time, Light before, Light after) override {
    contacts_.push_back({time, id_[0], before, after});
  }

  Setting& setting_;
  std::array<std::int64_t, 1> id_;
  MovingSky sky_;
  std::vector<ContactTime>& contacts_;
};

/// Times at which several bodies that all cross the limb come to hide the star between them, or cease to.
class UnionSearch : public geometry::ClassSearch {
 public:
  UnionSearch(Setting& setting, std::span<const std::int64_t> ids, double resolution,
              std::vector<LightTime>& changes)
      : ClassSearch(resolution), setting_(setting), ids_(ids), sky_(setting, ids), changes_(changes) {}

  Light run(double begin, Light light, double end) {
    return ClassSearch::run(begin, light, ends_of_parts(setting_, ids_, begin, end));
  }

  Light light_at(double t) override {
    return look(setting_, ids_, t, [](geometry::StarView& view) { return view.result().light; });
  }

 private:
  void enter_part(double from) override { sky_.enter_part(from); }

  /// A star that is larger by its drift, hidden by bodies that are smaller by theirs, is hidden wherever they
  /// are; and the other way about.
  bool is_settled(double from, double to) override {
    if (sky_.is_at_rest()) return true;
    const TimeSpan span = span_of(from, to);
    const std::optional<Visibility> least = view(span, 1);
    if (least && least->light == Light::umbra) return true;
    const std::optional<Visibility> most = view(span, -1);
    return most && most->light != Light::umbra;
  }

  /// With the star larger by sign · drift, the bodies as much smaller; nothing if there is no such view.
  std::optional<Visibility> view(const TimeSpan& span, int sign) {
    Star star = setting_.star.star;
    if (!setting_.at_infinity()) {
      const Whereabouts w = sky_.star(span);
      star.place = w.offset, star.radius += sign * w.drift * (1 + 4 * u);
    }
    if (!geometry::valid(star)) return std::nullopt;
    geometry::StarView view(star, {}, setting_.scratch, setting_.counts);
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      const Whereabouts w = sky_.body(i, span);
      const Sphere body{w.offset, setting_.bodies[ids_[i]].radius - sign * w.drift * (1 + 4 * u)};
      if (!geometry::valid(body)) return std::nullopt;
      view.add(body, ids_[i]);
    }
    if (view.status() != StarStatus::ok) return std::nullopt;
    return view.result();
  }

  void found(double time, Light before, Light after) override { changes_.push_back({time, before, after}); }

  Setting& setting_;
  std::span<const std::int64_t> ids_;
  MovingSky sky_;
  std::vector<LightTime>& changes_;
};

void check_all(const MovingStar& star, const Motion& observer, std::span<const MovingSphere> bodies,
               double begin, double end, const ContactOptions& options) {
  check_star(star);
  check_motion(observer, "observer");
  for (const MovingSphere& body : bodies) check_body(body, &body - bodies.data());
  check_interval(begin, end, options);
}

std::vector<ContactTime> find_contacts(Setting& setting, double begin, double end, double resolution) {
  std::vector<ContactTime> contacts;
  for (std::int64_t id = 0; id < static_cast<std::int64_t>(setting.bodies.size()); ++id) {
    BodySearch(setting, id, resolution, contacts).run(begin, end);
  }
  std::stable_sort(contacts.begin(), contacts.end(),
                   [](const ContactTime& x, const ContactTime& y) { return x.time < y.time; });
  return contacts;
}

/// Follows the class behind all bodies from one contact to the next.
class AllBodies {
 public:
  AllBodies(Setting& setting, double resolution, std::vector<LightTime>& changes)
      : setting_(setting), resolution_(resolution), changes_(changes) {}

  /// Each body's own class at t.
  void begin_at(double t) {
    std::vector<ContactTime> none;
    for (std::int64_t id = 0; id < static_cast<std::int64_t>(setting_.bodies.size()); ++id) {
      lights_.push_back(BodySearch(setting_, id, resolution_, none).light_at(t));
    }
    light_ = light_at(t);
  }

  void apply(const ContactTime& contact) { lights_[contact.body] = contact.after; }

  /// No body's own class changes from `from` to `to`.
  void follow(double from, double to) {
    change_to(light_at(from), from);
    if (!may_hide_together()) return;
    const std::vector<std::int64_t> ids = overlapping();
    light_ = UnionSearch(setting_, ids, resolution_, changes_).run(from, light_, to);
  }

 private:
  std::vector<std::int64_t> overlapping() const {
    std::vector<std::int64_t> ids;
    for (std::size_t id = 0; id < lights_.size(); ++id) {
      if (lights_[id] != Light::lit) ids.push_back(static_cast<std::int64_t>(id));
    }
    return ids;
  }

  std::ptrdiff_t count(Light light) const { return std::count(lights_.begin(), lights_.end(), light); }

  /// One body leaves part of the limb open, and one within the disc all of it.
  bool may_hide_together() const { return count(Light::umbra) == 0 && count(Light::penumbra) > 1; }

  Light light_at(double t) {
    const std::vector<std::int64_t> ids = overlapping();
    if (may_hide_together()) return UnionSearch(setting_, ids, resolution_, changes_).light_at(t);
    for (const Light light : {Light::umbra, Light::penumbra, Light::antumbra}) {
      if (count(light) > 0) return light;
    }
    return Light::lit;
  }

  void change_to(Light light, double t) {
    if (light != light_) changes_.push_back({t, light_, light});
    light_ = light;
  }

  Setting& setting_;
  double resolution_;
  std::vector<LightTime>& changes_;
  std::vector<Light> lights_;
  Light light_ = Light::lit;
};

std::vector<LightTime> find_lights(Setting& setting, double begin, double end, double resolution) {
  std::vector<LightTime> changes;
  AllBodies all(setting, resolution, changes);
  all.begin_at(begin);
  double from = begin;
  for (const ContactTime& contact : find_contacts(setting, begin, end, resolution)) {
    if (contact.time > from) all.follow(from, std::nextafter(contact.time, from));
    all.apply(contact);
    from = contact.time;
  }
  all.follow(from, end);
  return changes;
}

/// Checks the input and returns find(setting, begin, end, resolution).
template <class Find>
auto ask(const MovingStar& star, const Motion& observer, std::span<const MovingSphere> bodies, double begin,
         double end, const ContactOptions& options, const Find& find) {
  try {
    check_all(star, observer, bodies, begin, end, options);
    const exact::FloatingPointEnvironment environment;
    Setting setting{star, observer, bodies};
    return find(setting, begin, end, options.resolution);
  } catch (const std::bad_alloc&) {
    geometry::throw_out_of_memory();
  }
}

}  // namespace

std::vector<ContactTime> contact_times(const MovingStar& star, const Motion& observer,
                                       std::span<const MovingSphere> bodies, double begin, double end,
                                       const ContactOptions& options) {
  return ask(star, observer, bodies, begin, end, options, find_contacts);
}

std::vector<LightTime> light_times(const MovingStar& star, const Motion& observer,
                                   std::span<const MovingSphere> bodies, double begin, double end,
                                   const ContactOptions& options) {
  return ask(star, observer, bodies, begin, end, options, find_lights);
}

}  // namespace sphaera
