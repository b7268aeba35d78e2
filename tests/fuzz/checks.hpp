#pragma once
/// \file What fuzz_answers asks of one scene: the same answers by brute force, one by one, and by the oracle.

#include <string>
#include <tests/fuzz/fuzz_case.hpp>

namespace sphaera::fuzz {

/// The options of a call on the calling thread, for batches of up to `max_rows` queries.
QueryOptions options_of(const FuzzCase& fuzzed, Search search);

/// Prints what is wrong, and the case; aborts.
[[noreturn]] void fail(const FuzzCase& fuzzed, const std::string& query, const char* what);

/// Batches of every query, through both indices as by brute force, to the last bit.
void compare_searches(const FuzzCase& fuzzed, const Scene& scene);
/// Every query alone, and into a span, as in the batch.
void compare_single_queries(const FuzzCase& fuzzed, const Scene& scene);
/// Which spheres are met, how, and in which order, as the oracle says (<tests/oracle/decide.hpp>).
void compare_with_oracle(const FuzzCase& fuzzed, const Scene& scene);

}  // namespace sphaera::fuzz
