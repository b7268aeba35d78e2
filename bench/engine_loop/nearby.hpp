#pragma once
/// \file Random people near a person, from a grid: whom people look at.

#include <algorithm>
#include <bench/measure/bodies.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

namespace sphaera::bench {

class Nearby {
 public:
  /// Takes the present places of all people.
  void refresh(const Bodies& bodies) {
    const std::size_t people = bodies.people();
    low_ = high_ = bodies.center(0);
    for (std::size_t i = 0; i < people; ++i) {
      const Vec3& p = bodies.center(i);
      low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y), 0};
      high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y), 0};
    }
    columns_ = cell_along(high_.x, low_.x) + 1;
    first_.assign(columns_ * (cell_along(high_.y, low_.y) + 1) + 1, 0);
    for (std::size_t i = 0; i < people; ++i) ++first_[cell_of(bodies.center(i)) + 1];
    for (std::size_t cell = 1; cell < first_.size(); ++cell) first_[cell] += first_[cell - 1];
    by_cell_.resize(people);
    std::vector<std::size_t> next = first_;
    for (std::size_t i = 0; i < people; ++i) by_cell_[next[cell_of(bodies.center(i))]++] = i;
  }

  /// A person other than `person` in the same cell or one beside it, or just any other if none is found
  /// quickly.
  std::size_t someone(const Bodies& bodies, std::size_t person, workload::Random& random) const {
    constexpr int attempts = 32;
    for (int i = 0; i < attempts; ++i) {
      const double x = random.between(-width, width), y = random.between(-width, width);
      const std::size_t cell = cell_of(bodies.center(person) + Vec3{x, y, 0});
      const std::size_t size = first_[cell + 1] - first_[cell];
      if (size == 0) continue;
      const std::size_t other = by_cell_[first_[cell] + random.bits() % size];
      if (other != person) return other;
    }
    return (person + 1 + random.bits() % (bodies.people() - 1)) % bodies.people();
  }

 private:
  static constexpr double width = 50;  // meters

  static std::size_t cell_along(double x, double low) {
    return static_cast<std::size_t>(std::max(x - low, 0.0) / width);
  }
  std::size_t cell_of(const Vec3& p) const {
    return cell_along(std::min(p.y, high_.y), low_.y) * columns_ + cell_along(std::min(p.x, high_.x), low_.x);
  }

  Vec3 low_, high_;
  std::size_t columns_ = 1;
  std::vector<std::size_t> first_, by_cell_;  // the people of cell c: by_cell_[first_[c] … first_[c + 1] − 1]
};

}  // namespace sphaera::bench
