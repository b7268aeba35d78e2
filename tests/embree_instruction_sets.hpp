#pragma once
/// \file The instruction sets that Embree can be set to use on this machine.

#include <tests/skipped.hpp>
#include <vector>

namespace sphaera::test {

/// Each as text to append to Embree's options. The first is empty: Embree chooses.
inline std::vector<const char*> embree_instruction_sets() {
  std::vector<const char*> sets{"", ",isa=sse2", ",isa=sse4.2", ",isa=avx", ",isa=avx2"};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512vl")) {
    sets.push_back(",isa=avx512");
  } else {  // Embree refuses to build
    skipped("Embree's code for AVX-512: the processor has none");
  }
#endif
  return sets;
}

}  // namespace sphaera::test
