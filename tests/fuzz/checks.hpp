#pragma once
/// \file What fuzz_answers asks of one scene: the same answers by brute force, one by one, and by the oracle.

#include <tests/fuzz/fuzz_case.hpp>

namespace sphaera::fuzz {

/// What a call is about: some options are errors for some calls.
enum class About : std::uint8_t { places, flights, light, spheres };

/// The options of a call with n queries, on the calling thread.
QueryOptions options_of(const FuzzCase& fuzzed, About about, std::size_t n, Search search);

/// How bullets fly, with the case's gravities and materials. The case must outlive the spans.
FlightOptions flight_of(const FuzzCase& fuzzed);

/// Prints what is wrong, and the case; aborts.
[[noreturn]] void fail(const FuzzCase& fuzzed, const char* query, const char* what);

/// Batches, through both indices as by brute force, to the last bit.
void compare_searches(const FuzzCase& fuzzed, const Scene& scene);
/// Single queries and those into a span, as the batches.
void compare_single_queries(const FuzzCase& fuzzed, const Scene& scene);
/// Which spheres are met, how, and in which order, as the oracle says (<tests/oracle/decide.hpp>).
void compare_with_oracle(const FuzzCase& fuzzed, const Scene& scene);

}  // namespace sphaera::fuzz
