/// \file `neighbors_within` and `count_within` against exact arithmetic that shares no code with them, and
/// against `within` and `nearest`.

#include <sphaera/scene.hpp>

#include <algorithm>
#include <tests/effort.hpp>
#include <tests/inputs/scene_queries.hpp>
#include <tests/oracle/roots.hpp>
#include <tests/oracle/scene.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::SceneKind, test::Random, test::refusal;

/// The ids of the spheres that meet a ball, nearest first.
std::vector<std::int64_t> expected_ids(const oracle::View& view, const Ball& ball) {
  const std::vector<std::int64_t> met = oracle::within(view, ball);
  std::vector<std::int64_t> ids = oracle::nearest(view, ball.center, view.spheres.size());
  ids.resize(met.size());  // a sphere within the ball is nearer than any outside
  std::vector<std::int64_t> sorted = ids;
  std::ranges::sort(sorted);
  REQUIRE(sorted == met);
  return ids;
}

bool is_right(std::span<const Neighbor> found, const oracle::View& view, const Ball& ball) {
  const std::vector<std::int64_t> ids = expected_ids(view, ball);
  return std::ranges::equal(found, ids, [&](const Neighbor& neighbor, std::int64_t id) {
    constexpr double one_ulp = 2;
    const Sphere& sphere = view.spheres[static_cast<std::size_t>(id)];
    return neighbor.sphere == id &&
           oracle::error_in_half_ulps(neighbor.distance, oracle::signed_distance(ball.center, sphere)) <=
               one_ulp;
  });
}

/// Spheres, some of them several times.
std::vector<Sphere> with_ties(SceneKind scene_kind, std::size_t n, Random& random) {
  std::vector<Sphere> spheres = test::make_spheres(scene_kind, n, random);
  for (std::size_t i = 0; i < n / 5; ++i) spheres[n - 1 - i] = spheres[i % 10];
  return spheres;
}

/// All other forms of the query agree with the lists.
void check_forms(const Scene& scene, const std::vector<Ball>& balls, const NeighborLists& lists,
                 const QueryOptions& options) {
  const IdLists ids = scene.within(balls, options);
  REQUIRE(ids.offsets == lists.offsets);
  const std::vector<std::uint64_t> counts = scene.count_within(balls, options);
  std::vector<Neighbor> some(3);
  for (std::size_t i = 0; i < balls.size(); ++i) {
    REQUIRE(counts[i] == lists[i].size());
    std::vector<std::int64_t> sorted;
    for (const Neighbor& neighbor : lists[i]) sorted.push_back(neighbor.sphere);
    std::ranges::sort(sorted);
    REQUIRE(std::ranges::equal(sorted, ids[i]));
    if (!options.ignore.empty() || i % 5 > 0) continue;
    REQUIRE(test::all_same(scene.neighbors_within(balls[i], options), lists[i]));
    REQUIRE(scene.count_within(balls[i], options) == counts[i]);
    std::ranges::fill(some, Neighbor{7, 7});
    REQUIRE(scene.neighbors_within(balls[i], some, options) == counts[i]);
    const std::size_t written = std::min<std::size_t>(3, counts[i]);
    REQUIRE(test::all_same(std::span(some).first(written), lists[i].first(written)));
    for (std::size_t j = written; j < 3; ++j) REQUIRE(some[j].sphere == 7);
  }
}

}  // namespace

TEST_CASE("neighbors within balls are those of exact arithmetic, in its order", "[query][neighbors]") {
  Random random(test::seed());
  for (const SceneKind scene_kind : test::kinds_to_try()) {
    for (const std::size_t n : {0, 1, 9, 120}) {
      INFO(test::name(scene_kind) << ", " << n << " spheres");
      const std::vector<Sphere> spheres =
          n < 20 ? test::make_spheres(scene_kind, n, random) : with_ties(scene_kind, n, random);
      const std::vector<Ball> balls = test::make_balls(spheres, test::fewer_in_repeats(40u), random);
      const auto quality = static_cast<BuildQuality>(random.below(3));
      const Scene scene = Scene::build(spheres, {.quality = quality});
      const NeighborLists lists = scene.neighbors_within(balls);
      REQUIRE(lists.size() == balls.size());
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < balls.size(); ++i) wrong += !is_right(lists[i], {spheres}, balls[i]);
      CHECK(wrong == 0);
      for (const Search search : {Search::index, Search::brute_force, Search::embree}) {
        const NeighborLists same = scene.neighbors_within(balls, {.search = search});
        CHECK(same.offsets == lists.offsets);
        CHECK(test::all_same(same.items, lists.items));
        check_forms(scene, balls, lists, {.search = search});
      }
    }
  }
}

