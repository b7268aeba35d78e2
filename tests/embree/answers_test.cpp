/// \file Search::embree gives the bytes of the index and of brute force, on scenes of every kind.

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/draw_questions.hpp>
#include <tests/queries/every_query.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

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

/// A layer mask, and for each query a sphere to ignore or none.
struct Restriction {
  LayerMask mask = all_layers;
  std::vector<std::int64_t> ignore;

  Restriction(const World& world, std::size_t queries, Random& random) {
    if (random.one_in(2)) mask = random.bits();
    if (world.spheres.empty() || random.one_in(2)) return;
    for (std::size_t i = 0; i < queries; ++i) {
      const auto id = static_cast<std::int64_t>(random.bits() % world.spheres.size());
      ignore.push_back(random.one_in(2) ? id : -1);
    }
  }
  QueryOptions options(Search search) const { return {.layers = mask, .ignore = ignore, .search = search}; }
};

/// Each query alone by the searches that it has, against the rows of a batch.
void compare_singles(const Scene& scene, const Questions& questions, const Restriction& restriction,
                     const AllRows& expected) {
  for (const auto& [query, rows] : expected)
    for (const Search search : {Search::index, Search::embree}) {
      const QueryOptions options = query->fitting(scene, questions, restriction.options(search));
      if (!query->takes(scene, options)) continue;
      std::size_t different = 0;
      for (std::size_t i = 0; i < rows.size(); ++i)
        different += query->alone(scene, questions, i, query->of_one(options, i)) != rows[i];
      INFO(query->name);
      CHECK(different == 0);
    }
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
      const std::size_t count = fewer_in_repeats(queries);
      Questions questions = draw_questions(world.spheres, count, count, random);
      questions.k = 5, questions.spheres = count;
      const Restriction restriction(world, std::max(count, n), random);
      const auto answers = [&](Search search) {
        return all_rows(world.scene, questions, restriction.options(search));
      };
      const AllRows brute = answers(Search::brute_force);
      CHECK(differing(answers(Search::index), brute) == "");
      CHECK(differing(answers(Search::embree), brute) == "");
      if (n <= 9) compare_singles(world.scene, questions, restriction, brute);
    }
  }
}

}  // namespace

TEST_CASE("Search::embree gives the bytes of the index and of brute force on scenes of every kind",
          "[embree]") {
  compare_searches(efforts);
}

TEST_CASE("the three searches agree on many more queries", "[.long]") { compare_searches(long_efforts); }
