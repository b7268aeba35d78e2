/// \file Neighbors dealt into buckets and sorted there, against std::stable_sort: distances spread evenly, in
/// clusters, equal, negative, of any scale.

#include <algorithm>
#include <cmath>
#include <query/neighbors/sort_by_distance.hpp>
#include <tests/catch.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/seed.hpp>
#include <vector>

namespace sphaera {
namespace {

enum class Spread { even, clusters, few_values, any_scale, denormal, equal, one_far };

double distance_drawn(test::Random& random, Spread spread) {
  switch (spread) {
    case Spread::even:
      return random.between(-1, 100);
    case Spread::clusters:
      return std::floor(random.between(0, 3)) * 1e6 + random.between(0, 1e-6);
    case Spread::few_values:
      return std::floor(random.between(-4, 4));
    case Spread::any_scale:
      return std::exp2(random.between(-300, 300)) * (random.between(-1, 1) < 0 ? -1 : 1);
    case Spread::denormal:
      return 0x1p-1060 * random.between(-1, 1);
    case Spread::equal:
      return 0x1.8p3;
    default:
      return random.between(0, 1) < 0.01 ? 0x1p200 : random.between(0, 1);
  }
}

}  // namespace

TEST_CASE("neighbors are sorted by distance and id, whatever their distances", "[query][neighbors]") {
  test::Random random(test::seed());
  const Spread spread = GENERATE(Spread::even, Spread::clusters, Spread::few_values, Spread::any_scale,
                                 Spread::denormal, Spread::equal, Spread::one_far);
  const std::size_t n = GENERATE(0, 1, 2, 24, 25, 26, 100, 1000, 20000);
  CAPTURE(static_cast<int>(spread), n);
  std::vector<Neighbor> list{{7, 1}, {3, 2}};  // of another ball
  for (std::size_t i = 0; i < n; ++i)
    list.push_back({distance_drawn(random, spread), static_cast<std::int64_t>(random.bits() % (4 * n))});
  std::vector<Neighbor> expected = list;
  std::stable_sort(expected.begin() + 2, expected.end(), [](const Neighbor& a, const Neighbor& b) {
    return std::pair(a.distance, a.sphere) < std::pair(b.distance, b.sphere);
  });
  query::sort_by_distance(list, 2);
  REQUIRE(list.size() == expected.size());
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].distance != expected[i].distance || list[i].sphere != expected[i].sphere) FAIL(i);
}

}  // namespace sphaera
