/// \file visibility: the bit of each pair is that of the segment between the two, asked one by one; which
/// segments are blocked is tested against the oracle (blocked_test.cpp).

#include <sphaera/error.hpp>
#include <sphaera/scene.hpp>

#include <array>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/oracle/decide.hpp>
#include <tests/refusal.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::Random, test::SceneKind, test::refusal;

/// Looker, or target: where it is, and what lines to it ignore.
struct Ends {
  std::vector<Vec3> points;
  std::vector<std::int64_t> ignore, ignore_owners;

  /// Centers of spheres, which ignore these or their owners, and other points.
  Ends(const std::vector<Sphere>& spheres, std::size_t n, std::size_t owners, Random& random) {
    const bool ids = random.one_in(2), with_owners = random.one_in(2);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t own = random.below(spheres.size());
      const Vec3 away = random.one_in(2) ? Vec3{} : (2 * spheres[own].radius) * random.in_cube(1);
      points.push_back(spheres[own].center + away);
      if (ids) ignore.push_back(random.one_in(4) ? -1 : static_cast<std::int64_t>(own));
      if (with_owners)
        ignore_owners.push_back(random.one_in(4) ? -1 : static_cast<std::int64_t>(own % owners));
    }
  }
  SightTargets targets() const { return {points, ignore, ignore_owners}; }
};

/// Item i, or −1 if there is none.
std::array<std::int64_t, 1> item(const std::vector<std::int64_t>& items, std::size_t i) {
  return {items.empty() ? -1 : items[i]};
}

std::size_t count_wrong(const Scene& scene, const Ends& from, const Ends& to, const SightTable& table) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < from.points.size(); ++i)
    for (std::size_t j = 0; j < to.points.size(); ++j) {
      const auto own = item(from.ignore, i), other = item(to.ignore, j);
      const auto owner = item(from.ignore_owners, i), other_owner = item(to.ignore_owners, j);
      wrong += table.sees(i, j) ==
               scene.blocked(Segment{from.points[i], to.points[j]}, {.ignore = own,
                                                                     .ignore_owners = owner,
                                                                     .also_ignore_owners = other_owner,
                                                                     .also_ignore = other});
    }
  return wrong;
}

}  // namespace

TEST_CASE("a point sees a target if the oracle finds no sphere between", "[query][visibility]") {
  Random random(test::seed());
  for (const SceneKind scene_kind : test::kinds_to_try()) {
    const std::vector<Sphere> spheres = test::make_spheres(scene_kind, 40, random);
    const Scene scene = Scene::build(std::span(spheres));
    const std::vector<Vec3> from = test::make_points(spheres, 13, random),
                            to = test::make_points(spheres, 9, random);
    for (const Search search : {Search::index, Search::brute_force, Search::embree}) {
      const SightTable table = scene.visibility(from, {to}, {.search = search});
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < from.size(); ++i)
        for (std::size_t j = 0; j < to.size(); ++j) {
          const Segment line{from[i], to[j]};
          const auto meets = [&](const Sphere& sphere) { return oracle::meets(oracle::sight(line, sphere)); };
          wrong += table.sees(i, j) == std::ranges::any_of(spheres, meets);
        }
      INFO(test::name(scene_kind));
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("tables of all shapes; what looker and target ignore", "[query][visibility]") {
  Random random(test::seed());
  constexpr std::size_t owners = 20;
  for (const SceneKind scene_kind : {SceneKind::crowd, SceneKind::nested, SceneKind::peopled}) {
    const std::vector<Sphere> spheres = test::make_spheres(scene_kind, 1500, random);
    std::vector<std::uint32_t> owner_of(spheres.size());
    for (std::size_t id = 0; id < spheres.size(); ++id)
      owner_of[id] = static_cast<std::uint32_t>(id % owners);
    const Scene scene = Scene::build(std::span(spheres), {.owners = owner_of});
    for (const auto& [n, m] :
         {std::pair{1, 1}, {1, 900}, {900, 1}, {70, 130}, {130, 71}, {8, 8}, {0, 5}, {5, 0}}) {
      const Ends from(spheres, static_cast<std::size_t>(n), owners, random),
          to(spheres, static_cast<std::size_t>(m), owners, random);
      INFO(test::name(scene_kind) << ", " << n << " to " << m);
      const QueryOptions options{.ignore = from.ignore, .ignore_owners = from.ignore_owners};
      const SightTable table = scene.visibility(from.points, to.targets(), options);
      CHECK(count_wrong(scene, from, to, table) == 0);
      std::size_t sum = 0, sum_of_columns = 0, bits = 0;
      for (std::size_t i = 0; i < table.rows; ++i) sum += table.seen_from(i);
      for (const std::size_t count : table.seen_of_each()) sum_of_columns += count;
      for (const std::uint8_t byte : table.bits) bits += static_cast<std::size_t>(std::popcount(byte));
      CHECK((sum == bits && sum_of_columns == bits));
      QueryOptions on_threads = options;
      on_threads.threads = 3, on_threads.grain = 7;
      CHECK(scene.visibility(from.points, to.targets(), on_threads).bits == table.bits);
    }
  }
}

TEST_CASE("more lines than are answered at once", "[query][visibility]") {
  Random random(test::seed());
  const std::vector<Sphere> spheres = test::make_spheres(SceneKind::crowd, 400, random);
  const Scene scene = Scene::build(std::span(spheres));
  for (const auto& [n, m] : {std::pair<std::size_t, std::size_t>{3, 140'001}, {140'001, 2}, {500, 601}}) {
    const std::vector<Vec3> from = test::make_points(spheres, n, random),
                            to = test::make_points(spheres, m, random);
    const SightTable table = scene.visibility(from, {to});
    std::size_t wrong = 0;
    for (int sample = 0; sample < 20'000; ++sample) {
      const std::size_t i = random.below(n), j = random.below(m);
      wrong += table.sees(i, j) == scene.blocked(Segment{from[i], to[j]});
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("targets that are refused", "[query][visibility]") {
  const Scene scene = Scene::build(std::vector<Sphere>{{{0, 0, 0}, 1}});
  const std::vector<Vec3> from{{3, 0, 0}}, to{{-3, 0, 0}, {0, 3, 0}}, bad{{-3, 0, 0}, {0, infinity, 0}};
  const std::vector<std::int64_t> one{0}, two{0, 0}, none{0, 1};
  const auto refused = [&](const SightTargets& targets, const QueryOptions& options = {}) {
    return refusal([&] { (void)scene.visibility(from, targets, options); });
  };
  CHECK(refused({bad}).message == "target 1: y is inf; give a finite value of at most 2^200 in magnitude");
  CHECK(refused({bad}).element == 1);
  CHECK(refused({to, none}).message == "target 1: it ignores sphere 1; give -1 for none or one of the 1 ids");
  CHECK(refused({to, one}).message ==
        "`ignore` of the targets has 1 items for 2 targets; give none or one for each target");
  CHECK(refused({to, two}, {.also_ignore = one}).message ==
        "the targets have `ignore`; leave `also_ignore` out");
  CHECK(refused({to, {}, two}, {.also_ignore_owners = one}).message ==
        "the targets have `ignore_owners`; leave `also_ignore_owners` out");
  CHECK(scene.visibility(from, {to, two}).bits == std::vector<std::uint8_t>{3});
  CHECK(scene.visibility(from, {to}).bits == std::vector<std::uint8_t>{2});
}

}  // namespace sphaera
