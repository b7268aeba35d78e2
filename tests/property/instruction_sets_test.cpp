/// \file Every query gives the same bytes on each instruction set, on scenes of every kind, and where
/// products underflow.

#include <string>
#include <tests/answer_bytes.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/draw_questions.hpp>
#include <tests/inputs/skies.hpp>
#include <tests/instruction_set.hpp>
#include <tests/queries/every_query.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

/// Checks that every query and info() give the same bytes on the baseline.
void check_baseline(const MovingScene& world, const Questions& questions) {
  const auto info = [](const Scene& scene) {
    Bytes out;
    out.put(scene.info());
    return out;
  };
  const Scene scene = world.build();
  const AllRows expected = all_rows(scene, questions);
  const Baseline baseline;
  const Scene on_baseline = world.build();
  CHECK(differing(all_rows(on_baseline, questions), expected) == "");
  const bool same = info(on_baseline) == info(scene);
  CHECK(same);
  CHECK(baseline.taken());
}

/// A coordinate near the smallest doubles; products with it lose digits.
double tiny(Random& random) { return random.one_in(4) ? 0 : random.pattern(-1074, -960); }

/// A vector along one axis, off it by next to nothing.
Vec3 next_to_axis(int axis, double along, Random& random) {
  Vec3 v{tiny(random), tiny(random), tiny(random)};
  (axis == 0 ? v.x : axis == 1 ? v.y : v.z) = along;
  return v;
}

/// One sphere at the origin, at rest or in motion, and queries along one axis.
struct AxialQuestions {
  MovingScene world;
  Questions questions;

  explicit AxialQuestions(Random& random) : world{{{{}, random.between(1, 2)}}, {}, {-1, 1e9}} {
    const int axis = random.below(3);
    const auto vector = [&](double along) { return next_to_axis(axis, along, random); };
    world.spheres[0].center = vector(tiny(random));
    if (random.one_in(2)) world.velocities = {vector(tiny(random))};
    questions.gravity = vector(random.between(-0.2, 0.2));
    questions.stars = {Star::at(vector(100), 1)}, questions.sources = {{questions.stars[0], 1}};
    questions.max_distance = 20;
    questions.flight = {.bounces = 1, .friction = random.one_in(2) ? 0.3 : 0};
    for (int i = 0; i < 8; ++i) {
      const double place = random.between(-10, 10), speed = -std::copysign(random.between(1, 4), place);
      questions.rays.push_back({vector(place), vector(speed), 0, infinity});
      questions.segments.push_back({vector(place), vector(-place)});
      questions.bullets.push_back({vector(place), vector(speed), random.one_in(2) ? 0 : tiny(random) + 0.25,
                                   random.one_in(2) ? 0 : random.between(-1, 1)});
      questions.points.push_back(vector(place));
      questions.balls.push_back({vector(place), std::max(0.0, std::fabs(place) - 1)});
      questions.skies.push_back({questions.points.back(), vector(1)});
      questions.observers.push_back({questions.points.back()});
      questions.receivers.push_back({questions.observers.back(), vector(1)});
    }
    questions.fallers = questions.bullets;
  }
};

}  // namespace

TEST_CASE("every query gives the same bytes on each instruction set", "[property]") {
  for (int c = 0; c < scene_kind_count; ++c) {
    const auto scene_kind = static_cast<SceneKind>(c);
    Random random(seed(), 9000 + static_cast<std::uint64_t>(c));
    INFO(name(scene_kind));
    MovingScene world{make_spheres(scene_kind, 200, random), {}};
    const bool moving = random.one_in(2);
    for (const Sphere& sphere : world.spheres)
      if (moving) world.velocities.push_back((0.1 * sphere.radius) * random.in_cube(1));
    const std::size_t n = fewer_in_repeats(200u);
    check_baseline(world, draw_questions(world, n, n, random));
  }
}

TEST_CASE("every query gives the same bytes on each instruction set where products underflow", "[property]") {
  Random random(seed(), 9200);
  for (int i = 0; i < fewer_in_repeats(100); ++i) {
    INFO("scene " << i << ", seed " << seed());
    const AxialQuestions axial(random);
    check_baseline(axial.world, axial.questions);
  }
}

TEST_CASE("an impact next to the axis of gravity has the same bytes on each instruction set", "[property]") {
  const MovingScene world{{{{}, 0x1.970c8852daabep+0}}, {}};
  const std::vector<Bullet> bullets{
      {{0x0.000000000611dp-1022, 0, -0x1.542a26cedc3c3p+2}, {0, 0, 0x1.b42af0885eb28p+1}}};
  const auto answer = [&] {
    Bytes out;
    out.put(world.build().all_impacts(bullets, {.gravity = {0, 0, -0.125}}));
    return out;
  };
  const Bytes fused = answer();
  const Baseline baseline;
  const bool same = answer() == fused;
  CHECK(same);
}

TEST_CASE("starlight of random skies has the same bytes on each instruction set", "[property]") {
  Random random(seed(), 9100);
  for (int i = 0; i < fewer_in_repeats(2'000); ++i) {
    INFO("sky " << i << ", seed " << seed());
    const StarSky sky = random_sky(random, 1 + i % 6);
    Bytes answer, on_baseline;
    answer.put(starlight(sky.star, sky.observer, sky.bodies));
    const Baseline baseline;
    on_baseline.put(starlight(sky.star, sky.observer, sky.bodies));
    REQUIRE(on_baseline == answer);
  }
}
