/// \file Starlight does not depend on order, scale or orientation; the horizon; bodies whose discs nearly
/// coincide or touch; many bodies.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <star_light/star_view.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/skies.hpp>
#include <tests/oracle/starlight.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>
#include <utility>

using namespace sphaera;
using namespace sphaera::test;

namespace {

constexpr double stated = 1e-12;

struct Viewer {
  star_light::StarViewScratch scratch;
  exact::Counts counts;

  Visibility look(const StarSky& sky, const std::vector<int>& order) {
    star_light::StarView view(sky.star, sky.observer.position, scratch, counts);
    for (const int id : order) view.add(sky.bodies[id], id);
    return view.result();
  }
};

std::vector<int> all_of(const StarSky& sky) {
  std::vector<int> ids(sky.bodies.size());
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

double error_of(const StarSky& sky) {
  const Visibility v = starlight(sky.star, sky.observer, sky.bodies);
  const int ground = static_cast<int>(sky.observer.on);
  const oracle::Seen seen = oracle::starlight(sky.star, sky.observer.position, sky.bodies, ground);
  return std::max(std::fabs(static_cast<double>(v.fraction - seen.fraction)),
                  std::fabs(static_cast<double>(v.flux - seen.flux)));
}

/// Asks the oracle about skies that `make` gives for a Random, and prints the worst error.
template <class Make>
void check_error(const char* what, int most, const Make& make) {
  const int skies = std::max(fewer_unless_all(most), std::min(most, 10));
  double worst = 0;
  for (int i = 0; i < skies; ++i) {
    Random random(seed(), i);
    const double error = error_of(make(random));
    if (!(error <= stated)) FAIL_CHECK(what << ": sky " << i << " is off by " << error);
    worst = std::max(worst, error);
  }
  std::printf("starlight, %s: worst error %.1e\n", what, worst);
}

/// Is the place on or inside the sphere? Rounding can make the height above the ground 0 or negative.
bool is_in(const Vec3& place, const Sphere& sphere) {
  exact::Counts counts;
  return exact::sign_power(exact::seen_ball(place, sphere), counts) <= 0;
}

/// A star that rises or sets, for an observer on the ground or above it.
StarSky random_sunset(Random& random) {
  StarSky sky;
  const double a = random.log_uniform(1e-9, 1), earth = random.log_uniform(1e-3, 1e3);
  // The star does not touch the ground if d² + E² − 2dE sin a > (d sin a + E)². This holds for
  // d > 4E sin a/cos² a, which is at most 11.6E (for a = 1 rad).
  const double distance = earth * random.log_uniform(20, 1e9);
  // `high` is the elevation of the star's center in rad, of either sign and at most the star's radius. The
  // observer stands on the ground or is above it.
  const double high = random.one_in(3) ? a * random.between(-1, 1) : random.signed_log_uniform(1e-16, a);
  const Vec3 up = random.direction(), side = random.direction();
  const Vec3 away = side - dot(side, up) * up, along = (1 / std::sqrt(dot(away, away))) * away;
  const bool stands = random.one_in(2);
  const double level = stands ? 1 : 1 + random.log_uniform(1e-16, 1e-3);
  sky.observer.position = earth * level * up;
  sky.star = Star::at(sky.observer.position + distance * (std::cos(high) * along + std::sin(high) * up),
                      distance * std::sin(a), random_law(random));
  sky.bodies = {{{}, earth}};
  if (stands || is_in(sky.observer.position, sky.bodies[0])) sky.observer.on = 0;
  return sky;
}

/// The observer is close to the origin, so that its height above the ground can be far smaller than an ulp of
/// the ground's radius.
StarSky low_sunset(Random& random) {
  StarSky sky;
  const double a = random.log_uniform(1e-9, 1), earth = random.log_uniform(1e-3, 1e3);
  const double distance = earth * random.log_uniform(20, 1e9);  // as in random_sunset
  const double height = earth * random.log_uniform(1e-40, 1e-6);
  const double high = a * random.between(-1, 1) - std::sqrt(2 * height / earth);
  sky.observer.position = {height, 0, 0};
  sky.star = Star::at({distance * std::sin(high), distance * std::cos(high), 0}, distance * std::sin(a),
                      random_law(random));
  sky.bodies = {{{-earth, 0, 0}, earth}};
  return sky;
}

/// n bodies anywhere before the star, of least … most of its size.
StarSky crowd_before_star(Random& random, int n, double least, double most) {
  StarSky sky;
  constexpr double a = 0.0047;
  sky.star = Star::at(1e11 * random.direction(), 1e11 * std::sin(a));
  for (int k = 0; k < n; ++k) {
    const double size = a * random.between(least, most), apart = a * random.between(0, 1.05);
    sky.bodies.push_back(body_at(sky, size, apart, random.between(-3, 3), 1e8));
  }
  return sky;
}

void shuffle(std::vector<int>& order, Random& random) {
  for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random.below(int(k))]);
}

