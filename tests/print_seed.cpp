/// \file Prints the seed before Catch2's main runs the tests. SPHAERA_SEED=n repeats a run.

#include <cstdio>
#include <tests/seed.hpp>

namespace {

[[maybe_unused]] const int printed = std::printf("seed %llu (SPHAERA_SEED=n repeats a run)\n",
                                                 static_cast<unsigned long long>(sphaera::test::seed()));

}  // namespace
