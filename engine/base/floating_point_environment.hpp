#pragma once
/// \file Sets the floating-point mode that the proofs assume, for one scope.

#include <base/floating_point_mode.hpp>
#include <base/strict_math.hpp>

namespace sphaera::base {

/// Sets the default mode. The destructor restores the host's. Every public function that reads a double
/// creates this object before it checks its input: with denormals-are-zero a small radius would count as 0,
/// and a small negative radius as valid.
class FloatingPointEnvironment {
 public:
  FloatingPointEnvironment() { FloatingPointMode::set_default(); }
  ~FloatingPointEnvironment() { host_.set(); }
  FloatingPointEnvironment(const FloatingPointEnvironment&) = delete;
  FloatingPointEnvironment& operator=(const FloatingPointEnvironment&) = delete;

  /// Returns `result`, computed inside the scope: compilers move arithmetic past changes of the mode, but not
  /// past this call. Needed for results that are returned in a register; not for results that are stored or
  /// come from a call.
  static double finished(double result) {
    finish(result);
    return result;
  }

 private:
  const FloatingPointMode host_;
};

/// Calls a function of the caller's, which may leave another mode behind, and sets the mode again. To compare
/// costs less than to set. The arithmetic around the call cannot move into it.
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
