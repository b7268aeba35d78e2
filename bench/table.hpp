#pragma once
/// \file The comparison as Markdown, for the README.

#include <bench/bar.hpp>
#include <bench/machine.hpp>
#include <bench/record.hpp>
#include <cstdio>

namespace sphaera::bench {

void write_table(std::FILE* out, const Results& results, const Machine& machine,
                 std::span<const Finding> bar);

}  // namespace sphaera::bench