TEST_CASE("neighbors within balls keep to layers, owners, ignored spheres and the predicate",
          "[query][neighbors]") {
  Random random(test::seed());
  const std::vector<Sphere> spheres = with_ties(SceneKind::crowd, 400, random);
  std::vector<std::uint8_t> layers;
  std::vector<std::uint32_t> owners;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    layers.push_back(static_cast<std::uint8_t>(random.below(4)));
    owners.push_back(static_cast<std::uint32_t>(random.below(50)));
  }
  Scene scene = Scene::build(spheres, {.layers = layers, .owners = owners});
  const std::vector<std::int64_t> disabled{3, 77, 200}, erased{5, 399};
  scene.set_enabled(disabled, false);
  scene.erase(erased);
  std::vector<Ball> balls = test::make_balls(spheres, 100, random);
  for (std::size_t i = 0; i < 100; i += 2) balls[i].radius *= 20;
  std::vector<std::int64_t> ignore, ignore_owners;
  std::vector<LayerMask> masks;
  for (std::size_t i = 0; i < balls.size(); ++i) {
    ignore.push_back(random.whole(-1, 399)), ignore_owners.push_back(random.whole(-1, 49));
    masks.push_back(random.bits());
  }
  const auto odd = [](std::size_t query, std::int64_t id) { return (query + std::size_t(id)) % 3 != 0; };
  for (const Search search : {Search::index, Search::brute_force, Search::embree}) {
    const QueryOptions options{.layers = 7,
                               .ignore = ignore,
                               .layers_each = masks,
                               .ignore_owners = ignore_owners,
                               .accept = odd,
                               .search = search};
    const NeighborLists lists = scene.neighbors_within(balls, options);
    for (std::size_t i = 0; i < balls.size(); ++i) {
      std::vector<std::int64_t> expected = expected_ids({spheres, layers, 7 & masks[i], ignore[i]}, balls[i]);
      std::erase_if(expected, [&](std::int64_t id) {
        return !scene.is_enabled(id) || owners[std::size_t(id)] == ignore_owners[i] || !odd(i, id);
      });
      REQUIRE(std::ranges::equal(lists[i], expected, {}, &Neighbor::sphere));
    }
    check_forms(scene, balls, lists, options);
    CHECK(scene.neighbors_within(balls, {.layers = 0, .search = search}).items.empty());
    CHECK(scene.count_within(balls[0], {.layers = 0, .search = search}) == 0);
  }
}

TEST_CASE("neighbors within large ordered batches are the first of nearest, for any threads",
          "[query][neighbors]") {
  Random random(test::seed());
  for (const SceneKind scene_kind :
       test::one_in_short_runs({SceneKind::lattice, SceneKind::crowd, SceneKind::peopled})) {
    INFO(test::name(scene_kind));
    const std::vector<Sphere> spheres = with_ties(scene_kind, 700, random);
    const Scene scene = Scene::build(spheres);
    std::vector<Ball> balls = test::make_balls(spheres, test::sanitized() ? 2200 : 3000, random);
    QueryStats stats;
    const NeighborLists lists = scene.neighbors_within(balls, {.stats = &stats});
    CHECK(stats.queries == balls.size());
    for (std::size_t i = 0; i < balls.size(); i += balls.size() / test::fewer_unless_all(std::size_t{100})) {
      const std::vector<Neighbor> all = scene.nearest(std::span(&balls[i].center, 1), spheres.size());
      REQUIRE(test::all_same(lists[i], std::span(all).first(lists[i].size())));
    }
    NeighborLists again{.offsets = {0, 1}, .items = {{1, 1}}};
    Scratch scratch;
    const std::vector<std::uint64_t> counts = scene.count_within(balls);
    for (const int threads : test::one_in_short_runs({1, 2, 5})) {
      scene.neighbors_within(balls, again, {.threads = threads, .grain = 7, .scratch = &scratch});
      CHECK(again.offsets == lists.offsets);
      CHECK(test::all_same(again.items, lists.items));
      CHECK(scene.count_within(balls, {.threads = threads, .grain = 7, .scratch = &scratch}) == counts);
    }
  }
}

TEST_CASE("neighbors at one distance come by id, and a touch counts", "[query][neighbors]") {
  std::vector<Sphere> spheres(40, Sphere{{3, 0, 0}, 1});
  for (std::size_t i = 0; i < 20; ++i) spheres[2 * i] = {{0, -5, 0}, 3};  // the same distance, 2
  spheres.push_back({{0, 0, 4}, 2 - 0x1p-52});                            // an ulp farther
  const Scene scene = Scene::build(spheres);
  const std::vector<Neighbor> found = scene.neighbors_within(Ball{{0, 0, 0}, 2});
  REQUIRE(found.size() == 40);
  for (std::size_t i = 0; i < 40; ++i) CHECK((found[i].distance == 2 && found[i].sphere == std::int64_t(i)));
  CHECK(scene.count_within(Ball{{0, 0, 0}, 2}) == 40);
  CHECK(scene.count_within(Ball{{0, 0, 0}, std::nextafter(2, 3)}) == 41);
  CHECK(scene.count_within(Ball{{0, 0, 0}, std::nextafter(2, 1)}) == 0);
  CHECK(scene.neighbors_within(Ball{{3, 0, 0}, 0})[0].distance == -1);
}

