/// \file What is met at all: every sphere on the ray, in order, rays a second.

#include <bench/suite.hpp>

[[maybe_unused]] static const bool registered =
    sphaera::bench::register_query(sphaera::bench::Query::all_hits);
