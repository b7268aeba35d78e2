/// \file What a curve's decision costs: printed, not judged.

#include <catch.hpp>
#include <ctime>
#include <exact/curves/curve.hpp>
#include <exact/random.hpp>
#include <seed.hpp>

using namespace sphaera;
using namespace sphaera::test;
using exact::Curve;

namespace {

/// Nanoseconds of this process.
double processor_time() { return 1e9 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// A bullet on Earth that passes a ball of 0.3 m at `radii` from its centre.
Curve shot(Random& random, double slowest, double fastest, double radii) {
  const double speed = random.between(slowest, fastest), time = random.between(1, 100) / speed, radius = 0.3;
  const Vec3 velocity = speed * random.direction(), gravity{0, 0, -9.81};
  const Vec3 across = cross(velocity + time * gravity, random.direction());
  const Vec3 from_centre = (radii * radius / std::sqrt(dot(across, across))) * across;
  Curve c{{}, gravity, {infinity, 0}};
  for (int i = 0; i < 3; ++i) {
    const double origin = 100 * i;
    c.relative.offset[i] = {origin,
                            from_centre[i] - (origin + time * velocity[i] + 0.5 * time * time * gravity[i])};
    c.relative.direction[i] = {velocity[i]};
  }
  c.relative.radius = {radius};
  return c;
}

void measure(const char* what, double slowest, double fastest, double least, double most) {
  Random random(seed(), 850);
  std::vector<Curve> curves;
  for (int i = 0; i < 20'000; ++i)
    curves.push_back(shot(random, slowest, fastest, random.between(least, most)));
  exact::Counts counts, of_times;
  int met = 0;
  double sum = 0;
  const double start = processor_time();
  for (const Curve& c : curves) met += exact::inside_intervals(c, counts).count > 0 ? 1 : 0;
  const double middle = processor_time();
  for (const Curve& c : curves) {
    const exact::InsideIntervals s = exact::inside_intervals(c, of_times);
    if (s.count > 0) sum += exact::time(c, s.interval[0].enter, of_times);
  }
  const double end = processor_time(), n = static_cast<double>(curves.size());
  std::printf(
      "curves, %s: %.0f ns, with the time %.0f ns; %.4f met, of 1e4 by double-double %.1f, by integers "
      "%.1f\n",
      what, (middle - start) / n, (end - middle) / n, met / n, 1e4 * double(counts.double_double) / n,
      1e4 * double(counts.exact) / n);
  CHECK(std::isfinite(sum));
}

}  // namespace

TEST_CASE("what curves cost", "[exact]") {
  measure("slow misses", 10, 40, 1.5, 6);
  measure("fast misses", 300, 900, 1.5, 6);
  measure("slow hits", 10, 40, 0, 0.9);
  measure("fast hits", 300, 900, 0, 0.9);
}
