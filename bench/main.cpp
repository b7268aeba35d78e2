/// \file sphaera_bench: Google Benchmark's options, and --tiny, which runs everything once on small scenes.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <bench/effort.hpp>
#include <cstdlib>
#include <string_view>

namespace sphaera::bench {
namespace {

bool tiny = false, found_wrong = false;

/// Takes --tiny from the command line.
void take_tiny(int& argc, char** argv) {
  char** const end = std::remove_if(
      argv + 1, argv + argc, [](const char* argument) { return argument == std::string_view("--tiny"); });
  tiny = end != argv + argc;
  argc = static_cast<int>(end - argv);
}

}  // namespace

std::size_t sized(std::size_t n) { return tiny ? std::max<std::size_t>(n / 1000, 200) : n; }

void wrong(benchmark::State& state, const std::string& what) {
  found_wrong = true;
  state.SkipWithError(what.c_str());
}

}  // namespace sphaera::bench

int main(int argc, char** argv) {
  if (argc > 0) sphaera::bench::take_tiny(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return EXIT_FAILURE;
  const std::size_t run = benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return sphaera::bench::found_wrong || run == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
