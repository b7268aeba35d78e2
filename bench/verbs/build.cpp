/// \file Build time and memory of the index: spheres per second, bytes per sphere.

#include <bench/suite.hpp>

[[maybe_unused]] static const bool registered = sphaera::bench::register_build();
