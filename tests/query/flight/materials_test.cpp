/// \file Gravity of each bullet, restitution and friction of each sphere.

#include <algorithm>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/moving_scene.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

/// The velocity after a bounce, by the definitions at FlightOptions.
Vec3 bounced(const Vec3& velocity, const Vec3& normal, const Vec3& of_sphere, double restitution,
             double friction) {
  const Vec3 relative = velocity - of_sphere;
  const double along = dot(relative, normal);
  if (along >= 0) return velocity;
  const Vec3 tangential = relative - along * normal;
  const double speed = length(tangential), loss = friction * (1 + restitution) * -along;
  const double kept = speed > loss ? 1 - loss / speed : 0;
  return of_sphere + kept * tangential - (restitution * along) * normal;
}

}  // namespace

TEST_CASE("bullets of a batch fall each by its own gravity", "[query]") {
  for (int round = 0; round < fewer_in_repeats(20); ++round) {
    Random random(seed(), static_cast<std::uint64_t>(round));
    const MovingScene world = crowd_in_motion(40, random.one_in(2), random);
    const Scene scene = world.build();
    FlightOptions flight{.bounces = 3, .pierces = static_cast<std::uint32_t>(random.below(2))};
    flight.gravity = {7, 7, 7};  // not used
    flight.restitution = 0.8;
    std::vector<Bullet> bullets;
    std::vector<Vec3> gravities;
    for (int i = 0; i < 50; ++i) {
      gravities.push_back(random.one_in(3) ? Vec3{} : 4 * random.in_cube(1));
      bullets.push_back(lobbed_at(world, gravities.back(), random));
      bullets.back().duration = 2;
    }
    std::vector<FlightEnd> ends(bullets.size());
    FlightOptions each = flight;
    each.gravities = gravities, each.ends = ends;
    const ImpactLists all = scene.all_impacts(bullets, each);
    const ImpactLists forced = scene.all_impacts(bullets, each, {.search = Search::brute_force, .grain = 7});
    const std::vector<Impact> first = scene.first_impact(bullets, each);
    (void)scene.all_impacts(bullets, each);
    for (std::size_t i = 0; i < bullets.size(); ++i) {
      INFO("seed " << seed() << ", round " << round << ", bullet " << i);
      FlightOptions alone = flight;
      FlightEnd end;
      alone.gravity = gravities[i], alone.ends = {&end, 1};
      REQUIRE(same(first[i], scene.first_impact(bullets[i], alone)));
      const std::vector<Impact> expected = scene.all_impacts(bullets[i], alone);
      REQUIRE(all_same(all[i], expected));
      REQUIRE(all_same(forced[i], expected));
      REQUIRE(same(end, ends[i]));
      alone.gravity = flight.gravity, alone.gravities = {&gravities[i], 1};
      REQUIRE(all_same(scene.all_impacts(bullets[i], alone), expected));
      REQUIRE(same(first[i], scene.first_impact(bullets[i], alone)));
    }
  }
}

TEST_CASE("bullets bounce off each sphere by its material", "[query]") {
  int bounces = 0;
  for (int round = 0; round < fewer_in_repeats(40); ++round) {
    Random random(seed(), static_cast<std::uint64_t>(500 + round));
    const MovingScene world = crowd_in_motion(60, random.one_in(2), random);
    const Scene scene = world.build();
    std::vector<double> restitutions, frictions;
    for (std::size_t i = 0; i < 60; ++i) {
      restitutions.push_back(random.one_in(4) ? random.below(2) : random.unit());
      frictions.push_back(random.one_in(2) ? 0 : random.unit());
    }
    FlightOptions flight{.bounces = 4};
    flight.start_inside = StartInside::leaves;
    if (random.one_in(2)) flight.restitutions = restitutions;
    if (random.one_in(2)) flight.frictions = frictions;
    flight.restitution = 0.5, flight.friction = random.one_in(2) ? 0 : 0.25;
    std::vector<Bullet> bullets = bullets_at(world, 60, random);
    const ImpactLists all = scene.all_impacts(bullets, flight);
    const std::vector<Impact> first = scene.first_impact(bullets, flight);
    for (std::size_t i = 0; i < bullets.size(); ++i) {
      INFO("seed " << seed() << ", round " << round << ", bullet " << i);
      REQUIRE(same(first[i], scene.first_impact(bullets[i], flight)));
      Vec3 velocity = bullets[i].velocity;
      for (const Impact& impact : all[i]) {
        const auto id = static_cast<std::size_t>(impact.sphere);
        const double e = flight.restitutions.empty() ? flight.restitution : restitutions[id],
                     mu = flight.frictions.empty() ? flight.friction : frictions[id];
        const Vec3 expected = bounced(velocity, impact.normal, world.velocity(id), e, mu);
        REQUIRE(length(impact.velocity - expected) <=
                1e-12 * (length(velocity) + length(world.velocity(id))));
        velocity = impact.velocity;
        ++bounces;
      }
    }
  }
  CHECK(bounces > fewer_in_repeats(500));
}

