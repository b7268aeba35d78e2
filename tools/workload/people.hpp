#pragma once
/// \file The crowd with bodies of three spheres: legs, body and head of one person follow each other.

#include <array>
#include <tools/workload/crowd.hpp>

namespace sphaera::workload {

class People {
 public:
  static constexpr double stature_min = 1.5, stature_max = 1.9;  ///< meters
  struct Part {
    double height, radius;  ///< of the center above the ground, and of the sphere; shares of the stature
  };
  static constexpr std::array<Part, 3> parts{{{0.2, 0.2}, {0.6, 0.25}, {0.92, 0.08}}};  ///< neighbors overlap

  People(std::uint64_t spheres, std::uint64_t seed)
      : seed_(seed), crowd_((spheres + parts.size() - 1) / parts.size(), seed) {}

  Sphere sphere(std::uint64_t i) const {
    const double stature = Random(seed_, Purpose::stature, person(i)).between(stature_min, stature_max);
    const auto [height, radius] = parts[i % parts.size()];
    Vec3 center = crowd_.sphere(person(i)).center;
    center.z = crowd_.ground(center.x, center.y) + height * stature;
    return {center, radius * stature};
  }

  Ray ray(std::uint64_t i) const { return crowd_.ray(i); }
  Vec3 velocity(std::uint64_t i) const { return crowd_.velocity(person(i)); }
  Bullet bullet(std::uint64_t i) const { return crowd_.bullet(i); }

 private:
  static constexpr std::uint64_t person(std::uint64_t i) { return i / parts.size(); }

  std::uint64_t seed_;
  Crowd crowd_;
};

}  // namespace sphaera::workload
