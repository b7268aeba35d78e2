/// \file Whole trajectories against the oracle, on coordinates of few bits: there bullets touch several
/// spheres at one instant, graze, start on surfaces and fit into gaps exactly.

#include <algorithm>
#include <cstdio>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/moving_scene.hpp>
#include <tests/oracle/trajectory.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

double one_of(std::initializer_list<double> values, Random& random) {
  return values.begin()[random.below(static_cast<int>(values.size()))];
}

/// Spheres, and what fits between them.
struct Arrangement {
  std::vector<Sphere> spheres;
  double step;  ///< the distance of neighbors
  double gap;   ///< radius of a ball that fits between neighbors exactly; ≤ 0: none
};

/// All points of a cubic lattice, only the even ones (face-centered) or a layer of it.
Arrangement lattice(Random& random) {
  const double step = one_of({2, 2.5, 3, 4}, random),
               radius = step / 2 + one_of({-0.5, -0.25, -0.125, 0, 0.25}, random);
  const bool even = random.one_in(3), flat = random.one_in(3);
  std::vector<Sphere> spheres;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = flat ? 0 : -1; z <= (flat ? 0 : 1); ++z)
        if ((!even || (x + y + z) % 2 == 0) && !random.one_in(12))
          spheres.push_back({step * Vec3{double(x), double(y), double(z)}, radius});
  return {spheres, step, step / 2 - radius};
}

/// Rows of spheres on two or four sides of the x axis.
Arrangement aisle(Random& random) {
  const double radius = one_of({0.5, 1, 1.5}, random), gap = one_of({0, 0.25, 0.5, 1}, random),
               step = 2 * radius + one_of({0, 0.25, 1}, random);
  const int sides = random.one_in(2) ? 2 : 4;
  std::vector<Sphere> spheres;
  for (int x = -3; x <= 3; ++x)
    for (int side = 0; side < sides; ++side) {
      const double off = side % 2 ? radius + gap : -radius - gap;
      spheres.push_back({{x * step, side < 2 ? off : 0, side < 2 ? 0 : off}, radius});
    }
  return {spheres, step, gap};
}

/// x, y and z in any order, with any signs.
Vec3 turned(const Vec3& v, Random& random) {
  std::array<double, 3> x{v.x, v.y, v.z};
  for (int i = 2; i > 0; --i)
    std::swap(x[static_cast<std::size_t>(i)], x[static_cast<std::size_t>(random.below(i + 1))]);
  for (double& one : x) one = random.one_in(2) ? one : -one;
  return {x[0], x[1], x[2]};
}

/// Spheres of which each touches an earlier one exactly, in a direction of rational coordinates.
Arrangement packing(Random& random) {
  struct Direction {
    Vec3 along;
    double length;
  };
  const std::array<Direction, 3> directions{{{{3, 4, 0}, 5}, {{1, 2, 2}, 3}, {{1, 0, 0}, 1}}};
  std::vector<Sphere> spheres{{{}, 1.875}};
  for (int i = 0; i < 30; ++i) {
    const Sphere& from = spheres[static_cast<std::size_t>(random.below(static_cast<int>(spheres.size())))];
    const double radius = one_of({1.875, 3.75}, random);
    const auto& [along, length] = directions[static_cast<std::size_t>(random.below(3))];
    const Sphere next{from.center + (from.radius + radius) / length * turned(along, random), radius};
    const bool free = std::ranges::none_of(spheres, [&](const Sphere& s) {
      const Vec3 off = next.center - s.center;
      return dot(off, off) < (next.radius + s.radius) * (next.radius + s.radius);
    });
    if (free) spheres.push_back(next);
  }
  return {spheres, 3.75, 0};
}

/// Spheres anywhere on a grid, which may overlap, hold one another or coincide.
Arrangement grid(Random& random) {
  std::vector<Sphere> spheres;
  for (int i = random.whole(2, 24); i > 0; --i)
    spheres.push_back({0.5 * Vec3{double(random.whole(-6, 6)), double(random.whole(-6, 6)),
                                  double(random.one_in(2) ? 0 : random.whole(-6, 6))},
                       0.5 * random.whole(1, random.one_in(5) ? 8 : 3)});
  return {spheres, 1, 0.25};
}

Vec3 small_velocity(int most, Random& random) {
  Vec3 v{double(random.whole(-most, most)), double(random.whole(-most, most)),
         double(random.whole(-most, most))};
  if (random.one_in(2)) v = turned({double(random.whole(1, most)), 0, 0}, random);
  return one_of({0.25, 0.5, 1, 2}, random) * v;
}

/// More bounces than a bullet makes until the end of the horizon, with few exceptions: between spheres that
/// close in on it, or in the cusp of two that a third pushes it into, it bounces without a bound, ever
/// faster.
constexpr std::uint32_t most_bounces = 3000;

/// A scene with its bullets and rules.
struct Case {
  MovingScene world{{}, {}, {-1, 24}};
  std::vector<Bullet> bullets;
  FlightOptions rules;

