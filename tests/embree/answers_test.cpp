/// \file Search::embree gives the bytes of the index and of brute force, on scenes of every kind.

#include <base/validate.hpp>
#include <sphaera/error.hpp>
#include <sphaera/scene.hpp>
#include <tests/answer_bytes.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

struct Questions {
  std::vector<Ray> rays;
  std::vector<Segment> segments;
  std::vector<Vec3> points;
  std::vector<Ball> balls;
  std::vector<Bullet> bullets;

  Questions(const std::vector<Sphere>& spheres, std::size_t n, Random& random)
      : rays(make_rays(spheres, n, random)),
        segments(make_segments(spheres, n, random)),
        points(make_points(spheres, n, random)),
        balls(make_balls(spheres, n, random)) {
    while (bullets.size() < n) {
      const Bullet one = bullet(rays[random.bits() % n], spheres, random);
      if (base::valid(one)) bullets.push_back(one);
    }
  }

 private:
  /// A ball that flies along a ray or rests. Its radius is 0, or a random multiple of a sphere's radius, or a
  /// random length.
  static Bullet bullet(const Ray& ray, const std::vector<Sphere>& spheres, Random& random) {
    Bullet bullet{.origin = ray.origin, .velocity = ray.direction};
    const double size = spheres.empty() ? 1 : spheres[random.bits() % spheres.size()].radius;
    if (random.one_in(2)) bullet.radius = size * random.log_uniform(1e-3, 10);
    if (random.one_in(9)) bullet.radius = random.log_uniform(1e-3, 1e13);
    if (random.one_in(9)) bullet.velocity = {};
    if (random.one_in(3)) bullet.duration = random.between(0, 2);
    if (random.one_in(4)) bullet.start = random.between(-1, 1);
    return bullet;
  }
};

struct Asked {
  LayerMask mask = all_layers;
  std::vector<std::int64_t> ignore;
  FlightOptions flight;
};

/// All that Search::embree answers, in batches.
Bytes batches(const Scene& scene, const Questions& q, const Asked& asked, const QueryOptions& options) {
  Bytes out;
  const auto paths = [&](const auto& some) {
    out.put(scene.blocked(some, options)), out.put(scene.first_hit(some, options));
    out.put(scene.first_surface_hit(some, options)), out.put(scene.all_hits(some, options));
  };
  paths(q.rays), paths(q.segments);
  out.put(scene.nearest(q.points, 1, options)), out.put(scene.nearest(q.points, 5, options));
  out.put(scene.within(q.balls, options));
  out.put(scene.first_impact(q.bullets, asked.flight, options));
  out.put(scene.all_impacts(q.bullets, asked.flight, options));
  return out;
}

/// The same, one query at a time.
Bytes singles(const Scene& scene, const Questions& q, const Asked& asked, Search search) {
  Bytes out;
  for (std::size_t i = 0; i < q.rays.size(); ++i) {
    QueryOptions options{.layers = asked.mask, .search = search};
    if (!asked.ignore.empty()) options.ignore = {&asked.ignore[i], 1};
    const auto path = [&](const auto& one) {
      out.put(scene.blocked(one, options)), out.put(scene.first_hit(one, options));
      out.put(scene.first_surface_hit(one, options)), out.put(scene.all_hits(one, options));
    };
    path(q.rays[i]), path(q.segments[i]);
    out.put(scene.nearest(q.points[i], options)), out.put(scene.within(q.balls[i], options));
    out.put(scene.first_impact(q.bullets[i], asked.flight, options));
    out.put(scene.all_impacts(q.bullets[i], asked.flight, options));
  }
  return out;
}

QueryOptions with(const Asked& asked, Search search, int threads = 0) {
  return {.layers = asked.mask, .ignore = asked.ignore, .search = search, .threads = threads};
}

struct World {
  std::vector<Sphere> spheres;
  std::vector<std::uint8_t> layers;
  Scene scene;

  World(SceneKind scene_kind, std::size_t n, Random& random) : spheres(make_spheres(scene_kind, n, random)) {
    if (random.one_in(2))
      for (std::size_t i = 0; i < n; ++i) layers.push_back(static_cast<std::uint8_t>(random.below(4)));
    scene = Scene::build(spheres, {.layers = layers});
  }
};

Asked any_asked(const World& world, std::size_t queries, Random& random) {
  Asked asked;
  if (random.one_in(2)) asked.mask = random.bits();
  if (!world.spheres.empty() && random.one_in(2)) {
    for (std::size_t i = 0; i < queries; ++i) {
      const auto id = static_cast<std::int64_t>(random.bits() % world.spheres.size());
      asked.ignore.push_back(random.one_in(2) ? id : -1);
    }
  }
  asked.flight = {.bounces = static_cast<std::uint32_t>(random.below(3)),
                  .pierces = static_cast<std::uint32_t>(random.below(4)),
                  .start_inside = static_cast<StartInside>(random.below(3))};
  return asked;
}

struct Effort {
  std::size_t spheres, queries;
};
constexpr Effort efforts[] = {{0, 20}, {1, 150}, {2, 150}, {9, 150}, {100, 60}, {1'000, 20}, {5'000, 3}};
constexpr Effort long_efforts[] = {{9, 2'000}, {100, 2'000}, {1'000, 400}, {20'000, 40}};

void compare_searches(std::span<const Effort> all) {
  for (const SceneKind scene_kind : kinds_to_try()) {
    for (const auto& [n, queries] : all) {
      Random random(seed(), 5000 + 1000 * static_cast<std::uint64_t>(scene_kind) + n);
      INFO(name(scene_kind) << ", " << n << " spheres");
      const World world(scene_kind, n, random);
      const Questions questions(world.spheres, fewer_in_repeats(queries), random);
      const Asked asked = any_asked(world, questions.rays.size(), random);
      const auto answers = [&](Search search) {
        return batches(world.scene, questions, asked, with(asked, search));
      };
      const Bytes brute = answers(Search::brute_force);
      CHECK((answers(Search::index) == brute));
      CHECK((answers(Search::embree) == brute));
      if (n <= 9)
        CHECK((singles(world.scene, questions, asked, Search::embree) ==
               singles(world.scene, questions, asked, Search::index)));
    }
  }
}

}  // namespace

TEST_CASE("Search::embree gives the bytes of the index and of brute force on scenes of every kind",
          "[embree]") {
  compare_searches(efforts);
}

TEST_CASE("the three searches agree on many more queries", "[.long]") { compare_searches(long_efforts); }
