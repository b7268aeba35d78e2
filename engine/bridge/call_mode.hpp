#pragma once
/// \file The floating-point mode of a callback, which runs in whatever mode the caller of Embree has set.

#include <base/floating_point_environment.hpp>

namespace sphaera::bridge {

/// Sets the mode that the proofs assume, unless it is set already: to change it costs more than to compare.
/// The compiler cannot move reads of floats above the constructor, nor writes below the destructor.
class CallMode {
 public:
  CallMode() : changes_(!host_.is_default()) {
    if (changes_) [[unlikely]]
      base::FloatingPointMode::set_default();
    __asm__ volatile("" ::: "memory");
  }
  ~CallMode() {
    __asm__ volatile("" ::: "memory");
    if (changes_) [[unlikely]]
      host_.set();
  }
  CallMode(const CallMode&) = delete;
  CallMode& operator=(const CallMode&) = delete;

  /// Runs a function of the caller in the caller's floating-point mode.
  template <class Function>
  void outside(const Function& function) const {
    if (!changes_) return base::call_out(function);
    host_.set();
    function();
    base::FloatingPointMode::set_default();
  }

 private:
  const base::FloatingPointMode host_;
  const bool changes_;
};

}  // namespace sphaera::bridge
