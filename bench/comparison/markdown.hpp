#pragma once
/// \file The comparison as Markdown, for the README.

#include <bench/comparison/goals.hpp>
#include <bench/comparison/results.hpp>
#include <bench/measure/machine.hpp>
#include <cstdio>

namespace sphaera::bench {

void write_table(std::FILE* out, const Results& results, const Machine& machine,
                 std::span<const Finding> goals);

}  // namespace sphaera::bench
