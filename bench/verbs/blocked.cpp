/// \file Any-hit query; rays per second.

#include <bench/suite.hpp>

namespace sphaera::bench::blocked {
namespace {

[[maybe_unused]] const bool registered = register_query(Query::blocked);

}  // namespace
}  // namespace sphaera::bench::blocked
