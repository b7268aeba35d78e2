#include <limits>
#include <tools/scene/lighting.hpp>

namespace sphaera::tool {

Lighting::Lighting(const std::vector<NamedStar>& stars, std::span<const std::size_t> chosen)
    : chosen_(chosen.size()) {
  const auto take = [&](std::size_t i) {
    stars_.push_back({stars[i], i, stars[i].shines()});
    plain_.push_back(stars[i].star);
  };
  for (const std::size_t i : chosen) take(i);
  for (std::size_t i = 0; i < stars.size(); ++i)
    if (stars[i].shines() && std::ranges::find(chosen, i) == chosen.end()) take(i);
}

void Lighting::leave_out(const std::vector<CutStar>& cut) {
  for (Counted& star : stars_)
    if (std::ranges::find(cut, star.number, &CutStar::star) != cut.end()) star.counts = false;
}

std::vector<Lit> Lighting::of(const Scene& scene, std::span<const Receiver> receivers,
                              const QueryOptions& options) const {
  std::vector<Observer> observers;
  for (const Receiver& receiver : receivers) observers.push_back(receiver.observer);
  const std::vector<Visibility> seen = scene.starlight(plain_, observers, options);
  std::vector<Lit> lit;
  for (std::size_t i = 0; i < receivers.size(); ++i) {
    const Visibility* of_receiver = &seen[i * plain_.size()];
    double sum = has_irradiance() ? 0 : std::numeric_limits<double>::quiet_NaN();
    for (std::size_t j = 0; j < stars_.size(); ++j)
      if (stars_[j].counts) sum += irradiance(stars_[j].star.source(), receivers[i], of_receiver[j].flux);
    lit.push_back({{of_receiver, of_receiver + chosen_}, sum});
  }
  return lit;
}

}  // namespace sphaera::tool
