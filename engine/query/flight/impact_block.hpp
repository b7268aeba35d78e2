#pragma once
/// \file Impacts whose numbers are still to be computed. A batch gathers them and computes the numbers of
/// many at once, at a third of the cost of one by one.

#include <ballistics/quick_impact_block.hpp>
#include <query/flight/flight.hpp>
#include <span>
#include <type_traits>

namespace sphaera::query {

/// Gathers the first candidates of legs: a `Met` is a Candidate, or under gravity a CurvedCandidate.
template <class Met>
class ImpactBlock {
 public:
  ImpactBlock(const SceneState& state, const FlightOptions& rules) : state_(state), rules_(rules) {}

  /// Adds a candidate; `number` is the caller's number of its leg. If the block cannot compute its impact
  /// (with friction, materials of spheres, from inside, a curve that is not simple or on which it may pass
  /// through), calls use(number, met, nullptr, 0) at once. `write`, or a full block, computes the other
  /// impacts. It writes each to use.place(number), then calls use(number, met, impact, elapsed); `impact` is
  /// null for the few that need more accuracy.
  template <class Use>
  SPHAERA_INLINE void add(std::size_t number, const exact::Flight& flight, const Met& met, Use& use) {
    if (!takes(met)) return use(number, met, nullptr, 0);
    numbers_.set(count_, flight, state_.spheres.span()[met.sphere], state_.velocity_of(met.sphere));
    if constexpr (curved) numbers_.set_bounds(count_, met.low, met.high);
    entries_[count_] = {number, met};
    if (++count_ == entries_.size()) write(use);
  }

  template <class Use>
  void write(Use& use) {
    compute();
    for (std::size_t i = 0; i < count_; ++i) {
      const std::size_t number = entries_[i].number;
      Impact& impact = use.place(number);
      double elapsed = 0;
      const bool known = numbers_.write(i, impact, elapsed);
      use(number, entries_[i].met, known ? &impact : nullptr, elapsed);
    }
    count_ = 0;
  }

 private:
  static constexpr bool curved = std::is_same_v<Met, CurvedCandidate>;

  struct Entry {
    std::size_t number;
    Met met;
  };

  bool takes(const Met& met) const {
    if constexpr (curved)
      if (!met.simple || rules_.pierces > 0) return false;
    return met.contact == Contact::enters && rules_.friction == 0 && rules_.restitutions.empty() &&
           rules_.frictions.empty();
  }
  void compute() {
    using Targets = ballistics::QuickImpactBlock::Targets;
    const Targets targets = state_.velocities.span().empty() ? Targets::at_rest : Targets::in_motion;
    if constexpr (curved)
      numbers_.compute_curved(count_, targets, rules_.restitution, rules_.gravity);
    else
      numbers_.compute(count_, targets, rules_.restitution);
  }

  const SceneState& state_;
  const FlightOptions& rules_;
  ballistics::QuickImpactBlock numbers_;
  std::array<Entry, ballistics::QuickImpactBlock::capacity> entries_;
  std::size_t count_ = 0;
};

}  // namespace sphaera::query
