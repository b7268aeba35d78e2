/// \file `nearest_to_spheres` against exact arithmetic that shares no code with it, and against `nearest`.

#include <sphaera/scene.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tests/effort.hpp>
#include <tests/inputs/scene_queries.hpp>
#include <tests/oracle/scene.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::SceneKind, test::Random, test::refusal;

/// The rows by `nearest` and brute force, with a point at the center of each sphere.
std::vector<Neighbor> by_points(const Scene& scene, std::size_t k, QueryOptions options) {
  std::vector<Vec3> centers;
  for (const Sphere& sphere : scene.spheres()) centers.push_back(sphere.center);
  std::vector<std::int64_t> own(centers.size());
  std::iota(own.begin(), own.end(), std::int64_t{0});
  options.ignore = own, options.search = Search::brute_force;
  std::vector<Neighbor> rows = scene.nearest(centers, k, options);
  for (std::size_t i = 0; i < own.size(); ++i)
    if (!scene.is_enabled(own[i])) std::ranges::fill(std::span(rows).subspan(i * k, k), Neighbor{});
  return rows;
}

/// The rows of ranges of ids, joined.
std::vector<Neighbor> by_ranges(const Scene& scene, std::size_t k, std::int64_t size,
                                const QueryOptions& options) {
  std::vector<Neighbor> rows;
  const std::int64_t ids = std::ssize(scene.spheres());
  for (std::int64_t first = 0; first < ids; first += size) {
    const IdRange range{first, std::min(size, ids - first)};
    std::ranges::copy(scene.nearest_to_spheres(range, k, options), std::back_inserter(rows));
  }
  return rows;
}

std::vector<Sphere> with_twins(SceneKind scene_kind, std::size_t n, Random& random) {
  std::vector<Sphere> spheres = test::make_spheres(scene_kind, n, random);
  for (std::size_t i = 0; i < n / 6; ++i) spheres[n - 1 - i] = spheres[i % 10];
  return spheres;
}

}  // namespace

TEST_CASE("the nearest of every sphere are those of exact arithmetic", "[query][neighbors]") {
  Random random(test::seed());
  for (const SceneKind scene_kind : test::kinds_to_try()) {
    for (const std::size_t n : {0, 1, 2, 9, 60}) {
      const std::vector<Sphere> spheres = with_twins(scene_kind, n, random);
      const Scene scene = Scene::build(spheres, {.quality = static_cast<BuildQuality>(random.below(3))});
      for (const std::size_t k : {0, 1, 4, 12, 70}) {
        INFO(test::name(scene_kind) << ", " << n << " spheres, k " << k);
        const std::vector<Neighbor> found = scene.nearest_to_spheres(k);
        REQUIRE(found.size() == n * k);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < n; ++i) {
          const auto ids = oracle::nearest({.spheres = spheres, .ignore = static_cast<std::int64_t>(i)},
                                           spheres[i].center, k);
          for (std::size_t j = 0; j < k; ++j)
            wrong += found[i * k + j].sphere != (j < ids.size() ? ids[j] : -1);
        }
        CHECK(wrong == 0);
        CHECK(test::all_same(found, by_points(scene, k, {})));
        CHECK(test::all_same(found, by_ranges(scene, k, 7, {})));
        for (const Search search : {Search::brute_force, Search::embree})
          CHECK(test::all_same(found, scene.nearest_to_spheres(k, {.search = search})));
      }
    }
  }
}

TEST_CASE("the nearest of every sphere of larger scenes are those of its center", "[query][neighbors]") {
  Random random(test::seed());
  for (const SceneKind scene_kind :
       {SceneKind::crowd, SceneKind::nested, SceneKind::lattice, SceneKind::mirrored, SceneKind::peopled}) {
    const std::vector<Sphere> spheres = with_twins(scene_kind, test::fewer_in_repeats(3000u), random);
    const Scene scene = Scene::build(spheres);
    for (const std::size_t k : {1, 5, 20}) {
      INFO(test::name(scene_kind) << ", k " << k);
      QueryStats stats;
      const std::vector<Neighbor> found = scene.nearest_to_spheres(k, {.stats = &stats});
      CHECK(stats.queries == spheres.size());
      CHECK(test::all_same(found, by_points(scene, k, {})));
      Scratch scratch;
      for (const int threads : {1, 3}) {
        std::vector<Neighbor> again(found.size());
        scene.nearest_to_spheres(k, again, {.threads = threads, .grain = 11, .scratch = &scratch});
        CHECK(test::all_same(found, again));
      }
    }
  }
}

