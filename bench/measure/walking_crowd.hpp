#pragma once
/// \file People who walk through a living scene.

#include <bench/measure/scenes.hpp>
#include <span>
#include <tools/workload/random.hpp>
#include <vector>

namespace sphaera::bench {

inline constexpr std::uint64_t people_seed = 1;

/// People who walk straight on, and random choices among them.
class People {
 public:
  explicit People(std::uint64_t n) : start_(make_spheres({workload::Kind::crowd, n}, people_seed)) {
    for (std::size_t i = 0; i < n; ++i) {
      centers_.push_back(start_[i].center);
      steps_.push_back(step * workload::Random(people_seed, workload::Purpose::group, ~i).heading());
    }
  }

  std::span<const Sphere> start() const { return start_; }
  std::span<const Vec3> centers() const { return centers_; }
  void walk() {
    for (std::size_t i = 0; i < centers_.size(); ++i) centers_[i] = centers_[i] + steps_[i];
  }
  std::size_t anyone() {
    return workload::Random(people_seed, workload::Purpose::block, draws_++).bits() % start_.size();
  }
  /// A position beside the start of a random person.
  Vec3 elsewhere() { return start_[anyone()].center + Vec3{0.3, -0.2, 0}; }
  void put(std::size_t i, const Vec3& center) { centers_[i] = center; }

 private:
  static constexpr double step = 1.3 / 60;  // meters in a frame

  HugeVector<Sphere> start_;
  std::vector<Vec3> centers_, steps_;
  std::uint64_t draws_ = 0;
};

}  // namespace sphaera::bench
