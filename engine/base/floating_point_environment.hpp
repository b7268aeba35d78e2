#pragma once
/// \file The floating-point mode that the proofs assume, for the length of a scope.

#include <base/strict_math.hpp>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace sphaera::base {

/// Round to nearest, no flush-to-zero, exceptions masked; the host's mode comes back at the end of the scope.
/// Every public function that reads a double begins with one, before it checks its input: denormals-are-zero
/// takes a small radius for none, and a small negative one for valid.
class FloatingPointEnvironment {
 public:
#if defined(__SSE2__)
  FloatingPointEnvironment() : saved_(_mm_getcsr()) { _mm_setcsr(default_mode); }
  ~FloatingPointEnvironment() { _mm_setcsr(saved_); }
#else
  FloatingPointEnvironment() = default;
#endif
  FloatingPointEnvironment(const FloatingPointEnvironment&) = delete;
  FloatingPointEnvironment& operator=(const FloatingPointEnvironment&) = delete;

  /// A result that is returned in a register, computed within the scope: compilers move arithmetic past
  /// changes of the mode, but not past this. What is stored or comes from a call needs none of it.
  static double finished(double result) {
#if defined(__SSE2__)
    __asm__ volatile("" : "+x"(result));
#endif
    return result;
  }

#if defined(__SSE2__)
 private:
  static constexpr unsigned default_mode = 0x1f80;  // all exceptions masked, nearest, FTZ and DAZ off
  unsigned saved_;
#endif
};

}  // namespace sphaera::base
