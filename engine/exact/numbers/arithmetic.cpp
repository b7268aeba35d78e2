#include <exact/numbers/arithmetic.hpp>

namespace sphaera::exact {

bool processor_has_fma() {
#if defined(SPHAERA_X86_64)
  static const bool answer = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return answer;
#elif defined(__aarch64__) || defined(__FP_FAST_FMA)
  return true;
#else
  return false;
#endif
}

// Weak: a program's own definition replaces it. Tests choose the instruction set this way, without a switch
// in the library.
[[gnu::weak]] bool has_fma() { return processor_has_fma(); }

}  // namespace sphaera::exact
