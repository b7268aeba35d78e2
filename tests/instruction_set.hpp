#pragma once
/// \file The instruction set that tests let the library use.

namespace sphaera::test {

/// During its lifetime the library uses no FMA and no AVX2 in any thread, as on an old processor.
class Baseline {
 public:
  Baseline();
  ~Baseline();
  Baseline(const Baseline&) = delete;
  Baseline& operator=(const Baseline&) = delete;

  /// Has the library chosen code for the baseline since the scope began?
  bool taken() const;
};

/// Is the whole run on the baseline? SPHAERA_INSTRUCTION_SET=baseline in the environment asks for that. The
/// run fails then if the library never chose code for the baseline.
bool baseline_only();

}  // namespace sphaera::test
