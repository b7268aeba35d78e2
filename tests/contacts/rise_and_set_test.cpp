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

/// The Earth on a circle about the Sun at the origin, its axis inclined by the ecliptic's obliquity.
struct Earth {
  static constexpr double radius = 6371e3, orbit = 149597870700.0, year = 31558149.8, sun_radius = 6.957e8;
  const Spin spin{{0, -0.3977772, 0.9174821}, 86164.0905};

  static WideVec center(const Wide& t) {
    const Wide a = 2 * pi * t / year;
    return {orbit * cos(a), orbit * sin(a), 0};
  }
  static MotionSample sample(double t) {
    const Wide a = 2 * pi * Wide(t) / year, speed = 2 * pi * orbit / year;
    return {t, rounded(center(t)), rounded({-speed * sin(a), speed * cos(a), 0})};
  }
  /// One sample an hour: between samples the cubic is within 0.2 mm of the circle.
  static Motion motion(double begin, double end) {
    std::vector<MotionSample> samples;
    for (double t = begin; t < end + 3600; t += 3600) samples.push_back(sample(t));
    return Motion(std::move(samples));
  }
  Vec3 arm(double longitude, double latitude) const {
    const double l = degree * longitude, b = degree * latitude;
    const Vec3 &n = spin.axis, level{std::cos(l), std::sin(l) * n.z, -std::sin(l) * n.y};
    return radius * (std::cos(b) * level + std::sin(b) * n);
  }
};

/// Times in (begin, end] at which the Sun's upper or lower limb is level with the observer.
std::vector<double> level_limbs(const Earth& earth, const Vec3& arm, double begin, double end) {
  // Is the limb above the horizon? It is if the Sun's highest (limb = 1) or lowest (−1) point is above the
  // observer's horizontal plane.
  const auto above = [&](const Wide& t, int limb) {
    const WideVec up = turned(arm, earth.spin, t);
    WideVec to_sun = Earth::center(t);
    for (int i = 0; i < 3; ++i) to_sun[i] = -to_sun[i] - up[i];
    return dot(to_sun, up) / sqrt(dot(up, up)) + limb * Wide(Earth::sun_radius) > 0;
  };
  std::vector<double> times;
  constexpr double step = 120;
  for (double t = begin; t < end; t += step) {
    for (const int limb : {1, -1}) {
      Wide low = t, high = t + step;
      const bool before = above(low, limb);
      if (before == above(high, limb)) continue;
      for (int i = 0; i < 50; ++i) {
        const Wide middle = (low + high) / 2;
        (before == above(middle, limb) ? low : high) = middle;
      }
      times.push_back(double(high));
    }
  }
  std::sort(times.begin(), times.end());
  return times;
}

constexpr std::array sunrise{EclipsePhase::umbra, EclipsePhase::penumbra, EclipsePhase::lit};

}  // namespace

TEST_CASE("contact times: sunrise and sunset on the Earth against 50 digits", "[contacts]") {
  const Earth earth;
  const MovingStar sun{Star::at({}, Earth::sun_radius)};
  double worst = 0;
  std::size_t events = 0;
  int place = 0;
  for (const double day : {0.0, 79.0, 172.0, 300.0}) {
    const double begin = 86400 * day, end = begin + 2 * 86400;
    const std::array bodies{MovingSphere{Earth::motion(begin, end), Earth::radius}};
    for (const double latitude : {-89.5, -52.0, 0.0, 51.5, 66.0, 71.0, 90.0}) {
      if (sanitized() && ++place % 13 != 0) continue;  // two of them; 50 digits are slow there
      const Vec3 arm = earth.arm(12.25, latitude);
      const MovingObserver observer{Motion::fixed_in(bodies[0].motion, earth.spin, arm), 0};
      const std::vector<ContactTime> contacts = contact_times(sun, observer, bodies, begin, end);
      const std::vector<double> expected = level_limbs(earth, arm, begin, end);
      INFO("day " << day << ", latitude " << latitude);
      REQUIRE(contacts.size() == expected.size());
      for (std::size_t i = 0; i < contacts.size(); ++i) {
        worst = std::max(worst, std::fabs(contacts[i].time - expected[i]));
        CHECK(std::fabs(contacts[i].time - expected[i]) <= 1e-5);
        const auto from = std::find(sunrise.begin(), sunrise.end(), contacts[i].before),
                   to = std::find(sunrise.begin(), sunrise.end(), contacts[i].after);
        CHECK(std::abs(to - from) == 1);
      }
      events += contacts.size();
    }
  }
  std::printf("contact times: %zu rises and sets of limbs, worst error %.1e s\n", events, worst);
  CHECK(events > (sanitized() ? 4 : 100));
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
  constexpr double u = 0x1p-53;
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
