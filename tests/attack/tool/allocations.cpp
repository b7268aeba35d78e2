/// \file Allocations and threads that fail, one by one or all from one on (fail_malloc.c).

#include <sstream>
#include <stdexcept>
#include <tests/attack/tool/attack.hpp>

namespace sphaera::attack {
namespace {

/// Points of failure of one call: each allocation, alone or with all later ones; each thread with all later.
struct Points {
  std::uint64_t allocations = 0, threads = 0;
  std::uint64_t size() const { return 2 * allocations + threads; }
};

class Allocations : public Attack {
 public:
  explicit Allocations(const AttackSetup& setup) : setup_(setup) {
    for (const ToolCall& call : setup.calls) points_.push_back(count(call));
  }

  std::uint64_t size() const override {
    std::uint64_t all = 0;
    for (const Points& points : points_) all += points.size();
    return all;
  }

  Verdict attempt(std::uint64_t number) override {
    std::size_t which = 0;
    for (; number >= points_[which].size(); ++which) number -= points_[which].size();
    const ToolCall& call = setup_.calls[which];
    make_empty(work());
    const Files before = number % 2 == 0 ? write_old_files(call, work()) : Files();
    const bool to_file = !call.prints || number % 3 != 0;
    const Launch launch = launch_of(call, points_[which], number, to_file);
    const Ended ended = run(launch);
    Verdict verdict{call.name + ": " + ended.how(), "", text_of(launch)};
    verdict.fault = fault_of(call, before, ended, to_file);
    return verdict;
  }

 private:
  std::filesystem::path work() const { return setup_.folder / "work"; }

  Launch with_preload(const ToolCall& call, bool to_file) const {
    Launch launch{.tool = setup_.tool, .arguments = call.words(to_file), .folder = work()};
    launch.arguments.insert(launch.arguments.end(), {"--threads", "2"});
    launch.environment = {"LD_PRELOAD=" + setup_.preload};
    return launch;
  }

  /// Counts the points of failure. Their number varies a little between runs, since threads share the work.
  Points count(const ToolCall& call) const {
    make_empty(work());
    const std::filesystem::path report = setup_.folder / "report";
    Launch launch = with_preload(call, true);
    launch.environment.push_back("FAIL_MALLOC_REPORT=" + report.string());
    const Ended ended = run(launch);
    Points points;
    std::istringstream text(read_file(report));
    text >> points.allocations >> points.threads;
    if (ended.code != 0 || points.allocations == 0)
      throw std::runtime_error("cannot count allocations: " + ended.err);
    return points;
  }

  Launch launch_of(const ToolCall& call, const Points& points, std::uint64_t number, bool to_file) const {
    Launch launch = with_preload(call, to_file);
    const auto set = [&](const char* name, std::uint64_t value) {
      launch.environment.push_back(std::string(name) + "=" + std::to_string(value));
    };
    if (number >= 2 * points.allocations) {
      set("FAIL_THREAD_AT", number - 2 * points.allocations);
    } else {
      set("FAIL_MALLOC_AT", number / 2);
      set("FAIL_MALLOC_COUNT", number % 2 == 0 ? 1 : 0);
    }
    return launch;
  }

  std::string fault_of(const ToolCall& call, const Files& before, const Ended& ended, bool to_file) const {
    if (ended.hung) return "hangs";
    if (ended.code != 0 && ended.code != 4) return "ends with " + ended.how();
    const bool whole = ended.code == 0 && to_file;
    const std::string fault =
        fault_in_files(call, before, work(), whole ? FilesAfter::complete : FilesAfter::unchanged);
    if (!fault.empty()) return fault;
    if (ended.code == 0 && !to_file && lasting(ended.out) != lasting(call.out))
      return "standard output is not what it must be";
    return fault_in_message(ended);
  }

  const AttackSetup& setup_;
  std::vector<Points> points_;
};

}  // namespace

std::unique_ptr<Attack> allocations_attack(const AttackSetup& setup) {
  return std::make_unique<Allocations>(setup);
}

}  // namespace sphaera::attack
