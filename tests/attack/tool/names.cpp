/// \file Hostile names of files, layers, units and options, and names that lead to special files.

#include <tests/attack/escaped.hpp>
#include <tests/attack/tool/names.hpp>

namespace sphaera::attack {
namespace {

class Names : public Attack {
 public:
  explicit Names(const AttackSetup& setup) : setup_(setup), inputs_(files_of(setup.folder / "in")) {
    for (const auto& cases : {cases_of_output_names(setup), cases_of_input_names(setup),
                              cases_of_words(setup), cases_of_special_files(setup), cases_of_clashes(setup)})
      cases_.insert(cases_.end(), cases.begin(), cases.end());
  }

  std::uint64_t size() const override { return cases_.size(); }

  Verdict attempt(std::uint64_t number) override {
    const Case& one = cases_[number];
    make_empty(setup_.folder / "work");
    if (one.prepare) one.prepare();
    Launch launch = one.launch;
    launch.tool = setup_.tool;
    launch.folder = setup_.folder / "work";
    const Ended ended = run(launch);
    Verdict verdict{ended.how(), fault_of(one, ended), one.what + ": " + text_of(launch)};
    if (files_of(setup_.folder / "in") == inputs_) return verdict;
    verdict.fault = "an input has changed";
    for (const auto& [name, bytes] : inputs_) write_file(setup_.folder / "in" / name, bytes);
    return verdict;
  }

 private:
  static std::string fault_of(const Case& one, const Ended& ended) {
    constexpr std::uint64_t max_bytes = 1ULL << 30;
    if (ended.hung) return "hangs";
    if (ended.signal != 0 || ended.code == 1 || ended.code == 5)
      return "ends with " + ended.how() + ": " + ended.err;
    if (ended.peak_bytes > max_bytes) return "takes " + std::to_string(ended.peak_bytes) + " bytes";
    const std::string fault = one.launch.streams[2] == Stream::caught ? fault_in_message(ended) : "";
    if (!fault.empty()) return fault + ": " + ended.err;
    const std::string found = one.check(ended);
    return found.empty() || ended.err.empty() ? found : found + ": " + ended.err;
  }

  const AttackSetup& setup_;
  Files inputs_;
  std::vector<Case> cases_;
};

}  // namespace

std::string code_is(const Ended& ended, std::initializer_list<int> codes) {
  for (const int code : codes) {
    if (ended.code == code) return {};
  }
  return "the exit code is wrong (" + ended.how() + ")";
}

const ToolCall& call_named(const AttackSetup& setup, std::string_view name) {
  for (const ToolCall& call : setup.calls) {
    if (call.name == name) return call;
  }
  throw std::runtime_error("there is no call " + std::string(name));
}

const std::vector<std::string>& hostile_words() {
  static const std::vector<std::string> words{
      "new\nline",        "return\r",        "tab\t",
      "esc\x1b[31m",      "title\x1b]0;x\a", "c1\xc2\x9b[31m",
      "nel\xc2\x85",      "del\x7f",         "bidi\xe2\x80\xae",
      "mark\xe2\x80\x8f", "sep\xe2\x80\xa8", "latin\xe9",
      "bad\xff\xfe",      "cut\xe2\x82",     "long\xc0\x80",
      "half\xed\xa0\x80", " leading",        "comma,",
      "quote\"'",         "{}%s%n",          "e\xcc\x81\xf0\x9f\x98\x80"};
  return words;
}

std::unique_ptr<Attack> names_attack(const AttackSetup& setup) { return std::make_unique<Names>(setup); }

}  // namespace sphaera::attack
