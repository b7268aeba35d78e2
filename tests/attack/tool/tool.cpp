/// \file Attacks the tool.
///
///     sphaera_attack_tool --attack mutants|streams|kills|limits|allocations|names --tool FILE [--seed S]
///         [--attempts N] [--part I/N] [--preload LIBRARY] [--corpus FOLDER] [--case NUMBER]
///
/// Makes N attempts drawn at random, or all without --attempts or if N is at least their number. Attempts of
/// mutants and kills have no end: these need --attempts and make the first N.

#include <cstdio>
#include <exception>
#include <map>
#include <tests/attack/arguments.hpp>
#include <tests/attack/escaped.hpp>
#include <tests/attack/scratch_folder.hpp>
#include <tests/attack/splitmix.hpp>
#include <tests/attack/tool/attack.hpp>

namespace sphaera::attack {
namespace {

constexpr Size large{20000, 20000};  // long enough for a signal to meet every stage of the work

std::unique_ptr<Attack> attack_called(const std::string& name, const AttackSetup& setup) {
  if (name == "mutants") return tool_mutants_attack(setup);
  if (name == "streams") return streams_attack(setup);
  if (name == "kills") return kills_attack(setup);
  if (name == "limits") return limits_attack(setup);
  if (name == "allocations") return allocations_attack(setup);
  if (name == "names") return names_attack(setup);
  throw std::runtime_error("--attack is mutants, streams, kills, limits, allocations or names");
}

/// Counts the attempts by outcome and prints the first three faults of each kind.
class Tally {
 public:
  Tally(std::string name, std::uint64_t seed) : name_(std::move(name)), seed_(seed) {}

  void add(std::uint64_t number, const Verdict& verdict) {
    ++outcomes_[verdict.outcome];
    if (verdict.fault.empty()) return;
    ++faults_;
    const std::string kind =
        verdict.outcome + ": " + verdict.fault.substr(0, verdict.fault.find_first_of("0123456789:"));
    constexpr int max_of_a_kind = 3;
    if (++kinds_[kind] > max_of_a_kind) return;
    std::printf("FAULT %s: %s; %s\n      %s\n      again: --attack %s --seed %llu --case %llu\n",
                name_.c_str(), verdict.outcome.c_str(), escaped(verdict.fault).c_str(), verdict.how.c_str(),
                name_.c_str(), static_cast<unsigned long long>(seed_),
                static_cast<unsigned long long>(number));
    std::fflush(stdout);
  }

  void print() const {
    for (const auto& [outcome, n] : outcomes_) print_count(outcome, n);
    for (const auto& [kind, n] : kinds_) print_count("FAULT " + kind, n);
    print_count("faults", faults_);
  }

  bool clean() const { return faults_ == 0; }

 private:
  void print_count(const std::string& what, std::uint64_t n) const {
    std::printf("count %s\t%s\t%llu\n", name_.c_str(), what.c_str(), static_cast<unsigned long long>(n));
  }

  std::string name_;
  std::uint64_t seed_;
  std::map<std::string, std::uint64_t> outcomes_, kinds_;
  std::uint64_t faults_ = 0;
};

int once(Attack& attack, std::uint64_t number) {
  const Verdict verdict = attack.attempt(number);
  std::printf("%s\n%s\n%s\n", verdict.how.c_str(), verdict.outcome.c_str(),
              verdict.fault.empty() ? "as it should be" : escaped(verdict.fault, 5000).c_str());
  return verdict.fault.empty() ? 0 : 1;
}

int attack_with(const Arguments& arguments) {
  const Scratch scratch;
  const std::string name = arguments.text("--attack", "");
  AttackSetup setup{std::filesystem::absolute(arguments.text("--tool", "")),
                    scratch.path(),
                    arguments.number("--seed", 1),
                    {}};
  // A copy: the user that `limits` switches to may be unable to reach the original.
  std::filesystem::copy_file(setup.tool, setup.folder / "sphaera");
  setup.tool = setup.folder / "sphaera";
  if (arguments.has("--preload"))
    setup.preload = std::filesystem::absolute(arguments.text("--preload", "")).string();
  setup.corpus = arguments.text("--corpus", "tests/fuzz/corpus");
  setup.calls = make_tool_calls(setup.tool, setup.folder, name == "kills" ? large : small);
  const std::unique_ptr<Attack> attack = attack_called(name, setup);
  if (arguments.has("--case")) return once(*attack, arguments.number("--case", 0));

  const std::uint64_t size = attack->size();
  if (size == 0 && !arguments.has("--attempts"))
    throw std::runtime_error("--attack " + name + " needs --attempts");
  const std::uint64_t attempts = arguments.number("--attempts", size);
  const bool all = size != 0 && attempts >= size;
  const auto [part, parts] = arguments.part();
  Tally tally(name == "mutants" ? "tool-mutants" : name, setup.seed);
  for (std::uint64_t i = part; i < (all ? size : attempts); i += parts) {
    const std::uint64_t number = all || size == 0 ? i : SplitMix64(setup.seed, i).below(size);
    tally.add(number, attack->attempt(number));
  }
  tally.print();
  std::puts("done");
  return tally.clean() ? 0 : 1;
}

}  // namespace
}  // namespace sphaera::attack

int main(int argc, char** argv) {
  try {
    return sphaera::attack::attack_with(sphaera::attack::Arguments(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
