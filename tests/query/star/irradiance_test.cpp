/// \file The light that falls on surfaces: the inverse square, Lambert's cosine, what bodies leave, and sums.

#include <cmath>
#include <numbers>
#include <sphaera/sphaera.hpp>

#include <tests/catch.hpp>
#include <tests/refusal.hpp>

namespace sphaera {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double sun_watts = 3.828e26, astronomical_unit = 149597870700.0, sun_radius = 6.957e8;

Source sun() { return {Star::at({0, 0, 0}, sun_radius), sun_watts}; }

bool near(double a, double b) { return std::fabs(a - b) <= 1e-14 * std::fabs(b); }

}  // namespace

TEST_CASE("irradiance: the solar constant, the inverse square, Lambert's cosine", "[query][stars]") {
  const Vec3 earth{astronomical_unit, 0, 0};
  const double constant = sun_watts / (4 * pi * astronomical_unit * astronomical_unit);
  CHECK(near(normal_irradiance(sun(), earth), constant));
  CHECK(std::fabs(constant - 1361.17) < 0.01);  // IAU 2015 Resolution B3 gives 1361 W/m²
  CHECK(near(normal_irradiance(sun(), 2 * earth, 0.5), constant / 8));

  const auto on = [&](const Vec3& normal) { return irradiance(sun(), {{earth}, normal}); };
  CHECK(near(on({-3, 0, 0}), constant));
  CHECK(near(on({-1, 1, 0}), constant * std::sqrt(0.5)));
  CHECK(near(on({-1e-300, 1e-300, 0}), constant * std::sqrt(0.5)));
  CHECK(near(on({-1e308, 1e308, 0}), constant * std::sqrt(0.5)));
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
