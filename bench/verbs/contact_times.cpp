/// \file Contact times: milliseconds to find all contacts of a year, for a place on the turning Earth: of the
/// Moon with the Sun, and of the ground with the Sun (sunrises and sunsets).

#include <benchmark/benchmark.h>

#include <algorithm>
#include <bench/measure/median.hpp>
#include <bench/measure/timing.hpp>
#include <bench/suite_size.hpp>
#include <cmath>
#include <numbers>
#include <sphaera/sphaera.hpp>
#include <vector>

namespace sphaera::bench::contact_times {
namespace {

constexpr int rounds = 15;
constexpr double hour = 3600, day = 24 * hour;
constexpr double earth_radius = 6371e3, moon_radius = 1737.4e3, sun_radius = 6.957e8;
constexpr double latitude = 10. * std::numbers::pi / 180;
const Spin earth_spin{{0, -0.3977772, 0.9174821}, 86164.0905};

/// A circular orbit in a plane inclined to the ecliptic.
struct Orbit {
  double radius, period, inclination;
  double phase = 0;  ///< angle from the node at time 0

  /// Position and velocity, added to those of the body that is orbited.
  MotionSample about(const MotionSample& center) const {
    const double angle = phase + 2 * std::numbers::pi * center.time / period,
                 speed = 2 * std::numbers::pi * radius / period;
    const auto placed = [&](double x, double y) {
      return Vec3{x, y * std::cos(inclination), y * std::sin(inclination)};
    };
    return {center.time, center.position + radius * placed(std::cos(angle), std::sin(angle)),
            center.velocity + speed * placed(-std::sin(angle), std::cos(angle))};
  }
};

constexpr Orbit earth_orbit{149597870700.0, 365.25636 * day, 0};
constexpr Orbit moon_orbit{384400e3, 27.321662 * day, 5.145 * std::numbers::pi / 180,
                           155.6 * std::numbers::pi / 180};  // new Moon on day 2, near its node

/// Earth and Moon about a Sun at the origin, one sample an hour.
struct Year {
  explicit Year(double duration) : end(duration) {
    std::vector<MotionSample> earth_samples, moon_samples;
    for (double t = 0; t < end + hour; t += hour) {
      earth_samples.push_back(earth_orbit.about({t, {}, {}}));
      moon_samples.push_back(moon_orbit.about(earth_samples.back()));
    }
    earth = {Motion(std::move(earth_samples)), earth_radius};
    moon = {Motion(std::move(moon_samples)), moon_radius};
  }

  /// A place at this latitude, at noon at time 0. It stands on body 0 or floats free of all bodies.
  MovingObserver place(std::int64_t on) const {
    const Vec3 &axis = earth_spin.axis, level{-1, 0, 0};
    const Vec3 arm = earth_radius * (std::cos(latitude) * level + std::sin(latitude) * axis);
    return {Motion::fixed_in(earth.motion, earth_spin, arm), on};
  }

  double end;
  MovingSphere earth{Motion::at_rest({}), earth_radius}, moon{Motion::at_rest({}), moon_radius};
};

/// True if the phase changes at each contact, as `starlight` sees it from there.
bool is_right(const MovingObserver& observer, const MovingSphere& body, const MovingStar& sun,
              std::span<const ContactTime> contacts) {
  return std::ranges::all_of(contacts, [&](const ContactTime& contact) {
    const auto phase = [&](double t) {
      const Sphere there{body.motion.at(t), body.radius};
      return starlight(sun.star, {observer.motion.at(t), observer.on}, std::span(&there, 1)).phase;
    };
    return phase(contact.time) == contact.after && phase(std::nextafter(contact.time, 0.0)) == contact.before;
  });
}

void contacts_of_a_year(benchmark::State& state, bool with_moon) {
  const Year year(static_cast<double>(sized(365)) * day);
  const MovingStar sun{Star::at({}, sun_radius)};
  const MovingObserver observer = year.place(with_moon ? Observer::nowhere : 0);
  const MovingSphere& body = with_moon ? year.moon : year.earth;
  TimedArena arena(1, Clock::cpu);
  std::vector<ContactTime> contacts;
  const auto ask = [&] {
    contacts = sphaera::contact_times(sun, observer, std::span(&body, 1), 0, year.end);
  };
  std::vector<double> seconds;
  while (state.KeepRunning()) {
    seconds.push_back(arena.seconds_of(ask));
    state.SetIterationTime(seconds.back());
  }
  if (contacts.empty() || !is_right(observer, body, sun, contacts))
    return wrong(state, "no contact, or a phase that does not change there");
  state.counters["ms"] = 1e3 * median(seconds);
  state.counters["contacts"] = static_cast<double>(contacts.size());
}

[[maybe_unused]] const bool registered = [] {
  register_rounds("contact_times/year/moon", rounds,
                  [](benchmark::State& s) { contacts_of_a_year(s, true); });
  register_rounds("contact_times/year/sunrise", rounds,
                  [](benchmark::State& s) { contacts_of_a_year(s, false); });
  return true;
}();

}  // namespace
}  // namespace sphaera::bench::contact_times
