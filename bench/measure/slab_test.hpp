#pragma once
/// \file Eight boxes and a ray: the step of an 8-wide traversal, as fast as this machine can run it.

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

#include <array>
#include <cstddef>
#include <limits>

namespace sphaera::bench {

/// A prepared ray: it crosses the plane at coordinate p of an axis at t = p·inverse − start.
struct SlabRay {
  std::array<float, 3> inverse, start;
  float t_min, t_max;
};

struct EightBoxes {
  static constexpr float none = std::numeric_limits<float>::infinity();
  using Eight = float __attribute__((vector_size(32)));

  /// Empty boxes: no ray hits them.
  std::array<Eight, 3> lower{Eight{} + none, Eight{} + none, Eight{} + none},
      upper{Eight{} - none, Eight{} - none, Eight{} - none};

  /// Writes to `near` the entry of the ray into each box, `none` for a miss.
  void enter(const SlabRay& ray, Eight& near) const {
    near = Eight{} + ray.t_min;
    Eight far = Eight{} + ray.t_max;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const bool backwards = ray.inverse[axis] < 0;
      take_larger(near, (backwards ? upper : lower)[axis], ray.inverse[axis], ray.start[axis]);
      take_smaller(far, (backwards ? lower : upper)[axis], ray.inverse[axis], ray.start[axis]);
    }
    near = near <= far ? near : Eight{} + none;
  }

 private:
#if defined(__AVX2__) && defined(__FMA__)
  // From the plain forms below GCC generates neither an FMA (contraction is off) nor vmaxps.
  static void take_larger(Eight& t, const Eight& plane, float inverse, float start) {
    t = _mm256_max_ps(t, _mm256_fmsub_ps(plane, _mm256_set1_ps(inverse), _mm256_set1_ps(start)));
  }
  static void take_smaller(Eight& t, const Eight& plane, float inverse, float start) {
    t = _mm256_min_ps(t, _mm256_fmsub_ps(plane, _mm256_set1_ps(inverse), _mm256_set1_ps(start)));
  }
#else
  static void take_larger(Eight& t, const Eight& plane, float inverse, float start) {
    const Eight other = plane * inverse - start;
    t = t > other ? t : other;
  }
  static void take_smaller(Eight& t, const Eight& plane, float inverse, float start) {
    const Eight other = plane * inverse - start;
    t = t < other ? t : other;
  }
#endif
};

}  // namespace sphaera::bench
