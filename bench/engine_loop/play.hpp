#pragma once
/// \file Plays the game in a world and measures its frames.

#include <array>
#include <bench/engine_loop/checks.hpp>
#include <bench/engine_loop/world.hpp>
#include <cstdint>
#include <vector>

namespace sphaera::bench {

struct Options {
  Rules rules;
  std::size_t frames = 600;
  unsigned jobs = 2;
  bool pause = true;
};

/// Milliseconds, of elapsed and of processor time, and calls of the heap of one part of each frame.
struct Measured {
  std::vector<double> milliseconds;
  std::vector<double> processor;          ///< of all threads of the process
  std::vector<std::uint64_t> heap_calls;  ///< by the game's threads: the one that updates and the jobs
};

struct Played {
  std::array<Measured, system_count> systems;  ///< empty for those that the world does not have
  Measured frame;
  std::size_t frames_with_other_heap_calls = 0;  ///< by other threads, a background build's and oneTBB's
  double worst_degradation = 1;
  CheckedAnswers answers;
};

using MakeWorld = std::unique_ptr<World> (*)(const Game&, unsigned jobs);
Played play(const Options& options, MakeWorld make);

}  // namespace sphaera::bench
