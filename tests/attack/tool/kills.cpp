/// \file Signals at random moments: each output is the old file or the whole new one, and nothing else is
/// left.

#include <attack/random.hpp>
#include <attack/tool/attack.hpp>
#include <csignal>

namespace sphaera::attack {
namespace {

constexpr std::array signals{SIGKILL, SIGKILL, SIGTERM, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGXCPU, SIGXFSZ};

class Kills : public Attack {
 public:
  explicit Kills(const Ground& ground) : ground_(ground) {}

  std::uint64_t size() const override { return 0; }

  Verdict attempt(std::uint64_t number) override {
    Random random(ground_.seed, number);
    const Job& job = ground_.jobs[number % ground_.jobs.size()];
    make_empty(work());
    const Files before = some_old_files(job, random.one_in(2), work());
    const bool to_file = !job.prints || !random.one_in(6);
    const Launch launch = launch_of(job, to_file, random);
    const Ended ended = run(launch);
    Verdict verdict{std::to_string(launch.signal) + ": " + ended.how(), "", text_of(launch)};
    verdict.fault = fault_of(job, before, launch, ended, to_file);
    return verdict;
  }

 private:
  std::filesystem::path work() const { return ground_.folder / "work"; }

  Launch launch_of(const Job& job, bool to_file, Random& random) const {
    constexpr double steps = 1 << 20;
    const double share = static_cast<double>(random.below(1 << 20)) / steps;
    return {.tool = ground_.tool,
            .arguments = job.words(to_file),
            .folder = work(),
            .signal = random.pick(signals),
            .signal_after = 1.1 * share * job.seconds};
  }

  std::string fault_of(const Job& job, const Files& before, const Launch& launch, const Ended& ended,
                       bool to_file) const {
    if (ended.hung) return "hangs";
    const std::string fault = fault_in_end(launch, ended);
    if (!fault.empty()) return fault;
    if (!to_file) return fault_in_rows(job, before, ended);
    const Left left = ended.code == 0 ? Left::whole : Left::either;
    if (ended.signal != SIGKILL) return fault_in_files(job, before, work(), left);
    std::vector<std::string> temporaries;
    const std::string damage = fault_in_files(job, before, work(), left, &temporaries);
    return damage.empty() && !temporaries.empty() ? fault_of_next_run(job) : damage;
  }

  /// 0 (it had finished), 130, or dead of the signal; a limit of the system may also be an error of
  /// resources.
  static std::string fault_in_end(const Launch& launch, const Ended& ended) {
    const bool limit = launch.signal == SIGXCPU || launch.signal == SIGXFSZ;
    const bool ends_well = ended.code == 0 || ended.code == 130 || (limit && ended.code == 4);
    if (!ends_well && ended.signal != launch.signal) return "ends with " + ended.how();
    return ended.code == 0 || ended.code == 130 ? "" : ended.signal != 0 ? "" : fault_in_message(ended);
  }

  /// What the killed run has left is swept by the next.
  std::string fault_of_next_run(const Job& job) const {
    const Ended ended = run({.tool = ground_.tool, .arguments = job.words(true), .folder = work()});
    if (ended.code != 0) return "the run after a kill ends with " + ended.how();
    const std::string fault = fault_in_files(job, {}, work(), Left::whole);
    return fault.empty() ? "" : "not swept by the next run, " + fault;
  }

  /// Standard output holds whole rows, as far as it got; binary formats a part of the file.
  std::string fault_in_rows(const Job& job, const Files& before, const Ended& ended) const {
    const std::string fault = fault_in_files(job, before, work(), Left::before);
    if (!fault.empty()) return fault;
    const std::string out = lasting(ended.out), whole = lasting(job.out);
    if (ended.code == 0) return out == whole ? "" : "standard output is not what it must be";
    if (!whole.starts_with(out)) return "standard output is no beginning of what it must be";
    const bool text = whole.empty() || whole.back() == '\n';
    const bool cut = ended.code == 130 && text && !out.empty() && out.back() != '\n';
    return cut ? "standard output ends within a row" : "";
  }

  const Ground& ground_;
};

}  // namespace

std::unique_ptr<Attack> kills_attack(const Ground& ground) { return std::make_unique<Kills>(ground); }

}  // namespace sphaera::attack
