/// \file Queries do not depend on the host's floating-point mode and do not change it. Cancelling the host's
/// tasks does not cancel them.

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <base/arena.hpp>
#include <chrono>
#include <sphaera/scene.hpp>
#include <tests/host_mode.hpp>
#include <thread>
#include <tools/workload/workload.hpp>

#include <tests/answer_bytes.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

/// Down, up, towards zero; flush-to-zero with denormals-are-zero.
constexpr unsigned modes[] = {
    test::default_mode | test::roundings[1], test::default_mode | test::roundings[2],
    test::default_mode | test::roundings[3], test::default_mode | test::flush_denormals};

}  // namespace

TEST_CASE("answers do not depend on the host's rounding mode or flush-to-zero, and leave them alone",
          "[query]") {
  const Scene scene = Scene::build(workload::spheres(workload::Kind::crowd, 2000, test::seed()));
  const std::vector<Ray> rays = workload::rays(workload::Kind::crowd, 2000, 2000, test::seed());
  const std::vector<Hit> plain = scene.first_hit(rays);
  for (const unsigned mode : modes) {
    std::vector<Hit> other, single(1);
    bool kept = false;
    {
      const test::HostMode host(mode);
      other = scene.first_hit(rays);
      single[0] = scene.first_hit(rays[0]);
      kept = host.kept();
    }
    CHECK(kept);
    CHECK(test::all_same(other, plain));
    CHECK(test::all_same(single, std::span(plain).first(1)));
  }
}

namespace {

/// An `accept` that leaves another floating-point mode behind, as a callback that computes with intervals
/// may.
struct ModeChanging {
  unsigned mode;
  bool operator()(std::size_t query, std::int64_t sphere) const {
    test::set_host_mode(mode);
    return (query + static_cast<std::size_t>(sphere)) % 3 != 0;
  }
};

/// The bytes of what all queries with `accept` answer.
test::Bytes accepted_answers(const Scene& scene, const std::vector<Ray>& rays, const QueryOptions& options) {
  std::vector<Vec3> points;
  std::vector<Ball> balls;
  std::vector<Bullet> bullets;
  for (const Ray& ray : rays) {
    points.push_back(ray.origin), balls.push_back({ray.origin, 20});
    bullets.push_back({ray.origin, ray.direction, 0.01});
  }
  const FlightOptions through{.bounces = 2, .pierces = 3}, falls{.pierces = 2, .gravity = {0, 0, -1e-3}};
  test::Bytes out;
  out.put(scene.blocked(rays, options)), out.put(scene.first_hit(rays, options));
  out.put(scene.all_hits(rays, options)), out.put(scene.within(balls, options));
  out.put(scene.nearest(points, 5, options)), out.put(scene.neighbors_within(balls, options));
  out.put(scene.count_within(balls, options));
  out.put(scene.first_impact(bullets, through, options)),
      out.put(scene.all_impacts(bullets, through, options));
  if (options.search == Search::embree) return out;
  out.put(scene.all_impacts(bullets, falls, options)), out.put(scene.near_misses(bullets, 1, options));
  return out;
}

}  // namespace

TEST_CASE("answers do not depend on the floating-point mode that `accept` leaves behind", "[query][sized]") {
  const Scene scene = Scene::build(workload::spheres(workload::Kind::crowd, 2000, test::seed()));
  const std::vector<Ray> rays =
      workload::rays(workload::Kind::crowd, test::fewer_in_repeats(500u), 2000, test::seed());
  for (const Search search : {Search::index, Search::brute_force, Search::embree}) {
    const test::Bytes plain =
        accepted_answers(scene, rays, {.accept = ModeChanging{test::default_mode}, .search = search});
    for (const unsigned mode : modes) {
      CAPTURE(search, mode);
      bool kept = false;
      test::Bytes other;
      {
        const test::HostMode host(test::default_mode);
        other = accepted_answers(scene, rays, {.accept = ModeChanging{mode}, .search = search});
        kept = host.kept();
      }
      CHECK(kept);
      CHECK(other == plain);
    }
  }
}