StarSky nearly_the_same(Random& random) {
  StarSky sky;
  const double a = random.log_uniform(1e-9, 1);
  sky.star = Star::at_infinity(random.direction(), a, random_law(random));
  const double size = std::min(1.5, a * random.log_uniform(0.1, 1e9)), azimuth = random.between(-3, 3);
  const double low = std::fabs(size - a), apart = low + random.unit() * std::min(2 * size, 2 * a);
  const double hair = random.log_uniform(1e-17, 1e-3);
  for (int k = random.whole(2, 4); k > 0; --k) {
    const auto nearly = [&] { return 1 + hair * random.between(-1, 1); };
    // The edge moves by a hair of the star, or of the body where that is the smaller.
    const double d = apart + hair * std::min(a, size) * random.between(-1, 1);
    sky.bodies.push_back(body_at(sky, size * (size < a ? nearly() : 1), d, azimuth * nearly(), 1));
  }
  return sky;
}

/// Equal discs whose edges all pass through the star's center, or nearly.
StarSky ring(Random& random) {
  StarSky sky;
  const double a = random.log_uniform(1e-9, 1), size = a * random.between(0.2, 0.6);
  sky.star = Star::at_infinity(random.direction(), a, random_law(random));
  const int n = random.whole(3, 8);
  const double apart = random.one_in(2) ? size : size * (1 + random.signed_log_uniform(1e-16, 1e-3));
  for (int k = 0; k < n; ++k) {
    sky.bodies.push_back(body_at(sky, size, apart, 2 * std::acos(-1.0) * k / n, random.log_uniform(1, 10)));
  }
  return sky;
}

}  // namespace

TEST_CASE("starlight: the same bits in any order of the bodies", "[starlight]") {
  Viewer viewer;
  for (int i = 0; i < 4000; ++i) {
    Random random(seed(), i);
    StarSky sky = random_sky(random, random.whole(2, 10));
    sky.star.limb_darkening = random_law(random);
    std::vector<int> order = all_of(sky);
    const Visibility first = viewer.look(sky, order);
    shuffle(order, random);
    if (!same(first, viewer.look(sky, order))) FAIL_CHECK("sky " << i);
  }
}

TEST_CASE("starlight: numbers do not depend on how the bodies are numbered", "[starlight]") {
  for (int i = 0; i < 3000; ++i) {
    Random random(seed(), i);
    StarSky sky = random.one_in(3) ? random_sky(random, random.whole(2, 10)) : nearly_the_same(random);
    Visibility first = starlight(sky.star, sky.observer, sky.bodies);
    std::vector<int> order = all_of(sky);
    shuffle(order, random);
    std::vector<Sphere> bodies;
    for (const int id : order) bodies.push_back(sky.bodies[id]);
    const Visibility other = starlight(sky.star, sky.observer, bodies);
    first.dominant = other.dominant;  // an id
    if (!same(first, other)) FAIL_CHECK("sky " << i);
  }
}

TEST_CASE("starlight: the same bits at any scale of powers of two", "[starlight]") {
  for (int i = 0; i < 2000; ++i) {
    Random random(seed(), i);
    StarSky sky = random_sky(random, random.whole(1, 5));
    sky.star.limb_darkening = random_law(random);
    const Visibility first = starlight(sky.star, sky.observer, sky.bodies);
    const double scale = std::ldexp(1, random.whole(-100, 100));
    sky.star.center = scale * sky.star.center, sky.star.radius *= scale;
    sky.star.direction = scale * sky.star.direction;
    sky.observer.position = scale * sky.observer.position;
    for (Sphere& s : sky.bodies) s = {scale * s.center, scale * s.radius};
    if (!same(first, starlight(sky.star, sky.observer, sky.bodies))) FAIL_CHECK("sky " << i);
  }
}

