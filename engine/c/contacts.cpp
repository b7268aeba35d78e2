#include <algorithm>
#include <c/options.hpp>
#include <cmath>

// Motions, and times of contacts.

namespace sphaera::c {
namespace {

bool is_valid(double x) { return std::abs(x) <= domain_limit; }  // false for NaN
bool is_valid(const Vec3& v) { return is_valid(v.x) && is_valid(v.y) && is_valid(v.z); }

void check(std::span<const MotionSample> samples) {
  if (samples.empty()) refuse("motion", "has no samples");
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const MotionSample& s = samples[i];
    const char* fault = nullptr;
    if (!is_valid(s.time) || !is_valid(s.position) || !is_valid(s.velocity))
      fault = "is not finite or beyond 2^200";
    else if (i > 0 && s.time <= samples[i - 1].time)
      fault = "is not later than the one before";
    if (fault != nullptr)
      throw Error(ErrorCode::invalid_argument, "sample " + std::to_string(i), fault,
                  static_cast<std::int64_t>(i));
  }
}

void check(const Spin& spin) {
  const Vec3& a = spin.axis;
  if (!std::isfinite(a.x) || !std::isfinite(a.y) || !std::isfinite(a.z) || a == Vec3{})
    refuse("spin", "has an axis that is zero or not finite");
  const double period = std::abs(spin.period);
  if (!(period >= 1 / domain_limit && period <= domain_limit))
    refuse("spin", "has a period outside 2^-200 … 2^200");
}

const Vec3& valid_vector(const SphaeraVec3* vector, const char* name) {
  const Vec3& v = row_of(vector, name);
  if (!is_valid(v)) refuse(name, "is not finite or beyond 2^200");
  return v;
}

const Motion& motion_of(const SphaeraMotion* motion) { return object_of<MotionObject>(motion).motion; }

SphaeraStatus give_motion(SphaeraMotion** motion, auto make) noexcept {
  return call([&] {
    place(motion, "motion");
    give(std::make_unique<MotionObject>(make()), motion);
  });
}

MovingStar star_of(const SphaeraMovingStar* star) {
  MovingStar moving{row_of(&place(star, "star").star, "star")};
  if (star->motion != nullptr) moving.motion = motion_of(star->motion);
  return moving;
}
MovingObserver observer_of(const SphaeraMovingObserver* observer) {
  return {motion_of(place(observer, "observer").motion), observer->on};
}
MovingSphere moving_sphere(const SphaeraMovingSphere& sphere) {
  return {motion_of(sphere.motion), sphere.radius};
}

/// find(star, bodies, options) → one list.
template <class Item>
SphaeraStatus search(const SphaeraMovingStar* star, const SphaeraMovingSphere* bodies, std::size_t count,
                     const SphaeraContactOptions* options, SphaeraLists* lists, auto find) noexcept {
  return call([&] {
    const Sole<ListsObject> out(lists);
    Lists<Item>& found = out->as<Item>();
    found.offsets.assign(1, 0), found.items.clear();
    const MovingStar moving_star = star_of(star);
    std::vector<MovingSphere> moving_bodies;
    for (const SphaeraMovingSphere& body : span_of<const SphaeraMovingSphere>(bodies, count, "bodies"))
      moving_bodies.push_back(moving_sphere(body));
    std::vector<Item> items = find(moving_star, moving_bodies, contact_options(options));
    found.offsets.push_back(items.size());
    found.items = std::move(items);
  });
}

}  // namespace
}  // namespace sphaera::c

using namespace sphaera;
using namespace sphaera::c;

SphaeraStatus sphaera_motion_create(const SphaeraMotionSample* samples, size_t count,
                                    SphaeraMotion** motion) {
  return give_motion(motion, [&] {
    const auto given = rows_of(samples, count, "samples");
    check(given);
    return Motion(std::vector(given.begin(), given.end()));
  });
}
SphaeraStatus sphaera_motion_create_linear(const SphaeraVec3* position, const SphaeraVec3* velocity,
                                           SphaeraMotion** motion) {
  return give_motion(motion, [&] {
    return Motion::linear(valid_vector(position, "position"),
                          velocity != nullptr ? valid_vector(velocity, "velocity") : Vec3{});
  });
}
SphaeraStatus sphaera_motion_create_beside(const SphaeraMotion* body, const SphaeraVec3* from_center,
                                           SphaeraMotion** motion) {
  return give_motion(
      motion, [&] { return Motion::beside(motion_of(body), valid_vector(from_center, "from_center")); });
}
SphaeraStatus sphaera_motion_create_fixed_in(const SphaeraMotion* body, const SphaeraSpin* spin,
                                             const SphaeraVec3* from_center, SphaeraMotion** motion) {
  return give_motion(motion, [&] {
    check(row_of(spin, "spin"));
    return Motion::fixed_in(motion_of(body), row_of(spin, "spin"), valid_vector(from_center, "from_center"));
  });
}
SphaeraStatus sphaera_motion_at(const SphaeraMotion* motion, double time, SphaeraVec3* position) {
  return call([&] {
    if (!std::isfinite(time)) refuse("time", "is not finite");
    row_of(position, "position") = motion_of(motion).at(time);
  });
}
SphaeraStatus sphaera_motion_destroy(SphaeraMotion* motion) { return destroy<MotionObject>(motion); }

SphaeraStatus sphaera_contact_times(const SphaeraMovingStar* star, const SphaeraMovingObserver* observer,
                                    const SphaeraMovingSphere* bodies, size_t count, double begin, double end,
                                    const SphaeraContactOptions* options, SphaeraLists* lists) {
  return search<ContactTime>(star, bodies, count, options, lists,
                             [&](const auto& s, const auto& b, const auto& how) {
                               return contact_times(s, observer_of(observer), b, begin, end, how);
                             });
}
SphaeraStatus sphaera_phase_changes(const SphaeraMovingStar* star, const SphaeraMovingObserver* observer,
                                    const SphaeraMovingSphere* bodies, size_t count, double begin, double end,
                                    const SphaeraContactOptions* options, SphaeraLists* lists) {
  return search<PhaseChange>(star, bodies, count, options, lists,
                             [&](const auto& s, const auto& b, const auto& how) {
                               return phase_changes(s, observer_of(observer), b, begin, end, how);
                             });
}
SphaeraStatus sphaera_shadow_contacts(const SphaeraMovingStar* star, const SphaeraMovingSphere* ball,
                                      const SphaeraMovingSphere* bodies, size_t count, double begin,
                                      double end, const SphaeraContactOptions* options, SphaeraLists* lists) {
  return search<ShadowChange>(
      star, bodies, count, options, lists, [&](const auto& s, const auto& b, const auto& how) {
        return shadow_contacts(s, moving_sphere(place(ball, "ball")), b, begin, end, how);
      });
}
