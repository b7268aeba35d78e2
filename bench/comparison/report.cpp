#include <unistd.h>

#include <algorithm>
#include <bench/comparison/report.hpp>
#include <chrono>
#include <cmath>

namespace sphaera::bench {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double best(const Record& record) { return *std::ranges::max_element(record.rates); }

/// The formatted value, or `none` if the value is not finite.
std::string number(const char* format, double value, const char* none) {
  if (!std::isfinite(value)) return none;
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

void print_record(std::FILE* out, const Record& r, const Record& first) {
  const Key& key = r.key;
  std::fprintf(out, "%-20s %-9s %-6s %7d %-12s %8s %8.4g %8.4g", label(key.scene).c_str(),
               name(key.query).data(), name(key.order).data(), key.threads, key.engine.c_str(),
               short_number(r.rays).c_str(), r.mrays(), best(r));
  std::fprintf(out, " %9.3g %9.4g %7.3g %7.3g %7.1f %8.3g %9s", speed_ratio(first, r), r.nanoseconds(),
               r.nanoseconds() / r.limit.alone, r.nanoseconds() / r.limit.shared, r.bytes_per_sphere,
               median(r.build_seconds), number("%.0f", r.wrong_per_million, "-").c_str());
  if (r.stats)
    std::fprintf(out, "  %.2f spheres tested per ray",
                 static_cast<double>(r.stats->candidates) / static_cast<double>(r.stats->queries));
  if (!r.way.empty()) std::fprintf(out, "  %s", r.way.c_str());
  std::fputc('\n', out);
}

/// The record of this engine and number of threads for the scene at its own place; null: there is none.
const Record* find_record(std::span<const Record> records, std::string_view engine, int threads) {
  const auto found = std::ranges::find_if(records, [&](const Record& r) {
    return r.key.scene.place == Place::own && r.key.engine == engine && r.key.threads == threads;
  });
  return found == records.end() ? nullptr : &*found;
}

}  // namespace

void print_machine(std::FILE* out, const Machine& machine) {
  std::fputs("This machine, measured now: a dependent read", out);
  for (const auto& [bytes, nanoseconds] : machine.latencies)
    std::fprintf(out, "%s %.1f ns in %.4g MiB", bytes == machine.latencies.front().bytes ? "" : ",",
                 nanoseconds, bytes * 0x1p-20);
  for (const auto& [threads, rate] : machine.bytes_per_nanosecond)
    std::fprintf(out, "; %.1f GB/s with %d thread%s", rate, threads, threads == 1 ? "" : "s");
  std::fprintf(out, "; a test of eight boxes %.1f ns\n", machine.eight_boxes);
}

void print_header(std::FILE* out) {
  std::fprintf(out, "%-20s %-9s %-6s %7s %-12s %8s %8s %8s %9s %9s %7s %7s %7s %8s %9s\n", "scene", "query",
               "order", "threads", "engine", "rays", "Mrays/s", "best", "sphaera÷", "ns/ray", "÷alone",
               "÷shared", "B/sph", "build s", "wrong/1e6");
}

void print_builds(std::FILE* out, std::span<const Record> records) {
  if (records.empty()) return;
  std::fprintf(out, "%s, builds, medians of %zu rounds:", label(records.front().key.scene).c_str(),
               records.front().build_seconds.size());
  for (const Record& r : records) {
    if (r.key.scene.place != Place::own || !r.way.empty()) continue;
    std::fprintf(out, "%s %s with %d thread%s: %.4g s", &r == &records.front() ? "" : ",",
                 r.key.engine.c_str(), r.key.threads, r.key.threads == 1 ? "" : "s", median(r.build_seconds));
    const Record* builtin = find_record(records, "builtin", r.key.threads);
    if (builtin && builtin != &r) std::fprintf(out, " (%.2f × builtin's time)", build_ratio(r, *builtin));
    const Record* alone = find_record(records, r.key.engine, 1);
    if (alone && alone != &r) std::fprintf(out, " (%.2f × the speed of 1 thread)", build_ratio(*alone, r));
  }
  std::fputc('\n', out);
}

void print_records(std::FILE* out, std::span<const Record> records) {
  if (records.empty()) return;
  for (const Record& r : records)
    print_record(out, r, *find_record(records, records.front().key.engine, r.key.threads));
  const Visits& visits = records.front().visits;
  std::fprintf(out,
               "%20s a ray visits %.1f nodes and %.1f leaves of a plain BVH; speed ÷ speed of 1 thread:", "",
               visits.all_nodes(), visits.leaves);
  for (const Record& r : records) {
    const Record* alone = find_record(records, r.key.engine, 1);
    if (r.key.scene.place == Place::own && alone && alone != &r)
      std::fprintf(out, " %s with %d threads: %.2f", r.key.engine.c_str(), r.key.threads,
                   speed_ratio(r, *alone));
  }
  std::fputc('\n', out);
  std::fflush(out);
}

void write_json(std::FILE* out, std::span<const Record> records) {
  std::fputs("[", out);
  const char* separator = "\n";
  for (const Record& r : records) {
    std::fprintf(out, "%s{\"scene\": \"%s\", \"spheres\": %llu, \"query\": \"%s\", \"order\": \"%s\", ",
                 separator, name(r.key.scene).c_str(), static_cast<unsigned long long>(r.key.scene.spheres),
                 name(r.key.query).data(), name(r.key.order).data());
    std::fprintf(out,
                 "\"threads\": %d, \"engine\": \"%s\", \"mrays_median\": %.6g, \"mrays_best\": %.6g, "
                 "\"bytes_per_sphere\": %.6g, \"build_seconds\": %.6g, \"wrong\": %s}",
                 r.key.threads, r.key.engine.c_str(), r.mrays(), best(r), r.bytes_per_sphere,
                 median(r.build_seconds), number("%.6g", r.wrong_per_million, "null").c_str());
    separator = ",\n";
  }
  std::fputs("\n]\n", out);
}

Progress::Progress(std::size_t steps) : steps_(steps), start_(now()), shown_(isatty(STDERR_FILENO) != 0) {}
Progress::~Progress() { clear(); }

void Progress::clear() const {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::step(const std::string& what) {
  if (shown_)
    std::fprintf(stderr, "\r\033[K[%zu of %zu, %.0f s] %s", begun_ + 1, steps_, now() - start_, what.c_str());
  ++begun_;
}

}  // namespace sphaera::bench
