#pragma once
/// \file What tests leave out because this machine or user cannot do it.

#include <cstdio>

namespace sphaera::test {

/// Says so on standard output; tools/test gathers these lines at its end.
inline void skipped(const char* what_and_why) { std::printf("skipped: %s\n", what_and_why); }

}  // namespace sphaera::test
