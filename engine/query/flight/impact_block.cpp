#include <query/flight/impact_block.hpp>

namespace sphaera::query {

template <class Met>
void ImpactBlock<Met>::compute() {
  using Targets = ballistics::QuickImpactBlock::Targets;
  const Targets targets = state_.velocities.span().empty() ? Targets::at_rest : Targets::in_motion;
  if constexpr (curved)
    numbers_.compute_curved(count_, targets, rules_.restitution, rules_.gravity);
  else
    numbers_.compute(count_, targets, rules_.restitution);
}

template <class Met>
void ImpactBlock<Met>::write() {
  compute();
  for (std::size_t i = 0; i < count_; ++i) {
    const auto& [bullet, met] = entries_[i];
    Impact& impact = out_[bullet];
    double elapsed = 0;
    if (!numbers_.write(i, impact, elapsed)) {
      impact = alone_.first_at(bullets_[bullet], bullet, met);
      continue;
    }
    impact.sphere = met.sphere, impact.contact = Contact::enters, impact.bounce = 0;
    impact.outcome = Allowance(rules_).spend(rules_, met.sphere);
    if (impact.outcome == Outcome::passes)
      impact.velocity = velocity_under(rules_.gravity, bullets_[bullet].velocity, elapsed);
  }
  count_ = 0;
}

template class ImpactBlock<Candidate>;
template class ImpactBlock<CurvedCandidate>;

}  // namespace sphaera::query
