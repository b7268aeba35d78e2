#include <algorithm>
#include <numeric>
#include <query/neighbors/rank_by_counting.hpp>
#include <random>
#include <vector>

#include <tests/catch.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

/// Ranks of `n` keys, some of them equal, are places in a stable order.
template <class Key>
void check_ranks(std::size_t n, std::mt19937_64& random) {
  query::RankedKeys<Key> ranked;
  for (std::size_t i = 0; i < n; ++i)
    ranked.keys[i] = static_cast<Key>(static_cast<double>(random() % 40) * 0.5 + 2147483640.0);
  ranked.rank(n);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ranked.keys[a] < ranked.keys[b]; });
  for (std::size_t i = 0; i < n; ++i) REQUIRE(ranked.ranks[order[i]] == static_cast<std::int32_t>(i));
}

}  // namespace

TEST_CASE("ranks are places in a stable order", "[query]") {
  std::mt19937_64 random(test::seed());
  for (std::size_t n = 0; n <= query::max_ranked; ++n) {
    check_ranks<float>(n, random);
    check_ranks<std::uint32_t>(n, random);
  }
}

}  // namespace sphaera