TEST_CASE("a small range of a large scene has the rows of the whole", "[query][neighbors]") {
  Random random(test::seed());
  const std::int64_t n = test::fewer_in_repeats(100'000);
  const std::vector<Sphere> spheres = with_twins(SceneKind::crowd, n, random);
  Scene scene = Scene::build(spheres);
  std::vector<std::int64_t> disabled;
  for (std::int64_t id = n / 2; id < n / 2 + 3000; id += 7) disabled.push_back(id);
  scene.set_enabled(disabled, false);
  constexpr std::size_t k = 4;
  const std::vector<Neighbor> all = scene.nearest_to_spheres(k);
  for (const IdRange range : {IdRange{n / 2, 2800}, IdRange{n - 1000, 1000}, IdRange{0, n * 6 / 10}}) {
    QueryStats stats;
    const std::vector<Neighbor> rows = scene.nearest_to_spheres(range, k, {.stats = &stats});
    const auto expected = std::span(all).subspan(static_cast<std::size_t>(range.first) * k, rows.size());
    CHECK(rows.size() == static_cast<std::size_t>(range.count) * k);
    CHECK(test::all_same(rows, std::vector<Neighbor>(expected.begin(), expected.end())));
    std::uint64_t enabled = 0;
    for (std::int64_t i = 0; i < range.count; ++i) enabled += scene.is_enabled(range.first + i) ? 1 : 0;
    CHECK(stats.queries == enabled);
  }
}

TEST_CASE("spheres that come, go and move keep their nearest", "[query][neighbors]") {
  Random random(test::seed());
  std::vector<Sphere> spheres = test::make_spheres(SceneKind::crowd, 900, random);
  std::vector<std::uint8_t> layers;
  std::vector<std::uint32_t> owners;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    layers.push_back(static_cast<std::uint8_t>(random.below(3)));
    owners.push_back(static_cast<std::uint32_t>(i / 9));
  }
  Scene scene = Scene::build(spheres, {.layers = layers, .owners = owners});
  std::vector<std::int64_t> disabled, erased;
  for (std::int64_t id = 0; id < 900; ++id) (id % 7 == 2 ? disabled : erased).push_back(id);
  std::erase_if(erased, [](std::int64_t id) { return id % 5 > 0; });
  scene.set_enabled(disabled, false);
  scene.erase(erased);
  const std::vector<Sphere> more(spheres.begin(), spheres.begin() + 50);
  (void)scene.insert(more);
  std::vector<Vec3> centers;
  for (const Sphere& sphere : scene.spheres()) centers.push_back(sphere.center + random.in_cube(0.5));
  scene.update(centers);
  std::vector<std::int64_t> owner_of;
  std::vector<LayerMask> masks;
  for (std::size_t i = 0; i < scene.spheres().size(); ++i)
    owner_of.push_back(scene.owners()[i]), masks.push_back(random.bits());
  const auto accept = [](std::size_t query, std::int64_t id) { return (query + std::size_t(id)) % 4 != 1; };
  for (const std::size_t k : {1, 6, 13}) {
    for (const QueryOptions& options :
         {QueryOptions{}, QueryOptions{.layers = 2}, QueryOptions{.layers = 8},
          QueryOptions{.layers_each = masks}, QueryOptions{.ignore_owners = owner_of},
          QueryOptions{.accept = accept}}) {
      const std::vector<Neighbor> expected = by_points(scene, k, options);
      for (const Search search : {Search::index, Search::brute_force, Search::embree}) {
        QueryOptions asked = options;
        asked.search = search;
        QueryStats stats;
        asked.stats = &stats;
        CHECK(test::all_same(scene.nearest_to_spheres(k, asked), expected));
        asked.stats = nullptr;
        CHECK(test::all_same(by_ranges(scene, k, 311, asked), expected));
        CHECK(test::all_same(by_ranges(scene, k, 19, asked), expected));
        CHECK(stats.queries == static_cast<std::uint64_t>(std::ranges::count_if(
                                   owner_of, [&, id = std::int64_t{0}](std::int64_t) mutable {
                                     return scene.is_enabled(id++);
                                   })));
      }
    }
  }
}

TEST_CASE("the nearest of every sphere: errors, and scenes without spheres", "[query][neighbors]") {
  Scene scene = Scene::build({{{0, 0, 0}, 1}, {{0, 0, 0}, 1}, {{9, 0, 0}, 2}});
  const std::vector<std::int64_t> ignore{-1, -1, -1};
  const std::vector<double> times{0, 0, 0};
  std::vector<Neighbor> few(5);
  CHECK(refusal([&] { (void)scene.nearest_to_spheres(1, {.ignore = ignore}); }).message ==
        "each sphere ignores itself and no other; leave `ignore` and `also_ignore` out");
  CHECK(refusal([&] { (void)scene.nearest_to_spheres(1, {.times = times}); }).code ==
        ErrorCode::invalid_argument);
  CHECK(refusal([&] { scene.nearest_to_spheres(2, few); }).message ==
        "the output span has 5 elements; it needs 6");
  CHECK(refusal([&] { (void)scene.nearest_to_spheres(SIZE_MAX / 2); }).code == ErrorCode::out_of_memory);
  for (const IdRange range : {IdRange{2, 2}, {-1, 1}, {0, -1}, {4, 0}, {1, INT64_MAX}})
    CHECK(refusal([&] { (void)scene.nearest_to_spheres(range, 1); }).code == ErrorCode::invalid_argument);
  CHECK(refusal([&] { (void)scene.nearest_to_spheres(IdRange{2, 2}); }).message ==
        "ids are {2, 2}; give a first id and a count within the 3 ids of the scene");
  CHECK(refusal([&] { scene.nearest_to_spheres(IdRange{1, 1}, 2, few); }).message ==
        "the output span has 5 elements; it needs 2");
  CHECK(scene.nearest_to_spheres(IdRange{3, 0}).empty());
  CHECK(scene.nearest_to_spheres(IdRange{1, 1})[0].sphere == 0);
  std::stop_source stop;
  stop.request_stop();
  CHECK(refusal([&] { (void)scene.nearest_to_spheres(1, {.stop = stop.get_token()}); }).code ==
        ErrorCode::cancelled);
  std::vector<RowStatus> rows(3, RowStatus::skipped);
  const std::vector<Neighbor> nearest = scene.nearest_to_spheres(1, {.statuses = rows});
  CHECK((nearest[0].sphere == 1 && nearest[0].distance == -1));
  CHECK((nearest[1].sphere == 0 && nearest[2].sphere == 0 && nearest[2].distance == 8));
  CHECK(rows == std::vector<RowStatus>(3, RowStatus::ok));
  CHECK(Scene().nearest_to_spheres(3).empty());
  const std::vector<std::int64_t> all{0, 1, 2};
  scene.set_enabled(all, false);
  CHECK(test::all_same(scene.nearest_to_spheres(1), std::vector<Neighbor>(3)));
}

}  // namespace sphaera
