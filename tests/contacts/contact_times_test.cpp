/// \file Contact times: real and random eclipses against long double, random motions against dense samples,
/// short and grazing events by their closed form, refusals.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <sphaera/sphaera.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/json.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

using Long = long double;
using LongVec = std::array<Long, 3>;

/// A polynomial through points (Newton's form), per coordinate.
class Curve {
 public:
  Curve(const std::vector<double>& times, const std::vector<Vec3>& places) : times_(times) {
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<Long>& c = terms_[axis];
      for (const Vec3& p : places) c.push_back(p[axis]);
      for (std::size_t order = 1; order < c.size(); ++order) {
        for (std::size_t i = c.size() - 1; i >= order; --i) {
          c[i] = (c[i] - c[i - 1]) / (Long(times[i]) - Long(times[i - order]));
        }
      }
    }
  }

  LongVec at(Long t) const { return both(t).first; }

  MotionSample sample(double t) const {
    const auto [p, v] = both(t);
    return {t, {double(p[0]), double(p[1]), double(p[2])}, {double(v[0]), double(v[1]), double(v[2])}};
  }

 private:
  std::pair<LongVec, LongVec> both(Long t) const {
    LongVec place, velocity;
    for (int axis = 0; axis < 3; ++axis) {
      Long p = 0, v = 0;
      for (std::size_t i = terms_[axis].size(); i-- > 0;) {
        v = v * (t - times_[i]) + p;
        p = p * (t - times_[i]) + terms_[axis][i];
      }
      place[axis] = p, velocity[axis] = v;
    }
    return {place, velocity};
  }

  std::vector<double> times_;
  std::array<std::vector<Long>, 3> terms_;
};

Motion ephemeris(const Curve& curve, double begin, double end, double step) {
  std::vector<MotionSample> samples;
  for (double t = begin; t < end + step; t += step) samples.push_back(curve.sample(t));
  return Motion(std::move(samples));
}

