/// \file Any-hit query; rays per second.

#include <bench/suite.hpp>

[[maybe_unused]] static const bool registered =
    sphaera::bench::register_query(sphaera::bench::Query::blocked);
