/// \file Lists of a batch that is walked in another order, in several blocks, come in the order of the
/// queries.

#include <memory>
#include <numeric>
#include <query/batch/list_answers.hpp>
#include <query/batch/ray_order.hpp>
#include <random>
#include <sphaera/scene.hpp>
#include <tools/workload/workload.hpp>
#include <utility>

#include <tests/catch.hpp>
#include <tests/queries/every_query.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

constexpr std::size_t spheres = query::least_spheres_to_order + 1000, rays = query::least_rays_to_order + 500;

}  // namespace

TEST_CASE("lists hold nothing after options that are refused", "[query]") {
  const Scene scene = Scene::build({{{0, 0, 5}, 1}, {{0, 0, -1000}, 1}});  // a far pair
  const std::vector<Bullet> bullets{{{0, 0, 0}, {0, 0, 1}}};
  ImpactLists lists = scene.all_impacts(bullets);
  CHECK(lists.items.size() == 1);
  CHECK_THROWS_AS(scene.all_impacts(bullets, lists, {.budget = -1}), Error);
  CHECK((lists.items.empty() && lists.size() == 0));

  test::Questions questions = test::questions_along({{{0, 0, 3}, {0, 0, 1}}}, 1);
  questions.max_distance = 2000;
  for (const test::Query* query : test::every_query()) {
    if (!query->lists) continue;
    INFO(query->name);
    const std::unique_ptr<test::AnswerPlace> place = query->place(scene, questions);
    place->ask(scene, questions, {});
    CHECK(place->items() == 1);
    CHECK_THROWS_AS(place->ask(scene, questions, {.threads = -1}), Error);
    CHECK((place->items() == 0 && place->rows().empty()));
  }
}

TEST_CASE("an ordered batch gives the lists of single queries", "[query]") {
  std::size_t longest = 0;
  for (const workload::Kind kind : workload::kinds) {
    const Scene scene = Scene::build(workload::spheres(kind, spheres, test::seed()));
    const std::vector<Ray> batch = workload::rays(kind, rays, spheres, test::seed());
    const HitLists lists = scene.all_hits(batch);
    REQUIRE(lists.size() == batch.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::vector<Hit> single = scene.all_hits(batch[i]);
      const auto same = [](const Hit& a, const Hit& b) {
        return a.sphere == b.sphere && a.t_enter == b.t_enter && a.t_exit == b.t_exit &&
               a.contact == b.contact;
      };
      different += std::equal(single.begin(), single.end(), lists[i].begin(), lists[i].end(), same) ? 0 : 1;
      longest = std::max(longest, single.size());
    }
    CHECK(different == 0);
  }
  CHECK(longest > 2);
}

TEST_CASE("blocks of lists are joined in the order of the queries", "[query]") {
  std::mt19937_64 random(test::seed());
  const std::vector<std::size_t> sizes{100, 1, 37};
  for (const std::size_t grain : {1, 7, 64, 1000}) {
    Lists<std::int64_t> lists;
    lists.offsets.resize(1 + 100 + 1 + 37);
    std::vector<std::int64_t> expected;
    std::size_t first = 0;
    for (const std::size_t count : sizes) {
      std::vector<std::uint32_t> order(random() % 2 == 0 ? count : 0);
      std::iota(order.begin(), order.end(), 0u);
      std::shuffle(order.begin(), order.end(), random);
      const query::QueryBlock block{first, count, order};
      std::vector<std::vector<std::int64_t>> pieces((count + grain - 1) / grain), found(count);
      for (std::vector<std::int64_t>& list : found) {
        list.resize(random() % 4);
        for (std::int64_t& item : list) item = static_cast<std::int64_t>(random());
        expected.insert(expected.end(), list.begin(), list.end());
      }
      for (std::size_t j = 0; j < count; ++j) {
        const std::vector<std::int64_t>& list = found[block.query(j) - first];
        pieces[j / grain].insert(pieces[j / grain].end(), list.begin(), list.end());
        lists.offsets[block.query(j) + 1] = list.size();
      }
      const bool keep = random() % 2 == 0;
      query::append_block<std::int64_t>(block, block.count, grain, pieces, keep, lists);
      for (const auto& piece : pieces) CHECK((piece.empty() && (keep || piece.capacity() == 0)));
      first += count;
    }
    CHECK(lists.items == expected);
    CHECK(lists.offsets.back() == expected.size());
  }
}

TEST_CASE("lists that were moved from are empty", "[query]") {
  IdLists lists{.offsets = {0, 2, 3}, .items = {4, 5, 6}};
  const IdLists moved = std::move(lists);
  CHECK(moved.size() == 2);
  CHECK(lists.size() == 0);
  CHECK(IdLists{}.size() == 0);
}

}  // namespace sphaera
