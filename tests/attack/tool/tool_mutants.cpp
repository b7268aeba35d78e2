/// \file Damaged files through the tool: a sample of what readers/mutants.cpp reads in process.

#include <tests/attack/formats.hpp>
#include <tests/attack/mutate.hpp>
#include <tests/attack/tool/attack.hpp>

namespace sphaera::attack {
namespace {

/// Calls of the tool that read a format. FILE stands for the name of the file.
std::vector<std::string> readers_of(const std::string& format) {
  if (format.starts_with("scene")) {
    return {"info FILE",
            "convert FILE --output out.json",
            "blocked FILE --rays ../in/r.csv --output out.csv",
            "all FILE --rays ../in/r.csv --brute-force --output out.npy",
            "starlight FILE --star 0,0,90,5 --observers ../in/p.csv --output out.csv",
            "map FILE --star 0,0,90,5 --plane=0,0,0,1,0,0,0,1,0 --pixels 5x5 --output out.png"};
  }
  if (format.starts_with("rays")) return {"first ../in/s.csv --rays FILE --verify 5 --output out.csv"};
  if (format.starts_with("observers")) return {"starlight ../in/t.json --observers FILE --output out.csv"};
  if (format.starts_with("stations"))
    return {"eclipse ../in/t.json --stations FILE --from 0 --to 10 --output out.csv"};
  if (format.starts_with("receivers")) return {"map ../in/t.json --observers FILE --output out.csv"};
  if (format.starts_with("bullets"))
    return {"shoot ../in/s.csv --bullets FILE --bounces 2 --output out.csv --picture out.png"};
  if (format.starts_with("points")) return {"nearest ../in/s.csv --points FILE --k 2 --output out.npy"};
  if (format.starts_with("balls")) return {"within ../in/s.csv --balls FILE --output out.jsonl"};
  return {"eclipse ../in/t.json --path FILE --from 0 --to 10 --output out.csv"};
}

class ToolMutants : public Attack {
 public:
  explicit ToolMutants(const AttackSetup& setup) : setup_(setup), formats_(formats(setup.corpus)) {}

  std::uint64_t size() const override { return 0; }

  Verdict attempt(std::uint64_t number) override {
    const Format& format = formats_[number % formats_.size()];
    SplitMix64 random(setup_.seed, number);
    const std::filesystem::path work = setup_.folder / "work";
    make_empty(work);
    write_file(work / format.file_name, random_mutant(random.pick(format.files), format.files, random));
    std::string line = random.pick(readers_of(format.name));
    line.replace(line.find("FILE"), 4, format.file_name);
    const ToolCall call{"", line, ""};
    const Ended ended = run({.tool = setup_.tool, .arguments = call.words(false), .folder = work});
    Verdict verdict{ended.how(), fault_of(ended), "mutant of " + format.name + ": " + line};
    if (verdict.fault.empty() && ended.code != 0 && files_of(work).size() != 1)
      verdict.fault = "an output appears in spite of the error";
    return verdict;
  }

 private:
  static std::string fault_of(const Ended& ended) {
    constexpr std::uint64_t max_bytes = 512 << 20;
    if (ended.hung) return "hangs";
    if (ended.code != 0 && ended.code != 3) return "ends with " + ended.how() + ": " + ended.err;
    if (ended.peak_bytes > max_bytes) return "takes " + std::to_string(ended.peak_bytes) + " bytes";
    const std::string fault = fault_in_message(ended);
    return fault.empty() ? "" : fault + ": " + ended.err;
  }

  const AttackSetup& setup_;
  std::vector<Format> formats_;
};

}  // namespace

std::unique_ptr<Attack> tool_mutants_attack(const AttackSetup& setup) {
  return std::make_unique<ToolMutants>(setup);
}

}  // namespace sphaera::attack
