/// \file Reads damaged files in process: the product must accept each or throw an Error that names the file.
///
///     sphaera_attack_files|sphaera_attack_parts --corpus FOLDER [--seed S] [--random N]
///         [--systematic EVERY] [--part I/N] [--format NAME] [--found FOLDER] [--case NUMBER]
///
/// Each case is made again by its seed, its format and its number.

#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <fstream>
#include <set>
#include <tests/attack/arguments.hpp>
#include <tests/attack/escaped.hpp>
#include <tests/attack/formats.hpp>
#include <tests/attack/mutate.hpp>
#include <tests/attack/readers/heap_limit.hpp>
#include <tests/attack/readers/mutants.hpp>
#include <tests/attack/scratch_folder.hpp>

namespace sphaera::attack {
namespace {

constexpr double max_seconds = 5;           // of processor time, for a file of at most 64 KiB
constexpr int kept_bytes = 64 << 20;        // of freed memory that malloc keeps, for speed
constexpr int max_seconds_waiting = 60;     // for the child, without progress
constexpr std::size_t max_bytes = 1 << 20,  // that a reader may hold at once, whatever the file
    max_bytes_a_byte = 128,                 // more for each byte of the file
    max_bytes_a_packed_byte = 4 * 1032;     // in its place for gzip, which expands at most 1,032 times

/// Shared with the child that does the work, which may die.
struct Progress {
  std::atomic<std::uint64_t> number{0};
  std::atomic<std::uint64_t> accepted{0}, refused{0}, faults{0}, peak{0};
};

struct Plan {
  const Format& format;
  std::uint64_t seed;
  std::uint64_t every;   ///< reads one of every `every` systematic mutants; 0: none
  std::uint64_t random;  ///< number of random mutants
  std::uint64_t part, parts;
  std::string found;  ///< folder for mutants that show a fault; may be empty

