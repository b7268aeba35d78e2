#pragma once
/// \file A crowd in the open: groups of 5–60 people who walk on rolling terrain, and bullets that fly through
/// it.

#include <cmath>
#include <sphaera/bullet.hpp>
#include <sphaera/ray.hpp>
#include <sphaera/sphere.hpp>
#include <tools/workload/random.hpp>

namespace sphaera::workload {

class Crowd {
 public:
  static constexpr double density = 0.05;              ///< people per square meter
  static constexpr int group_min = 5, group_max = 60;  ///< people
  static constexpr std::uint64_t block_length =
      group_min + group_max;                   ///< people of two groups: see group_of
  static constexpr double group_spread = 0.8;  ///< meters; n people stand within group_spread √n
  static constexpr double radius_min = 0.25, radius_max = 0.6;      ///< meters
  static constexpr double height_min = 0.9, height_max = 1.5;       ///< of a center above the ground, meters
  static constexpr double hill_height = 4, hill_width = 128;        ///< meters
  static constexpr double muzzle_height = 1.5;                      ///< meters above the ground
  static constexpr double bullet_range = 200, bullet_slope = 0.02;  ///< meters; rise ÷ run, up or down
  static constexpr double pace_min = 0.5, pace_max = 2;             ///< of a group, meters per second
  static constexpr double pace_spread = 0.1;  ///< σ of a person's velocity about the group's, along x and y
  static constexpr double bullet_radius = 0.004;                           ///< meters
  static constexpr double bullet_speed_min = 300, bullet_speed_max = 900;  ///< meters per second
  static constexpr double volley = 1;  ///< seconds in which all bullets start

  Crowd(std::uint64_t people, std::uint64_t seed)
      : seed_(seed), side_(std::sqrt(static_cast<double>(people) / density)) {}

  Sphere sphere(std::uint64_t i) const {
    const auto [index, size] = group_of(i);
    Random group(seed_, Purpose::group, index), random(seed_, Purpose::sphere, i);
    Vec3 center = somewhere(group) + random.in_ring(0, group_spread * std::sqrt(static_cast<double>(size)));
    center.z = ground(center.x, center.y) + random.between(height_min, height_max);
    return {center, random.between(radius_min, radius_max)};
  }

  /// t is in meters.
  Ray ray(std::uint64_t i) const {
    Random random(seed_, Purpose::ray, i);
    const Vec3 heading = random.heading();
    const double slope = random.between(-bullet_slope, bullet_slope);
    const double length = std::sqrt(1 + slope * slope);
    Vec3 origin = somewhere(random);
    origin.z = ground(origin.x, origin.y) + muzzle_height;
    return {origin, {heading.x / length, heading.y / length, slope / length}, 0, bullet_range};
  }

  /// Meters per second. A group walks in one direction at one pace; its people differ slightly. The vertical
  /// part follows the ground along one second's walk.
  Vec3 velocity(std::uint64_t i) const {
    Random group(seed_, Purpose::pace, group_of(i).index), random(seed_, Purpose::walk, i);
    const double pace = group.between(pace_min, pace_max);
    const double aside_x = random.bell(), aside_y = random.bell();
    const Vec3 step = pace * group.heading() + pace_spread * Vec3{aside_x, aside_y, 0};
    const Vec3 from = sphere(i).center, to = from + step;
    return {step.x, step.y, ground(to.x, to.y) - ground(from.x, from.y)};
  }

  /// Flies along ray i.
  Bullet bullet(std::uint64_t i) const {
    Random random(seed_, Purpose::bullet, i);
    const double speed = random.between(bullet_speed_min, bullet_speed_max),
                 start = random.between(0, volley);
    const Ray ray = this->ray(i);
    return {ray.origin, speed * ray.direction, bullet_radius, start, bullet_range / speed};
  }

  /// Side of the square, centered on the z axis, that contains the centers of the groups; meters.
  double side() const { return side_; }

  /// Height of the terrain: random heights on a grid, blended smoothly (value noise).
  double ground(double x, double y) const {
    const double u = x / hill_width, v = y / hill_width;
    const double column = std::floor(u), row = std::floor(v);
    const double along = smooth(u - column), across = smooth(v - row);
    const double low = blend(grid_height(column, row), grid_height(column + 1, row), along);
    const double high = blend(grid_height(column, row + 1), grid_height(column + 1, row + 1), along);
    return hill_height * blend(low, high, across);
  }

 private:
  struct Group {
    std::uint64_t index;
    int size;
  };

  // Two groups share a block of fixed length, cut at a random place. So group sizes are uniform over 5 … 60,
  // and the group of person i is known without counting through the others.
  Group group_of(std::uint64_t i) const {
    const std::uint64_t block = i / block_length;
    Random random(seed_, Purpose::block, block);
    const auto first = group_min + static_cast<int>(random.bits() % (group_max - group_min + 1));
    if (static_cast<int>(i % block_length) < first) return {2 * block, first};
    return {2 * block + 1, static_cast<int>(block_length) - first};
  }

  Vec3 somewhere(Random& random) const {
    const double x = random.unit(), y = random.unit();
    return side_ * Vec3{x - 0.5, y - 0.5, 0};
  }

  double grid_height(double column, double row) const {  // −1 … 1
    const auto index = (static_cast<std::uint64_t>(static_cast<std::int64_t>(column)) << 32) ^
                       (static_cast<std::uint64_t>(static_cast<std::int64_t>(row)) & 0xffffffffu);
    return Random(seed_, Purpose::terrain, index).between(-1, 1);
  }

  static double smooth(double t) { return t * t * (3 - 2 * t); }
  static double blend(double from, double to, double share) { return from + (to - from) * share; }

  std::uint64_t seed_;
  double side_;
};

}  // namespace sphaera::workload
