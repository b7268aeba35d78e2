#pragma once
/// \file First impacts whose numbers are still to be computed. A batch gathers them and computes the numbers
/// of many at once, at a third of the cost of one by one.

#include <ballistics/quick_impact_block.hpp>
#include <query/flight/flight.hpp>
#include <span>

namespace sphaera::query {

/// Gathers bullets, each with the sphere that it hits first. Writes their impacts when it is full and on
/// `write`.
class ImpactBlock {
 public:
  ImpactBlock(const SceneState& state, const FlightOptions& rules, std::span<const Bullet> bullets,
              std::span<Impact> out)
      : state_(state), rules_(rules), bullets_(bullets.data()), out_(out.data()) {}

  /// Can the block compute the impact's numbers?
  SPHAERA_INLINE bool takes(const Candidate& met) const {
    return met.contact == Contact::enters && rules_.friction == 0;
  }
  /// Adds the first impact of bullets[i], whose flight this is.
  SPHAERA_INLINE void add(std::size_t i, const exact::Flight& flight, std::uint32_t sphere) {
    const std::span<const Vec3> velocities = state_.velocities.span();
    numbers_.set(count_, flight, state_.spheres.span()[sphere],
                 velocities.empty() ? nullptr : &velocities[sphere]);
    entries_[count_] = {i, sphere};
    if (++count_ == entries_.size()) write();
  }

  void write();

 private:
  struct Entry {
    std::size_t bullet;
    std::uint32_t sphere;
  };

  Impact computed_alone(std::size_t slot) const;

  const SceneState& state_;
  const FlightOptions& rules_;
  const Bullet* bullets_;
  Impact* out_;
  ballistics::QuickImpactBlock numbers_;
  std::array<Entry, ballistics::QuickImpactBlock::capacity> entries_;
  std::size_t count_ = 0;
};

}  // namespace sphaera::query
