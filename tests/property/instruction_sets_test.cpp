/// \file Every query gives the same bytes on each instruction set, on scenes of every kind, and where
/// products underflow.

#include <map>
#include <string>
#include <tests/answer_bytes.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/moving_scene.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/inputs/skies.hpp>
#include <tests/instruction_set.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

const std::size_t spheres_of_a_kind = 200, queries_of_a_kind = fewer_in_repeats(200u);

/// The answer to a question, or the code of the error.
template <class Ask>
void put_answer(Bytes& out, const Ask& ask) {
  try {
    out.put(ask());
  } catch (const Error& error) {
    out.put(error.code());
  }
}

/// Queries of every kind for spheres of a scene kind, which move half of the time.
struct AllQuestions {
  MovingScene world;
  std::vector<Ray> rays;
  std::vector<Segment> segments;
  std::vector<Vec3> points;
  std::vector<Ball> balls;
  std::vector<Bullet> bullets;
  std::vector<Star> stars;
  std::vector<Observer> observers;

  AllQuestions(SceneKind scene_kind, Random& random)
      : world{make_spheres(scene_kind, spheres_of_a_kind, random), {}},
        rays(make_rays(world.spheres, queries_of_a_kind, random)),
        segments(make_segments(world.spheres, queries_of_a_kind, random)),
        points(make_points(world.spheres, queries_of_a_kind, random)),
        balls(make_balls(world.spheres, queries_of_a_kind, random)) {
    if (random.one_in(2)) {
      for (const Sphere& sphere : world.spheres)
        world.velocities.push_back((0.1 * sphere.radius) * random.in_cube(1));
    }
    bullets = bullets_at(world, queries_of_a_kind, random);
    for (int i = 0; i < 3; ++i) {
      const Sphere& body = world.spheres[static_cast<std::size_t>(random.below(spheres_of_a_kind))];
      stars.push_back(
          Star::at(body.center + (10 * body.radius) * random.in_cube(1), body.radius, random_law(random)));
    }
    stars.push_back(Star::at_infinity(random.in_cube(1), 0.3, random_law(random)));
    for (const Vec3& point : points) observers.push_back({point});
  }

  Bytes answers() const {
    Bytes out;
    const Scene scene = world.build();
    out.put(scene.info());
    out.put(scene.blocked(rays)), out.put(scene.blocked(segments));
    out.put(scene.first_hit(rays)), out.put(scene.first_hit(segments));
    out.put(scene.first_surface_hit(rays)), out.put(scene.first_surface_hit(segments));
    out.put(scene.all_hits(rays)), out.put(scene.all_hits(segments));
    out.put(scene.nearest(points, 3)), out.put(scene.within(balls));
    out.put(scene.neighbors_within(balls)), out.put(scene.count_within(balls));
    out.put(scene.nearest_to_spheres(3));
    for (const FlightOptions& flight : {FlightOptions{.bounces = 2}, FlightOptions{.pierces = 2},
                                        FlightOptions{.bounces = 2, .gravity = {0, 0, -9.81}}})
      put_answer(out, [&] { return scene.all_impacts(bullets, flight); });
    put_answer(out, [&] { return scene.near_misses(bullets, world.spheres[0].radius); });
    for (const Star& star : stars) put_answer(out, [&] { return scene.starlight({&star, 1}, observers); });
    return out;
  }
};

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
  std::vector<Ray> rays;
  std::vector<Vec3> points;
  std::vector<Bullet> bullets;
  std::vector<Observer> observers;
  Vec3 gravity;
  Star star;

  explicit AxialQuestions(Random& random) : world{{{{}, random.between(1, 2)}}, {}, {-1, 1e9}} {
    const int axis = random.below(3);
    const auto vector = [&](double along) { return next_to_axis(axis, along, random); };
    world.spheres[0].center = vector(tiny(random));
    if (random.one_in(2)) world.velocities = {vector(tiny(random))};
    gravity = vector(random.between(-0.2, 0.2));
    star = Star::at(vector(100), 1);
    for (int i = 0; i < 8; ++i) {
      const double place = random.between(-10, 10), speed = -std::copysign(random.between(1, 4), place);
      rays.push_back({vector(place), vector(speed), 0, infinity});
      bullets.push_back({vector(place), vector(speed), random.one_in(2) ? 0 : tiny(random) + 0.25,
                         random.one_in(2) ? 0 : random.between(-1, 1)});
      points.push_back(vector(place));
      observers.push_back({points.back()});
    }
  }

  /// The answers to each query, by name.
  std::map<std::string, Bytes> answers() const {
    std::map<std::string, Bytes> out;
    const Scene scene = world.build();
    out["first hits"].put(scene.first_surface_hit(rays)), out["all hits"].put(scene.all_hits(rays));
    out["nearest"].put(scene.nearest(points, 1)), out["near misses"].put(scene.near_misses(bullets, 20));
    out["impacts"].put(scene.all_impacts(bullets, {.bounces = 1}));
    out["impacts under gravity"].put(scene.all_impacts(bullets, {.bounces = 1, .gravity = gravity}));
    out["impacts with friction"].put(
        scene.all_impacts(bullets, {.bounces = 1, .gravity = gravity, .friction = 0.3}));
    out["starlight"].put(scene.starlight({&star, 1}, observers));
    return out;
  }
};

}  // namespace

TEST_CASE("every query gives the same bytes on each instruction set", "[property]") {
  for (int c = 0; c < scene_kind_count; ++c) {
    Random random(seed(), 9000 + static_cast<std::uint64_t>(c));
    INFO(name(static_cast<SceneKind>(c)) << ", seed " << seed());
    const AllQuestions questions(static_cast<SceneKind>(c), random);
    const Bytes answers = questions.answers();
    const Baseline baseline;
    const bool same = questions.answers() == answers;
    CHECK(same);
    CHECK(baseline.taken());
  }
}

TEST_CASE("every query gives the same bytes on each instruction set where products underflow", "[property]") {
  Random random(seed(), 9200);
  std::map<std::string, int> different;
  for (int i = 0; i < fewer_in_repeats(100); ++i) {
    const AxialQuestions questions(random);
    const auto answers = questions.answers();
    const Baseline baseline;
    for (const auto& [query, bytes] : questions.answers()) different[query] += bytes != answers.at(query);
  }
  for (const auto& [query, scenes] : different) {
    INFO(query << ", seed " << seed());
    CHECK(scenes == 0);
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
