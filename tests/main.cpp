/// \file Runs the tests. SPHAERA_SEED=n repeats a run; the seed is printed first.

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

#include <cstdio>
#include <seed.hpp>

int main(int argc, char** argv) {
  std::printf("seed %llu (SPHAERA_SEED=n repeats a run)\n",
              static_cast<unsigned long long>(sphaera::test::seed()));
  return Catch::Session().run(argc, argv);
}
