/// \file The light that falls on surfaces: the inverse square and Lambert's cosine, also against a hundred
/// digits, what bodies leave, and sums.

#include <cmath>
#include <cstdio>
#include <numbers>
#include <sphaera/sphaera.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/oracle/place.hpp>
#include <tests/refusal.hpp>
#include <tests/seed.hpp>

namespace sphaera {
using test::Random, test::fewer_in_repeats, test::seed;
namespace {

constexpr double pi = std::numbers::pi;
constexpr double sun_watts = 3.828e26, astronomical_unit = 149597870700.0, sun_radius = 6.957e8;

Source sun() { return {Star::at({0, 0, 0}, sun_radius), sun_watts}; }

using oracle::along, oracle::length, oracle::Place, oracle::real, oracle::Real;

/// The errors that <sphaera/irradiance.hpp> states: of the irradiance, relative, and of the cosine.
constexpr double u = 0x1p-53, stated = 9 * u, stated_cosine = 1e-15;

bool near(double a, double b) { return std::fabs(a - b) <= stated * std::fabs(b); }
bool near_cosine(double a, double b) { return std::fabs(a - b) <= (stated + stated_cosine) * std::fabs(b); }

/// A source that may be a lamp nearby or anything that doubles hold, and a receiver that it may just graze.
struct Lighting {
  Source source;
  Receiver receiver;
  double flux;
};

Lighting random_lighting(Random& random) {
  const bool ordinary = random.one_in(2);
  const int least = ordinary ? -60 : -1050, most = ordinary ? 60 : 197;
  const Vec3 from = random.one_in(3) ? Vec3{} : random.pattern(least, most) * random.direction(),
             way = random.direction(), to = from + std::fabs(random.pattern(least, most)) * way;
  const Vec3 normal = random.one_in(3)   ? random.direction()
                      : random.one_in(2) ? cross(way, random.direction())
                                         : way + random.in_cube(random.log_uniform(1e-16, 1));
  const double luminosity =
      random.one_in(30) ? 0 : std::fabs(ordinary ? random.pattern(-60, 100) : random.pattern(-1074, 1022));
  const double flux = random.one_in(3) ? 1 : random.one_in(2) ? random.unit() : random.log_uniform(1e-12, 1);
  return {{Star::at(to, 0), luminosity}, {{from}, random.pattern(-900, 1000) * normal}, flux};
}

}  // namespace

TEST_CASE("irradiance is good to what is stated, against a hundred digits", "[query][stars]") {
  const Real pi = acos(Real(-1)), greatest = std::numeric_limits<double>::max();
  double worst = 0, worst_cosine = 0;
  int compared = 0, cosines = 0;
  const int cases = fewer_in_repeats(10'000);
  for (int i = 0; i < cases; ++i) {
    INFO("case " << i << ", seed " << seed());
    Random random(seed(), 90'000 + i);
    const auto [source, receiver, flux] = random_lighting(random);
    const Vec3& position = receiver.observer.position;
    const Place away = along(real(source.star.center), -1, real(position)), normal = real(receiver.normal);
    const Real square = oracle::dot(away, away);
    if (square == 0) continue;
    const Real exact = Real(source.luminosity) * flux / (4 * pi * square);
    const double found = normal_irradiance(source, position, flux);
    if (exact > greatest * (1 - Real(stated))) {
      CHECK(found >= (1 - 2 * stated) * std::numeric_limits<double>::max());
      continue;
    }
    const double error = double(abs(found - exact) / (stated * exact + 0x1p-1074));
    CHECK(error <= 1);
    worst = std::max(worst, error), ++compared;
    if (!(found > 1e-250)) continue;
    // The product of both is rounded once more.
    const Real cosine = oracle::dot(normal, away) / (length(normal) * length(away));
    const double cosine_error =
        double(abs(irradiance(source, receiver, flux) / Real(found) - std::max(cosine, Real(0))) /
               (stated_cosine + u));
    CHECK(cosine_error <= 1);
    worst_cosine = std::max(worst_cosine, cosine_error), ++cosines;
  }
  std::printf("irradiance: worst errors in units of what is stated: %.2f, of the cosine %.2f\n", worst,
              worst_cosine);
  CHECK(compared > cases / 2);
  CHECK(cosines > cases / 4);
}

TEST_CASE("irradiance: the solar constant, the inverse square, Lambert's cosine", "[query][stars]") {
  const Vec3 earth{astronomical_unit, 0, 0};
  const double constant = sun_watts / (4 * pi * astronomical_unit * astronomical_unit);
  CHECK(near(normal_irradiance(sun(), earth), constant));
  CHECK(std::fabs(constant - 1361.17) < 0.01);  // IAU 2015 Resolution B3 gives 1361 W/m²
  CHECK(near(normal_irradiance(sun(), 2 * earth, 0.5), constant / 8));

  const auto on = [&](const Vec3& normal) { return irradiance(sun(), {{earth}, normal}); };
  CHECK(near(on({-3, 0, 0}), constant));
  CHECK(near_cosine(on({-1, 1, 0}), constant * std::sqrt(0.5)));
  CHECK(near_cosine(on({-1e-300, 1e-300, 0}), constant * std::sqrt(0.5)));
  CHECK(near_cosine(on({-1e308, 1e308, 0}), constant * std::sqrt(0.5)));
  CHECK(on({0, 0, 1}) == 0);
  CHECK(on({1, 0, 0}) == 0);
  CHECK(irradiance(sun(), {{earth}, {-1, 0, 0}}, 0) == 0);
}

TEST_CASE("irradiance of a scene: bodies take their share, sources add up", "[query][stars]") {
  const std::vector<Sphere> bodies{{{astronomical_unit, 0, 0}, 6.378e6},
                                   {{astronomical_unit - 3.9e8, 0, 0}, 1.7374e6},
                                   {{1e3 * astronomical_unit, 0, 0}, 1e9}};
  const Scene scene = Scene::build(bodies);
  const std::vector<Source> sources{sun(), {Star::at({astronomical_unit, 0, 4e8}, 1e3), 1e15}};
  const Vec3 noon{bodies[0].center.x - 6.378e6, 0, 0}, top = bodies[0].center + Vec3{0, 0, 6.378e6};
  const std::vector<Receiver> receivers{
      {{noon, 0}, {-1, 0, 0}}, {{top, 0}, {0, 0, 1}}, {{noon}, {-1, 0, 1}}, {{{0, 0, 0}}, {1, 0, 0}}};
  const std::vector<double> light = scene.irradiance(sources, receivers, {.threads = 2});
  for (std::size_t i = 0; i < receivers.size(); ++i) {
    double sum = 0;
    for (const Source& source : sources)
      sum += irradiance(source, receivers[i], starlight(source.star, receivers[i].observer, bodies).flux);
    CHECK((light[i] == sum || (std::isnan(light[i]) && std::isnan(sum))));
  }
  CHECK(light[0] < 200);  // an annular eclipse at noon
  CHECK(light[0] > 10);
  CHECK(light[1] > 0);          // the lamp above the pole
  CHECK(std::isnan(light[3]));  // within the Sun
  CHECK(scene.irradiance({}, receivers)[0] == 0);
  CHECK(scene.irradiance(sources, {}).empty());
}

TEST_CASE("irradiance refuses sources and receivers out of range", "[query][stars]") {
  const Scene scene;
  const Receiver good{{{1e9, 0, 0}}, {1, 0, 0}};
  const auto ask = [&](const Source& source, const Receiver& receiver) {
    const std::vector<Source> sources{source};
    const std::vector<Receiver> receivers{receiver};
    CHECK(test::refusal([&] { (void)irradiance(source, receiver); }).code == ErrorCode::invalid_argument);
    return test::refusal([&] { (void)scene.irradiance(sources, receivers); }).code;
  };
  Source bad = sun();
  bad.luminosity = -1;
  CHECK(ask(bad, good) == ErrorCode::invalid_argument);
  bad.luminosity = infinity;
  CHECK(ask(bad, good) == ErrorCode::invalid_argument);
  CHECK(ask({Star::at_infinity({1, 0, 0}, 0.1), 1}, good) == ErrorCode::invalid_argument);
  CHECK(ask(sun(), {good.observer, {0, 0, 0}}) == ErrorCode::invalid_argument);
  CHECK(ask(sun(), {good.observer, {infinity, 0, 0}}) == ErrorCode::invalid_argument);
  CHECK(ask(sun(), {{{infinity, 0, 0}}, {1, 0, 0}}) == ErrorCode::invalid_argument);
}

}  // namespace sphaera
