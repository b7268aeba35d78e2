#pragma once
/// \file Sets the floating-point mode that the proofs assume, for one scope.

#include <base/strict_math.hpp>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace sphaera::base {

/// Sets round to nearest, denormals kept, exceptions masked. The destructor restores the host's mode. Every
/// public function that reads a double creates this object before it checks its input: with
/// denormals-are-zero a small radius would count as 0, and a small negative radius as valid.
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

  /// Returns `result`, computed inside the scope: compilers move arithmetic past changes of the mode, but not
  /// past this call. Needed for results that are returned in a register; not for results that are stored or
  /// come from a call.
  static double finished(double result) {
#if defined(__SSE2__)
    __asm__ volatile("" : "+x"(result));
#endif
    return result;
  }

#if defined(__SSE2__)
  static constexpr unsigned default_mode = 0x1f80;  ///< all exceptions masked, nearest, FTZ and DAZ off
  static constexpr unsigned flags = 0x3f;           ///< exceptions so far

 private:
  unsigned saved_;
#endif
};

/// Calls a function of the caller's, which may leave another mode behind, and sets the mode again. To compare
/// costs less than to set. The arithmetic around the call cannot move into it.
template <class Function, class... Arguments>
[[gnu::noinline]] auto call_out(const Function& function, Arguments... arguments) {
  struct Mode {
    ~Mode() {
#if defined(__SSE2__)
      constexpr unsigned mode = FloatingPointEnvironment::default_mode;
      if ((_mm_getcsr() & ~FloatingPointEnvironment::flags) != mode) [[unlikely]]
        _mm_setcsr(mode);
#endif
    }
  } const mode;
  return function(arguments...);
}

}  // namespace sphaera::base
