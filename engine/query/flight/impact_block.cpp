#include <ballistics/impact.hpp>
#include <query/flight/impact_block.hpp>

namespace sphaera::query {

void ImpactBlock::write() {
  using Targets = ballistics::QuickImpactBlock::Targets;
  const bool moving = !state_.velocities.span().empty();
  numbers_.compute(count_, moving ? Targets::in_motion : Targets::at_rest, rules_.restitution);
  for (std::size_t i = 0; i < count_; ++i) {
    const auto [bullet, sphere] = entries_[i];
    Impact& impact = out_[bullet];
    if (!numbers_.write(i, impact)) impact = computed_alone(i);
    impact.sphere = sphere, impact.contact = Contact::enters, impact.bounce = 0;
    impact.outcome = Allowance(rules_).spend(rules_, sphere);
    if (impact.outcome == Outcome::passes) impact.velocity = bullets_[bullet].velocity;
  }
  count_ = 0;
}

Impact ImpactBlock::computed_alone(std::size_t slot) const {
  const auto [bullet, sphere] = entries_[slot];
  const exact::Flight flight = flight_of(state_, bullets_[bullet]);
  double elapsed = 0;
  return ballistics::impact(pair_of(exact::Plain{}, state_, flight, sphere), sphere, Contact::enters,
                            {rules_.restitution, rules_.friction}, elapsed);
}

}  // namespace sphaera::query
