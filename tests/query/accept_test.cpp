/// \file The caller's predicate: spheres that it rejects do not count, and it is asked only about spheres
/// that are met.

#include <sphaera/closed_form/ray_sphere.hpp>
#include <sphaera/scene.hpp>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/draw_questions.hpp>
#include <tests/queries/every_query.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::AllRows, test::Bytes, test::differing, test::Query, test::Questions;
using test::SceneKind, test::Random, test::refusal;

/// Any fixed choice of pairs.
bool chosen(std::size_t query, std::int64_t sphere) {
  return (query * 7 + static_cast<std::size_t>(sphere) * 13) % 5 != 0;
}

/// The answers of all queries that take a predicate.
AllRows answers(const Scene& scene, const Questions& q, const QueryOptions& options) {
  AllRows rows = test::all_rows(scene, q, options);
  std::erase_if(rows, [](const auto& of_query) { return of_query.first->refuses.accept != nullptr; });
  return rows;
}

/// The same answers, one query at a time, from the scene with the rejected spheres disabled.
AllRows expected(Scene& scene, const Questions& q, Search search) {
  AllRows all;
  const std::size_t spheres = scene.spheres().size();
  const QueryOptions options{.search = search};
  const auto ask = [&](std::size_t i, bool about_spheres) {
    for (const Query* query : test::every_query()) {
      if (query->about_spheres != about_spheres || query->refuses.accept) continue;
      if (!query->takes(scene, options)) continue;
      std::vector<Bytes>& rows = all[query];
      if (i < query->count(scene, q)) rows.push_back(query->alone(scene, q, i, options));
    }
  };
  for (std::size_t i = 0; i < q.rays.size(); ++i) {
    std::vector<std::int64_t> gone;
    for (std::size_t k = 0; k < spheres; ++k)
      if (!chosen(i, static_cast<std::int64_t>(k))) gone.push_back(static_cast<std::int64_t>(k));
    scene.set_enabled(gone, false);
    ask(i, false);
    const std::int64_t itself = static_cast<std::int64_t>(i);  // a sphere that has neighbors is enabled
    if (i < spheres) scene.set_enabled(std::span(&itself, 1), true);
    ask(i, true);
    scene.set_enabled(gone, true);
  }
  return all;
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
      const Questions q = test::draw_questions(spheres, 20, 20, random);
      for (const Search search : {Search::index, Search::brute_force, Search::embree})
        CHECK(differing(answers(scene, q, {.accept = chosen, .search = search}),
                        expected(scene, q, search)) == "");
    }
  }
}

TEST_CASE("a sphere that the predicate rejects does not hold a bullet under gravity", "[query]") {
  const std::vector<Sphere> spheres{{{0x1.ep+4, -0x1p+2, -0x1.8p+1}, 0x1.4p+2},
                                    {{0x1.4p+4, -0x1p+2, -0x1.8p+1}, 0x1.8p+2},
                                    {{0x1.ep+4, -0x1.8p+1, -0x1p+2}, 0x1.4p+2}};  // holds it after a bounce
  const Bullet bullet{.origin = {0x1.9983131c1ca29p+4, -0x1.e3bc06473e997p+1, -0x1.6e0bd184845a1p+2},
                      .velocity = {0x1.f4ddc9de60cbcp-4, -0x1.1d33fae473ee8p+1, 0x1.9e37ed7ea285ap-1},
                      .duration = 0x1.259a7b3df25d9p-1};
  const FlightOptions flight{.bounces = 2,
                             .gravity = {0x1.067275653dc44p+2, 0x1.d90f3de52880ep+2, 0x1.3d5b9ebfbfb2ep+2}};
  const Scene all = Scene::build(spheres), two = Scene::build(std::span(spheres).first(2));
  CHECK(all.all_impacts(bullet, flight).size() == 1);
  for (const Search search : {Search::index, Search::brute_force}) {
    const auto expected = two.all_impacts(bullet, flight, {.search = search});
    const auto found = all.all_impacts(
        bullet, flight,
        {.accept = [](std::size_t, std::int64_t sphere) { return sphere != 2; }, .search = search});
    CHECK(expected.size() == 3);
    CHECK(test::all_same(found, expected));
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
  const std::vector<Ray> rays(3000, Ray{{0, 0, -2}, {0, 0, 1}});
  const Questions questions = test::questions_along(rays, rays.size());
  for (const Search search : {Search::index, Search::brute_force, Search::embree}) {
    for (const int threads : {0, 1}) {
      const QueryOptions options{.accept = [](std::size_t query, std::int64_t) -> bool {
                                   if (query == 2000) throw std::domain_error("mine");
                                   return true;
                                 },
                                 .search = search,
                                 .threads = threads};
      for (const Query* query : test::every_query()) {
        INFO(query->name);
        if (!query->takes(scene, options) || query->about_spheres) continue;
        CHECK_THROWS_AS(query->ask(scene, questions, options), std::domain_error);
      }
    }
  }
  CHECK(scene.first_hit(rays)[2000].sphere == 0);
}

TEST_CASE("a query about light refuses a predicate", "[query]") {
  const Scene scene = Scene::build({{{0, 0, 0}, 1}});
  const Questions questions = test::questions_along({{{0, 0, -2}, {0, 0, 1}}}, 1);
  int refused = 0;
  for (const Query* query : test::every_query()) {
    if (!query->refuses.accept) continue;
    INFO(query->name);
    ++refused;
    const std::string message =
        std::string("`accept` is not for ") + query->refuses.accept + "; leave it out";
    CHECK(refusal([&] { query->ask(scene, questions, {.accept = chosen}); }).message == message);
    CHECK(refusal([&] { query->ask_alone(scene, questions, 0, {.accept = chosen}); }).message == message);
  }
  CHECK(refused > 0);
}

}  // namespace sphaera
