/// \file The host's floating-point mode neither changes an answer nor is changed.

#if defined(__SSE2__)
#include <immintrin.h>

#include <cstring>
#include <sphaera/scene.hpp>
#include <workload/workload.hpp>

#include "catch.hpp"
#include "seed.hpp"

namespace sphaera {

TEST_CASE("answers do not depend on the host's rounding mode or flush-to-zero, and leave them alone",
          "[query]") {
  const Scene scene = Scene::build(workload::spheres(workload::Kind::crowd, 2000, test::seed()));
  const std::vector<Ray> rays = workload::rays(workload::Kind::crowd, 2000, 2000, test::seed());
  const std::vector<Hit> plain = scene.first_hit(rays);
  for (const unsigned mode : {0x1f80u | 0x2000u, 0x1f80u | 0x4000u, 0x1f80u | 0x6000u, 0x1f80u | 0x8040u}) {
    const unsigned before = _mm_getcsr();
    _mm_setcsr(mode);
    const std::vector<Hit> other = scene.first_hit(rays);
    const Hit single = scene.first_hit(rays[0]);
    const unsigned after = _mm_getcsr() & ~0x3fu;  // status flags aside
    _mm_setcsr(before);
    CHECK(after == mode);
    CHECK(std::memcmp(&single, &plain[0], offsetof(Hit, contact) + 1) == 0);
    for (std::size_t i = 0; i < rays.size(); ++i) {
      REQUIRE(std::memcmp(&other[i], &plain[i], offsetof(Hit, contact) + 1) == 0);
    }
  }
}

}  // namespace sphaera
#endif
