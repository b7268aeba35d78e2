#include <exact/numbers/arithmetic.hpp>

namespace sphaera::exact {

// Weak: a program's own definition replaces it. Tests choose the instruction set this way, without a switch
// in the library.
[[gnu::weak]] bool has_fma() {
#if defined(__x86_64__)
  static const bool answer = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return answer;
#elif defined(__FP_FAST_FMA)
  return true;
#else
  return false;
#endif
}

}  // namespace sphaera::exact