TEST_CASE("one material for all spheres by span gives the bytes of the options", "[query]") {
  for (int round = 0; round < fewer_in_repeats(20); ++round) {
    Random random(seed(), static_cast<std::uint64_t>(900 + round));
    const MovingScene world = crowd_in_motion(60, random.one_in(2), random);
    const Scene scene = world.build();
    FlightOptions flight{.bounces = 5};
    if (random.one_in(2)) flight.gravity = 3 * random.in_cube(1);
    flight.restitution = random.unit(), flight.friction = random.one_in(2) ? 0 : random.unit();
    const std::vector<double> restitutions(60, flight.restitution), frictions(60, flight.friction);
    FlightOptions by_span = flight;
    by_span.restitution = 1, by_span.friction = 9;
    by_span.restitutions = restitutions, by_span.frictions = frictions;
    const std::vector<Bullet> bullets = bullets_at(world, 60, random);
    const ImpactLists all = scene.all_impacts(bullets, flight),
                      same_all = scene.all_impacts(bullets, by_span);
    REQUIRE(all.offsets == same_all.offsets);
    REQUIRE(all_same(all.items, same_all.items));
  }
}

TEST_CASE("gravities and materials that are out of range are refused", "[query]") {
  const Scene scene = Scene::build({{{5, 0, 0}, 1}, {{9, 0, 0}, 1}});
  const std::vector<Bullet> bullets(2, Bullet{.origin = {}, .velocity = {1, 0, 0}});
  const std::vector<Vec3> one(1), odd{{0, 0, 0}, {0, test::nan, 0}};
  const std::vector<double> three(3, 0.5), high{0.5, 1.5}, low{0.1, -1}, endless{0, infinity};
  const auto refused = [&](const FlightOptions& flight, std::int64_t element, const char* message) {
    for (const bool first : {true, false}) {
      const Refusal found = refusal([&] {
        first ? (void)scene.first_impact(bullets, flight) : (void)scene.all_impacts(bullets, flight);
      });
      CHECK(found.code == ErrorCode::invalid_argument);
      CHECK(found.element == element);
      CHECK(found.message == message);
    }
  };
  refused({.gravities = one}, -1, "there are 1 gravities for 2 bullets; give one for each");
  refused({.gravities = odd}, 1,
          "bullet 1: gravity.y is nan; give a finite value of at most 2^200 in magnitude");
  refused({.restitutions = three}, -1,
          "there are 3 restitutions for 2 spheres; give none or one for each sphere");
  refused({.frictions = three}, -1, "there are 3 frictions for 2 spheres; give none or one for each sphere");
  refused({.restitutions = high}, 1, "sphere 1: restitution is 1.5; give 0 to 1");
  refused({.frictions = low}, 1, "sphere 1: friction is -1; give a finite number, 0 or more");
  refused({.frictions = endless}, 1, "sphere 1: friction is inf; give a finite number, 0 or more");
  CHECK_THROWS_AS(
      scene.first_impact(Bullet{.origin = {7, 0, 0}, .velocity = {1, 0, 0}}, {.restitutions = high}), Error);
  CHECK_NOTHROW(scene.first_impact(bullets[0], {.restitutions = high}));
  CHECK_THROWS_AS(scene.first_impact(bullets, {.gravities = odd}, {.search = Search::embree}), Error);
}