Long dot(const LongVec& a, const LongVec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
LongVec cross(const LongVec& a, const LongVec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
LongVec operator-(const LongVec& a, const LongVec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

/// What a data file has of an eclipse at one time.
struct EclipseSample {
  double time;  ///< seconds after midnight of the day of the eclipse's first case in the file
  Vec3 star, body, observer;
  EclipsePhase phase;
};

/// An eclipse at one place. Samples have names such as "max".
struct Eclipse {
  double star_radius = 0, body_radius = 0;
  std::map<std::string, EclipseSample> samples;

  double begin() const {
    return extreme([](double x, double y) { return x < y; });
  }
  double end() const {
    return extreme([](double x, double y) { return x > y; });
  }

  Curve curve(Vec3 EclipseSample::* member) const {
    std::vector<double> times;
    std::vector<Vec3> places;
    for (const auto& [name, sample] : samples) times.push_back(sample.time), places.push_back(sample.*member);
    return {times, places};
  }

 private:
  template <class Before>
  double extreme(const Before& before) const {
    double t = samples.begin()->second.time;
    for (const auto& [name, sample] : samples) t = before(sample.time, t) ? sample.time : t;
    return t;
  }
};

int days(const std::string& utc) {
  using namespace std::chrono;
  const auto part = [&](int from, int size) { return std::stoi(utc.substr(from, size)); };
  const year_month_day date{year(part(0, 4)), month(part(5, 2)), day(part(8, 2))};
  return static_cast<int>(sys_days(date).time_since_epoch().count());
}

/// "1990-01-26T18:26:20.519Z": seconds after midnight.
double seconds(const std::string& utc) {
  return 3600 * std::stod(utc.substr(11, 2)) + 60 * std::stod(utc.substr(14, 2)) +
         std::stod(utc.substr(17, 6));
}

/// The eclipses of a data file. `split` divides the id of a case into the eclipse (with its place) and the
/// sample. A case is skipped if `split` gives it an empty eclipse.
template <class Split>
std::map<std::string, Eclipse> eclipses(const std::string& name, const Split& split) {
  const std::map<std::string, EclipsePhase> phases{{"none", EclipsePhase::lit},
                                                   {"partial", EclipsePhase::penumbra},
                                                   {"annular", EclipsePhase::antumbra},
                                                   {"total", EclipsePhase::umbra}};
  const JsonFile file(name);
  std::map<std::string, Eclipse> all;
  std::map<std::string, int> first_days;
  for (const Json c : simdjson::dom::array(file["cases"])) {
    const auto [eclipse, sample] = split(text(c["id"]));
    if (eclipse.empty()) continue;
    const std::string utc = text(c["utc"]);
    const int day = first_days.try_emplace(eclipse, days(utc)).first->second;
    const Json star = c["star"], body = simdjson::dom::array(c["occluders"]).at(0);
    Eclipse& e = all[eclipse];
    e.star_radius = number(star, "radius"), e.body_radius = number(body, "radius");
    e.samples[sample] = {86400.0 * (days(utc) - day) + seconds(utc), vector(star, "pos"), vector(body, "pos"),
                         vector(c, "receiver"), phases.at(text(c["expected"]["class"]))};
  }
  return all;
}

/// Times at which the discs touch, from outside or from inside, by bisection between samples 2 s apart.
std::vector<double> touches(const Eclipse& e) {
  const Curve star = e.curve(&EclipseSample::star), body = e.curve(&EclipseSample::body),
              observer = e.curve(&EclipseSample::observer);
  const auto gap = [&](Long t, int sign) {
    const LongVec a = star.at(t) - observer.at(t), b = body.at(t) - observer.at(t), n = cross(a, b);
    const Long angle = std::atan2(std::sqrt(dot(n, n)), dot(a, b));
    const Long alpha = std::asin(e.star_radius / std::sqrt(dot(a, a)));
    const Long beta = std::asin(e.body_radius / std::sqrt(dot(b, b)));
    return angle - (sign > 0 ? alpha + beta : std::fabs(alpha - beta));
  };
  std::vector<double> times;
  for (const int sign : {1, -1}) {
    for (Long t = e.begin(); t < e.end(); t += 2) {
      Long low = t, high = t + 2;
      const bool before = gap(low, sign) > 0;
      if (before == (gap(high, sign) > 0)) continue;
      for (int step = 0; step < 60; ++step) {
        const Long middle = (low + high) / 2;
        (before == (gap(middle, sign) > 0) ? low : high) = middle;
      }
      times.push_back(static_cast<double>(high));
    }
  }
  std::sort(times.begin(), times.end());
  return times;
}

std::vector<ContactTime> contacts_of(const Eclipse& e, double step) {
  const auto motion = [&](Vec3 EclipseSample::* member) {
    return ephemeris(e.curve(member), e.begin(), e.end(), step);
  };
  const MovingStar star{Star::at({}, e.star_radius), motion(&EclipseSample::star)};
  const std::array bodies{MovingSphere{motion(&EclipseSample::body), e.body_radius}};
  return contact_times(star, {motion(&EclipseSample::observer)}, bodies, e.begin(), e.end());
}

/// Compares contact times with `touches`, and phases with the expected ones and with the samples of the data.
class EclipseCheck {
 public:
  /// Seconds; promised for these data in include/sphaera/README.md.
  static constexpr double promised = 2e-8;

  void check(const std::string& id, const Eclipse& e, double step, const std::vector<EclipsePhase>& phases) {
    INFO(id);
    const std::vector<ContactTime> contacts = contacts_of(e, step);
    const std::vector<double> expected = touches(e);
    REQUIRE(contacts.size() == phases.size() - 1);
    REQUIRE(expected.size() == phases.size() - 1);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const double error = std::fabs(contacts[i].time - expected[i]);
      CHECK(error <= promised);
      worst_ = std::max(worst_, error);
      CHECK((contacts[i].before == phases[i] && contacts[i].after == phases[i + 1]));
    }
    for (const auto& [name, sample] : e.samples) {
      const double time = sample.time;
      const auto after =
          std::find_if(contacts.begin(), contacts.end(), [&](const ContactTime& c) { return c.time > time; });
      CHECK(sample.phase == (after == contacts.end() ? phases.back() : after->before));
    }
    ++eclipses_;
  }

  int eclipses() const { return eclipses_; }
  double worst() const { return worst_; }

 private:
  int eclipses_ = 0;
  double worst_ = 0;
};

std::vector<EclipsePhase> whole_eclipse(EclipsePhase deepest) {
  if (deepest == EclipsePhase::penumbra)
    return {EclipsePhase::lit, EclipsePhase::penumbra, EclipsePhase::lit};
  return {EclipsePhase::lit, EclipsePhase::penumbra, deepest, EclipsePhase::penumbra, EclipsePhase::lit};
}

using Names = std::pair<std::string, std::string>;

}  // namespace

TEST_CASE("contact times: real eclipses to 2e-8 s", "[contacts]") {
  EclipseCheck check;
  double worst_published = 0;
  const auto solar = eclipses("eclipses_solar.json", [](const std::string& id) {
    return Names{id.substr(0, id.rfind('-')), id.substr(id.rfind('-') + 1)};
  });
  for (const auto& [id, e] : solar) {
    check.check(id, e, 60, whole_eclipse(e.samples.at("max").phase));
    // after_C1 and before_C4 lie 20 s inside the first and the last contact that astronomy-engine gives.
    const std::vector<ContactTime> contacts = contacts_of(e, 60);
    const double published =
        std::max(std::fabs(contacts.front().time - (e.samples.at("after_C1").time - 20)),
                 std::fabs(contacts.back().time - (e.samples.at("before_C4").time + 20)));
    CHECK(published <= 1);
    worst_published = std::max(worst_published, published);
  }
  // Seen from the Moon's center; the samples end in the middle of the eclipse.
  const auto lunar = eclipses("eclipses_lunar.json", [](const std::string& id) {
    const std::string date = id.substr(0, id.find('-', 12)), place = id.substr(id.rfind('-') + 1);
    return Names{place == "centre" ? date : "", id.substr(date.size())};
  });
  for (const auto& [id, e] : lunar) {
    if (e.samples.size() == 7)
      check.check(id, e, 60, {EclipsePhase::lit, EclipsePhase::penumbra, EclipsePhase::umbra});
  }
  const auto transits = eclipses("transits_venus.json", [](const std::string& id) {
    constexpr std::size_t date = sizeof "tra-Venus-2004-06-08" - 1;
    return Names{id.substr(0, date), id.substr(date + 1)};
  });
  for (const auto& [id, e] : transits) {
    if (e.samples.size() == 6) check.check(id, e, 600, whole_eclipse(EclipsePhase::antumbra));
  }
  std::printf("contact times: %d eclipses, worst error %.1e s; from astronomy-engine's %.1e s\n",
              check.eclipses(), check.worst(), worst_published);
  CHECK(check.eclipses() == 52);
}

namespace {

/// The class of one body at t by `starlight`.
EclipsePhase phase_at(const MovingStar& star, const Motion& observer, const MovingSphere& body, double t) {
  Star s = star.star;
  if (star.motion) s.center = star.motion->at(t);
  const std::array spheres{Sphere{body.motion.at(t), body.radius}};
  return starlight(s, {observer.at(t)}, spheres).phase;
}

/// A path through places in the cube of half edge `half`, with velocities up to `half` in each coordinate.
Motion random_motion(Random& random, const Vec3& middle, double half) {
  if (random.one_in(3)) return Motion::linear(middle + random.in_cube(half), random.in_cube(half / 5));
  std::vector<MotionSample> samples;
  for (double t = random.between(-2, 2); t < 12; t += random.between(0.5, 5)) {
    samples.push_back({t, middle + random.in_cube(half), random.in_cube(half)});
  }
  return Motion(std::move(samples));
}

}  // namespace

namespace {

/// A place in long double, and how far Motion::at may be from it by <sphaera/motion.hpp>.
struct Whereabouts {
  LongVec place;
  Long error;
};

/// The cubic through two samples with their velocities, by Hermite's basis; uniform before the first and
/// after the last sample.
Whereabouts whereabouts(const Motion& motion, Long t) {
  constexpr Long u = 0x1p-53L;
  const std::span<const MotionSample> samples = motion.samples();
  std::size_t next = 0;
  while (next < samples.size() && samples[next].time <= t) ++next;
  LongVec place, error;
  for (int axis = 0; axis < 3; ++axis) {
    if (next == 0 || next == samples.size()) {
      const MotionSample& at = samples[next == 0 ? 0 : next - 1];
      const Long p = at.position[axis], way = (t - at.time) * at.velocity[axis];
      place[axis] = p + way, error[axis] = 4 * u * (std::fabs(p) + std::fabs(way));
      continue;
    }
    const MotionSample &a = samples[next - 1], &b = samples[next];
    const Long h = Long(b.time) - a.time, s = t - a.time, x = s / h, p0 = a.position[axis],
               p1 = b.position[axis], v0 = a.velocity[axis], v1 = b.velocity[axis];
    place[axis] = (1 + 2 * x) * (1 - x) * (1 - x) * p0 + h * x * (1 - x) * (1 - x) * v0 +
                  x * x * (3 - 2 * x) * p1 + h * x * x * (x - 1) * v1;
    error[axis] = 41 * u * (std::fabs(p0) + std::fabs(p1) + s * (std::fabs(v0) + std::fabs(v1)));
  }
  return {place, std::sqrt(dot(error, error))};
}

/// A disc on the observer's sky. `error`: how far rounded places may move its edge, in radians.
struct Disc {
  LongVec direction;
  Long radius, error;
};

Disc disc(const Whereabouts& center, Long radius, const Whereabouts& observer) {
  const LongVec d = center.place - observer.place;
  const Long distance = std::sqrt(dot(d, d)), angle = std::asin(radius / distance);
  // A place that moves by e turns the direction by e/distance and changes the radius by tan(angle) times
  // that.
  return {d, angle, (center.error + observer.error) / distance * (1 + std::tan(angle))};
}

/// Separation of the discs less that at which the phase changes; and how far rounding may move it.
struct Gap {
  Long angle, error;
};

Gap gap(const Disc& star, const Disc& body, EclipsePhase deeper) {
  const LongVec n = cross(star.direction, body.direction);
  const Long separation = std::atan2(std::sqrt(dot(n, n)), dot(star.direction, body.direction)),
             touching = deeper == EclipsePhase::penumbra   ? star.radius + body.radius
                        : deeper == EclipsePhase::antumbra ? star.radius - body.radius
                                                           : body.radius - star.radius;
  return {separation - touching, star.error + body.error};
}

/// Star, body and observer of a random eclipse: the body passes in front of the star, at least in part.
struct RandomEclipse {
  MovingStar star;
  MovingSphere body;
  Motion observer;

  Disc star_at(Long t) const {
    if (star.motion) return disc(whereabouts(*star.motion, t), star.star.radius, whereabouts(observer, t));
    const Vec3& d = star.star.direction;  // the sine of the radius is rounded to a double
    return {{d.x, d.y, d.z}, star.star.angular_radius, 0x1p-52L * std::tan(Long(star.star.angular_radius))};
  }
  Disc body_at(Long t) const {
    return disc(whereabouts(body.motion, t), body.radius, whereabouts(observer, t));
  }
};

/// A path that stays within about `half` of the middle from 0 to 10.
Motion random_path(Random& random, const Vec3& middle, double half) {
  if (random.one_in(2)) return Motion::linear(middle + random.in_cube(half), random.in_cube(half / 10));
  std::vector<MotionSample> samples;
  for (double t = random.between(-2, 2); t < 12; t += random.between(0.5, 5))
    samples.push_back({t, middle + random.in_cube(half), random.in_cube(half / 3)});
  return Motion(std::move(samples));
}

RandomEclipse random_eclipse(Random& random) {
  const double size = random.log_uniform(1e-3, 1e9), star_angle = random.log_uniform(1e-4, 0.1),
               body_angle = std::min(star_angle * random.log_uniform(0.1, 10), 0.2),
               reach = star_angle + body_angle, far = size * random.log_uniform(1, 1e4);
  const Vec3 somewhere = random.in_cube(size * (random.one_in(2) ? 1 : 1e4)), view = random.direction();
  // Three paths, each of which moves a disc by about the sum of the radii.
  const Motion observer = random_path(random, somewhere, 0.3 * reach * size);
  MovingStar star{Star::at_infinity(view, star_angle)};
  if (random.one_in(2)) {
    star = {Star::at({}, 10 * far * std::sin(star_angle)),
            random_path(random, somewhere + 10 * far * view, reach * far)};
  }
  const double radius = size * std::sin(body_angle);
  return {star, {random_path(random, somewhere + size * view, 0.7 * reach * size), radius}, observer};
}

}  // namespace

TEST_CASE("contact times: random eclipses, as far off as rounded places explain", "[contacts]") {
  const int scenes = fewer_in_repeats(1000);
  constexpr double end = 10;
  std::map<EclipsePhase, int> events;
  Long worst = 0;
  for (int i = 0; i < scenes; ++i) {
    INFO("scene " << i << ", seed " << seed());
    Random random(seed(), 40'000 + i);
    const RandomEclipse e = random_eclipse(random);
    const std::vector<ContactTime> contacts =
        contact_times(e.star, {e.observer}, std::array{e.body}, 0, end, {.resolution = 1e-6});
    for (const ContactTime& c : contacts) {
      const EclipsePhase deeper = c.before == EclipsePhase::lit || c.after == EclipsePhase::lit
                                      ? EclipsePhase::penumbra
                                      : (c.before == EclipsePhase::penumbra ? c.after : c.before);
      ++events[deeper];
      // The change lies between c.time and the double before it.
      const auto gap_at = [&](double t) { return gap(e.star_at(t), e.body_at(t), deeper); };
      const Gap here = gap_at(c.time), before = gap_at(std::nextafter(c.time, -infinity));
      if ((here.angle > 0) != (before.angle > 0)) continue;
      const Long off = std::min(std::fabs(here.angle), std::fabs(before.angle)) / here.error;
      CHECK(off <= 1);
      worst = std::max(worst, off);
    }
  }
  std::printf(
      "contact times: random eclipses, %d outer contacts, %d with the umbra, %d with the antumbra; worst "
      "error %.2Lf of what rounded places explain\n",
      events[EclipsePhase::penumbra], events[EclipsePhase::umbra], events[EclipsePhase::antumbra], worst);
  for (const auto& [phase, count] : events) CHECK(count > scenes / 20);
}

TEST_CASE("contact times: the class of random motions, sampled often", "[contacts]") {
  const int scenes = fewer_in_repeats(200), samples = 2000;
  int events = 0;
  for (int i = 0; i < scenes; ++i) {
    Random random(seed(), i);
    const double size = random.log_uniform(1e-3, 1e9);
    const Motion observer = random_motion(random, {0, 0, -3 * size}, size * random.unit());
    MovingStar star{Star::at_infinity({0, 0, 1}, random.log_uniform(1e-3, 0.3))};
    if (random.one_in(2)) {
      star = {Star::at({}, size * random.unit()), random_motion(random, {0, 0, 12 * size}, size)};
    }
    std::vector<MovingSphere> bodies;
    for (int k = random.whole(1, 3); k > 0; --k) {
      bodies.push_back({random_motion(random, {0, 0, 6 * size}, size), size * random.log_uniform(0.01, 1)});
    }
    const double end = 10;
    const std::vector<ContactTime> contacts =
        contact_times(star, {observer}, bodies, 0, end, {.resolution = 1e-6});
    events += static_cast<int>(contacts.size());
    const auto in_order = [](const ContactTime& x, const ContactTime& y) {
      return x.time < y.time || (x.time == y.time && x.body < y.body);
    };
    CHECK(std::is_sorted(contacts.begin(), contacts.end(), in_order));
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      EclipsePhase phase = phase_at(star, observer, bodies[k], 0);
      auto next = contacts.begin();
      for (int n = 1; n <= samples; ++n) {
        const double t = end * n / samples;
        for (; next != contacts.end() && next->time <= t; ++next) {
          if (next->body != static_cast<std::int64_t>(k)) continue;
          if (next->before != phase) FAIL_CHECK("scene " << i << ": a gap before " << next->time);
          phase = next->after;
        }
        if (phase_at(star, observer, bodies[k], t) != phase) FAIL_CHECK("scene " << i << ", time " << t);
      }
    }
    for (const ContactTime& c : contacts) {
      const MovingSphere& body = bodies[c.body];
      CHECK(phase_at(star, observer, body, c.time) == c.after);
      CHECK(phase_at(star, observer, body, std::nextafter(c.time, -infinity)) == c.before);
    }
  }
  std::printf("contact times: %d contacts in %d random scenes\n", events, scenes);
  CHECK(events > scenes);
}

TEST_CASE("contact times: the class behind several bodies, sampled often", "[contacts]") {
  const int scenes = fewer_in_repeats(100), samples = 2000;
  int together = 0;
  for (int i = 0; i < scenes; ++i) {
    Random random(seed(), i);
    const double a = random.log_uniform(1e-4, 0.1), end = 10;
    MovingStar star{Star::at_infinity({0, 0, 1}, a)};
    if (random.one_in(2)) star = {Star::at({}, 1e3 * a), Motion::linear({0, 0, 1e3}, {0, 0, 1})};
    const Motion observer = Motion::linear({}, {0, 1e-2 * a, 0});
    std::vector<MovingSphere> bodies;
    for (int k = random.whole(2, 4); k > 0; --k) {
      // Bodies larger than the star, from all sides, which stay near its limb most of the time.
      const double size = a * random.log_uniform(1.1, 10), azimuth = random.between(-3.2, 3.2);
      const double apart = size + a * random.between(-1, 1), speed = a * random.between(-0.3, 0.3);
      const Vec3 toward{std::cos(azimuth), std::sin(azimuth), 0}, across{-toward.y, toward.x, 0};
      bodies.push_back({Motion::linear((apart - 5 * speed) * toward + Vec3{0, 0, 1 + 0.001 * k},
                                       speed * toward + a * random.between(-0.1, 0.1) * across),
                        size});
    }
    const auto phase_at = [&](double t) {
      Star s = star.star;
      if (star.motion) s.center = star.motion->at(t);
      std::vector<Sphere> spheres;
      for (const MovingSphere& b : bodies) spheres.push_back({b.motion.at(t), b.radius});
      return starlight(s, {observer.at(t)}, spheres).phase;
    };
    const std::vector<PhaseChange> changes =
        phase_changes(star, {observer}, bodies, 0, end, {.resolution = 1e-6});
    const std::vector<ContactTime> contacts =
        contact_times(star, {observer}, bodies, 0, end, {.resolution = 1e-6});
    for (const PhaseChange& c : changes) {
      CHECK(phase_at(c.time) == c.after);
      CHECK(phase_at(std::nextafter(c.time, -infinity)) == c.before);
      together += std::none_of(contacts.begin(), contacts.end(),
                               [&](const ContactTime& x) { return x.time == c.time; });
    }
    EclipsePhase phase = phase_at(0);
    auto next = changes.begin();
    for (int n = 1; n <= samples; ++n) {
      const double t = end * n / samples;
      for (; next != changes.end() && next->time <= t; ++next) {
        if (next->before != phase) FAIL_CHECK("scene " << i << ": a gap before " << next->time);
        phase = next->after;
      }
      if (phase_at(t) != phase) FAIL_CHECK("scene " << i << ", time " << t);
    }
  }
  std::printf("contact times: %d times several bodies hid the star only together, or ceased to\n", together);
  CHECK((sanitized() || together > 10));
}

// A ball of radius r that passes a point star at a distance p: hidden for |x| ≤ √(r² − p²), x = v t.
TEST_CASE("contact times: short and grazing events by their closed form", "[contacts]") {
  constexpr double speed = 1e4, radius = 1e6, span = 1e6;
  const MovingStar star{Star::at_infinity({0, 0, 1}, 0)};
  for (const double lasts : {2e-3, 0.1, 10.0, 200.0}) {
    for (int i = 0; i < 20; ++i) {
      Random random(seed(), i);
      const double half = speed * lasts / 2, middle = random.between(0.1, 0.9) * span;
      const double aside = std::sqrt((radius - half) * (radius + half));
      const std::array bodies{
          MovingSphere{Motion::linear({-speed * middle, aside, 1e9}, {speed, 0, 0}), radius}};
      const std::vector<ContactTime> contacts = contact_times(star, {Motion::at_rest({})}, bodies, 0, span);
      INFO("lasts " << lasts << " at " << middle);
      REQUIRE(contacts.size() == 2);
      CHECK((contacts[0].before == EclipsePhase::lit && contacts[0].after == EclipsePhase::umbra));
      CHECK((contacts[1].before == EclipsePhase::umbra && contacts[1].after == EclipsePhase::lit));
      // Errors: an ulp of p in √(r² − p²), and an ulp of 1e10 m in x. Half of the shortest event is 10 m.
      const double slack = (1e-10 * radius / half + 4e-6) / speed;
      CHECK(std::fabs(contacts[0].time - (middle - lasts / 2)) <= slack);
      CHECK(std::fabs(contacts[1].time - (middle + lasts / 2)) <= slack);
    }
  }
}

// The body is at x = 10 (t − 2)³ − 10. In the middle of the interval, which is one piece of all motions, it
// stands still and has no acceleration.
TEST_CASE("contact times: a body stops for a moment and moves on", "[contacts]") {
  constexpr Long alpha = 0.00390625, distance = 100, radius = 1;
  const MovingStar star{Star::at_infinity({0, 0, 1}, double(alpha))};
  const MovingSphere body{
      Motion({{1, {-20, 0, double(distance)}, {30, 0, 0}}, {3, {0, 0, double(distance)}, {30, 0, 0}}}),
      double(radius)};
  const std::vector<ContactTime> contacts =
      contact_times(star, {Motion::at_rest({})}, std::array{body}, 1, 3);
  REQUIRE(contacts.size() == 2);
  CHECK(contacts[0] == ContactTime{contacts[0].time, 0, EclipsePhase::lit, EclipsePhase::penumbra});
  CHECK(contacts[1] == ContactTime{contacts[1].time, 0, EclipsePhase::penumbra, EclipsePhase::umbra});
  for (std::size_t i = 0; i < 2; ++i) {
    // Separation at a touch: that of the centers is the body's angular radius ± α. The iteration contracts by
    // less than radius/distance.
    Long angle = 0;
    for (int step = 0; step < 20; ++step)
      angle = std::asin(std::cos(angle) * radius / distance) + (i == 0 ? alpha : -alpha);
    const Long time = 2 + std::cbrt(1 - distance * std::tan(angle) / 10);
    CHECK(std::fabs(contacts[i].time - time) <= 1e-12L);
  }
}

TEST_CASE("contact times: what is around, behind, at rest, and at the ends of the interval", "[contacts]") {
  const MovingStar sun{Star::at({0, 0, 100}, 1)};
  const Motion here = Motion::at_rest({});
  const auto times = [&](const MovingSphere& body, double begin = 0, double end = 10) {
    return contact_times(sun, {here}, std::array{body}, begin, end);
  };
  CHECK(times({Motion::at_rest({0, 0, 10}), 0.05}).empty());           // for ever in the antumbra
  CHECK(times({Motion::at_rest({0.15, 0, 10}), 0.05}).empty());        // or all but touching
  CHECK(times({Motion::linear({-5, 0, 110}, {1, 0, 0}), 2}).empty());  // behind
  CHECK(times({Motion::at_rest({0, 0, 100}), 0.5}).empty());           // in the star
  CHECK(times({Motion::at_rest({0, 0, 100}), 5}).empty());             // around it
  CHECK(times({Motion::linear({-5, 0, 0}, {1, 0, 0}), 20}).empty());   // around the observer
  CHECK(contact_times(sun, {here}, {}, 0, 1).empty());
  // A body at rest touches the line of sight to a point star. A search by bounds alone would have to examine
  // every millisecond of a year.
  const std::array touching{MovingSphere{Motion::at_rest({1, 0, 10}), 1}};
  CHECK(contact_times({Star::at_infinity({0, 0, 1}, 0)}, {here}, touching, 0, 3e7).empty());
  const MovingSphere moon{Motion::linear({-0.5, 0, 10}, {0.1, 0, 0}), 0.05};
  const std::vector<ContactTime> all = times(moon);
  REQUIRE(all.size() == 4);
  CHECK(all[1] == ContactTime{all[1].time, 0, EclipsePhase::penumbra, EclipsePhase::antumbra});
  CHECK(all[0].time + all[3].time == Approx(10).epsilon(1e-12));
  // If an event begins or ends outside the interval, only its contacts within the interval are found.
  CHECK(times(moon, all[1].time, 10).size() == 2);
  CHECK(times(moon, 0, all[1].time).size() == 2);
  CHECK(times(moon, all[0].time, all[3].time).size() == 3);
  CHECK(times(moon, 5, 5.1).empty());
  // Two changes within the resolution.
  const std::vector<ContactTime> coarse =
      contact_times(sun, {here}, std::array{moon}, 0, 5, {.resolution = 10});
  REQUIRE(coarse.size() == 2);
  CHECK(coarse[0] == ContactTime{coarse[0].time, 0, EclipsePhase::lit, EclipsePhase::penumbra});
  CHECK(coarse[1] == ContactTime{coarse[1].time, 0, EclipsePhase::penumbra, EclipsePhase::antumbra});
  for (std::size_t i = 0; i < 2; ++i) CHECK(coarse[i].time == Approx(all[i].time).epsilon(1e-13));
  // A body moves over the observer and then on towards the star. It hides the star from the time at which it
  // reaches the observer.
  const std::vector<ContactTime> passes = times({Motion::linear({0, 0, -10}, {0, 0, 2}), 1});
  REQUIRE(passes.size() == 1);
  CHECK(passes[0] == ContactTime{4.5, 0, EclipsePhase::lit, EclipsePhase::umbra});
}

// A body passes in front of an observer far from the origin. There, rounding displaces the body by up to
// several times its radius.
TEST_CASE("contact times: far from the origin", "[contacts]") {
  constexpr double radius = 1e6, distance = 1e9, speed = 1e6, end = 10;
  const MovingStar star{Star::at_infinity({0, 0, 1}, radius / distance / 2)};
  const int draws = sanitized() ? 20 : 60;  // about 2.5 events each
  int events = 0;
  for (int i = 0; i < draws; ++i) {
    Random random(seed(), i);
    const double far = random.log_uniform(1e8, 1e23), aside = 2 * radius * random.unit();
    const Motion observer = Motion::at_rest({far, 0, 0});
    const MovingSphere body{Motion::linear({far - 5 * speed, aside, distance}, {speed, 0, 0}), radius};
    const std::vector<ContactTime> contacts =
        contact_times(star, {observer}, std::array{body}, 0, end, {.resolution = 1e-3});
    events += static_cast<int>(contacts.size());
    for (const ContactTime& c : contacts) {
      CHECK(phase_at(star, observer, body, c.time) == c.after);
      CHECK(phase_at(star, observer, body, std::nextafter(c.time, -infinity)) == c.before);
    }
    for (int n = 0; n < 1000; ++n) {
      const double t = random.between(0, end);
      const auto next =
          std::find_if(contacts.begin(), contacts.end(), [&](const ContactTime& c) { return c.time > t; });
      const EclipsePhase expected = next != contacts.end() ? next->before
                                    : contacts.empty()     ? phase_at(star, observer, body, 0)
                                                           : contacts.back().after;
      if (phase_at(star, observer, body, t) != expected) FAIL_CHECK("far " << far << ", time " << t);
    }
  }
  CHECK(events > draws / 2);
}

TEST_CASE("contact times: a search without an end is given up", "[contacts][plain]") {
  const auto error = [](const auto& search) -> std::pair<std::int64_t, std::string> {
    try {
      search();
    } catch (const Error& e) {
      CHECK(e.code() == ErrorCode::invalid_argument);
      return {e.element(), e.what()};
    }
    return {-2, {}};
  };
  // Body 1 moves for a day at the speed of the Moon. Rounding moves its center in steps larger than its
  // radius. With a longer resolution the search ends.
  constexpr double far = 1e22, day = 86400;
  const MovingStar star{Star::at_infinity({0, 0, 1}, 5e-3)};
  const Motion observer = Motion::at_rest({far, 0, 0});
  const std::array bodies{MovingSphere{Motion::linear({0, 0, 4e8}, {1e3, 0, 0}), 2e6},
                          MovingSphere{Motion::linear({far - 4e7, 0, 4e8}, {1e3, 0, 0}), 2e6}};
  const auto [element, what] = error([&] { contact_times(star, {observer}, bodies, 0, day); });
  CHECK(element == 1);
  CHECK(what.starts_with(
      "body 1: in contact with the star, or too near to tell, for 1048576 times the resolution"));
  CHECK(contact_times(star, {observer}, bodies, 0, day, {.resolution = 1}).size() >= 2);
  // Three discs with a point in common before a star, which move with the observer.
  const double angle = 2 * 3.14159265358979323846 / 3;
  const Vec3 velocity{1e3, 0, 0};
  std::vector<MovingSphere> three;
  for (int k = 0; k < 3; ++k) {
    const Vec3 place{1e13 + 1e6 * std::cos(k * angle), 1e6 * std::sin(k * angle), 1e9};
    three.push_back({Motion::linear(place, velocity), 1e6});
  }
  const MovingStar behind{Star::at_infinity({0, 0, 1}, 5e-4)};
  const auto [none, together] =
      error([&] { phase_changes(behind, {Motion::linear({1e13, 0, 0}, velocity)}, three, 0, 100); });
  CHECK(none == Error::no_element);
  CHECK(together.starts_with("bodies together: in contact with the star"));
}

TEST_CASE("contact times: motions", "[contacts]") {
  const auto path = [](double t) { return Vec3{1 + t * (2 - t * t), 3 * t * t, -5 + t * t * t}; };
  const auto velocity = [](double t) { return Vec3{2 - 3 * t * t, 6 * t, 3 * t * t}; };
  std::vector<MotionSample> samples;
  for (const double t : {-1.0, 0.5, 2.0, 2.25}) samples.push_back({t, path(t), velocity(t)});
  const Motion cubic(samples);
  const auto distance = [](const Vec3& a, const Vec3& b) { return std::sqrt(dot(a - b, a - b)); };
  for (double t = -1; t <= 2.25; t += 0.03125) CHECK(distance(cubic.at(t), path(t)) <= 1e-14);
  for (const MotionSample& s : samples) CHECK(cubic.at(s.time) == s.position);
  CHECK(distance(cubic.at(-3), path(-1) - 2 * velocity(-1)) <= 1e-14);
  CHECK(distance(cubic.at(4.25), path(2.25) + 2 * velocity(2.25)) <= 1e-14);
  CHECK(Motion::linear({1, 2, 3}, {1, 0, -1}).at(2) == Vec3{3, 2, 1});
}

TEST_CASE("contact times: motions of one body share its samples", "[contacts]") {
  constexpr int count = 10000;
  std::vector<MotionSample> samples, shifted;
  const Vec3 by{0.3, -7, 1e-9};
  for (int i = 0; i < count; ++i) {
    Random random(seed(), i);
    samples.push_back({i + random.unit(), random.in_cube(1e9), random.in_cube(1e3)});
    shifted.push_back(samples.back());
    shifted.back().position = shifted.back().position + by;
  }
  const Motion body(samples), beside = Motion::beside(body, by), again(shifted);
  const Motion turning = Motion::fixed_in(beside, {{0, 0, 1}, 1e3}, {1, 2, 3}), copy = turning;
  for (const Motion* motion : {&beside, &turning, &copy}) {
    CHECK(motion->samples().data() == body.samples().data());
    CHECK(motion->samples().size() == count);
  }
  for (int i = -1; i <= count; ++i) {
    Random random(seed(), i);
    const double t = i + 2 * random.unit();
    if (beside.at(t) != again.at(t)) FAIL_CHECK("beside the body at time " << t);
  }
  Motion left = body;
  const Motion moved = std::move(left);
  CHECK(left.samples().empty());  // NOLINT(bugprone-use-after-move): an empty motion, which is refused
  CHECK(moved.samples().size() == count);
  CHECK(std::signbit(Motion::at_rest({-0.0, 0, 0}).at(-1).x));
  CHECK(Motion::beside(Motion::beside(body, {1, 2, 3}), {4, 5, 6}).offset() == Vec3{5, 7, 9});
}

TEST_CASE("contact times: bad input", "[contacts]") {
  const MovingStar sun{Star::at({0, 0, 100}, 1)};
  const Motion rest = Motion::at_rest({});
  const MovingSphere moon{Motion::linear({-0.5, 0, 10}, {0.1, 0, 0}), 0.05};
  const auto element = [](const MovingStar& star, const Motion& observer,
                          const std::vector<MovingSphere>& bodies, double begin = 0, double end = 1,
                          double resolution = 1e-3) -> std::int64_t {
    try {
      contact_times(star, {observer}, bodies, begin, end, {resolution});
    } catch (const Error& e) {
      CHECK(e.code() == ErrorCode::invalid_argument);
      return e.element();
    }
    return -2;
  };
  const Motion unsorted({{1, {}, {}}, {0, {}, {}}}), twice({{1, {}, {}}, {1, {}, {}}});
  const Motion empty(std::vector<MotionSample>{});
  CHECK(element(sun, rest, {moon, moon}) == -2);
  CHECK(element(sun, rest, {moon, {moon.motion, 0}}) == 1);
  CHECK(element(sun, rest, {moon, {moon.motion, NAN}}) == 1);
  CHECK(element(sun, rest, {moon, moon, {empty, 1}}) == 2);
  CHECK(element(sun, rest, {moon, {unsorted, 1}}) == 1);
  CHECK(element(sun, rest, {moon, {twice, 1}}) == 1);
  CHECK(element(sun, rest, {moon, {Motion::linear({}, {0, NAN, 0}), 1}}) == 1);
  CHECK(element(sun, Motion::at_rest({0, infinity, 0}), {moon}) == -1);
  CHECK(element(sun, unsorted, {moon}) == -1);
  CHECK(element({Star::at({}, -1)}, rest, {moon}) == -1);
  CHECK(element({sun.star, twice}, rest, {moon}) == -1);
  CHECK(element({Star::at_infinity({0, 0, 1}, 0.1), rest}, rest, {moon}) == -1);
  CHECK(element(sun, rest, {moon}, 1, 1) == -1);
  CHECK(element(sun, rest, {moon}, 2, 1) == -1);
  CHECK(element(sun, rest, {moon}, NAN, 1) == -1);
  CHECK(element(sun, rest, {moon}, 0, infinity) == -1);
  CHECK(element(sun, rest, {moon}, 0, 1, 0) == -1);
  CHECK(element(sun, rest, {moon}, 0, 1, NAN) == -1);
  std::stop_source stop;
  stop.request_stop();
  try {
    contact_times(sun, {rest}, std::array{moon}, 0, 1, {.stop = stop.get_token()});
    FAIL("no error");
  } catch (const Error& e) {
    CHECK(e.code() == ErrorCode::cancelled);
  }
  // On the way: the observer comes into the star, a body cuts it, a body leaves the domain.
  CHECK(element(sun, Motion::linear({}, {0, 0, 60}), {moon}, 0, 2) == -1);
  CHECK(element(sun, rest, {moon, {Motion::linear({}, {0, 0, 60}), 0.5}}, 0, 2) == 1);
  CHECK(element(sun, rest, {moon, {Motion::linear({}, {0x1p199, 0, 0}), 0.5}}, 0, 9) == 1);
}

TEST_CASE("contact times: a star that is not seen is an error, or a status", "[contacts]") {
  const MovingStar sun{Star::at({0, 0, 100}, 1)};
  const MovingSphere moon{Motion::linear({-3, 0, 50}, {1, 0, 0}), 0.6},
      cuts{Motion::at_rest({0, 1, 100}), 0.5};
  UnseenStar unseen{StarStatus::intersects_star, 7, 7};
  const auto ask = [&](const Motion& observer, const std::vector<MovingSphere>& bodies) {
    const ContactOptions options{.unseen = &unseen};
    const std::vector<PhaseChange> changes = phase_changes(sun, {observer}, bodies, 0, 6, options);
    const UnseenStar of_changes = std::exchange(unseen, {StarStatus::intersects_star, 7, 7});
    const std::vector<ContactTime> contacts = contact_times(sun, {observer}, bodies, 0, 6, options);
    CHECK((of_changes.status == unseen.status && of_changes.body == unseen.body));
    if (unseen.status == StarStatus::ok) {
      CHECK((std::isnan(unseen.time) && unseen.body == -1));
      CHECK(contacts == contact_times(sun, {observer}, bodies, 0, 6));
    } else {
      CHECK((contacts.empty() && changes.empty()));
      CHECK_THROWS_AS(contact_times(sun, {observer}, bodies, 0, 6), Error);
    }
    return contacts.size();
  };
  CHECK(ask(Motion::at_rest({}), {moon}) == 4);
  CHECK(unseen.status == StarStatus::ok);
  // On the surface, just outside, inside; on the side that no body hides, and before the body.
  for (const double side : {-1.0, 1.0}) {
    const double edge = 100 + side;
    ask(Motion::at_rest({0, 0, edge}), {moon});
    CHECK(unseen == UnseenStar{StarStatus::inside_star, 0, -1});
    ask(Motion::at_rest({0, 0, std::nextafter(edge, 200 * side)}), {moon});
    CHECK(unseen.status == StarStatus::ok);
    ask(Motion::at_rest({0, 0, std::nextafter(edge, 100.0)}), {moon});
    CHECK(unseen == UnseenStar{StarStatus::inside_star, 0, -1});
  }
  ask(Motion::at_rest({0, 0, 100}), {});
  CHECK(unseen == UnseenStar{StarStatus::inside_star, 0, -1});
  ask(Motion::at_rest({}), {moon, cuts});
  CHECK(unseen == UnseenStar{StarStatus::intersects_star, 0, 1});
  ask(Motion::linear({0, 0, 50.5}, {0, 0, 10}), {moon});  // into the star, from the place of the body
  CHECK(unseen.status == StarStatus::inside_star);
  CHECK((unseen.time > 4.8 && unseen.time <= 6));

  // Of a ball: the ball meets the star.
  const std::vector<MovingSphere> bodies{moon, cuts};
  const ContactOptions options{.unseen = &unseen};
  CHECK(shadow_contacts(sun, {Motion::at_rest({0, 0, 98.8}), 0.25}, bodies, 0, 6, options).empty());
  CHECK(unseen == UnseenStar{StarStatus::inside_star, 0, -1});
  CHECK(shadow_contacts(sun, {Motion::at_rest({}), 0.25}, bodies, 0, 6, options).empty());
  CHECK(unseen == UnseenStar{StarStatus::intersects_star, 0, 1});
  CHECK_FALSE(shadow_contacts(sun, {Motion::at_rest({}), 0.25}, {&moon, 1}, 0, 6, options).empty());
  CHECK(unseen.status == StarStatus::ok);
}

TEST_CASE("contact times: errors print the time in full, also without bodies", "[contacts]") {
  const MovingStar sun{Star::at({0, 0, 100}, 1)};
  const auto message = [&](const Motion& observer, const std::vector<MovingSphere>& bodies) -> std::string {
    try {
      contact_times(sun, {observer}, bodies, 1.0 / 3, 1);
    } catch (const Error& e) {
      return e.what();
    }
    return {};
  };
  const MovingSphere far{Motion::at_rest({0, 50, 0}), 1}, cuts{Motion::at_rest({0, 1, 100}), 0.5};
  const std::string inside =
      "observer: inside the star at time 0.3333333333333333; move it, or give another interval";
  CHECK(message(Motion::at_rest({0, 0, 100}), {}) == inside);
  CHECK(message(Motion::at_rest({0, 0, 100}), {far}) == inside);
  CHECK(
      message(Motion::at_rest({}), {far, cuts}) ==
      "body 1: its surface crosses the star's at time 0.3333333333333333; move it, or give another interval");
  CHECK_THROWS_AS(phase_changes(sun, {Motion::at_rest({0, 0, 100})}, {}, 0, 1), Error);
}
