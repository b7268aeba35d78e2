/// \file The curves' filter in double decides shots on Earth, all but at most one in a thousand.

#include <exact/curves/curve.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;
using exact::Curve;

namespace {

/// A bullet and when it passes the ball.
struct Shot {
  Curve curve;
  double time;
};

/// A bullet on Earth that passes a ball of 0.3 m at `radii` from its center.
Shot shot(Random& random, double slowest, double fastest, double radii) {
  const double speed = random.between(slowest, fastest), time = random.between(1, 100) / speed, radius = 0.3;
  const Vec3 velocity = speed * random.direction(), gravity{0, 0, -9.81};
  const Vec3 across = cross(velocity + time * gravity, random.direction());
  const Vec3 from_center = (radii * radius / std::sqrt(dot(across, across))) * across;
  Curve c{{}, gravity, {infinity, 0}};
  for (int i = 0; i < 3; ++i) {
    const double origin = 100 * i;
    c.relative.offset[i] = {origin,
                            from_center[i] - (origin + time * velocity[i] + 0.5 * time * time * gravity[i])};
    c.relative.direction[i] = {velocity[i]};
  }
  c.relative.radius = {radius};
  return {c, time};
}

const int shots = fewer_in_repeats(20'000);

/// Number of shots that have entered the ball by the time at which they pass it. Checks that the filter
/// leaves at most one in a thousand undecided.
int met(double slowest, double fastest, double least, double most) {
  Random random(seed(), 850);
  exact::Counts counts, of_times;
  int met = 0;
  for (int i = 0; i < shots; ++i) {
    const Shot s = shot(random, slowest, fastest, random.between(least, most));
    const exact::InsideIntervals intervals = exact::inside_intervals(s.curve, counts);
    met +=
        intervals.count > 0 && exact::time(s.curve, intervals.interval[0].enter, of_times) <= s.time ? 1 : 0;
  }
  CHECK(counts.double_double + counts.exact <= static_cast<std::uint64_t>(shots) / 1000);
  return met;
}

}  // namespace

TEST_CASE("the curves' filter decides shots that hit a ball or clearly miss it", "[exact]") {
  INFO("seed " << seed());
  CHECK(met(10, 40, 1.5, 6) <= shots / 1000);  // a slow bullet thrown up may fall back onto the ball
  CHECK(met(300, 900, 1.5, 6) == 0);
  CHECK(met(10, 40, 0, 0.9) == shots);
  CHECK(met(300, 900, 0, 0.9) == shots);
}
