/// \file contacts and count_contacts: the pairs whose gap the oracle finds small enough, each once, for any
/// distance, layers, disabled spheres, ranges of ids and searches.

#include <sphaera/scene.hpp>

#include <cmath>
#include <exact/roots/distance.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/oracle/decide.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::Random, test::SceneKind, test::refusal;

Ball whole(const Sphere& sphere) { return {sphere.center, sphere.radius}; }

NeighborLists by_oracle(const std::vector<Sphere>& spheres, double distance, const auto& counts) {
  NeighborLists lists;
  lists.offsets.assign(1, 0);
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    for (std::size_t j = i + 1; counts(i) && j < spheres.size(); ++j)
      if (counts(j) && oracle::compare_gap(whole(spheres[i]), whole(spheres[j]), distance) <= 0)
        lists.items.push_back(
            {exact::gap(whole(spheres[i]), whole(spheres[j])), static_cast<std::int64_t>(j)});
    lists.offsets.push_back(lists.items.size());
  }
  return lists;
}

bool same(const NeighborLists& a, const NeighborLists& b) {
  return a.offsets == b.offsets && test::all_same(a.items, b.items);
}

/// In how many of the pairs each sphere is.
std::vector<std::uint64_t> counts_of(const NeighborLists& pairs) {
  std::vector<std::uint64_t> counts(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (const Neighbor& other : pairs[i]) ++counts[i], ++counts[static_cast<std::size_t>(other.sphere)];
  return counts;
}

/// The gap of two of the spheres, by ulps more or less, or any length.
double any_distance(const std::vector<Sphere>& spheres, Random& random) {
  if (spheres.size() < 2 || random.one_in(4))
    return random.one_in(2) ? 0 : random.signed_log_uniform(1e-9, 1e9);
  const Sphere &a = spheres[random.below(spheres.size())], &b = spheres[random.below(spheres.size())];
  const double gap = test::step(exact::gap(whole(a), whole(b)), random.whole(-1, 1));
  return std::fabs(gap) <= 0x1p200 ? gap : 0;
}

}  // namespace

TEST_CASE("contacts are the pairs that the oracle finds", "[query][neighbors]") {
  Random random(test::seed());
  for (const SceneKind scene_kind : test::kinds_to_try()) {
    for (const std::size_t n : {0, 1, 2, 9, 60}) {
      std::vector<Sphere> spheres = test::make_spheres(scene_kind, n, random);
      for (std::size_t i = 0; i < n / 6; ++i) spheres[n - 1 - i] = spheres[i];
      std::vector<std::uint8_t> layers(n);
      for (std::uint8_t& layer : layers) layer = static_cast<std::uint8_t>(random.below(3));
      Scene scene = Scene::build(spheres, {.layers = layers});
      for (int repeat = 0; repeat < test::fewer_in_repeats(8); ++repeat) {
        const double distance = any_distance(spheres, random);
        INFO(test::name(scene_kind) << ", " << n << " spheres, distance " << distance);
        const LayerMask mask = random.one_in(2) ? all_layers : random.below(8);
        const auto counts = [&](std::size_t i) { return (mask >> layers[i] & 1) == 1; };
        const NeighborLists expected = by_oracle(spheres, distance, counts);
        const std::vector<std::uint64_t> partners = counts_of(expected);
        for (const Search search : {Search::index, Search::brute_force, Search::embree}) {
          CHECK(same(scene.contacts(distance, {.layers = mask, .search = search}), expected));
          CHECK(scene.count_contacts(distance, {.layers = mask, .search = search}) == partners);
        }
        NeighborLists joined;
        for (std::int64_t first = 0; first < std::ssize(spheres); first += 7) {
          const IdRange ids{first, std::min<std::int64_t>(7, std::ssize(spheres) - first)};
          const NeighborLists part = scene.contacts(ids, distance, {.layers = mask});
          joined.items.insert(joined.items.end(), part.items.begin(), part.items.end());
          CHECK(
              std::ranges::equal(scene.count_contacts(ids, distance, {.layers = mask}),
                                 std::span(partners).subspan(static_cast<std::size_t>(first), part.size())));
        }
        CHECK(test::all_same(joined.items, expected.items));
      }
    }
  }
}

TEST_CASE("contacts of larger scenes: threads, disabled spheres, what the caller accepts",
          "[query][neighbors]") {
  Random random(test::seed());
  for (const SceneKind scene_kind : {SceneKind::crowd, SceneKind::nested, SceneKind::peopled}) {
    const std::vector<Sphere> spheres = test::make_spheres(scene_kind, test::fewer_in_repeats(1500u), random);
    Scene scene = Scene::build(spheres);
    const double distance = 0.3 * spheres[0].radius;
    const auto all = [](std::size_t) { return true; };
    const NeighborLists expected = by_oracle(spheres, distance, all);
    for (const int threads : {1, 3}) {
      CHECK(same(scene.contacts(distance, {.threads = threads, .grain = 11}), expected));
      CHECK(scene.count_contacts(distance, {.threads = threads, .grain = 11}) == counts_of(expected));
    }
    const auto odd = [](std::size_t i, std::int64_t id) {
      return (i + static_cast<std::size_t>(id)) % 2 == 1;
    };
    std::size_t odd_pairs = 0;
    for (std::size_t i = 0; i < spheres.size(); ++i)
      for (const Neighbor& other : expected[i]) odd_pairs += odd(i, other.sphere);
    CHECK(scene.contacts(distance, {.accept = odd}).items.size() == odd_pairs);
    CHECK(scene.count_contacts(distance, {.accept = odd}) ==
          counts_of(scene.contacts(distance, {.accept = odd})));  // `odd` is symmetric
    std::vector<std::int64_t> disabled;
    for (std::int64_t id = 0; id < std::ssize(spheres); id += 3) disabled.push_back(id);
    scene.set_enabled(disabled, false);
    const auto enabled = [](std::size_t i) { return i % 3 != 0; };
    const NeighborLists of_enabled = by_oracle(spheres, distance, enabled);
    CHECK(same(scene.contacts(distance), of_enabled));
    CHECK(scene.count_contacts(distance) == counts_of(of_enabled));
  }
}

TEST_CASE("contacts: distances that are refused, and the ends of the range", "[query][neighbors]") {
  const Scene scene = Scene::build(std::vector<Sphere>{{{0, 0, 0}, 1}, {{5, 0, 0}, 1}, {{0, 0, 0}, 0x1p200}});
  for (const double distance : {infinity, -infinity, std::nan(""), 0x1.0000000000001p200})
    CHECK(refusal([&] { (void)scene.contacts(distance); }).message.find("distance is") != std::string::npos);
  CHECK(refusal([&] { (void)scene.contacts(IdRange{2, 2}, 0); }).message.find("ids are {2, 2}") !=
        std::string::npos);
  CHECK(refusal([&] { (void)scene.count_contacts(infinity); }).message.find("distance is") !=
        std::string::npos);
  std::vector<std::uint64_t> few(2);
  CHECK(refusal([&] { scene.count_contacts(0, few); }).code == ErrorCode::invalid_argument);
  CHECK(scene.count_contacts(-2) == std::vector<std::uint64_t>{1, 1, 2});
  CHECK(scene.contacts(0x1p200).items.size() == 3);
  CHECK(scene.contacts(3).items.size() == 3);
  CHECK(scene.contacts(2.5).items.size() == 2);
  CHECK(scene.contacts(-2).items.size() == 2);
  CHECK(scene.contacts(-0x1p200).items.size() == 1);  // 0 and 2: -1 - 2^200
}

}  // namespace sphaera
