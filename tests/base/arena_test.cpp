/// \file Loops inside loops: an exception ends all of them. No code after a loop runs if calls of that loop
/// were skipped.

#include <array>
#include <atomic>
#include <base/arena.hpp>
#include <stdexcept>
#include <tests/catch.hpp>

namespace sphaera {

TEST_CASE("a loop returns only when each of its calls has returned, though work beside it throws", "[base]") {
  constexpr int rounds = 200;
  constexpr std::size_t loops = 8, calls = 64;
  std::atomic<int> incomplete = 0;
  const auto inner = [&](std::size_t loop) {
    if (loop == 0) throw std::invalid_argument("the first");
    std::array<std::atomic<bool>, calls> called{};
    base::parallel_pieces(calls, 1, [&](std::size_t i, std::size_t) { called[i] = true; });
    for (const std::atomic<bool>& one : called) incomplete += !one;
  };
  for (int round = 0; round < rounds; ++round)
    CHECK_THROWS_AS(
        base::in_arena(
            4, [&] { base::parallel_pieces(loops, 1, [&](std::size_t loop, std::size_t) { inner(loop); }); }),
        std::invalid_argument);
  CHECK(incomplete == 0);
}

}  // namespace sphaera
