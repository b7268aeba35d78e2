#pragma once
/// \file Selects Fused or Plain arithmetic for this processor, once per call.

#include <exact/numbers/arithmetic.hpp>

namespace sphaera::exact {

template <class Work>
SPHAERA_TARGET_FMA void run_fused(const Work& work) {
  work(Fused{});
}

/// Calls work(Fused{}) if the processor has FMA, else work(Plain{}). `work` is an always-inlined lambda, so
/// that all of it is compiled for that arithmetic.
template <class Work>
void with_arithmetic(const Work& work) {
  if (has_fma()) {
    run_fused(work);
  } else {
    work(Plain{});
  }
}

/// Calls function(arithmetic, arguments...), which is always inlined, as one function for all callers. For
/// large functions that several callers share: inlined into each of them they are most of a file's compile
/// time.
template <class Function, class... Arguments>
[[gnu::noinline]] SPHAERA_TARGET_FMA auto call_shared(Fused arithmetic, const Function& function,
                                                      Arguments&... arguments) {
  return function(arithmetic, arguments...);
}
template <class Function, class... Arguments>
[[gnu::noinline]] auto call_shared(Plain arithmetic, const Function& function, Arguments&... arguments) {
  return function(arithmetic, arguments...);
}

}  // namespace sphaera::exact
