#pragma once
/// \file The comparison as Markdown, for the README.

#include <bench/comparison/results.hpp>
#include <bench/measure/machine.hpp>
#include <cstdio>

namespace sphaera::bench {

void write_table(std::FILE* out, const Results& results, const Machine& machine);

}  // namespace sphaera::bench
