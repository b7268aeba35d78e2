/// \file Frames within frames: planned where small spheres crowd, exact through all of them, and cheap.

#include <index/scene_index.hpp>
#include <sphaera/scene.hpp>
#include <tests/index/frame_plans.hpp>
#include <tests/index/offered_spheres.hpp>
#include <vector>

#include <tests/catch.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::depth, test::plan_of, test::spheres_in;

constexpr double system_size = 1e13, earth = 6.4e6;

/// A star, a planet far from it, a crowd of people on the planet, and one far body that stands for the rest
/// of the system.
struct Peopled {
  std::mt19937_64 random{test::seed()};
  Vec3 planet{1.5e11, 3e10, 2e7}, ground = planet + Vec3{0, 0, earth};
  std::vector<Sphere> spheres{{{0, 0, 0}, 7e8}, {planet, earth}, {{-system_size, 0, 0}, 2e6}};

  double along(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
  Vec3 point(double size) { return {along(-size, size), along(-size, size), along(-size, size)}; }

  Peopled(std::size_t people, double width) {
    for (std::size_t i = 0; i < people; ++i) {
      const Vec3 place{along(-width, width), along(-width, width), 1};
      spheres.push_back({ground + place, along(0.2, 0.4)});
    }
  }
  /// Across the crowd, at the height of people.
  Ray shot(double width) {
    const Vec3 from = ground + Vec3{along(-width, width), along(-width, width), along(0.7, 1.3)};
    return {from, {along(-1, 1), along(-1, 1), along(-0.01, 0.01)}, 0, 200};
  }
};

/// Number of spheres that shots meet and an index of this plan does not offer.
int lost(const index::FramePlan& plan, Peopled& world, double width, int shots, const char* isa = "") {
  const index::BuildControl control{.progress = {}, .embree_options = isa};
  const index::SceneIndex tree({world.spheres}, plan, control);
  int lost = 0;
  for (int i = 0; i < shots; ++i)
    lost += test::count_lost(world.spheres, exact::path_of(world.shot(width)),
                             [&](test::OfferedSpheres& walk) { tree.any(walk); });
  return lost;
}

}  // namespace

TEST_CASE("a crowd on a planet in a solar system gets frames of its own, and each sphere one place",
          "[index]") {
  Peopled world(3000, 100);
  const index::FramePlan plan = plan_of(world.spheres);
  CHECK(depth(plan) >= 2);
  CHECK(spheres_in(plan) == world.spheres.size());
  const SceneInfo info = Scene::build(world.spheres).info();
  REQUIRE(info.frames.size() == depth(plan));
  CHECK(info.frames.back().inflation < 0.02 + 1e-9);  // a tenth of the smallest radius
  CHECK(info.frames.front().half_size_max > 0.5 * system_size);
}

TEST_CASE("one frame is enough where spheres are alike, or small but far apart", "[index]") {
  Peopled world(0, 0);
  std::vector<Sphere> alike, apart;
  for (int i = 0; i < 3000; ++i) {
    alike.push_back({{1e9, 0, 0}, 1});
    alike.back().center = alike.back().center + world.point(1e3);
    apart.push_back({world.point(system_size), world.along(1, 1e7)});
  }
  CHECK(depth(plan_of(alike)) == 1);
  CHECK(depth(plan_of(apart)) == 1);
}

TEST_CASE(
    "nested frames lead to every sphere that a shot touches; with one frame's offset dropped they do not",
    "[index]") {
  Peopled world(1500, 60);
  index::FramePlan plan = plan_of(world.spheres);
  REQUIRE(!plan.children.empty());
  for (const char* isa : {",isa=sse2", ",isa=avx", ",isa=avx2"}) CHECK(lost(plan, world, 60, 300, isa) == 0);
  index::FramePlan* innermost = &plan.children.front();
  while (!innermost->children.empty()) innermost = &innermost->children.front();
  innermost->frame = index::Frame(plan.frame.center(), innermost->frame.half_size());
  CHECK(lost(plan, world, 60, 300) > 100);
}

TEST_CASE("through nested frames few spheres are tested that are not met", "[index]") {
  constexpr double width = 300;
  Peopled world(20000, width);
  const Scene scene = Scene::build(world.spheres);
  std::vector<Ray> shots;
  for (int i = 0; i < 5000; ++i) shots.push_back(world.shot(width));
  QueryStats stats;
  std::uint64_t met = scene.all_hits(shots, {.stats = &stats}).items.size();
  INFO("met " << met << ", tested " << stats.candidates);
  CHECK(met > 5000);
  CHECK(stats.candidates < met + met / 5 + shots.size());
}

TEST_CASE("spheres of all scales, from 2^-480 to 2^190, get frames, with no deep stack", "[index]") {
  std::mt19937_64 random(test::seed());
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<Sphere> spheres;
  for (int i = 0; i < 40000; ++i) {
    const double size = std::exp2(335 * unit(random) - 145);
    spheres.push_back({{size * unit(random), size * unit(random), size * unit(random)}, 1e-3 * size});
  }
  const index::FramePlan plan = plan_of(spheres);
  CHECK(spheres_in(plan) == spheres.size());
  CHECK(depth(plan) > 10);
}

}  // namespace sphaera
