/// \file First-hit query: the nearest entry; rays per second.

#include <bench/suite.hpp>

namespace sphaera::bench::first_hit {
namespace {

[[maybe_unused]] const bool registered = register_query(Query::first_hit);

}  // namespace
}  // namespace sphaera::bench::first_hit