TEST_CASE("starlight: turned skies, growing bodies", "[starlight]") {
  for (int i = 0; i < 2000; ++i) {
    Random random(seed(), i);
    StarSky sky = random_sky(random, random.whole(1, 6));
    const Visibility first = starlight(sky.star, sky.observer, sky.bodies);
    const auto turn = [](const Vec3& v) { return Vec3{-v.z, v.x, -v.y}; };
    StarSky turned = sky;
    turned.star.center = turn(sky.star.center), turned.star.direction = turn(sky.star.direction);
    turned.observer.position = turn(sky.observer.position);
    for (Sphere& s : turned.bodies) s.center = turn(s.center);
    const Visibility second = starlight(turned.star, turned.observer, turned.bodies);
    INFO("sky " << i);
    CHECK(std::fabs(second.fraction - first.fraction) <= 2 * stated);
    CHECK((second.occluders == first.occluders && second.blocked == first.blocked));

    sky.bodies[0].radius *= 1 + random.log_uniform(1e-16, 1e-2);
    const Visibility larger = starlight(sky.star, sky.observer, sky.bodies);
    if (larger.status == StarStatus::ok) CHECK(larger.fraction <= first.fraction + 2 * stated);
  }
}

TEST_CASE("starlight: the horizon", "[starlight]") {
  check_error("sunset on the ground and above it", 1500, random_sunset);
  check_error("sunset from a hair above the ground", 500, low_sunset);
}

TEST_CASE("starlight: circles that nearly coincide, or pass through one point", "[starlight]") {
  check_error("bodies that are nearly the same", 500, nearly_the_same);
  check_error("rings of discs through one point", 300, ring);
}

/// Two to four discs of about the same size that cross the limb and each other, under a law of whole powers.
StarSky crossing_discs(Random& random) {
  StarSky sky;
  const double a = random.log_uniform(1e-6, 1);
  sky.star = Star::at({0, 0, 1}, std::sin(a));
  sky.star.limb_darkening = LimbDarkening::quadratic(0.4, 0.26);
  const double size = std::min(a * random.log_uniform(0.05, 20), 1.2), first = random.between(0, 6.28);
  const int bodies = random.whole(2, 4);
  for (int k = 0; k < bodies; ++k) {
    const double away = size + a * random.between(-0.99, 0.99), turn = first + random.between(0, 2) * k;
    sky.bodies.push_back(body_at(sky, size, std::min(away, 2.0), turn, random.between(0.001, 0.01)));
  }
  return sky;
}

TEST_CASE("starlight: discs that cross the limb and each other", "[starlight]") {
  check_error("discs that cross the limb and each other", 500, crossing_discs);
}

// The first, coarse estimate of what each body covers must not discard the body that covers slightly more.
TEST_CASE("starlight: of bodies that cover nearly the same, the one that covers most", "[starlight]") {
  for (int i = 0; i < 500; ++i) {
    Random random(seed(), i);
    StarSky sky;
    const double a = random.log_uniform(1e-6, 0.5), size = a * random.between(0.3, 1);
    const double away = a * random.between(0.8, 1);
    sky.star = Star::at({0, 0, 1}, std::sin(a));
    for (int k = 0; k < 4; ++k) {
      const double nearer = random.log_uniform(1e-8, 1e-2);
      sky.bodies.push_back(body_at(sky, size, away * (1 - nearer), 1.5 * k, 0.01));
    }
    int most = 0;
    double least_left = 1, next_left = 1;
    for (int k = 0; k < 4; ++k) {
      const double left = starlight(sky.star, sky.observer, std::span(&sky.bodies[k], 1)).fraction;
      if (left < least_left)
        most = k, next_left = std::exchange(least_left, left);
      else
        next_left = std::min(next_left, left);
    }
    INFO("sky " << i);
    if (next_left - least_left > 2 * stated)
      CHECK(starlight(sky.star, sky.observer, sky.bodies).dominant == most);
  }
}

