#pragma once
/// \file The floating-point mode of a callback, which runs in whatever mode the caller of Embree has set.

#include <base/floating_point_environment.hpp>

namespace sphaera::bridge {

/// Sets the mode that the proofs assume, unless it is set already: to change it costs more than to compare.
/// The compiler cannot move reads of floats above the constructor, nor writes below the destructor.
class CallMode {
 public:
#if defined(__SSE2__)
  CallMode() : saved_(_mm_getcsr()), changes_((saved_ & ~flags) != wanted) {
    if (changes_) [[unlikely]]
      _mm_setcsr(wanted);
    __asm__ volatile("" ::: "memory");
  }
  ~CallMode() {
    __asm__ volatile("" ::: "memory");
    if (changes_) [[unlikely]]
      _mm_setcsr(saved_);
  }

  /// Runs a function of the caller in the caller's floating-point mode.
  template <class Function>
  void outside(const Function& function) const {
    if (!changes_) return base::call_out(function);
    _mm_setcsr(saved_);
    function();
    _mm_setcsr(wanted);
  }

 private:
  static constexpr unsigned wanted = base::FloatingPointEnvironment::default_mode,
                            flags = base::FloatingPointEnvironment::flags;
  unsigned saved_;
  bool changes_;

 public:
#else
  CallMode() = default;
  template <class Function>
  void outside(const Function& function) const {
    function();
  }
#endif
  CallMode(const CallMode&) = delete;
  CallMode& operator=(const CallMode&) = delete;
};

}  // namespace sphaera::bridge
