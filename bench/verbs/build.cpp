/// \file Build time and memory of the index: spheres per second, bytes per sphere.

#include <bench/suite.hpp>

namespace sphaera::bench {
namespace {

[[maybe_unused]] const bool registered_build = register_build();

}  // namespace
}  // namespace sphaera::bench