TEST_CASE("starlight: the body that covers most", "[starlight]") {
  for (int i = 0; i < 2000; ++i) {
    Random random(seed(), i);
    const StarSky sky = random_sky(random, random.whole(1, 8));
    const Visibility v = starlight(sky.star, sky.observer, sky.bodies);
    double most = 0;
    std::vector<double> covered;  // −1 where the discs do not overlap
    for (const Sphere& body : sky.bodies) {
      const Visibility alone = starlight(sky.star, sky.observer, std::span(&body, 1));
      covered.push_back(alone.phase == EclipsePhase::lit ? -1 : 1 - alone.fraction);
      most = std::max(most, covered.back());
    }
    INFO("sky " << i);
    CHECK((v.dominant >= 0) == (v.occluders > 0));
    if (v.dominant < 0) continue;
    CHECK(covered[v.dominant] >= most - 1.1 * stated);
    for (int k = 0; k < v.dominant; ++k) CHECK(covered[k] <= most - 0.9 * stated);
    CHECK(v.fraction <= 1 - most + stated);
  }
}

// A body that leaves no more of the star than the stated error ties with a body that hides the whole star.
// Bodies that leave more are not examined further and must not count as ties.
TEST_CASE("starlight: bodies behind one that hides the whole star", "[starlight]") {
  int ties = 0;
  for (int i = 0; i < 2000; ++i) {
    Random random(seed(), i);
    StarSky sky;
    const double a = random.log_uniform(1e-9, 0.5);
    sky.star = Star::at({0, 0, 1}, std::sin(a));
    const int bodies = random.whole(2, 5), whole = random.below(bodies);
    for (int k = 0; k < bodies; ++k) {
      const double size = std::min(a * random.log_uniform(0.9, 100), 1.2);
      const double inside = k == whole ? random.between(0.01, 0.5) : -random.log_uniform(1e-18, 1);
      sky.bodies.push_back(
          body_at(sky, size, std::max(0.0, size - a - a * inside), random.between(-3, 3), 0.01));
    }
    if (starlight(sky.star, sky.observer, std::span(&sky.bodies[whole], 1)).phase != EclipsePhase::umbra)
      continue;
    double magnitude = 0;
    std::int64_t dominant = bodies;
    bool clear = true;  // no body is within rounding of a tie
    for (int k = 0; k < bodies; ++k) {
      const Visibility alone = starlight(sky.star, sky.observer, std::span(&sky.bodies[k], 1));
      clear = clear && std::fabs(alone.fraction - stated) > 0.1 * stated;
      if (alone.phase == EclipsePhase::lit || alone.fraction > stated) continue;
      magnitude = std::max(magnitude, alone.magnitude), dominant = std::min<std::int64_t>(dominant, k);
      ties += k != whole && alone.phase != EclipsePhase::umbra;
    }
    if (!clear) continue;
    const Visibility v = starlight(sky.star, sky.observer, sky.bodies);
    INFO("sky " << i);
    CHECK((v.phase == EclipsePhase::umbra && v.fraction == 0));
    CHECK(v.dominant == dominant);
    CHECK(v.magnitude == magnitude);
  }
  CHECK(ties > 10);
}

// One body leaves a crescent 1e-15 of the radius wide, a second crosses limb and crescent at once: the two
// crossings, one from double and one from double-double, once left a sliver of 2e-10 between them.
TEST_CASE("starlight: a body that touches the limb where another all but covers it", "[starlight]") {
  StarSky sky;
  sky.star =
      Star::at({-0x1.5698ce6beb643p+26, -0x1.fdfa6b1036b8cp+26, 0x1.ef36151108bb9p+25}, 0x1.4592c9cc2009dp-4);
  sky.bodies = {{{-0x1.e4302cdc4f5d8p+2, -0x1.9fa2cf9158d8ap+3, 0x1.3d4754751c387p+2}, 0x1.1bfdeeeb00acfp-3},
                {{-0x1.8a6c8f4f64c9cp+7, -0x1.25902ca4e7ff2p+8, 0x1.1d101117ba46ap+7}, 0x1.e4695c19abab9p+4},
                {{-0x1.94db73fbe1873p+8, -0x1.2f1711f911decp+9, 0x1.6ad415a140f5bp+8}, 0x1.7e2c0a93eacaep+4},
                {{-0x1.2e9a29b232f5fp+2, -0x1.c171a38d82ffcp+2, 0x1.a3ac9183c23a8p+1}, 0x1.d4ac324ef0a6bp-3},
                {{-0x1.e575bf5302bf7p+7, -0x1.9e697040ad5ecp+8, 0x1.a57155dfc1643p+7}, 0x1.f8b08a014f13p+2},
                {{-0x1.fd33e6e08ff2ap+6, -0x1.947572a62b185p+7, 0x1.8bd1b3904fb28p+6}, 0x1.75bc0167d442ap+2}};
  CHECK(error_of(sky) <= stated);
  for (std::size_t second = 0; second < sky.bodies.size(); ++second) {  // body 1 leaves the crescent
    StarSky pair = sky;
    pair.bodies = {sky.bodies[1], sky.bodies[second]};
    INFO("with body " << second);
    CHECK(error_of(pair) <= stated);
  }
}

