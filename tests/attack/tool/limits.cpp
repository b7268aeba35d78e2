/// \file Limits of the system on memory, file size, descriptors, threads and stack.

#include <unistd.h>

#include <csignal>
#include <tests/attack/tool/attack.hpp>

namespace sphaera::attack {
namespace {

namespace fs = std::filesystem;

enum class Kind : std::uint8_t { memory, file_size, descriptors, threads, stack };
constexpr std::array kinds{Kind::memory, Kind::file_size, Kind::descriptors, Kind::threads, Kind::stack};
constexpr std::uint64_t steps = 40;  // values of each limit that are tried

constexpr rlim_t mebibyte = 1 << 20;
constexpr unsigned other_user = 54321;  // has no processes

class Limits : public Attack {
 public:
  explicit Limits(const AttackSetup& setup) : setup_(setup) {
    // Another user must reach the inputs.
    fs::permissions(setup.folder, fs::perms::all);
    fs::permissions(setup.folder / "in", fs::perms::all);
  }

  std::uint64_t size() const override { return setup_.calls.size() * kinds.size() * steps; }

  Verdict attempt(std::uint64_t number) override {
    const ToolCall& call = setup_.calls[number % setup_.calls.size()];
    const std::uint64_t rest = number / setup_.calls.size();
    const Kind kind = kinds[rest % kinds.size()];
    const std::uint64_t step = rest / kinds.size();
    make_empty(work());
    fs::permissions(work(), fs::perms::all);
    const Files before = step % 2 == 0 ? write_old_files(call, work()) : Files();
    for (const auto& [name, _] : before) fs::permissions(work() / name, fs::perms(0666));
    Launch launch{.tool = setup_.tool, .arguments = call.words(true), .folder = work()};
    limit(launch, kind, step, call);
    const Ended ended = run(launch);
    Verdict verdict{name_of(kind) + ": " + ended.how(), "", text_of(launch)};
    if (of_loader(ended)) {
      verdict.outcome += " (loader)";
    } else {
      verdict.fault = fault_of(call, before, kind, ended);
    }
    return verdict;
  }

 private:
  fs::path work() const { return setup_.folder / "work"; }

  static std::string name_of(Kind kind) {
    constexpr std::array names{"memory", "file size", "descriptors", "threads", "stack"};
    return names[static_cast<std::size_t>(kind)];
  }

  static void limit(Launch& launch, Kind kind, std::uint64_t step, const ToolCall& call) {
    const auto threads = [&](const char* n) {
      launch.arguments.insert(launch.arguments.end(), {"--threads", n});
    };
    switch (kind) {
      case Kind::memory:
        launch.limits = {{RLIMIT_AS, (16 + 12 * step) * mebibyte}};
        threads(step % 4 == 0 ? "16" : "2");
        break;
      case Kind::file_size:
        launch.limits = {{RLIMIT_FSIZE, file_limit(step, call)}};
        break;
      case Kind::descriptors:
        launch.limits = {{RLIMIT_NOFILE, 3 + step}};
        break;
      case Kind::threads:
        // RLIMIT_NPROC does not limit root.
        launch.user = geteuid() == 0 ? other_user : 0;
        launch.limits = {{RLIMIT_NPROC, geteuid() == 0 ? 1 + step / 4 : 1}};
        threads(step % 4 == 0 ? "0" : step % 4 == 1 ? "2" : step % 4 == 2 ? "8" : "64");
        break;
      case Kind::stack:
        // With 16 KiB the dynamic loader has too little, before the tool starts.
        launch.limits = {{RLIMIT_STACK, (32U << (step / 4)) * 1024}};
        break;
    }
  }

  /// A small limit, or one near the size of an output.
  static rlim_t file_limit(std::uint64_t step, const ToolCall& call) {
    std::vector<rlim_t> limits{0, 1, 100, 1000, 4096};
    for (const auto& [_, bytes] : call.files)
      limits.insert(limits.end(), {bytes.size() / 2, bytes.size() - 1, bytes.size(), bytes.size() + 1});
    return limits[step % limits.size()];
  }

  /// True if the run ended before the tool's own code, because the dynamic loader could not map or open the
  /// libraries.
  static bool of_loader(const Ended& ended) {
    return (ended.code == 127 &&
            ended.err.find("error while loading shared libraries") != std::string::npos) ||
           (ended.code == 126 && ended.err.empty()) ||
           (ended.signal == SIGKILL && ended.err.empty() && !ended.hung);
  }

  std::string fault_of(const ToolCall& call, const Files& before, Kind kind, const Ended& ended) const {
    if (ended.hung) return "hangs";
    // With too few descriptors an input cannot be opened, which the tool reports as bad input (3).
    const bool input = kind == Kind::descriptors && ended.code == 3;
    if (ended.code != 0 && ended.code != 4 && !input) return "ends with " + ended.how();
    const std::string fault =
        fault_in_files(call, before, work(), ended.code == 0 ? FilesAfter::complete : FilesAfter::unchanged);
    return fault.empty() ? fault_in_message(ended) : fault;
  }

  const AttackSetup& setup_;
};

}  // namespace

std::unique_ptr<Attack> limits_attack(const AttackSetup& setup) { return std::make_unique<Limits>(setup); }

}  // namespace sphaera::attack
