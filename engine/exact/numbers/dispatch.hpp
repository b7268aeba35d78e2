#pragma once
/// \file Selects Fused or Plain arithmetic for this processor.

#include <exact/numbers/arithmetic.hpp>

namespace sphaera::exact {

template <class Work>
SPHAERA_TARGET_FMA void run_fused(const Work& work) {
  work(Fused{});
}

/// Calls work(Fused{}) or work(Plain{}). `work` is an always-inlined lambda, so that all of it is compiled
/// for that arithmetic.
template <class Work>
void with_arithmetic(bool fused, const Work& work) {
  if (fused) {
    run_fused(work);
  } else {
    work(Plain{});
  }
}
/// The same, fused if the processor has FMA.
template <class Work>
void with_arithmetic(const Work& work) {
  with_arithmetic(has_fma(), work);
}

}  // namespace sphaera::exact