TEST_CASE("starlight: umbra behind a union, or a sliver", "[starlight]") {
  int dark = 0, light = 0;
  for (int i = 0; i < 2000; ++i) {
    Random random(seed(), i);
    StarSky sky;
    const double a = random.log_uniform(1e-9, 1);
    const Vec3 far = random.log_uniform(1e3, 1e9) * random.direction();
    sky.star = Star::at(far, std::sqrt(dot(far, far)) * std::sin(a));
    // Bodies whose edges meet in one point, or miss it by a hair: near the limb, at azimuth 0, or within.
    const double point = a * (random.one_in(2) ? 1 : random.between(0, 1));
    const int n = random.whole(2, 4);
    for (int k = 0; k < n; ++k) {
      const double size = std::min(1.4, a * random.log_uniform(1.5, 1e3));
      const double azimuth = 2 * std::acos(-1.0) * (k + random.between(-0.3, 0.3)) / n + 0.1;
      // Bisects d: in the triangle whose sides `point` and d enclose `azimuth`, the third side is `size`.
      double low = 0, high = size + point;
      for (int step = 0; step < 80; ++step) {
        const double d = (low + high) / 2;
        const double s = std::sin((d - point) / 2), h = std::sin(azimuth / 2);
        const double side2 = s * s + std::sin(d) * std::sin(point) * h * h;
        (side2 < std::pow(std::sin(size / 2), 2) ? low : high) = d;
      }
      const double hair = random.one_in(4)   ? 0
                          : random.one_in(2) ? random.signed_log_uniform(1e-18, 1e-13)
                                             : random.signed_log_uniform(1e-13, 1e-4);
      sky.bodies.push_back(body_at(sky, size, low + a * hair, azimuth, random.log_uniform(1, 100)));
    }
    const Visibility v = starlight(sky.star, sky.observer, sky.bodies);
    if (v.status != StarStatus::ok || v.occluders < 2 || v.phase == EclipsePhase::antumbra) continue;
    const bool alone = std::any_of(sky.bodies.begin(), sky.bodies.end(), [&](const Sphere& s) {
      return starlight(sky.star, sky.observer, std::span(&s, 1)).phase == EclipsePhase::umbra;
    });
    const bool seen = !alone && oracle::has_open_corner(sky.star, sky.observer.position, sky.bodies);
    ++(seen ? light : dark);
    INFO("sky " << i << ", fraction " << v.fraction);
    CHECK(v.phase == (seen ? EclipsePhase::penumbra : EclipsePhase::umbra));
  }
  CHECK((dark > 100 && light > 100));
}

TEST_CASE("starlight: many bodies before one star", "[starlight]") {
  check_error("30 bodies", 10, [](Random& random) { return crowd_before_star(random, 30, 0.05, 0.3); });
  Viewer viewer;
  for (const double size : {0.01, 0.1, 0.6}) {
    for (const int n : {10, 100, 1000}) {
      INFO(n << " bodies of " << size << " of the star, seed " << seed());
      Random random(seed(), n);
      const StarSky sky = crowd_before_star(random, n, 0.5 * size, 1.5 * size);
      std::vector<int> order = all_of(sky);
      const Visibility first = viewer.look(sky, order);
      shuffle(order, random);
      CHECK(same(first, viewer.look(sky, order)));
      if (size == 0.6 && n == 1000) CHECK(first.phase == EclipsePhase::umbra);
    }
  }
}
