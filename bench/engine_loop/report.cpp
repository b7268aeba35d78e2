#include <algorithm>
#include <bench/engine_loop/report.hpp>
#include <bench/measure/median.hpp>
#include <cstdio>
#include <numeric>

namespace sphaera::bench {
namespace {

constexpr std::size_t growing = 60;  // frames in which lists grow to their sizes
constexpr const char* no_cell = " – |";
constexpr int columns = 6;  // for each world

void print_head(std::span<const Entry> entries) {
  std::printf("| milliseconds a frame |");
  for (const Entry& entry : entries)
    std::printf(" %s p50 | p99 | longest | processor | heap calls | wrong |", entry.world.c_str());
  std::printf("\n| --- |");
  for (std::size_t i = 0; i < columns * entries.size(); ++i) std::printf(" --- |");
  std::puts("");
}

void print_calls(const std::vector<std::uint64_t>& calls) {
  if (calls.empty()) return void(std::printf("%s", no_cell));
  const std::vector<double> numbers(calls.begin(), calls.end());
  const auto late = calls.begin() + static_cast<std::ptrdiff_t>(std::min(growing, calls.size()));
  std::printf(" %.0f, %td |", quantile(numbers, 0.5),
              std::count_if(late, calls.end(), [](std::uint64_t n) { return n > 0; }));
}

void print_wrong(std::uint64_t wrong, std::uint64_t checked) {
  if (checked == 0) return void(std::printf("%s", no_cell));
  std::printf(" %llu/%llu |", static_cast<unsigned long long>(wrong),
              static_cast<unsigned long long>(checked));
}

void print_cells(const Measured& measured, std::uint64_t wrong, std::uint64_t checked) {
  if (measured.milliseconds.empty()) {
    for (int i = 0; i < columns; ++i) std::printf("%s", no_cell);
    return;
  }
  for (const double share : {0.5, 0.99, 1.0}) std::printf(" %.2f |", quantile(measured.milliseconds, share));
  if (measured.processor.empty()) {
    std::printf("%s", no_cell);
  } else {
    std::printf(" %.2f |", quantile(measured.processor, 0.5));
  }
  print_calls(measured.heap_calls);
  print_wrong(wrong, checked);
}

void print_row(std::span<const Entry> entries, const std::string& name, System system) {
  std::printf("| %s |", name.c_str());
  const std::size_t i = index_of(system);
  for (const auto& [world, played] : entries)
    print_cells(played.systems[i], played.answers.wrong[i], played.answers.checked[i]);
  std::puts("");
}

std::uint64_t sum(const std::array<std::uint64_t, system_count>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

}  // namespace

void report(const Rules& rules, std::span<const Entry> entries) {
  print_head(entries);
  const auto row = [&](System system, const std::string& name) { print_row(entries, name, system); };
  row(System::update, "update");
  row(System::respawns, "of it, erase and insert");
  row(System::bridge, "bridge: update, commit");
  row(System::shots, std::to_string(rules.shots) + " lagged shots");
  row(System::sights, std::to_string(rules.sights) + " lines of sight");
  row(System::grenades, std::to_string(rules.grenades) + " grenades");
  row(System::nearest, std::to_string(rules.nearest) + " nearest enemies");
  row(System::interest, std::to_string(rules.interest) + " interest sets");
  row(System::walls, std::to_string(rules.walls) + " shots among walls");
  std::printf("| frame |");
  for (const auto& [world, played] : entries)
    print_cells(played.frame, sum(played.answers.wrong), sum(played.answers.checked));
  std::puts("\n");
  for (const auto& [world, played] : entries)
    if (world == "Sphaera")
      std::printf("Sphaera: in %zu frames other threads called the heap; the index degraded to %.2f.\n",
                  played.frames_with_other_heap_calls, played.worst_degradation);
}

}  // namespace sphaera::bench
