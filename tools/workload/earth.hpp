#pragma once
/// \file The crowd in Earth-centered coordinates: translated by an Earth's radius, not rotated.

#include <sphaera/ray.hpp>
#include <sphaera/sphere.hpp>
#include <tools/workload/crowd.hpp>

namespace sphaera::workload {

class Earth {
 public:
  static constexpr Vec3 site{3'782'000, 902'000, 5'038'000};  ///< meters; 6.36e6 from the origin

  Earth(std::uint64_t people, std::uint64_t seed) : crowd_(people, seed) {}

  Sphere sphere(std::uint64_t i) const {
    const auto [center, radius] = crowd_.sphere(i);
    return {site + center, radius};
  }

  Ray ray(std::uint64_t i) const {
    Ray ray = crowd_.ray(i);
    ray.origin = site + ray.origin;
    return ray;
  }

  Vec3 velocity(std::uint64_t i) const { return crowd_.velocity(i); }

  Bullet bullet(std::uint64_t i) const {
    Bullet bullet = crowd_.bullet(i);
    bullet.origin = site + bullet.origin;
    return bullet;
  }

 private:
  Crowd crowd_;
};

}  // namespace sphaera::workload
