/// \file All-hits query: every sphere on the ray in order; rays per second.

#include <bench/suite.hpp>

[[maybe_unused]] static const bool registered =
    sphaera::bench::register_query(sphaera::bench::Query::all_hits);
