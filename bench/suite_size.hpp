#pragma once
/// \file How much the Google Benchmark suite measures, and what it finds wrong.

#include <cstddef>
#include <functional>
#include <string>

namespace benchmark {
class State;
}

namespace sphaera::bench {

/// n, or with --tiny a thousandth of it and at least 200: enough to see that a benchmark runs and answers
/// rightly.
std::size_t sized(std::size_t n);

/// Registers a benchmark of so many rounds that sets its own times.
void register_rounds(const std::string& name, int rounds, const std::function<void(benchmark::State&)>& run);

/// Ends a benchmark with an error, and the suite with status 1.
void wrong(benchmark::State& state, const std::string& what);

}  // namespace sphaera::bench