TEST_CASE("an index does not depend on the floating-point mode that `progress` leaves behind",
          "[query][index]") {
  const std::vector<Sphere> spheres = workload::spheres(workload::Kind::crowd, 20'000, test::seed());
  const std::vector<Ray> rays = workload::rays(workload::Kind::crowd, 2000, 20'000, test::seed());
  const auto built = [&](unsigned mode) {
    const Scene scene = Scene::build(spheres, {.progress = [mode](double) { test::set_host_mode(mode); }});
    test::Bytes out;
    out.put(scene.info()), out.put(scene.first_hit(rays));
    return out;
  };
  const test::Bytes plain = built(test::default_mode);
  for (const unsigned mode : modes) {
    bool kept = false;
    test::Bytes other;
    {
      const test::HostMode host(test::default_mode);
      other = built(mode);
      kept = host.kept();
    }
    CHECK(kept);
    CHECK(other == plain);
  }
}

TEST_CASE("a scene is the same whatever the host's floating-point mode when it is built or moved",
          "[query][index]") {
  // One radius and one direction are denormal: under denormals-are-zero they would count as 0.
  std::vector<Sphere> spheres = workload::spheres(workload::Kind::crowd, 2000, test::seed());
  spheres.push_back({{1, 2, 3}, 1e-310});
  std::vector<Ray> rays = workload::rays(workload::Kind::crowd, 2000, 2000, test::seed());
  rays.push_back({{1, 2, 0}, {0, 0, 1e-310}});
  std::vector<Vec3> centers;  // to be moved to
  centers.reserve(spheres.size());
  for (const Sphere& sphere : spheres) centers.push_back(sphere.center + Vec3{0.1, 0.7, -0.3});
  const auto answers = [&](Scene& scene) {
    std::vector<std::vector<Hit>> hits{scene.first_hit(rays), {scene.first_hit(rays.back())}};
    scene.update(centers);
    hits.push_back(scene.first_hit(rays));
    return hits;
  };
  Scene scene = Scene::build(spheres);
  const std::vector<std::vector<Hit>> plain = answers(scene);
  for (const unsigned mode : modes) {
    std::vector<std::vector<Hit>> other;
    bool kept = false;
    // In a new thread: oneTBB makes an arena for it in this mode, and the workers run in this mode, too.
    std::thread([&] {
      const test::HostMode host(mode);
      Scene built = Scene::build(spheres);
      other = answers(built);
      kept = host.kept();
    }).join();
    CHECK(kept);
    CHECK(std::ranges::equal(other, plain, test::all_same<std::vector<Hit>, std::vector<Hit>>));
  }
}

TEST_CASE(
    "parallel work is in the proofs' floating-point mode on every thread, and not cancelled with the host's",
    "[query]") {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 8);
  constexpr std::size_t pieces = 64;
  for (const int threads : {0, 4}) {
    std::atomic<std::size_t> right{0};
    bool kept = false;
    std::thread([&] {
      const test::HostMode host(modes[0]);
      tbb::task_group_context cancelled;
      tbb::parallel_for(
          0, 1,
          [&](int) {
            cancelled.cancel_group_execution();
            base::in_arena(threads, [&] {
              base::parallel_pieces(pieces, 1, [&](std::size_t, std::size_t) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));  // so that others take some
                right += (test::host_mode() & ~test::flags) == test::default_mode;
              });
            });
          },
          cancelled);
      kept = host.kept();
    }).join();
    CHECK(kept);
    CHECK(right == pieces);
  }
}

TEST_CASE("a star with a small direction is valid under denormals-are-zero, too", "[query][starlight]") {
  const Scene scene = Scene::build(std::vector<Sphere>{{{0, 0, 10}, 1}});
  const Star star = Star::at_infinity({0, 0, 1e-310}, 0.2);
  const Observer observer{};
  const double fraction = scene.starlight(star, observer).fraction;
  CHECK((fraction > 0 && fraction < 1));
  const test::HostMode host(modes[3]);
  CHECK(scene.starlight(star, observer).fraction == fraction);
  CHECK(scene.starlight({&star, 1}, {&observer, 1})[0].fraction == fraction);
  CHECK(host.kept());
}

}  // namespace sphaera
