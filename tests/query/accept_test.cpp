/// \file The caller's predicate: spheres that it rejects do not count, and it is asked only about spheres
/// that are met.

#include <sphaera/closed_form/ray_sphere.hpp>
#include <sphaera/scene.hpp>

#include <atomic>
#include <base/validate.hpp>
#include <mutex>
#include <stdexcept>
#include <tests/answer_bytes.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/scene_queries.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/refusal.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::Bytes, test::SceneKind, test::Random, test::refusal;

/// Any fixed choice of pairs.
bool chosen(std::size_t query, std::int64_t sphere) {
  return (query * 7 + static_cast<std::size_t>(sphere) * 13) % 5 != 0;
}

struct AcceptQuestions : test::SceneQueries {
  std::vector<Bullet> bullets;

  AcceptQuestions(const std::vector<Sphere>& spheres, std::size_t n, Random& random)
      : test::SceneQueries(spheres, n, n, random), bullets(thin_bullets(n, 9)) {
    rays.resize(n), balls.resize(n);
  }
};

/// The answers of all queries; by the Embree index without near misses and gravity, which it does not
/// support.
Bytes answers(const Scene& scene, const AcceptQuestions& q, const QueryOptions& options) {
  Bytes out;
  out.put(scene.blocked(q.rays, options)), out.put(scene.first_hit(q.rays, options));
  out.put(scene.all_hits(q.rays, options)), out.put(scene.nearest(q.points, 3, options));
  out.put(scene.within(q.balls, options)), out.put(scene.neighbors_within(q.balls, options));
  out.put(scene.count_within(q.balls, options)), out.put(scene.first_impact(q.bullets, {}, options));
  out.put(scene.all_impacts(q.bullets, {.bounces = 1, .pierces = 2}, options));
  if (options.search == Search::embree) return out;
  out.put(scene.near_misses(q.bullets, 1.0, options));
  out.put(scene.first_impact(q.bullets, {.gravity = {0, 0, -0.1}}, options));
  return out;
}

/// The same answers, one query at a time, from the scene with the rejected spheres disabled.
Bytes expected(Scene& scene, std::size_t spheres, const AcceptQuestions& q, Search search) {
  std::vector<std::uint8_t> blocked;
  std::vector<Hit> first;
  HitLists all;
  std::vector<Neighbor> nearest;
  IdLists within;
  NeighborLists neighbors;
  std::vector<std::uint64_t> counts;
  std::vector<Impact> impacts, falling;
  ImpactLists all_impacts;
  std::vector<NearMiss> misses;
  const QueryOptions options{.search = search};
  const auto add = [](auto& lists, const auto& items) {
    lists.items.insert(lists.items.end(), items.begin(), items.end());
    lists.offsets.push_back(lists.items.size());
  };
  for (std::size_t i = 0; i < q.rays.size(); ++i) {
    std::vector<std::int64_t> gone;
    for (std::size_t k = 0; k < spheres; ++k)
      if (!chosen(i, static_cast<std::int64_t>(k))) gone.push_back(static_cast<std::int64_t>(k));
    scene.set_enabled(gone, false);
    blocked.push_back(scene.blocked(q.rays[i], options)),
        first.push_back(scene.first_hit(q.rays[i], options));
    add(all, scene.all_hits(q.rays[i], options)), add(within, scene.within(q.balls[i], options));
    add(neighbors, scene.neighbors_within(q.balls[i], options));
    counts.push_back(scene.count_within(q.balls[i], options));
    for (const Neighbor& n : scene.nearest(std::span(&q.points[i], 1), 3, options)) nearest.push_back(n);
    impacts.push_back(scene.first_impact(q.bullets[i], {}, options));
    add(all_impacts, scene.all_impacts(q.bullets[i], {.bounces = 1, .pierces = 2}, options));
    misses.push_back(scene.near_misses(std::span(&q.bullets[i], 1), 1.0)[0]);
    falling.push_back(scene.first_impact(q.bullets[i], {.gravity = {0, 0, -0.1}}));
    scene.set_enabled(gone, true);
  }
  Bytes out;
  out.put(blocked), out.put(first), out.put(all), out.put(nearest), out.put(within);
  out.put(neighbors), out.put(counts), out.put(impacts);
  out.put(all_impacts);
  if (search != Search::embree) out.put(misses), out.put(falling);
  return out;
}

}  // namespace

TEST_CASE("a hit that the predicate rejects is ignored", "[query]") {
  Random random(test::seed());
  for (int round = 0; round < test::fewer_in_repeats(5); ++round) {
    for (const SceneKind scene_kind :
         {SceneKind::crowd, SceneKind::nested, SceneKind::lattice, SceneKind::mirrored, SceneKind::peopled}) {
      INFO(test::name(scene_kind) << ", round " << round);
      const auto n = static_cast<std::size_t>(random.whole(0, 70));
      const auto spheres = test::make_spheres(scene_kind, n, random);
      Scene scene = Scene::build(spheres);
      const AcceptQuestions q(spheres, 20, random);
      for (const Search search : {Search::index, Search::brute_force, Search::embree})
        CHECK(answers(scene, q, {.accept = chosen, .search = search}) == expected(scene, n, q, search));
    }
  }
}

TEST_CASE("the predicate is asked about spheres that the query meets", "[query]") {
  Random random(test::seed());
  const auto spheres = test::make_spheres(SceneKind::crowd, 300, random);
  const Scene scene = Scene::build(spheres);
  const std::vector<Ray> rays = test::make_rays(spheres, 200, random);
  std::mutex mutex;
  std::vector<std::pair<std::size_t, std::int64_t>> asked;
  const QueryOptions options{.accept = [&](std::size_t query, std::int64_t sphere) {
    const std::lock_guard lock(mutex);
    asked.emplace_back(query, sphere);
    return query % 2 == 0;
  }};
  (void)scene.blocked(rays, options), (void)scene.first_hit(rays, options);
  (void)scene.all_hits(rays, options);
  CHECK(!asked.empty());
  for (const auto& [query, sphere] : asked)
    REQUIRE(meets(rays[query], spheres[static_cast<std::size_t>(sphere)]));
  const HitLists all = scene.all_hits(rays);
  asked.clear();
  (void)scene.all_hits(rays, options);
  CHECK(asked.size() == all.items.size());  // once for each
}

TEST_CASE("what the predicate throws reaches the caller", "[query]") {
  const Scene scene = Scene::build({{{0, 0, 0}, 1}});
  const std::vector<Ray> rays(3000, Ray{{0, 0, -5}, {0, 0, 1}});
  for (const Search search : {Search::index, Search::brute_force, Search::embree}) {
    for (const int threads : {0, 1}) {
      const QueryOptions options{.accept = [](std::size_t query, std::int64_t) -> bool {
                                   if (query == 2000) throw std::domain_error("mine");
                                   return true;
                                 },
                                 .search = search,
                                 .threads = threads};
      CHECK_THROWS_AS(scene.first_hit(rays, options), std::domain_error);
      CHECK_THROWS_AS(scene.blocked(rays, options), std::domain_error);
      CHECK_THROWS_AS(scene.all_hits(rays, options), std::domain_error);
    }
  }
  CHECK(scene.first_hit(rays)[2000].sphere == 0);
  const Star star = Star::at({0, 0, 9}, 1);
  CHECK(refusal([&] { (void)scene.starlight(star, Observer{}, {.accept = chosen}); }).message ==
        "`accept` is not for starlight; leave it out");
}

}  // namespace sphaera
