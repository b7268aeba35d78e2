#include <algorithm>
#include <base/errors.hpp>
#include <base/floating_point_environment.hpp>
#include <base/validate.hpp>
#include <contacts/contact_search.hpp>
#include <new>
#include <sphaera/contact_times.hpp>
#include <string>
#include <type_traits>

namespace sphaera::inline SPHAERA_ABI {
namespace {

using contacts::BodySearch;
using contacts::ContactScene;
using contacts::refuse;
using contacts::sample_of;
using contacts::UnionSearch;

void check_motion(const Motion& motion, std::string_view kind, std::int64_t element = Error::no_element) {
  if (motion.samples().empty()) refuse(kind, element, "its motion has no samples; give one at least");
  for (std::size_t i = 0; i < motion.samples().size(); ++i) {
    const MotionSample s = sample_of(motion, i);
    const auto sample = [&] { return "sample " + std::to_string(i) + " of its motion "; };
    if (!base::in_domain(s.position) || !base::in_domain(s.velocity) || !base::in_domain(s.time)) {
      refuse(kind, element, sample() + "is out of range; give finite numbers of at most 2^200 in magnitude");
    }
    if (i > 0 && !(motion.samples()[i - 1].time < s.time)) {
      refuse(kind, element, sample() + "is not after the one before; give samples by ascending time");
    }
  }
  if (!motion.arm()) return;
  if (!base::valid(motion.arm()->spin)) {
    refuse(kind, element,
           "the spin of its motion is not valid; give a finite axis, not zero, and a period of 2^-200 "
           "to 2^200 in magnitude");
  }
  if (!base::in_domain(motion.arm()->arm)) {
    refuse(kind, element,
           "the arm of its motion is out of range; give finite numbers of at most 2^200 in magnitude");
  }
}

void check_star(const MovingStar& star) {
  base::check(star.star);
  if (!star.motion) return;
  if (star.star.distance == Star::Distance::infinite) {
    refuse("star", Error::no_element, "it is at infinity and has a motion; leave the motion out");
  }
  check_motion(*star.motion, "star");
}

void check_body(const MovingSphere& body, std::int64_t element) {
  check_motion(body.motion, "body", element);
  if (!base::valid(Sphere{sample_of(body.motion, 0).position, body.radius}))
    refuse("body", element, base::bad_radius(body.radius, "greater than 0"));
}

void check_ground(std::int64_t on, std::size_t bodies) {
  if (on == Observer::nowhere || (on >= 0 && static_cast<std::size_t>(on) < bodies)) return;
  refuse("observer", Error::no_element,
         "on is " + std::to_string(on) + "; give -1 for none or the number of one of the " +
             std::to_string(bodies) + " bodies");
}

void check_interval(double begin, double end, const ContactOptions& options) {
  const bool finite = base::is_finite(begin) && base::is_finite(end);
  if (!finite || !(begin < end)) {
    refuse("interval", Error::no_element, "empty or not finite; give a finite begin before a finite end");
  }
  if (!(options.resolution > 0)) {
    refuse("resolution", Error::no_element, "not positive; give a time greater than 0");
  }
}

void check_all(const MovingStar& star, const MovingObserver& observer, std::span<const MovingSphere> bodies,
               double begin, double end, const ContactOptions& options) {
  check_star(star);
  check_motion(observer.motion, "observer");
  for (const MovingSphere& body : bodies) check_body(body, &body - bodies.data());
  check_ground(observer.on, bodies.size());
  check_interval(begin, end, options);
}

std::vector<ContactTime> find_contacts(ContactScene& scene, double begin, double end, double resolution) {
  std::vector<ContactTime> contacts;
  for (std::int64_t id = 0; id < static_cast<std::int64_t>(scene.bodies.size()); ++id) {
    BodySearch(scene, id, resolution, contacts).run(begin, end);
  }
  std::stable_sort(contacts.begin(), contacts.end(),
                   [](const ContactTime& x, const ContactTime& y) { return x.time < y.time; });
  return contacts;
}

/// Tracks the phase behind all bodies from one contact to the next.
class AllBodies {
 public:
  AllBodies(ContactScene& scene, double resolution, std::vector<PhaseChange>& changes)
      : scene_(scene), resolution_(resolution), changes_(changes) {}

  /// Computes each body's own phase at t.
  void begin_at(double t) {
    std::vector<ContactTime> none;
    for (std::int64_t id = 0; id < static_cast<std::int64_t>(scene_.bodies.size()); ++id) {
      phases_.push_back(BodySearch(scene_, id, resolution_, none).phase_at(t));
    }
    phase_ = phase_at(t);
  }

