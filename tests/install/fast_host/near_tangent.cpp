/// \file Rays that all but touch a sphere, asked from a host that is compiled with -ffast-math: every answer
/// must be that of integers.
///
/// A ray c − l + t·d and a ball (c, r) meet where r²|d|² ≥ |l × d|². With |l|, |d| < 2^9 per axis and r =
/// m·2^-e the two sides, times 2^(2e), are integers of at most 128 bits. r is |l × d|/|d| rounded to double,
/// or a double up to two ulps away.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <sphaera/sphaera.hpp>
#include <vector>

using namespace sphaera;

namespace {

constexpr int cases = 200'000, per_row = 59, spacing = 4096;
using Wide = unsigned __int128;

struct Case {
  Ray ray;
  Sphere sphere;
  bool meets;
};

Case make_case(int number, std::mt19937_64& random) {
  const auto coordinate = [&] { return static_cast<std::int64_t>(random() % 1023) - 511; };
  std::int64_t l[3], d[3];
  for (int axis = 0; axis < 3; ++axis) l[axis] = coordinate(), d[axis] = coordinate();
  Wide across = 0, square = 0;
  std::int64_t ahead = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    const std::int64_t w = l[next] * d[last] - l[last] * d[next];
    across += static_cast<Wide>(w * w), square += static_cast<Wide>(d[axis] * d[axis]),
        ahead += l[axis] * d[axis];
  }
  if (ahead <= 0 || across < square) return make_case(number, random);

  double r = std::sqrt(static_cast<double>(across) / static_cast<double>(square));
  for (int steps = static_cast<int>(random() % 5) - 2; steps != 0; steps += steps < 0 ? 1 : -1) {
    r = std::nextafter(r, steps < 0 ? 0 : 1e9);
  }
  int exponent = 0;
  const auto m = static_cast<std::uint64_t>(std::ldexp(std::frexp(r, &exponent), 53));
  const bool meets = Wide{m} * m * square >= across << 2 * (53 - exponent);

  const Vec3 center{double(spacing * (number % per_row)), double(spacing * (number / per_row % per_row)),
                    double(spacing * (number / per_row / per_row))};
  const Vec3 offset{double(l[0]), double(l[1]), double(l[2])},
      direction{double(d[0]), double(d[1]), double(d[2])};
  // Up to twice the way to the nearest point, so that no other sphere is near.
  return {{center - offset, direction, 0, 2 * static_cast<double>(ahead) / static_cast<double>(square)},
          {center, r},
          meets};
}

}  // namespace

int main() {
  std::mt19937_64 random(20);
  std::vector<Ray> rays;
  std::vector<Sphere> spheres;
  std::vector<bool> expected;
  for (int i = 0; i < cases; ++i) {
    const Case c = make_case(i, random);
    rays.push_back(c.ray), spheres.push_back(c.sphere), expected.push_back(c.meets);
  }
  const Scene scene = Scene::build(spheres);
  const std::vector<std::uint8_t> blocked = scene.blocked(rays);
  const std::vector<Hit> first = scene.first_hit(rays);
  int touched = 0, wrong = 0;
  for (int i = 0; i < cases; ++i) {
    touched += expected[i];
    wrong += meets(rays[i], spheres[i]) != expected[i] || (blocked[i] != 0) != expected[i] ||
             (first[i].sphere == i) != expected[i];
  }
  std::printf("near tangents: %d of %d wrong, %d touched\n", wrong, cases, touched);
  return wrong == 0 && touched > cases / 4 && touched < 3 * cases / 4 ? 0 : 1;
}
