#pragma once
/// \file The floating-point mode of a thread: MXCSR, FPCR, or on any processor the C library's environment.

#include <base/processor.hpp>

#if defined(SPHAERA_X86_64)
#include <xmmintrin.h>
#elif defined(SPHAERA_AARCH64)
#include <cstdint>
#else
#include <cfenv>
#endif

namespace sphaera::base {

/// By default: round to nearest, denormals kept, exceptions masked.
class FloatingPointMode {
 public:
#if defined(SPHAERA_X86_64)
  /// That of this thread, with the flags of exceptions so far.
  FloatingPointMode() : register_(_mm_getcsr()) {}
  void set() const { _mm_setcsr(register_); }
  static void set_default() { _mm_setcsr(all_masked); }
  bool is_default() const { return (register_ & ~flags) == all_masked; }

 private:
  static constexpr unsigned all_masked = 0x1f80, flags = 0x3f;
  unsigned register_;
#elif defined(SPHAERA_AARCH64)
  FloatingPointMode() { __asm__ volatile("mrs %0, fpcr" : "=r"(register_)::"memory"); }
  void set() const { write(register_); }
  static void set_default() { write(0); }
  bool is_default() const { return register_ == 0; }

 private:
  static void write(std::uint64_t value) { __asm__ volatile("msr fpcr, %0" ::"r"(value) : "memory"); }
  std::uint64_t register_;
#else
  FloatingPointMode() { std::fegetenv(&environment_); }
  void set() const { std::fesetenv(&environment_); }
  static void set_default() { std::fesetenv(FE_DFL_ENV); }
  bool is_default() const { return false; }  ///< unknown

 private:
  std::fenv_t environment_;
#endif
};

/// The compiler cannot move the computation of x, in this scope, beyond this call.
inline void finish([[maybe_unused]] double& x) {
#if defined(SPHAERA_X86_64)
  __asm__ volatile("" : "+x"(x));
#elif defined(SPHAERA_AARCH64)
  __asm__ volatile("" : "+w"(x));
#else
  __asm__ volatile("" : "+m"(x));
#endif
}

}  // namespace sphaera::base
