/// \file Embree's own header before <sphaera/embree.hpp>.

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif
// Sphaera's header comes second.
#include <sphaera/embree.hpp>
#include <tests/catch.hpp>

TEST_CASE("the header stands behind Embree's", "[embree][bridge]") {
  const sphaera::embree::PointQuery query;
  CHECK((query.nearest.sphere == -1 && query.geometry == nullptr));
  RTCPointQueryFunction function = sphaera::embree::point_query;
  CHECK(function != nullptr);
}
