/// \file Program sphaera_bench: Google Benchmark's options; --tiny, which divides scenes and batches by 1000;
/// --markdown, which prints Markdown tables.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <bench/suite_size.hpp>
#include <bench/suite_tables.hpp>
#include <cstdlib>
#include <string_view>

namespace sphaera::bench {
namespace {

bool tiny = false, found_wrong = false;

/// Removes a flag from the command line; true if it was there.
bool take(std::string_view option, int& argc, char** argv) {
  char** const end =
      std::remove_if(argv + 1, argv + argc, [&](const char* argument) { return argument == option; });
  const bool is_there = end != argv + argc;
  argc = static_cast<int>(end - argv);
  return is_there;
}

std::size_t run_suite(bool markdown) {
  MarkdownTables tables;
  return markdown ? benchmark::RunSpecifiedBenchmarks(&tables) : benchmark::RunSpecifiedBenchmarks();
}

}  // namespace

std::size_t sized(std::size_t n) { return tiny ? std::max<std::size_t>(n / 1000, 200) : n; }

void register_rounds(const std::string& name, int rounds, const std::function<void(benchmark::State&)>& run) {
  benchmark::RegisterBenchmark(name.c_str(), run)
      ->UseManualTime()
      ->Iterations(rounds)
      ->Unit(benchmark::kMillisecond);
}

void wrong(benchmark::State& state, const std::string& what) {
  found_wrong = true;
  state.SkipWithError(what.c_str());
}

}  // namespace sphaera::bench

int main(int argc, char** argv) {
  using namespace sphaera::bench;
  tiny = argc > 0 && take("--tiny", argc, argv);
  const bool markdown = argc > 0 && take("--markdown", argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return EXIT_FAILURE;
  const std::size_t run = run_suite(markdown);
  benchmark::Shutdown();
  return found_wrong || run == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
