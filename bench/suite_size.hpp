#pragma once
/// \file Sizes, rounds and wrong answers of the benchmarks in the Google Benchmark suite.

#include <cstddef>
#include <functional>
#include <string>

namespace benchmark {
class State;
}

namespace sphaera::bench {

/// n; with --tiny n / 1000, at least 200: enough to see that a benchmark runs and that its answers are right.
std::size_t sized(std::size_t n);

/// Registers a benchmark that runs `rounds` iterations; `run` reports the time of each (SetIterationTime).
void register_rounds(const std::string& name, int rounds, const std::function<void(benchmark::State&)>& run);

/// Ends a benchmark with an error, and the suite with status 1.
void wrong(benchmark::State& state, const std::string& what);

}  // namespace sphaera::bench
