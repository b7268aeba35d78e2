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

TEST_CASE("a lasting arena runs each call with its number of threads, and survives what calls throw",
          "[base]") {
  base::LastingArena arena;
  for (const int threads : {2, 2, 3, 1, 2}) {
    std::size_t seen = 0;
    std::atomic<int> pieces = 0;
    arena.run(threads, [&] {
      seen = base::thread_numbers();
      base::parallel_pieces(100, 1, [&](std::size_t, std::size_t) { ++pieces; });
    });
    std::size_t expected = 0;
    base::in_arena(threads, [&] { expected = base::thread_numbers(); });
    CHECK(seen == expected);
    CHECK(pieces == 100);
    CHECK_THROWS_AS(arena.run(threads, [] { throw std::invalid_argument("one"); }), std::invalid_argument);
  }
  base::LastingArena moved = std::move(arena);
  bool ran = false;
  moved.run(2, [&] { ran = true; });
  CHECK(ran);
}

}  // namespace sphaera
