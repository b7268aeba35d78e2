#pragma once
/// \file Bullets that are shot through a crowd. They fly 200 m, nearly level, at 300–900 m/s. Moving people
/// walk at 1.4 m/s. Shots are spread over a frame; the time interval covers a frame plus the longest flight.

#include <algorithm>
#include <bench/measure/scenes.hpp>
#include <sphaera/bullet.hpp>
#include <sphaera/scene.hpp>
#include <tools/workload/random.hpp>

namespace sphaera::bench {

/// A crowd and a batch of bullets.
struct CrowdShots {
  static constexpr std::uint64_t seed = 1;
  static constexpr double walking = 1.4;                 // meters a second
  static constexpr double slowest = 300, fastest = 900;  // meters a second
  static constexpr double frame = 1.0 / 60;              // seconds

  /// Bullets of `radius` meters. The people walk if `moving`, otherwise they are at rest.
  CrowdShots(std::uint64_t n, std::size_t shots, double radius, bool moving)
      : people(make_spheres({workload::Kind::crowd, n}, seed)) {
    if (moving) {
      velocities.resize(n);
      for (std::uint64_t i = 0; i < n; ++i)
        velocities[i] = walking * workload::Random(seed, workload::Purpose::group, ~i).heading();
    }
    double longest = 0;
    for (const Ray& ray : make_rays({workload::Kind::crowd, n}, shots, Order::random, seed)) {
      workload::Random random(seed, workload::Purpose::ray, ~bullets.size());
      const double speed = random.between(slowest, fastest), start = random.between(0, frame);
      bullets.push_back({ray.origin, speed * ray.direction, radius, start, ray.t_max / speed});
      longest = std::max(longest, bullets.back().duration);
    }
    horizon = {0, frame + longest};
  }

  HugeVector<Sphere> people;
  HugeVector<Vec3> velocities;
  HugeVector<Bullet> bullets;
  Horizon horizon;
};

}  // namespace sphaera::bench
