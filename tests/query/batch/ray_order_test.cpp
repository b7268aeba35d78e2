/// \file Large batches over large scenes are walked in another order: the answers are the same.

#include <numeric>
#include <query/batch/ray_order.hpp>
#include <random>
#include <sphaera/scene.hpp>
#include <tools/workload/workload.hpp>

#include <tests/catch.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

constexpr std::size_t spheres = query::least_spheres_to_order + 1000, rays = query::least_rays_to_order + 500;

}  // namespace

TEST_CASE("an ordered batch gives the answers of single queries", "[query]") {
  for (const workload::Kind kind : workload::kinds) {
    const Scene scene = Scene::build(workload::spheres(kind, spheres, test::seed()));
    const std::vector<Ray> batch = workload::rays(kind, rays, spheres, test::seed());
    const std::vector<std::uint8_t> blocked = scene.blocked(batch);
    const std::vector<Hit> hits = scene.first_hit(batch);
    int hit_count = 0;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const Hit single = scene.first_hit(batch[i]);
      REQUIRE(single.sphere == hits[i].sphere);
      REQUIRE((single.sphere < 0 || single.t_enter == hits[i].t_enter));
      REQUIRE(blocked[i] == (single.sphere >= 0));
      hit_count += single.sphere >= 0;
    }
    CHECK(hit_count > 100);
  }
}

TEST_CASE("lines of sight to a star are put in order in smaller scenes, others are not", "[query]") {
  using query::SortMode;
  // The last argument says whether any hit will do, as for lines of sight.
  CHECK(query::order_sought(query::least_rays_to_order, query::least_spheres_to_order, false) ==
        SortMode::any);
  CHECK(query::order_sought(1 << 16, 10000, true) == SortMode::by_direction);
  CHECK(query::order_sought(1 << 15, 10000, true) == SortMode::none);
  CHECK(query::order_sought(1 << 20, 10000, false) == SortMode::none);
  CHECK(query::order_sought(1 << 20, 1000, true) == SortMode::none);
  for (const workload::Kind kind : {workload::Kind::crowd, workload::Kind::belt}) {
    const std::size_t n = query::least_rays_by_direction + 100;
    const Scene scene = Scene::build(workload::spheres(kind, 10000, test::seed()));
    const std::vector<Ray> batch = workload::rays(kind, n, 10000, test::seed());
    query::OrderScratch scratch;
    const auto ray_of = [&](std::size_t i, query::SectionFields, query::RaySection& section) {
      section = {batch[i].origin, batch[i].direction, 0};
      return true;
    };
    const auto order = query::coherent_order(n, SortMode::by_direction, ray_of, scratch);
    // Only the belt's rays share an end.
    CHECK(order.size() == (kind == workload::Kind::belt ? n : 0));
    const std::vector<Hit> hits = scene.first_hit(batch);
    const std::vector<std::uint8_t> blocked = scene.blocked(batch);
    for (std::size_t i = 0; i < n; i += 7) {
      const Hit single = scene.first_hit(batch[i]);
      REQUIRE(single.sphere == hits[i].sphere);
      REQUIRE((single.sphere < 0 || single.t_enter == hits[i].t_enter));
      REQUIRE(blocked[i] == (single.sphere >= 0));
    }
  }
}

TEST_CASE("cells are sorted stably and every ray is kept", "[query]") {
  std::mt19937_64 random(test::seed());
  for (const std::size_t n : {0, 1, 2, 15, 16, 17, 100000}) {
    query::OrderScratch scratch;
    std::vector<std::uint32_t>& cells = scratch.cells;
    cells.resize(n);
    for (std::uint32_t& cell : cells) cell = static_cast<std::uint32_t>(random() % 1000 * 65);
    const std::span<const std::uint32_t> order = query::sorted_by_cell(scratch, query::RayGrid::most_bits);
    REQUIRE(order.size() == n);
    for (std::size_t i = 1; i < n; ++i) {
      const auto before = std::pair(cells[order[i - 1]], order[i - 1]),
                 after = std::pair(cells[order[i]], order[i]);
      REQUIRE(before < after);
    }
  }
}

TEST_CASE("random rays are put in order, rays that are in order are left alone", "[query]") {
  const std::vector<Ray> batch = workload::rays(workload::Kind::crowd, 20000, spheres, test::seed());
  const index::Frame frame({0, 0, 0}, {1e4, 1e4, 1e4});
  query::OrderScratch scratch;
  const auto order_of = [&](const std::vector<Ray>& some) {
    const auto ray_of = [&](std::size_t i, query::SectionFields, query::RaySection& section) {
      index::LocalRay ray;
      if (!frame.clip(exact::path_of(some[i]), ray)) return false;
      section = {some[i].origin + ray.s0 * some[i].direction, ray.length * some[i].direction, 0};
      return true;
    };
    return query::coherent_order(some.size(), query::SortMode::any, ray_of, scratch);
  };
  const std::span<const std::uint32_t> order = order_of(batch);
  REQUIRE(order.size() == batch.size());
  std::vector<Ray> sorted;
  for (const std::uint32_t i : order) sorted.push_back(batch[i]);
  CHECK(order_of(sorted).empty());
}

TEST_CASE("random rays of one group among many are put in order, too", "[query]") {
  const std::vector<Ray> batch = workload::rays(workload::Kind::crowd, 20000, spheres, test::seed());
  for (int group_bits = 0; group_bits <= 6; ++group_bits) {
    query::OrderScratch scratch;
    const auto order_of = [&](const std::vector<std::uint32_t>& given) {
      const auto ray_of = [&](std::size_t i, query::SectionFields, query::RaySection& section) {
        const Ray& ray = batch[given[i]];
        section = {ray.origin, ray.t_max * ray.direction, (1u << group_bits) - 1};
        return true;
      };
      const auto order =
          query::coherent_order(batch.size(), query::SortMode::any, ray_of, scratch, group_bits);
      return std::vector<std::uint32_t>(order.begin(), order.end());
    };
    std::vector<std::uint32_t> given(batch.size());
    std::iota(given.begin(), given.end(), 0u);
    const std::vector<std::uint32_t> order = order_of(given);
    REQUIRE(order.size() == batch.size());
    CHECK(order_of(order).empty());
  }
}

}  // namespace sphaera
