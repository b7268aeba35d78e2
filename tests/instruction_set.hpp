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
};

}  // namespace sphaera::test
