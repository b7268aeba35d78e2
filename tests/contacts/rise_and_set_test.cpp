/// \file Contact times of observers on a body that turns: sunrise and sunset against roots with 50
/// digits, suns that almost touch the horizon against a closed form, random scenes against the phase at many
/// times.

#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <cstdio>
#include <sphaera/sphaera.hpp>
#include <string>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/seed.hpp>
#include <tests/unit_roundoff.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

using Wide = boost::multiprecision::cpp_bin_float_50;
using WideVec = std::array<Wide, 3>;

const Wide pi = acos(Wide(-1));
constexpr double degree = 0.017453292519943295;

Wide dot(const WideVec& a, const WideVec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
WideVec operator-(const WideVec& a, const WideVec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
WideVec exactly(const Vec3& v) { return {v.x, v.y, v.z}; }
Vec3 rounded(const WideVec& v) { return {double(v[0]), double(v[1]), double(v[2])}; }

/// v turned about the axis by the angle, by the right-hand rule.
WideVec turned(const WideVec& v, const WideVec& axis, const Wide& angle) {
  const Wide square = dot(axis, axis), length = sqrt(square), along = dot(axis, v) / square;
  const Wide c = cos(angle), s = sin(angle) / length;
  WideVec out;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Wide across = v[i] - along * axis[i];
    out[i] = along * axis[i] + c * across + s * (axis[j] * v[k] - axis[k] * v[j]);
  }
  return out;
}

WideVec turned(const Vec3& v, const Spin& spin, const Wide& t) {
  return turned(exactly(v), exactly(spin.axis), 2 * pi * t / spin.period);
}

/// The Earth on a circle about the Sun at the origin, its axis inclined by the ecliptic's obliquity; the
/// frame is turned at random.
struct Earth {
  static constexpr double radius = 6371e3, orbit = 149597870700.0, year = 31558149.8, sun_radius = 6.957e8,
                          obliquity = 0.40909;
  Vec3 x, y, pole;  ///< to the equinox, in the ecliptic across it, and from the ecliptic
  Spin spin;

  explicit Earth(Random& random) : x(random.direction()) {
    const Vec3 across = cross(x, random.direction());
    y = (1 / std::sqrt(dot(across, across))) * across, pole = cross(x, y);
    spin = {std::cos(obliquity) * pole - std::sin(obliquity) * y, 86164.0905};
  }

  WideVec place(const Wide& cosine, const Wide& sine) const {
    return {cosine * x.x + sine * y.x, cosine * x.y + sine * y.y, cosine * x.z + sine * y.z};
  }
  WideVec center(const Wide& t) const {
    const Wide a = 2 * pi * t / year;
    return place(orbit * cos(a), orbit * sin(a));
  }
  MotionSample sample(double t) const {
    const Wide a = 2 * pi * Wide(t) / year, speed = 2 * pi * orbit / year;
    return {t, rounded(center(t)), rounded(place(-speed * sin(a), speed * cos(a)))};
  }
  /// One sample an hour: between samples the cubic is within 0.2 mm of the circle.
  Motion motion(double begin, double end) const {
    std::vector<MotionSample> samples;
    for (double t = begin; t < end + 3600; t += 3600) samples.push_back(sample(t));
    return Motion(std::move(samples));
  }
  Vec3 arm(double longitude, double latitude) const {
    const Vec3 &n = spin.axis, east = cross(n, x);
    const Vec3 level = std::cos(longitude) * x + std::sin(longitude) * east;
    return (radius / std::sqrt(dot(n, n))) * (std::cos(latitude) * level + std::sin(latitude) * n);
  }
  /// Angle between the horizon and the Sun's highest (limb = 1) or lowest (−1) point.
  Wide height(const Vec3& arm, const Wide& t, int limb) const {
    const WideVec up = turned(arm, spin, t), here = center(t);
    const WideVec to_sun{-here[0] - up[0], -here[1] - up[1], -here[2] - up[2]};
    const Wide distance = sqrt(dot(to_sun, to_sun));
    return asin(dot(to_sun, up) / sqrt(dot(up, up)) / distance) + limb * asin(Wide(sun_radius) / distance);
  }
};

/// A latitude in radians: anywhere, near a pole, at a pole.
double random_latitude(Random& random) {
  const double quarter = double(pi / 2), side = random.one_in(2) ? 1 : -1;
  const double from_pole = random.one_in(3)   ? 0
                           : random.one_in(2) ? random.log_uniform(1e-6, 1)
                                              : quarter * random.unit();
  return side * (quarter - from_pole);
}

/// A day of the year, often near an equinox, when the Sun rises and sets at the poles.
double random_day(Random& random) {
  if (random.one_in(2)) return random.unit() * Earth::year;
  return (random.one_in(2) ? 0.5 : 1) * Earth::year + 86400 * random.between(-2, 1);
}

/// The errors that include/sphaera/README.md states for sunrises and sunsets 1 au from the origin: of the
/// height of the limb in radians, and of times in seconds up to 60° of latitude and at the poles.
///
/// The observer's place, off by u au, is off by 2.61e-12 of the Earth's radius. The turned arm adds 64u, the
/// Earth's place 41u·2 of its distance: less than 0.02e-12. The Sun's height changes by 2.16e-5 rad/s or more
/// when it rises or sets up to 60°, by 7.9e-8 rad/s at the poles.
constexpr double stated_height = 2.7e-12, stated_time_to_60_degrees = 1.3e-7, stated_time_at_poles = 4e-5;

/// How far a contact is off at the places of the Earth, by its limb's height and the rate at which it
/// changes.
struct ContactError {
  double height, time, ulp;  ///< radians, seconds; `ulp`: an ulp of the time, in radians
};

ContactError error_of(const ContactTime& c, const Earth& earth, const Vec3& arm) {
  const bool lower = c.before == EclipsePhase::lit || c.after == EclipsePhase::lit,
             rises = c.after == EclipsePhase::lit || c.before == EclipsePhase::umbra;
  const auto height = [&](const Wide& t) { return earth.height(arm, t, lower ? -1 : 1); };
  const Wide off = abs(height(c.time)), rate = height(Wide(c.time) + 0.5) - height(Wide(c.time) - 0.5);
  CHECK((rate > 0) == rises);
  return {double(off), double(off / abs(rate)),
          double(abs(rate) * (c.time - std::nextafter(c.time, -infinity)))};
}

/// The phase at some times between the contacts, by the heights of both limbs.
void check_phases_between(const std::vector<ContactTime>& contacts, const Earth& earth, const Vec3& arm,
                          double begin, Random& random) {
  for (int i = 0; i < 4; ++i) {
    const double t = begin + random.unit() * 2 * 86400;
    const Wide lower = earth.height(arm, t, -1), upper = earth.height(arm, t, 1);
    if (abs(lower) <= 2 * stated_height || abs(upper) <= 2 * stated_height) continue;
    const EclipsePhase phase = lower > 0   ? EclipsePhase::lit
                               : upper > 0 ? EclipsePhase::penumbra
                                           : EclipsePhase::umbra;
    const auto next =
        std::find_if(contacts.begin(), contacts.end(), [&](const ContactTime& c) { return c.time > t; });
    if (next != contacts.end()) CHECK(next->before == phase);
    if (next != contacts.begin()) CHECK(std::prev(next)->after == phase);
  }
}

}  // namespace

