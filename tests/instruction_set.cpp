#include <atomic>
#include <exact/numbers/arithmetic.hpp>
#include <instruction_set.hpp>

namespace sphaera {
namespace {

std::atomic<int> baselines{0};

}  // namespace

test::Baseline::Baseline() { ++baselines; }
test::Baseline::~Baseline() { --baselines; }

/// In place of the library's own.
bool exact::has_fma() {
#if defined(__x86_64__)
  static const bool supported = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  constexpr bool supported = false;
#endif
  return supported && baselines == 0;
}

}  // namespace sphaera
