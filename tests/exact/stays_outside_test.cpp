/// \file The early out that proves a path along the ground stays above it: never wrong at the edge.

#include <exact/predicates/filter.hpp>
#include <exact/predicates/filtered_predicate.hpp>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::Random;

/// A chord whose middle is up to its sagitta above or below the sphere, or one sagitta above, within ulps.
exact::Path chord(const Sphere& s, Random& random) {
  const Vec3 up = random.direction(), side = cross(up, random.direction());
  const Vec3 along = 1 / std::sqrt(dot(side, side) + 1e-9) * side;
  const double half = s.radius * random.log_uniform(1e-12, 0.5), sag = half * half / s.radius / 2;
  const bool near = random.one_in(2);
  const double height = near ? sag * random.between(-1, 1) : sag + random.between(-1, 1) * s.radius * 1e-16;
  const Vec3 middle = s.center + (s.radius + height) * up;
  const double skew = near ? random.between(-1, 1) : 0;
  const Vec3 a = middle - (1 + skew) * half * along, b = middle + (1 - skew) * half * along;
  if (random.one_in(2)) return exact::path_of(Segment{a, b});
  const double length = random.log_uniform(1e-6, 1e6), start = length * random.between(-2, 2);
  const Vec3 d = 1 / length * (b - a);
  return exact::path_of(Ray{a - start * d, d, start, start + length});
}

}  // namespace

TEST_CASE("a path that is proven to stay outside a sphere does so", "[exact]") {
  Random random(test::seed());
  exact::Counts counts;
  int proven = 0, unproven = 0;
  const int n = test::fewer_in_repeats(200'000);
  for (int i = 0; i < n; ++i) {
    const double radius = random.log_uniform(1e-3, 1e12);
    const Sphere s{random.one_in(2) ? Vec3{} : radius * random.log_uniform(1e-3, 1e3) * random.direction(),
                   radius};
    const exact::Path path = chord(s, random);
    const bool meets = exact::FilteredPredicate<exact::Plain>(path, s, counts).meets();
    if (exact::filter::stays_outside<exact::Plain>(path.origin - s.center, path, radius)) {
      ++proven;
      REQUIRE_FALSE(meets);
    } else {
      unproven += !meets;
    }
  }
  INFO(proven << " proven to stay outside, " << unproven << " that do, unproven");
  CHECK(proven > n / 50);
  CHECK(unproven > 0);
}

}  // namespace sphaera
