/// \file sphaera_compare: Sphaera and its peers, in turns within one process. See its --help.

#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <bench/comparison/markdown.hpp>
#include <bench/comparison/options.hpp>
#include <bench/comparison/report.hpp>
#include <cstdlib>

namespace sphaera::bench {
namespace {

/// A file that is opened at the start, so that an unwritable name fails before the long measurement.
class ResultFile {
 public:
  explicit ResultFile(const std::string& path)
      : file_(path.empty() ? nullptr : std::fopen(path.c_str(), "w")) {
    if (!path.empty() && !file_) throw std::runtime_error("cannot write " + path);
  }
  std::FILE* get() const { return file_.get(); }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

void print_start(const Options& options, const Machine& machine) {
  double load = 0;
  getloadavg(&load, 1);
  std::printf(
      "seed %llu, %d rounds, %s clock, load average at the start %.2f (above 0.5, ratios get noisy)\n\n",
      static_cast<unsigned long long>(options.effort.seed), options.effort.rounds,
      options.effort.clock == Clock::wall ? "wall" : "cpu", load);
  print_machine(stdout, machine);
  std::printf("%s\n", limit_formula);
  print_header(stdout);
}

double peak_gib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 0x1p-20;
}

/// Number of measurements in which Sphaera answered wrongly.
std::ptrdiff_t wrong_measurements(const Results& results) {
  return std::ranges::count_if(results.all(), [](const Record& r) {
    return r.key.engine.starts_with("sphaera") && r.wrong_per_million > 0;
  });
}

int run(const Options& options) {
  const ResultFile json(options.json), table(options.table);
  const std::vector<SceneSpec> all_scenes = scenes(options);
  const auto asked = questions(options);
  Progress progress(1 + all_scenes.size() * (1 + asked.size()));
  progress.step("measuring this machine");
  const Machine machine = measure_machine(options.effort.threads);
  progress.clear();
  print_start(options, machine);
  Results results;
  for (const SceneSpec& scene : all_scenes) {
    progress.step(label(scene) + ": builds");
    Comparison comparison(options.effort, machine, scene);
    for (const auto& [query, order] : asked) {
      progress.step(label(scene) + ": " + std::string(name(query)) + ", " + std::string(name(order)));
      std::vector<Record> records = comparison.run(query, order);
      progress.clear();
      if (asked.front() == std::pair(query, order)) print_builds(stdout, records);
      print_records(stdout, records);
      results.add(std::move(records));
    }
  }
  std::printf("\npeak memory of this process, all engines and rays included: %.2f GiB\n", peak_gib());
  if (json.get()) write_json(json.get(), results.all());
  if (table.get()) write_table(table.get(), results, machine);
  const std::ptrdiff_t wrong = wrong_measurements(results);
  if (wrong > 0) std::printf("measurements with wrong answers of Sphaera: %td\n", wrong);
  return wrong > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

}  // namespace
}  // namespace sphaera::bench

int main(int argc, char** argv) try {
  CLI::App app;
  sphaera::bench::Options options;
  sphaera::bench::declare(app, options);
  CLI11_PARSE(app, argc, argv);
  return sphaera::bench::run(options);
} catch (const std::exception& error) {
  std::fprintf(stderr, "sphaera_compare: %s\n", error.what());
  return EXIT_FAILURE;
}
