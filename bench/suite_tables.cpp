#include <bench/suite_tables.hpp>
#include <cstdio>

namespace sphaera::bench {
namespace {

/// Three significant digits; from 1e6 on in millions, "1.25e6"; from about 1e9 on in whole millions,
/// "1235e6".
std::string text(double value) {
  char buffer[32];
  const double millions = value * 1e-6;
  if (value < 1e6)
    std::snprintf(buffer, sizeof buffer, "%.3g", value);
  else  // from 999.5 on three significant digits would print 1e+03
    std::snprintf(buffer, sizeof buffer, millions < 999.5 ? "%.3ge6" : "%.0fe6", millions);
  return buffer;
}

/// The message of a failed benchmark; empty if it did not fail. Google Benchmark 1.8 renamed its members.
template <class Run>
std::string failure_of(const Run& run) {
  if constexpr (requires { run.error_occurred; })
    return run.error_occurred ? run.error_message : std::string();
  else
    return run.skipped ? run.skip_message : std::string();
}

std::string time_of(const benchmark::BenchmarkReporter::Run& run) {
  const std::string failure = failure_of(run);
  if (!failure.empty()) return failure;
  return text(run.GetAdjustedRealTime()) + ' ' + benchmark::GetTimeUnitString(run.time_unit);
}

void write_row(std::FILE* out, const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) std::fprintf(out, "| %s ", cell.c_str());
  std::fputs("|\n", out);
}

}  // namespace

bool MarkdownTables::ReportContext(const Context&) { return true; }

void MarkdownTables::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    const std::string name = run.benchmark_name(), family = name.substr(0, name.find('/'));
    std::vector<std::string> counters, cells{name, time_of(run)};
    for (const auto& [counter, value] : run.counters)
      counters.push_back(counter), cells.push_back(text(value));
    if (family != family_ || counters != counters_) {
      family_ = family, counters_ = counters;
      std::vector<std::string> head{family, "time"};
      head.insert(head.end(), counters.begin(), counters.end());
      std::puts("");
      write_row(stdout, head);
      write_row(stdout, std::vector<std::string>(head.size(), "---"));
    }
    write_row(stdout, cells);
    std::fflush(stdout);
  }
}

}  // namespace sphaera::bench
