#pragma once
/// \file Results of the suite as Markdown tables, for the README.

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace sphaera::bench {

/// One table for each family of benchmarks with the same counters: name, time, counters.
class MarkdownTables final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;

 private:
  std::string family_;
  std::vector<std::string> counters_;
};

}  // namespace sphaera::bench
