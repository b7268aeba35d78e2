#pragma once
/// \file First impacts whose numbers are still to be computed. A batch gathers them and computes the numbers
/// of many at once, at a third of the cost of one by one.

#include <ballistics/quick_impact_block.hpp>
#include <query/flight/trajectory.hpp>
#include <span>

namespace sphaera::query {

/// Gathers bullets, each with its first candidate: a Candidate, or under gravity a CurvedCandidate. Writes
/// their impacts when it is full and on `write`.
template <class Met>
class ImpactBlock {
 public:
  /// `alone` computes the few impacts that need more accuracy.
  ImpactBlock(const SceneState& state, const FlightOptions& rules, std::span<const Bullet> bullets,
              std::span<Impact> out, Trajectory& alone)
      : state_(state), rules_(rules), bullets_(bullets.data()), out_(out.data()), alone_(alone) {}

  /// Adds the first impact of bullets[i], whose flight this is; if the block cannot compute it, writes it.
  SPHAERA_INLINE void add(std::size_t i, const exact::Flight& flight, const Met& met) {
    if (!takes(met)) {
      out_[i] = alone_.first_at(bullets_[i], i, met);
      return;
    }
    const std::span<const Vec3> velocities = state_.velocities.span();
    numbers_.set(count_, flight, state_.spheres.span()[met.sphere],
                 velocities.empty() ? nullptr : &velocities[met.sphere]);
    if constexpr (curved) numbers_.set_bounds(count_, met.low, met.high);
    entries_[count_] = {i, met};
    if (++count_ == entries_.size()) write();
  }

  void write();

 private:
  static constexpr bool curved = std::is_same_v<Met, CurvedCandidate>;

  struct Entry {
    std::size_t bullet;
    Met met;
  };

  bool takes(const Met& met) const {
    if constexpr (curved)
      if (!met.simple) return false;
    return met.contact == Contact::enters && rules_.friction == 0;
  }
  void compute();

  const SceneState& state_;
  const FlightOptions& rules_;
  const Bullet* bullets_;
  Impact* out_;
  Trajectory& alone_;
  ballistics::QuickImpactBlock numbers_;
  std::array<Entry, ballistics::QuickImpactBlock::capacity> entries_;
  std::size_t count_ = 0;
};

}  // namespace sphaera::query
