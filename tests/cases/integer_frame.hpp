#pragma once
/// \file Integer frames, in which cases with exact answers are placed.

#include <sphaera/vec3.hpp>
#include <tests/inputs/random_numbers.hpp>

namespace sphaera::test {

/// Three integer vectors at right angles, all of length n (Euler and Rodrigues, from an integer quaternion).
struct IntegerFrame {
  Vec3 rows[3];
  double n;

  Vec3 at(double x, double y, double z = 0) const { return x * rows[0] + y * rows[1] + z * rows[2]; }
};

/// From a quaternion whose components are at most `most`.
inline IntegerFrame integer_frame(Random& random, int most) {
  for (;;) {
    const double w = random.whole(-most, most), x = random.whole(-most, most), y = random.whole(-most, most),
                 z = random.whole(-most, most), n = w * w + x * x + y * y + z * z;
    if (n == 0) continue;
    return {{{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
             {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
             {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}},
            n};
  }
}

}  // namespace sphaera::test
