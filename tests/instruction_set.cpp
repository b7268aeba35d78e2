#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exact/numbers/arithmetic.hpp>
#include <string_view>
#include <tests/instruction_set.hpp>
#include <tests/skipped.hpp>

namespace sphaera {
namespace {

std::atomic<int> baselines{0};
std::atomic<bool> baseline_chosen{false};  ///< the library chose code for the baseline

bool asks_for_baseline() {
  const char* text = std::getenv("SPHAERA_INSTRUCTION_SET");
  return text && std::string_view(text) == "baseline";
}

/// A whole run on the baseline, which fails at its end if the library never chose the baseline's code.
class WholeRun {
 public:
  WholeRun() : asked_(asks_for_baseline()) {
    if (!asked_) return;
    ++baselines;
    std::puts("instruction set: baseline (SPHAERA_INSTRUCTION_SET)");
  }
  ~WholeRun() {
    if (!asked_ || baseline_chosen) return;
    std::fputs("SPHAERA_INSTRUCTION_SET=baseline: the library never chose code for the baseline\n", stderr);
    std::fflush(nullptr);
    std::_Exit(1);
  }
  WholeRun(const WholeRun&) = delete;
  WholeRun& operator=(const WholeRun&) = delete;

 private:
  bool asked_;
};

const WholeRun whole_run;

}  // namespace

test::Baseline::Baseline() {
  ++baselines;
  baseline_chosen = false;
}
test::Baseline::~Baseline() { --baselines; }
bool test::Baseline::taken() const { return baseline_chosen; }

bool test::baseline_only() { return asks_for_baseline(); }

/// Replaces the library's `has_fma` at link time.
bool exact::has_fma() {
  static const bool supported = [] {
    if (processor_has_fma()) return true;
    test::skipped("code for FMA and AVX2: the processor or a portable build has none");
    return false;
  }();
  if (supported && baselines == 0) return true;
  if (!baseline_chosen.load(std::memory_order_relaxed))
    baseline_chosen = true;  // not written again: writes would slow the threads that share it
  return false;
}

}  // namespace sphaera