TEST_CASE("contact times: sunrise and sunset on the Earth against 50 digits", "[contacts]") {
  double worst_height = 0, worst_to_60_degrees = 0, worst_at_poles = 0;
  int events = 0, at_poles = 0;
  for (int i = 0; i < fewer_in_repeats(120); ++i) {
    INFO("place " << i << ", seed " << seed());
    Random random(seed(), 50'000 + i);
    const Earth earth(random);
    const MovingStar sun{Star::at({}, Earth::sun_radius)};
    const double latitude = random_latitude(random), begin = random_day(random), end = begin + 2 * 86400;
    const std::array bodies{MovingSphere{earth.motion(begin, end), Earth::radius}};
    const Vec3 arm = earth.arm(random.between(-3.2, 3.2), latitude);
    const MovingObserver observer{Motion::fixed_in(bodies[0].motion, earth.spin, arm), 0};
    const std::vector<ContactTime> contacts = contact_times(sun, observer, bodies, begin, end);
    for (const ContactTime& c : contacts) {
      const ContactError error = error_of(c, earth, arm);
      CHECK(error.height <= stated_height + error.ulp);
      worst_height = std::max(worst_height, error.height - error.ulp), ++events;
      if (std::fabs(latitude) <= 60 * degree) worst_to_60_degrees = std::max(worst_to_60_degrees, error.time);
      if (std::fabs(latitude) == double(pi / 2))
        worst_at_poles = std::max(worst_at_poles, error.time), ++at_poles;
    }
    check_phases_between(contacts, earth, arm, begin, random);
  }
  std::printf(
      "contact times: %d rises and sets of limbs, %d at poles; worst error %.1e rad, %.1e s up to 60 "
      "degrees, "
      "%.1e s at poles\n",
      events, at_poles, worst_height, worst_to_60_degrees, worst_at_poles);
  CHECK(worst_to_60_degrees <= stated_time_to_60_degrees);
  CHECK(worst_at_poles <= stated_time_at_poles);
  CHECK(events > fewer_in_repeats(120));
}

// A star of declination δ has its lowest height h at midnight: sin h = sin φ sin δ − cos φ cos δ. With t from
// noon, its lower limb is below the horizon while sin φ sin δ + cos φ cos δ cos(turn t) < sin α. The angular
// radius of the star is α; `turn` is 2π divided by the period.
TEST_CASE("contact times: a midnight sun that just touches the horizon", "[contacts]") {
  constexpr double period = 86400;
  for (const double lasts : {0.02, 0.5, 10.0, 600.0}) {
    for (int i = 0; i < fewer_in_repeats(10); ++i) {
      Random random(seed(), i);
      const double latitude = random.between(1, 1.4), noon = random.unit() * period;
      const Wide p = latitude, turn = 2 * pi / period;
      // At midnight the star's center is 1e-4 to 0.1 radians above the horizon. With the angular radius
      // `alpha` its lower limb is below the horizon for `lasts` seconds.
      const double declination = double(pi / 2 - p) + random.log_uniform(1e-4, 0.1);
      const Wide d = declination, s = sin(p) * sin(d), c = cos(p) * cos(d);
      const double alpha = double(asin(s - c * cos(turn * lasts / 2)));
      const Wide half = (pi - acos((sin(Wide(alpha)) - s) / c)) / turn;  // for `alpha` as rounded to double
      const double midnight = noon + period / 2;
      const Vec3 arm{std::cos(latitude), 0, std::sin(latitude)};
      const Wide hour = -turn * noon;
      const Vec3 direction = rounded({cos(d) * cos(hour), -cos(d) * sin(hour), sin(d)});
      const Spin spin{{0, 0, 1}, period};
      const std::array bodies{MovingSphere{Motion::at_rest({}), 1}};
      const MovingObserver observer{Motion::fixed_in(bodies[0].motion, spin, arm), 0};
      INFO("lasts " << lasts << ", latitude " << latitude << ", alpha " << alpha);
      const auto times = [&](double radius) {
        return contact_times({Star::at_infinity(direction, radius)}, observer, bodies, midnight - 40000,
                             midnight + 40000);
      };
      const std::vector<ContactTime> contacts = times(alpha);
      REQUIRE(contacts.size() == 2);
      CHECK((contacts[0].before == EclipsePhase::lit && contacts[0].after == EclipsePhase::penumbra));
      CHECK((contacts[1].before == EclipsePhase::penumbra && contacts[1].after == EclipsePhase::lit));
      // Heights are off by about 2^-52; at the contacts they change at the rate c turn² `half`.
      const double slack = 8e-16 / double(c * turn * turn * half) + 1e-9;
      CHECK(std::fabs(contacts[0].time - (midnight - double(half))) <= slack);
      CHECK(std::fabs(contacts[1].time - (midnight + double(half))) <= slack);
      // Depth of the lower limb below the horizon at midnight, in radians. A star whose radius is
      // smaller by twice that, or a point, stays above the horizon.
      const double depth = double(c * (1 - cos(turn * half)) / cos(Wide(alpha)));
      CHECK(times(std::max(0.0, alpha - 2 * depth - 1e-15)).empty());
    }
  }
}

namespace {

/// A scene with an observer on body 0, which turns, under a star that other bodies pass.
struct Ground {
  MovingStar star{Star::at_infinity({0, 0, 1}, 0)};
  std::vector<MovingSphere> bodies;
  MovingObserver observer{Motion::at_rest({})};

  EclipsePhase phase_at(std::span<const std::int64_t> ids, double t) const {
    Star s = star.star;
    if (star.motion) s.center = star.motion->at(t);
    std::vector<Sphere> spheres;
    std::int64_t on = Observer::nowhere;
    for (const std::int64_t id : ids) {
      if (id == observer.on) on = static_cast<std::int64_t>(spheres.size());
      spheres.push_back({bodies[id].motion.at(t), bodies[id].radius});
    }
    return starlight(s, {observer.motion.at(t), on}, spheres).phase;
  }
};

Ground random_ground(Random& random) {
  Ground g;
  const double size = random.log_uniform(1e-3, 1e9), alpha = random.log_uniform(1e-3, 0.5);
  const Vec3 middle = random.one_in(2) ? Vec3{} : random.in_cube(100 * size);
  const auto drift = [&](double speed) { return random.in_cube(speed * size); };
  Motion home = Motion::linear(middle, drift(0.1));
  if (random.one_in(3))
    home = Motion({{-1, middle, drift(0.3)}, {4, middle + drift(2), drift(0.3)}, {11, middle, {}}});
  g.star = {Star::at_infinity(random.direction(), alpha)};
  if (random.one_in(2)) {
    const double distance = random.log_uniform(20, 1e6) * size;
    g.star = {Star::at({}, distance * std::sin(alpha)),
              Motion::linear(middle + distance * random.direction(), drift(0.1))};
    if (random.one_in(3)) g.star.star.radius = 0;
  }
  const double period = random.signed_log_uniform(0.5, 100);
  const Spin spin{random.log_uniform(1e-3, 1e3) * random.direction(), period};
  const double height = random.one_in(2) ? 1 : random.log_uniform(0.9, 1.2);
  g.observer = {Motion::fixed_in(home, spin, height * size * random.direction()), 0};
  g.bodies.push_back({home, size});
  const Vec3 sun = g.star.motion ? g.star.motion->at(5) - middle : g.star.star.direction;
  for (int k = random.whole(0, 2); k > 0; --k) {
    // In any direction, or near the star's direction and perhaps twice as large.
    const bool near = random.one_in(2);
    const Vec3 way = near ? 1 / std::sqrt(dot(sun, sun)) * sun + random.in_cube(0.3) : random.direction();
    const double radius = random.between(0.1, near ? 3 : 1.5);
    g.bodies.push_back({Motion::linear(middle + 4 * size * way - 5 * drift(0.2), drift(0.5)), size * radius});
  }
  return g;
}

template <class Change>
void check_phases(const Ground& g, std::span<const std::int64_t> ids, const std::vector<Change>& changes,
                  double end) {
  constexpr int samples = 1000;
  EclipsePhase phase = g.phase_at(ids, 0);
  auto next = changes.begin();
  for (int n = 1; n <= samples; ++n) {
    const double t = end * n / samples;
    for (; next != changes.end() && next->time <= t; ++next) {
      if (next->before != phase) FAIL_CHECK("a gap before " << next->time);
      phase = next->after;
    }
    if (g.phase_at(ids, t) != phase) FAIL_CHECK("time " << t);
  }
  for (const Change& c : changes) {
    CHECK(g.phase_at(ids, c.time) == c.after);
    CHECK(g.phase_at(ids, std::nextafter(c.time, -infinity)) == c.before);
  }
}

}  // namespace

TEST_CASE("contact times: random scenes against the phase at 1000 times", "[contacts]") {
  const std::size_t scenes = fewer_in_repeats(300u);
  constexpr double end = 10;
  std::size_t rises = 0, together = 0, scenes_asked = 0;
  for (std::size_t i = 0; i < scenes; ++i) {
    INFO("scene " << i);
    Random random(seed(), i);
    const Ground g = random_ground(random);
    std::vector<ContactTime> contacts;
    std::vector<PhaseChange> changes;
    try {
      contacts = contact_times(g.star, g.observer, g.bodies, 0, end, {.resolution = 1e-6});
      changes = phase_changes(g.star, g.observer, g.bodies, 0, end, {.resolution = 1e-6});
    } catch (const Error& e) {
      const std::string message = e.what();
      INFO(message);
      REQUIRE((message.find("crosses the star's") != message.npos ||
               message.find("inside the star") != message.npos));
      continue;
    }
    ++scenes_asked;
    std::vector<std::int64_t> all;
    for (std::size_t k = 0; k < g.bodies.size(); ++k) {
      all.push_back(static_cast<std::int64_t>(k));
      std::vector<ContactTime> own;
      std::copy_if(contacts.begin(), contacts.end(), std::back_inserter(own),
                   [&](const ContactTime& c) { return c.body == all.back(); });
      check_phases(g, std::span(all).last(1), own, end);
      if (k == 0) rises += own.size();
    }
    check_phases(g, all, changes, end);
    for (const PhaseChange& c : changes) {
      together += std::none_of(contacts.begin(), contacts.end(),
                               [&](const ContactTime& x) { return x.time == c.time; });
    }
  }
  std::printf("contact times: %zu rises and sets in %zu random scenes; %zu changes by several bodies only\n",
              rises, scenes_asked, together);
  CHECK(scenes_asked > scenes * 9 / 10);
  CHECK(rises > scenes);
  CHECK((sanitized() || together > 0));
}

TEST_CASE("contact times: observers on the ground who rest or walk or stand at a pole", "[contacts]") {
  const std::array bodies{MovingSphere{Motion::at_rest({}), 1}};
  const MovingStar star{Star::at_infinity({1, 0, 1}, 0.1)};
  const auto times = [&](const Motion& motion, double end = 1) {
    return contact_times(star, {motion, 0}, bodies, 0, end);
  };
  const Spin spin{{0, 0, 2}, 1};
  CHECK(times(Motion::at_rest({0, 0, 1})).empty());
  // At a pole the star stays at one height.
  CHECK(times(Motion::fixed_in(bodies[0].motion, spin, {0, 0, 1}), 3e7).empty());
  CHECK(times(Motion::fixed_in(bodies[0].motion, spin, {0, 0, -1}), 3e7).empty());
  const std::vector<ContactTime> day = times(Motion::fixed_in(bodies[0].motion, spin, {1, 0, 0}));
  REQUIRE(day.size() == 4);  // from noon to noon; sunset and sunrise are symmetric
  CHECK(day[0] == ContactTime{day[0].time, 0, EclipsePhase::lit, EclipsePhase::penumbra});
  CHECK(day[1] == ContactTime{day[1].time, 0, EclipsePhase::penumbra, EclipsePhase::umbra});
  CHECK(day[0].time + day[3].time == Approx(1).epsilon(1e-12));
  CHECK(day[1].time + day[2].time == Approx(1).epsilon(1e-12));
  // The times are the same if the body turns the other way.
  CHECK(times(Motion::fixed_in(bodies[0].motion, {{0, 0, 2}, -1}, {1, 0, 0})) == day);
  // A walker over the top. The path is a cubic through samples on the ground; between them it is below the
  // ground.
  const Motion walk{{{0, {1, 0, 0}, {0, 0, 1}}, {1, {0, 0, 1}, {-1, 0, 0}}, {2, {-1, 0, 0}, {0, 0, -1}}}};
  const std::vector<ContactTime> sets = times(walk, 2);
  REQUIRE(sets.size() == 2);
  CHECK(sets[0].before == EclipsePhase::lit);
  CHECK(sets[1].after == EclipsePhase::umbra);
}

TEST_CASE("contact times: turned arms against 50 digits", "[contacts]") {
  double worst = 0;
  for (int i = 0; i < fewer_in_repeats(2000); ++i) {
    Random random(seed(), i);
    const Spin spin{random.log_uniform(1e-200, 1e200) * random.direction(),
                    random.signed_log_uniform(1e-10, 1e20)};
    const Vec3 arm = random.log_uniform(1e-9, 1e9) * random.direction();
    const double t = random.one_in(9) ? 0 : random.signed_log_uniform(1e-20, 1e15);
    const WideVec truth = turned(arm, spin, fmod(Wide(t), Wide(spin.period)));
    const WideVec off = exactly(spin.turned(arm, t)) - truth;
    const double error = double(sqrt(dot(off, off)) / sqrt(dot(exactly(arm), exactly(arm)))) / u;
    worst = std::max(worst, error);
    if (t == 0) CHECK(spin.turned(arm, t) == arm);
    const Motion motion = Motion::fixed_in(Motion::linear({1, 2, 3}, {0, 0, 1}), spin, arm);
    CHECK(motion.at(t) == Vec3{1, 2, 3 + t} + spin.turned(arm, t));
  }
  std::printf("contact times: turns off by at most %.1fu of the arm\n", worst);
  CHECK(worst <= 64);
}

TEST_CASE("contact times: invalid observers on the ground and spins are refused", "[contacts]") {
  const MovingStar star{Star::at_infinity({1, 0, 1}, 0.1)};
  const std::vector<MovingSphere> bodies(2, {Motion::at_rest({}), 1});
  // The element of the error: −1 if it has none, −2 if there is no error.
  const auto element = [&](const MovingObserver& observer) -> std::int64_t {
    try {
      contact_times(star, observer, bodies, 0, 1);
    } catch (const Error& e) {
      CHECK(e.code() == ErrorCode::invalid_argument);
      return e.element();
    }
    return -2;
  };
  const Motion here = Motion::at_rest({0, 0, 1});
  const auto turning = [&](const Spin& spin, const Vec3& arm = {1, 0, 0}) {
    return MovingObserver{Motion::fixed_in(Motion::at_rest({}), spin, arm), 1};
  };
  CHECK(element({here, 1}) == -2);
  CHECK(element({here, 2}) == -1);
  CHECK(element({here, -2}) == -1);
  CHECK(element({Motion::at_rest({}), 0}) == -1);                    // no direction is up
  CHECK(element({Motion::linear({-1, 0, 0}, {1, 0, 0}), 0}) == -1);  // at the center at time 1
  CHECK(element(turning({{0, 0, 1}, 1})) == -2);
  CHECK(element(turning({{0, 0, 0}, 1})) == -1);
  CHECK(element(turning({{0, NAN, 1}, 1})) == -1);
  CHECK(element(turning({{0, infinity, 1}, 1})) == -1);
  CHECK(element(turning({{0, 0, 1}, 0})) == -1);
  CHECK(element(turning({{0, 0, 1}, NAN})) == -1);
  CHECK(element(turning({{0, 0, 1}, infinity})) == -1);
  CHECK(element(turning({{0, 0, 1}, 0x1p-201})) == -1);
  CHECK(element(turning({{0, 0, 1}, 1}, {infinity, 0, 0})) == -1);
  try {
    contact_times({Star::at({0, 0, 0}, 1)}, {here, 0}, bodies, 0, 1);  // stands on the star
    FAIL("no error");
  } catch (const Error& e) {
    CHECK(std::string(e.what()).find("inside the star") != std::string::npos);
  }
}
