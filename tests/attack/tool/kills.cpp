/// \file Signals at random moments: each output is the old file or the whole new one, and nothing else is
/// left, except by SIGKILL, after which the next run removes it.

#include <csignal>
#include <tests/attack/splitmix.hpp>
#include <tests/attack/tool/attack.hpp>

namespace sphaera::attack {
namespace {

constexpr std::array signals{SIGKILL, SIGKILL, SIGTERM, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGXCPU, SIGXFSZ};

class Kills : public Attack {
 public:
  explicit Kills(const AttackSetup& setup) : setup_(setup) {}

  std::uint64_t size() const override { return 0; }

  Verdict attempt(std::uint64_t number) override {
    SplitMix64 random(setup_.seed, number);
    const ToolCall& call = setup_.calls[number % setup_.calls.size()];
    make_empty(work());
    const Files before = random.one_in(2) ? write_old_files(call, work()) : Files();
    const bool to_file = !call.prints || !random.one_in(6);
    const Launch launch = launch_of(call, to_file, random);
    const Ended ended = run(launch);
    Verdict verdict{std::to_string(launch.signal) + ": " + ended.how(), "", text_of(launch)};
    verdict.fault = fault_of(call, before, launch, ended, to_file);
    return verdict;
  }

 private:
  std::filesystem::path work() const { return setup_.folder / "work"; }

  Launch launch_of(const ToolCall& call, bool to_file, SplitMix64& random) const {
    constexpr double steps = 1 << 20;
    const double share = static_cast<double>(random.below(1 << 20)) / steps;
    return {.tool = setup_.tool,
            .arguments = call.words(to_file),
            .folder = work(),
            .signal = random.pick(signals),
            .signal_after = 1.1 * share * call.seconds};
  }

  std::string fault_of(const ToolCall& call, const Files& before, const Launch& launch, const Ended& ended,
                       bool to_file) const {
    if (ended.hung) return "hangs";
    const std::string fault = fault_in_end(launch, ended);
    if (!fault.empty()) return fault;
    if (!to_file) return fault_in_rows(call, before, ended);
    const FilesAfter left = ended.code == 0 ? FilesAfter::complete : FilesAfter::either;
    if (ended.signal != SIGKILL) return fault_in_files(call, before, work(), left);
    std::vector<std::string> temporaries;
    const std::string damage = fault_in_files(call, before, work(), left, &temporaries);
    return damage.empty() && !temporaries.empty() ? fault_of_next_run(call) : damage;
  }

  /// The run may end with 0 (finished before the signal), with 130, or by the signal. SIGXCPU and SIGXFSZ may
  /// also give 4 (a lack of resources).
  static std::string fault_in_end(const Launch& launch, const Ended& ended) {
    const bool limit = launch.signal == SIGXCPU || launch.signal == SIGXFSZ;
    const bool ends_well = ended.code == 0 || ended.code == 130 || (limit && ended.code == 4);
    if (!ends_well && ended.signal != launch.signal) return "ends with " + ended.how();
    return ended.code == 0 || ended.code == 130 ? "" : ended.signal != 0 ? "" : fault_in_message(ended);
  }

  /// The next run of the same output must remove the temporaries of the killed one.
  std::string fault_of_next_run(const ToolCall& call) const {
    const Ended ended = run({.tool = setup_.tool, .arguments = call.words(true), .folder = work()});
    if (ended.code != 0) return "the run after a kill ends with " + ended.how();
    const std::string fault = fault_in_files(call, {}, work(), FilesAfter::complete);
    return fault.empty() ? "" : "not swept by the next run, " + fault;
  }

  /// After an early end, standard output must be the beginning of the whole output. If the exit code is 130,
  /// a text must also end with a complete row.
  std::string fault_in_rows(const ToolCall& call, const Files& before, const Ended& ended) const {
    const std::string fault = fault_in_files(call, before, work(), FilesAfter::unchanged);
    if (!fault.empty()) return fault;
    const std::string out = lasting(ended.out), whole = lasting(call.out);
    if (ended.code == 0) return out == whole ? "" : "standard output is not what it must be";
    if (!whole.starts_with(out)) return "standard output is no beginning of what it must be";
    const bool text = whole.empty() || whole.back() == '\n';
    const bool cut = ended.code == 130 && text && !out.empty() && out.back() != '\n';
    return cut ? "standard output ends within a row" : "";
  }

  const AttackSetup& setup_;
};

}  // namespace

std::unique_ptr<Attack> kills_attack(const AttackSetup& setup) { return std::make_unique<Kills>(setup); }

}  // namespace sphaera::attack
