/// \file <sphaera/embree.hpp> before Embree's own header.

#include <sphaera/embree.hpp>
// Embree's header comes second.
#if RTC_VERSION_MAJOR >= 4
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif
#include <tests/catch.hpp>

TEST_CASE("the header stands before Embree's", "[embree][bridge]") {
  sphaera::embree::QueryContext context;
  CHECK(context.instID[0] == RTC_INVALID_GEOMETRY_ID);
  CHECK((context.rays.empty() && context.in_instance == nullptr && context.layers == sphaera::all_layers));
}
