/// \file What is met first: the nearest entry, rays a second.

#include <bench/suite.hpp>

[[maybe_unused]] static const bool registered =
    sphaera::bench::register_query(sphaera::bench::Query::first_hit);
