#pragma once
/// \file The displacements of a moving sphere during the time interval of its set, in lanes.

#include <index/frames/frame.hpp>
#include <index/frames/sphere_set.hpp>

namespace sphaera::index {

/// The least and the largest displacement along each axis, off by u each: the product.
struct Drift {
  Lanes least{}, most{};

  Drift() = default;
  SPHAERA_INLINE Drift(const Vec3& velocity, double from, double to) {
    const Lanes v{velocity.x, velocity.y, velocity.z, 0}, first = from * v, last = to * v;
    least = first < last ? first : last;
    most = first < last ? last : first;
  }
};

}  // namespace sphaera::index
