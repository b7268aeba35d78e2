/// \file A partition keeps every item, and its order does not depend on the number of threads.

#include <algorithm>
#include <base/arena.hpp>
#include <functional>
#include <index/builder/parallel_partition.hpp>
#include <random>
#include <vector>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using Items = std::vector<std::uint32_t>;

std::size_t partition_by(Items& items, std::uint32_t border, int threads) {
  std::size_t firsts = 0;
  base::in_arena(threads, [&] {
    firsts = index::partition(std::span(items), [=](std::uint32_t item) { return item < border; });
  });
  return firsts;
}

void check(const Items& items, std::uint32_t border) {
  Items one = items, many = items, sorted = items;
  const std::size_t firsts = partition_by(one, border, 1);
  const auto below = [=](std::uint32_t item) { return item < border; };
  CHECK(firsts == static_cast<std::size_t>(std::ranges::count_if(items, below)));
  CHECK(std::all_of(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(firsts), below));
  for (const int threads : {2, 3}) {
    many = items;
    CHECK(partition_by(many, border, threads) == firsts);
    CHECK(many == one);
  }
  std::ranges::sort(one), std::ranges::sort(sorted);
  CHECK(one == sorted);
}

}  // namespace

TEST_CASE("a partition keeps every item, in the same order for any number of threads", "[index]") {
  constexpr std::size_t pieces = index::partitioned_in_pieces, piece = index::partition_piece;
  std::mt19937_64 random(test::seed());
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, pieces - 1, pieces,
                                  pieces + 1, pieces + piece - 1, 2 * pieces + 77}) {
    Items mixed(count);
    for (std::uint32_t& item : mixed) item = static_cast<std::uint32_t>(random());
    Items rising = mixed, falling = mixed;
    std::ranges::sort(rising), std::ranges::sort(falling, std::greater<>());
    for (const double share : test::one_in_short_runs({0.0, 1e-5, 0.02, 0.5, 0.9, 1.0})) {
      INFO(count << " items, " << share << " of them in front");
      const auto border = static_cast<std::uint32_t>(share * 0xffffffff);
      check(mixed, border), check(rising, border), check(falling, border);
    }
  }
}

TEST_CASE("pieces exchange exactly the items on the wrong side", "[index]") {
  // 2 items of piece 0, all of piece 1 and 1 of piece 2 belong to the front, which ends 3 items after piece
  // 0.
  constexpr std::size_t piece = index::partition_piece;
  const std::vector<std::size_t> firsts{2, piece, 1};
  const std::vector<index::Exchange> found = index::exchanges_between_pieces(firsts, 2 * piece + 5);
  REQUIRE(found.size() == 2);
  CHECK((found[0].left == 2 && found[0].right == piece + 3 && found[0].count == piece - 3));
  CHECK((found[1].left == piece - 1 && found[1].right == 2 * piece && found[1].count == 1));
}

}  // namespace sphaera