/// A sphere whose surface is `distance` away from the origin, but for about 2^-63 of it. The radius is the
/// center's x; its y and z, far smaller, make the distance.
Sphere far_smaller_distance(long double distance, Random& random) {
  const double radius = random.between(1, 2);
  const long double square = distance * (2 * static_cast<long double>(radius) + distance);
  const auto y = static_cast<double>(std::sqrt(square) * (1 - 0x1p-52L));
  const auto z = static_cast<double>(std::sqrt(std::fma(-static_cast<long double>(y), y, square)));
  return {{radius, y, z}, radius};
}

TEST_CASE("neighbors whose distances round to neighboring doubles are in exact order", "[query][neighbors]") {
  Random random(test::seed());
  for (int i = 0; i < test::fewer_in_repeats(40); ++i) {
    // Halfway between two doubles, and so much smaller than the radii that double-double errs by up to 2^-60
    // of it: which of the two doubles comes out does not always follow the exact order.
    const long double middle = 1 + std::ldexp(static_cast<long double>(random.whole(0, 1 << 20)), -21),
                      distance = std::ldexp(middle + 0x1p-53L, -40);
    std::vector<Sphere> spheres;
    while (spheres.size() < 100) spheres.push_back(far_smaller_distance(distance, random));
    const Ball ball{{0, 0, 0}, 1};
    CHECK(is_right(Scene::build(spheres).neighbors_within(ball), {spheres}, ball));
  }
}

TEST_CASE("neighbors within balls: errors, skipped rows and scenes without spheres", "[query][neighbors]") {
  const Scene scene = Scene::build({{{0, 0, 0}, 1}, {{3, 0, 0}, 1}});
  const std::vector<Ball> balls{{{0, 0, 0}, 5}, {{0, 0, 0}, -1}, {{2, 0, 0}, 0}};
  CHECK(refusal([&] { (void)scene.neighbors_within(balls); }).element == 1);
  CHECK(refusal([&] { (void)scene.count_within(balls); }).element == 1);
  std::vector<std::uint64_t> few(2), counts(3, 9);
  CHECK(refusal([&] { scene.count_within(balls, few); }).message ==
        "the output span has 2 elements; it needs 3");
  std::vector<RowStatus> rows(3);
  scene.count_within(balls, counts, {.statuses = rows});
  CHECK((counts == std::vector<std::uint64_t>{2, 0, 1}));
  CHECK((rows == std::vector{RowStatus::ok, RowStatus::skipped, RowStatus::ok}));
  const NeighborLists lists = scene.neighbors_within(balls, {.statuses = rows});
  CHECK((lists.offsets == std::vector<std::uint64_t>{0, 2, 2, 3}));
  CHECK(Scene().count_within(balls[0]) == 0);
  CHECK(Scene().count_within(std::span(balls).first(1)) == std::vector<std::uint64_t>{0});
  CHECK(Scene().neighbors_within(std::span(balls).first(1)).size() == 1);
  CHECK(scene.count_within(std::span<const Ball>()).empty());
}

TEST_CASE("neighbors within balls at a time are those where the spheres stand then", "[query][neighbors]") {
  const std::vector<Sphere> spheres{{{0, 0, 0}, 1}, {{10, 0, 0}, 1}, {{0, 7, 0}, 1}};
  const std::vector<Vec3> velocities{{-1, 0, 0}, {-4, 0, 0}, {0, -1, 0}};
  const Scene scene = Scene::build(spheres, {.velocities = velocities, .horizon = {0, 4}});
  const std::vector<Ball> balls(2, Ball{{0, 0, 0}, 4});
  const std::vector<double> times{0, 2};
  for (const Search search : {Search::index, Search::brute_force}) {
    const NeighborLists lists = scene.neighbors_within(balls, {.times = times, .search = search});
    REQUIRE((lists[0].size() == 1 && lists[1].size() == 3));
    CHECK((lists[0][0].sphere == 0 && lists[0][0].distance == -1));
    const double distances[] = {1, 1, 4};
    for (std::size_t j = 0; j < 3; ++j)
      CHECK((lists[1][j].sphere == std::int64_t(j) && lists[1][j].distance == distances[j]));
    CHECK(
        (scene.count_within(balls, {.times = times, .search = search}) == std::vector<std::uint64_t>{1, 3}));
  }
}

}  // namespace sphaera
