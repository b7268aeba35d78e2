#pragma once
/// \file Sets the floating-point mode that the proofs assume, for one scope.

#include <base/floating_point_mode.hpp>
#include <base/strict_math.hpp>

namespace sphaera::base {

/// Sets the default mode, unless it is set already. The destructor restores the host's. Every public function
/// that reads a double creates this object before it checks its input: with denormals-are-zero a small radius
/// would count as 0, and a small negative radius as valid. To compare costs far less than to set, which waits
/// for all arithmetic before it (../index/decisions.md). The compiler cannot move reads of floats above the
/// constructor, nor writes below the destructor.
class FloatingPointEnvironment {
 public:
  FloatingPointEnvironment() : changes_(!host_.is_default()) {
    if (changes_) [[unlikely]]
      FloatingPointMode::set_default();
    __asm__ volatile("" ::: "memory");
  }
  ~FloatingPointEnvironment() {
    __asm__ volatile("" ::: "memory");
    if (changes_) [[unlikely]]
      host_.set();
  }
  FloatingPointEnvironment(const FloatingPointEnvironment&) = delete;
  FloatingPointEnvironment& operator=(const FloatingPointEnvironment&) = delete;

  /// Returns `result`, computed inside the scope: compilers move arithmetic past changes of the mode, but not
  /// past this call. Needed for results that are returned in a register; not for results that are stored or
  /// come from a call.
  static double finished(double result) {
    finish(result);
    return result;
  }

 protected:
  const FloatingPointMode host_;
  const bool changes_;
};

/// Calls a function of the caller's, which may leave another mode behind, and sets the mode again. The
/// arithmetic around the call cannot move into it.
template <class Function, class... Arguments>
[[gnu::noinline]] auto call_out(const Function& function, Arguments... arguments) {
  struct Mode {
    ~Mode() {
      if (!FloatingPointMode().is_default()) [[unlikely]]
        FloatingPointMode::set_default();
    }
  } const mode;
  return function(arguments...);
}

}  // namespace sphaera::base
