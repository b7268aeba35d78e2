/// \file The stack that calls need, against the figures that the headers state.

#include <sphaera/error.hpp>
#include <sphaera/scene_buffer.hpp>

#include <pthread.h>

#include <algorithm>
#include <functional>
#include <tests/catch.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::Random;

/// The bytes of stack that work() writes to, on a thread of its own.
std::size_t stack_of(const std::function<void()>& work) {
  constexpr std::size_t size = std::size_t{3} << 20;
  constexpr char untouched = 0x5a;
  std::vector<char> stack(size, untouched);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  REQUIRE(pthread_attr_setstack(&attributes, stack.data(), size) == 0);
  const auto run = [](void* self) -> void* {
    (*static_cast<const std::function<void()>*>(self))();
    return nullptr;
  };
  pthread_t thread{};
  REQUIRE(pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&work)) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  return static_cast<std::size_t>(stack.end() -
                                  std::ranges::find_if(stack, [](char c) { return c != untouched; }));
}

/// Spheres in a row, each twice as large and as far away as the one before: deep trees, frames within frames.
std::vector<Sphere> doubling_row() {
  std::vector<Sphere> spheres;
  for (int i = 0; i < 800; ++i) {
    const double size = std::ldexp(1.0, i % 390 - 195);
    spheres.push_back({{size * (1 + i / 390 / 8.0), 0, 0}, 0.01 * size});
  }
  return spheres;
}

struct StackQuestions {
  std::vector<Ray> rays;
  std::vector<Segment> segments;
  std::vector<Vec3> points, centers;
  std::vector<Ball> balls;
  std::vector<Bullet> bullets;
  std::vector<Observer> observers;

  StackQuestions(const std::vector<Sphere>& spheres, Random& random)
      : rays(make_rays(spheres, 10, random)),
        segments(make_segments(spheres, 10, random)),
        points(make_points(spheres, 10, random)),
        centers(test::centers_of(spheres)),
        balls(make_balls(spheres, 10, random)) {
    for (const Ray& ray : rays) bullets.push_back({ray.origin, ray.direction, 0.01, 0, 2});
    for (const Vec3& point : points) observers.push_back({point});
    std::ranges::reverse(centers);
  }
};

/// The most stack of all calls but those with gravity, and of these.
struct Stacks {
  std::size_t plain = 0, gravity = 0;

  void ask(const std::vector<Sphere>& spheres, Random& random) {
    const StackQuestions q(spheres, random);
    Scene scene;
    const auto call = [&](const auto& work) {
      // Some inputs are not valid: their check needs stack, too.
      plain = std::max(plain, stack_of([&] {
                         try {
                           work();
                         } catch (const Error&) {
                         }
                       }));
    };
    call([&] { scene = Scene::build(spheres, {.threads = 1}); });
    for (const Search search : {Search::index, Search::embree}) {
      const QueryOptions serial{.search = search, .threads = 1};
      call([&] { (void)scene.blocked(q.rays, serial); });
      call([&] { (void)scene.first_surface_hit(q.segments, serial); });
      call([&] { (void)scene.all_hits(q.rays, serial); });
      call([&] { (void)scene.nearest(q.points, 3, serial); });
      call([&] { (void)scene.neighbors_within(q.balls, serial); });
      call([&] { (void)scene.all_impacts(q.bullets, {.bounces = 2, .pierces = 2}, serial); });
    }
    const QueryOptions serial{.threads = 1};
    const Star star = Star::at({1e-3, 2e-3, 3e-3}, 1e-4);
    call([&] { (void)scene.starlight(std::span(&star, 1), q.observers, serial); });
    call([&] { (void)scene.near_misses(q.bullets, 1, serial); });
    call([&] { (void)scene.nearest_to_spheres(3, serial); });
    call([&] { scene.update(q.centers, {}, {.rebuild = UpdateOptions::Rebuild::always, .threads = 1}); });
    call([&] { scene.insert(spheres, {.update = {.threads = 1}}); });
    call([&] { (void)SceneBuffer(spheres, {.threads = 1}); });
    const FlightOptions falls{.bounces = 2, .pierces = 2, .gravity = {0, 0, -9.81}};
    std::vector<RowStatus> statuses(q.bullets.size());
    const QueryOptions skipping{.threads = 1, .statuses = statuses};
    gravity = std::max(gravity, stack_of([&] { (void)scene.all_impacts(q.bullets, falls, skipping); }));
  }
};

}  // namespace

TEST_CASE("a call needs no more stack than is stated", "[scene][stack][plain]") {
  Random random(test::seed());
  Stacks stacks;
  for (const test::SceneKind kind :
       {test::SceneKind::crowd, test::SceneKind::all_scales, test::SceneKind::lattice})
    stacks.ask(make_spheres(kind, 30, random), random);
  stacks.ask(doubling_row(), random);
  INFO("without gravity " << stacks.plain / 1024 << " KiB, with gravity " << stacks.gravity / 1024 << " KiB");
  CHECK(stacks.plain <= std::size_t{512} << 10);
  CHECK(stacks.gravity <= std::size_t{1536} << 10);
}

}  // namespace sphaera
