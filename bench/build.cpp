/// \file How long an index takes to build, and how much memory it holds: spheres a second, bytes a sphere.

#include <bench/suite.hpp>

[[maybe_unused]] static const bool registered = sphaera::bench::register_build();