  explicit Case(Random& random) {
    constexpr std::array arrangements{lattice, aisle, packing, grid};
    Arrangement made = arrangements[static_cast<std::size_t>(random.below(4))](random);
    std::vector<Sphere>& spheres = world.spheres = made.spheres;
    for (std::size_t i = spheres.size(); i > 1; --i)
      std::swap(spheres[i - 1], spheres[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
    // At rest, all in one motion, or several in their own.
    const Vec3 drift = random.one_in(2) ? Vec3{} : small_velocity(1, random);
    const int own = random.one_in(3) ? 3 : 0;
    for (std::size_t i = 0; i < spheres.size(); ++i)
      world.velocities.push_back(own > 0 && random.one_in(own) ? small_velocity(1, random) : drift);
    for (int i = 0; i < 60; ++i) bullets.push_back(bullet(made, drift, random));
    set_rules(random);
  }

 private:
  static Bullet bullet(const Arrangement& made, const Vec3& drift, Random& random) {
    Bullet b{{}, {}, std::max(0.0, random.one_in(2) ? made.gap : one_of({0, 0, 0.25, 0.5, 1}, random))};
    b.start = random.one_in(3) ? 0.5 * random.whole(-2, 4) : 0;
    // On the planes and midplanes of the neighbors, or anywhere on a grid.
    const auto place = [&](int most) {
      const double unit = random.one_in(3) ? 0.25 : made.step / 2;
      return unit * Vec3{double(random.whole(-most, most)), double(random.whole(-most, most)),
                         double(random.whole(-most, most))};
    };
    b.origin = place(4);
    // Along an axis from far away, to another such place, or anywhere.
    const Vec3 from = turned({1, 0, 0}, random);
    if (random.one_in(2)) {
      b.origin = place(2) + 4 * made.step * from, b.velocity = -1 * from;
    } else if (random.one_in(2)) {
      b.velocity = one_of({0.25, 1, 4}, random) * (place(2) - b.origin);
    } else {
      b.velocity = small_velocity(2, random);
    }
    if (random.one_in(20)) b.velocity = {};
    b.velocity = b.velocity + drift, b.origin = b.origin + b.start * drift;
    return b;
  }

  void set_rules(Random& random) {
    rules.bounces = static_cast<std::uint32_t>(one_of({0, 1, 4, 30, most_bounces}, random));
    rules.pierces = static_cast<std::uint32_t>(one_of({0, 0, 0, 1, 3}, random));
    rules.restitution = one_of({1, 1, 1, 0.5, 0.75, 0}, random);
    rules.friction = one_of({0, 0, 0, 0.5, 2}, random);
    rules.start_inside = static_cast<StartInside>(random.below(3));
  }
};

/// What trajectories have met.
struct Tally {
  long bullets = 0, impacts = 0, at_once = 0, grazing = 0, stuck = 0, unending = 0;
  std::size_t longest = 0;

  void count(std::span<const Impact> impacts_of_one) {
    double last = -infinity;
    for (const Impact& m : impacts_of_one) {
      at_once += m.time == last, grazing += m.angle == 0, stuck += m.outcome == Outcome::stuck;
      last = m.time;
    }
    ++bullets, impacts += static_cast<long>(impacts_of_one.size());
    longest = std::max(longest, impacts_of_one.size());
    unending += impacts_of_one.size() > most_bounces;
  }
};

/// Follows trajectories by the oracle.
void compare(long trajectories, int check_numbers_of_one_in) {
  Tally tally;
  for (std::uint64_t k = 0; tally.bullets < trajectories; ++k) {
    Random random(seed(), 1'000'000 + k);
    const Case one(random);
    const ImpactLists lists =
        one.world.build({.quality = BuildQuality::fast}).all_impacts(one.bullets, one.rules);
    const oracle::World world{one.world.spheres, one.world.velocities, one.world.horizon};
    for (std::size_t i = 0; i < one.bullets.size(); ++i) {
      INFO("case " << k << ", bullet " << i << ", seed " << seed());
      const bool numbers = random.one_in(check_numbers_of_one_in);
      REQUIRE(oracle::fault_in(world, one.bullets[i], one.rules, lists[i], numbers) == "");
      tally.count(lists[i]);
    }
  }
  // A few hundred may all be of one arrangement.
  CHECK((tally.at_once > tally.impacts / 50 || trajectories < 5'000));
  CHECK((tally.grazing > tally.impacts / 50 || trajectories < 5'000));
  CHECK((tally.stuck > 0 || trajectories < 100'000));
  CHECK(tally.unending <= 5 + tally.bullets / 10'000);  // 23 in a million, yet two of one 3000
  std::printf(
      "%ld trajectories by the oracle, 0 differences: %ld impacts (at most %zu of one bullet), %ld at "
      "the instant of the one before, %ld grazing; %ld bullets stuck, %ld squeezed ever faster\n",
      tally.bullets, tally.impacts, tally.longest, tally.at_once, tally.grazing, tally.stuck, tally.unending);
}

}  // namespace

TEST_CASE("trajectories in lattices, aisles, packings and grids are those of the oracle", "[query]") {
  compare(fewer_unless_all(12'000L), 4);
}

TEST_CASE("a million trajectories are those of the oracle", "[.long][.trajectories]") {
  compare(1'000'000, 20);
}
