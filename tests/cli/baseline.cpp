/// \file The tool on a processor without FMA and AVX2: has_fma() in place of the library's own.

#include <exact/numbers/arithmetic.hpp>

bool sphaera::exact::has_fma() { return false; }
