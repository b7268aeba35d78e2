/// \file All-hits query: every sphere on the ray in order; rays per second.

#include <bench/suite.hpp>

namespace sphaera::bench::all_hits {
namespace {

[[maybe_unused]] const bool registered = register_query(Query::all_hits);

}  // namespace
}  // namespace sphaera::bench::all_hits
