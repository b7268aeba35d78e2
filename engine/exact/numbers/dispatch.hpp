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

}  // namespace sphaera::exact
