#pragma once
/// \file Code that is compiled once for each set of instructions: `plain`, for any processor, and `fused`,
/// for AVX2 and FMA.
///
/// Such code stands after all includes, in a namespace of its set:
///
///     SPHAERA_SET_BEGIN
///     namespace sphaera::FOLDER::inline SPHAERA_SET { … }
///     SPHAERA_SET_END
///
/// engine/CMakeLists.txt lists the files that are compiled twice; in those that are compiled once the set is
/// `plain`. All other code is compiled for any processor, in both: the linker may merge its functions
/// (tests/source/instruction_sets). So it must not call the code of a set, but by SPHAERA_CHOSEN in a file's
/// SPHAERA_ONCE, and a template that is given a lambda of a set stands in the set, too: only there the lambda
/// can be inlined.

#include <exact/numbers/arithmetic.hpp>

#if defined(SPHAERA_FUSED)
#define SPHAERA_SET fused
#define SPHAERA_OTHER_SET plain
#define SPHAERA_ONCE 0
#else
#define SPHAERA_SET plain
#define SPHAERA_OTHER_SET fused
#define SPHAERA_ONCE 1  ///< for the part of a file that is compiled once
#endif

#if !defined(SPHAERA_FUSED) || !defined(SPHAERA_X86_64)
#define SPHAERA_SET_BEGIN
#define SPHAERA_SET_END
#elif defined(__clang__)
#define SPHAERA_SET_BEGIN \
  _Pragma("clang attribute push(__attribute__((target(\"avx2,fma\"))), apply_to = function)")
#define SPHAERA_SET_END _Pragma("clang attribute pop")
#else
#define SPHAERA_SET_BEGIN _Pragma("GCC push_options") _Pragma("GCC target(\"avx2,fma\")")
#define SPHAERA_SET_END _Pragma("GCC pop_options")
#endif

/// Declares functions of both sets.
#define SPHAERA_IN_BOTH_SETS(...) \
  inline namespace SPHAERA_SET {  \
  __VA_ARGS__                     \
  }                               \
  namespace SPHAERA_OTHER_SET {   \
  __VA_ARGS__                     \
  }

/// A call of a function of the set that this processor has.
#define SPHAERA_CHOSEN(...) (sphaera::exact::has_fma() ? fused::__VA_ARGS__ : plain::__VA_ARGS__)

namespace sphaera::exact {

inline namespace SPHAERA_SET {
#if defined(SPHAERA_FUSED)
using Arithmetic = Fused;
#else
using Arithmetic = Plain;
#endif
}  // namespace SPHAERA_SET

}  // namespace sphaera::exact