  std::uint64_t systematic() const {
    std::uint64_t all = 0;
    for (const std::string& file : format.files) all += systematic_mutants(file);
    return all;
  }
  std::uint64_t size() const { return systematic() + random; }
  bool skips(std::uint64_t number) const {
    if (number % parts != part) return true;
    return number < systematic() && (every == 0 || (number / parts + seed) % every != 0);
  }
};

/// Of a gzip file, the unpacked bytes are damaged twice as often as the packed ones.
std::string random_mutant_of(const Plan& plan, SplitMix64& random) {
  const std::string& file = random.pick(plan.format.files);
  if (!plan.format.file_name.ends_with(".gz") || random.one_in(3))
    return random_mutant(file, plan.format.files, random);
  std::vector<std::string> others;
  for (const std::string& other : plan.format.files) others.push_back(unpacked(other));
  return packed(random_mutant(unpacked(file), others, random));
}

std::string mutant(const Plan& plan, std::uint64_t number) {
  for (const std::string& file : plan.format.files) {
    if (number < systematic_mutants(file)) return systematic_mutant(file, number);
    number -= systematic_mutants(file);
  }
  SplitMix64 random(plan.seed, number);
  return random_mutant_of(plan, random);
}

std::size_t limit_for(const Format& format, std::size_t bytes) {
  const bool packed = format.file_name.ends_with(".gz");
  return max_bytes + bytes * (packed ? max_bytes_a_packed_byte : max_bytes_a_byte);
}

/// The fault that these bytes cause; empty if none.
std::string fault_of(const Format& format, std::string_view bytes, Progress& progress) {
  std::string fault;
  const std::clock_t start = std::clock();
  watch_heap(limit_for(format, bytes.size()));
  try {
    const Outcome outcome = format.read(format, bytes);
    leave_heap();
    ++(outcome == Outcome::accepted ? progress.accepted : progress.refused);
  } catch (const std::exception& error) {
    leave_heap();
    fault = dynamic_cast<const Fault*>(&error) ? error.what() : std::string("throws ") + error.what();
  } catch (...) {
    leave_heap();
    fault = "throws something that is no std::exception";
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  if (fault.empty() && seconds > max_seconds) fault = "takes " + std::to_string(seconds) + " s";
  if (heap_peak() > progress.peak) progress.peak = heap_peak();
  return fault;
}

/// Writes the mutant to the folder of --found, if one is given.
void write_found(const Plan& plan, std::uint64_t number, const std::string& bytes) {
  if (plan.found.empty()) return;
  std::ofstream(plan.found + "/" + std::to_string(number) + "-" + plan.format.file_name, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void report(const Plan& plan, std::uint64_t number, const std::string& fault) {
  std::printf("FAULT mutants %s: %s\n      again: --seed %llu --format %s --case %llu\n",
              plan.format.name.c_str(), escaped(fault).c_str(), static_cast<unsigned long long>(plan.seed),
              plan.format.name.c_str(), static_cast<unsigned long long>(number));
  std::fflush(stdout);
  write_found(plan, number, mutant(plan, number));
}

/// The kind of a fault: its text without digits and quoted words. Each kind is reported only once.
std::string kind_of(const std::string& fault) {
  std::string kind;
  bool quoted = false;
  for (const char c : fault) {
    if (c == '\'') quoted = !quoted;
    if (!quoted && (c < '0' || c > '9')) kind += c;
  }
  constexpr std::size_t longest = 40;
  return kind.substr(0, longest);
}

/// Runs in the child: reads all cases from `from` on. If the child dies, `progress.number` says at which
/// case.
[[noreturn]] void work(const Plan& plan, std::uint64_t from, Progress& progress) {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  mallopt(M_MMAP_THRESHOLD, kept_bytes), mallopt(M_TRIM_THRESHOLD, kept_bytes);  // 5 times as fast
  std::set<std::string> reported;
  for (std::uint64_t number = from; number < plan.size(); ++number) {
    if (plan.skips(number)) continue;
    progress.number = number;
    const std::string fault = fault_of(plan.format, mutant(plan, number), progress);
    if (fault.empty()) continue;
    ++progress.faults;
    if (reported.insert(kind_of(fault)).second) report(plan, number, fault);
  }
  std::fflush(stdout);
  _exit(0);
}

/// Waits for the child; kills it if it makes no progress for `max_seconds_waiting`.
int wait_for(pid_t child, const Progress& progress) {
  constexpr timespec nap{0, 20'000'000};
  constexpr int naps_a_second = 50;
  std::uint64_t last = progress.number;
  for (int waited = 0;; ++waited) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) return status;
    if (progress.number != last) last = progress.number, waited = 0;
    if (waited > max_seconds_waiting * naps_a_second) kill(child, SIGKILL);
    nanosleep(&nap, nullptr);
  }
}

std::string death(int status) {
  const int signal = WTERMSIG(status);
  if (signal == SIGKILL) return "hangs, or is killed for its memory";
  return std::string("dies of signal ") + std::to_string(signal) + " (" + strsignal(signal) + ")";
}

void attack(const Plan& plan, Progress& progress) {
  std::uint64_t from = 0;
  std::fflush(stdout);
  for (;;) {
    const pid_t child = fork();
    if (child == 0) work(plan, from, progress);
    const int status = wait_for(child, progress);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    ++progress.faults;
    report(plan, progress.number, WIFSIGNALED(status) ? death(status) : "exits");
    from = progress.number + 1;
  }
}

/// One case, in this process: for a debugger.
int once(const Plan& plan, std::uint64_t number) {
  Progress progress;
  const std::string bytes = mutant(plan, number);
  std::printf("%zu bytes: %s\n", bytes.size(), escaped(bytes).c_str());
  write_found(plan, number, bytes);
  const std::string fault = fault_of(plan.format, bytes, progress);
  std::printf("%s; %zu bytes of memory at most\n", fault.empty() ? "as it should be" : escaped(fault).c_str(),
              static_cast<std::size_t>(progress.peak));
  return fault.empty() ? 0 : 1;
}

void print_counts(const std::string& name, const Progress& p) {
  const auto count = [&](const char* what, std::uint64_t n) {
    std::printf("count mutants\t%s: %s\t%llu\n", name.c_str(), what, static_cast<unsigned long long>(n));
  };
  count("accepted", p.accepted), count("refused", p.refused), count("faults", p.faults);
  std::printf("peak mutants\t%s\t%llu\n", name.c_str(), static_cast<unsigned long long>(p.peak));
}

int run(const Arguments& arguments) {
  const Scratch scratch;
  const std::vector<Format> all =
      formats_of_attack(arguments.text("--corpus", "tests/fuzz/corpus"), scratch.path());
  const std::string only = arguments.text("--format", "");
  const auto [part, parts] = arguments.part();
  const std::string given = arguments.text("--found", "");
  const std::string found = given.empty() ? given : std::filesystem::absolute(given).string();
  std::uint64_t faults = 0;
  if (part == 0 && only.empty()) faults += faults_beforehand();
  for (const Format& format : all) {
    if (!only.empty() && only != format.name) continue;
    const std::uint64_t random = arguments.number("--random", 100'000) / (only.empty() ? all.size() : 1);
    const Plan plan{
        format, arguments.number("--seed", 1), arguments.number("--systematic", 1), random, part, parts,
        found};
    if (arguments.has("--case")) return once(plan, arguments.number("--case", 0));
    void* shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    auto* progress = new (shared) Progress;
    attack(plan, *progress);
    print_counts(format.name, *progress);
    faults += progress->faults;
  }
  std::puts("done");
  return faults == 0 ? 0 : 1;
}

}  // namespace
}  // namespace sphaera::attack

int main(int argc, char** argv) {
  try {
    return sphaera::attack::run(sphaera::attack::Arguments(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
