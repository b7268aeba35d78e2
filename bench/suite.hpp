#pragma once
/// \file Registers benchmarks with Google Benchmark. A name contains the whole spec:
/// blocked/crowd/1e6/sphaera/threads:2.

#include <bench/measure/measure.hpp>

namespace sphaera::bench {

/// Register one benchmark for each scene, size, number of threads and engine. Return true, so that a static
/// variable can be initialized by the call.
bool register_query(Query query);
bool register_build();

}  // namespace sphaera::bench
