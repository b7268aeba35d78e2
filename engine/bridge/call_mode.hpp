#pragma once
/// \file The floating-point mode of a callback, which runs in whatever mode the caller of Embree has set.

#include <base/floating_point_environment.hpp>

namespace sphaera::bridge {

class CallMode : public base::FloatingPointEnvironment {
 public:
  /// Runs a function of the caller in the caller's floating-point mode.
  template <class Function>
  void outside(const Function& function) const {
    if (!changes_) return base::call_out(function);
    host_.set();
    function();
    base::FloatingPointMode::set_default();
  }
};

}  // namespace sphaera::bridge
