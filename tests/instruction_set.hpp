#pragma once
/// \file The instruction set that tests let the library use.

namespace sphaera::test {

/// No FMA and AVX2 for the length of a scope, in all threads, as on an old processor.
class Baseline {
 public:
  Baseline();
  ~Baseline();
  Baseline(const Baseline&) = delete;
  Baseline& operator=(const Baseline&) = delete;

  /// Has the library chosen code for the baseline since the scope began?
  bool taken() const;
};

/// Is the whole run on the baseline? SPHAERA_INSTRUCTION_SET=baseline in the environment asks for that, and a
/// run in which the library never chose code for the baseline fails then.
bool baseline_only();

}  // namespace sphaera::test
