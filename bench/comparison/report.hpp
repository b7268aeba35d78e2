#pragma once
/// \file Output of the comparison: text while it runs, and JSON.

#include <bench/comparison/results.hpp>
#include <bench/measure/machine.hpp>
#include <cstdio>
#include <span>

namespace sphaera::bench {

void print_machine(std::FILE* out, const Machine& machine);
void print_header(std::FILE* out);

/// Prints the build times of all engines for one scene. `records`: those of any one query on the scene.
void print_builds(std::FILE* out, std::span<const Record> records);

/// Prints the records of one query on one scene. Ratios: rate of the first engine ÷ rate of each engine.
void print_records(std::FILE* out, std::span<const Record> records);

void write_json(std::FILE* out, std::span<const Record> records);

/// A progress line on standard error if it is a terminal; each line replaces the previous one.
class Progress {
 public:
  explicit Progress(std::size_t steps);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// The next step begins.
  void step(const std::string& what);
  /// Erases the line before other output.
  void clear() const;

 private:
  std::size_t steps_, begun_ = 0;
  double start_;
  bool shown_;
};

}  // namespace sphaera::bench