  /// Sets the own phase of the contact's body to the phase after the contact.
  void set_phase_after(const ContactTime& contact) { phases_[contact.body] = contact.after; }

  /// Searches from `from` to `to`, where no body's own phase changes.
  void search_between(double from, double to) {
    change_to(phase_at(from), from);
    if (!may_hide_together()) return;
    const std::vector<std::int64_t> ids = overlapping();
    phase_ = UnionSearch(scene_, ids, resolution_, changes_).run(from, phase_, to);
  }

 private:
  std::vector<std::int64_t> overlapping() const {
    std::vector<std::int64_t> ids;
    for (std::size_t id = 0; id < phases_.size(); ++id) {
      if (phases_[id] != EclipsePhase::lit) ids.push_back(static_cast<std::int64_t>(id));
    }
    return ids;
  }

  std::ptrdiff_t count(EclipsePhase phase) const { return std::count(phases_.begin(), phases_.end(), phase); }

  /// True if no body hides the star alone, but several may hide it together. A body whose penumbra contains
  /// the observer covers part of the limb; a body whose antumbra contains the observer covers none of it. So
  /// two bodies with the observer in their penumbra are needed.
  bool may_hide_together() const {
    return count(EclipsePhase::umbra) == 0 && count(EclipsePhase::penumbra) > 1;
  }

  EclipsePhase phase_at(double t) {
    const std::vector<std::int64_t> ids = overlapping();
    if (may_hide_together()) return UnionSearch(scene_, ids, resolution_, changes_).phase_at(t);
    for (const EclipsePhase phase : {EclipsePhase::umbra, EclipsePhase::penumbra, EclipsePhase::antumbra}) {
      if (count(phase) > 0) return phase;
    }
    return EclipsePhase::lit;
  }

  void change_to(EclipsePhase phase, double t) {
    if (phase != phase_) changes_.push_back({t, phase_, phase});
    phase_ = phase;
  }

  ContactScene& scene_;
  double resolution_;
  std::vector<PhaseChange>& changes_;
  std::vector<EclipsePhase> phases_;
  EclipsePhase phase_ = EclipsePhase::lit;
};

std::vector<PhaseChange> find_phase_changes(ContactScene& scene, double begin, double end,
                                            double resolution) {
  std::vector<PhaseChange> changes;
  AllBodies all(scene, resolution, changes);
  all.begin_at(begin);
  double from = begin;
  for (const ContactTime& contact : find_contacts(scene, begin, end, resolution)) {
    if (contact.time > from) all.search_between(from, std::nextafter(contact.time, from));
    all.set_phase_after(contact);
    from = contact.time;
  }
  all.search_between(from, end);
  return changes;
}

/// Sets the floating-point mode, checks the input and returns find(scene, begin, end, resolution), or nothing
/// if the star is not seen and the options want to know that.
template <class Find>
auto ask(const MovingStar& star, const MovingObserver& observer, std::span<const MovingSphere> bodies,
         double begin, double end, const ContactOptions& options, const Find& find)
    -> std::invoke_result_t<Find, ContactScene&, double, double, double> {
  const base::FloatingPointEnvironment mode;
  try {
    check_all(star, observer, bodies, begin, end, options);
    if (options.unseen != nullptr) *options.unseen = {};
    ContactScene scene{star, observer, bodies, options.stop};
    // Without bodies no other code checks the star.
    contacts::phase_of_view(scene, {}, begin, [](star_light::StarView& view) { return view.phase_of_one(); });
    return find(scene, begin, end, options.resolution);
  } catch (const contacts::NotSeen& error) {
    if (options.unseen == nullptr) throw;
    *options.unseen = error.unseen();
    return {};
  } catch (const std::bad_alloc&) {
    base::throw_out_of_memory();
  }
}

}  // namespace

std::vector<ContactTime> contact_times(const MovingStar& star, const MovingObserver& observer,
                                       std::span<const MovingSphere> bodies, double begin, double end,
                                       const ContactOptions& options) {
  return ask(star, observer, bodies, begin, end, options, find_contacts);
}

std::vector<PhaseChange> phase_changes(const MovingStar& star, const MovingObserver& observer,
                                       std::span<const MovingSphere> bodies, double begin, double end,
                                       const ContactOptions& options) {
  return ask(star, observer, bodies, begin, end, options, find_phase_changes);
}

}  // namespace sphaera::inline SPHAERA_ABI
