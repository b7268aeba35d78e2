#include <query/sky.hpp>
#include <string>

namespace sphaera::query {
namespace {

/// visit(id) for every sphere that may meet the cone from the observer to the star.
/// The one place where the index's walk along cones goes in: until there is one, all spheres are candidates
/// for either search.
template <class Visit>
void for_each_candidate(const SceneState& state, [[maybe_unused]] Search search,
                        [[maybe_unused]] const Star& star, [[maybe_unused]] const Observer& observer,
                        const Visit& visit) {
  const auto count = static_cast<std::uint32_t>(state.spheres.span().size());
  for (std::uint32_t id = 0; id < count; ++id) visit(id);
}

}  // namespace

void check_ground(const SceneState& state, const Observer& observer, std::int64_t element) {
  if (observer.on == Observer::nowhere) return;
  const std::span<const Sphere> spheres = state.spheres.span();
  const auto refuse = [&](const std::string& what) {
    const std::string number = element == Error::no_element ? "" : ' ' + std::to_string(element);
    throw Error(ErrorCode::invalid_argument, "observer" + number + ": " + what, element);
  };
  if (observer.on < 0 || observer.on >= static_cast<std::int64_t>(spheres.size())) {
    refuse("on is " + std::to_string(observer.on) + "; give -1 for none or the id of one of the " +
           std::to_string(spheres.size()) + " spheres");
  }
  if (observer.position == spheres[static_cast<std::size_t>(observer.on)].center)
    refuse("at the centre of the sphere it stands on, where no way is up; move it");
}

Sky::Sky(const SceneState& state, const QueryOptions& options)
    : state_(state), options_(options), scratch_(std::make_unique<geometry::StarViewScratch>()) {}

Visibility Sky::look(const Star& star, const Observer& observer, std::size_t query, QueryStats& stats) {
  exact::Counts counts;
  geometry::StarView view(star, observer.position, *scratch_, counts);
  if (!sees_nothing(state_, options_)) {
    const Eligible eligible(state_, options_, query);
    const std::span<const Sphere> spheres = state_.spheres.span();
    if (observer.on >= 0 && eligible.admits(static_cast<std::uint32_t>(observer.on)))
      view.stand_on(spheres[static_cast<std::size_t>(observer.on)], observer.on);
    for_each_candidate(state_, options_.search, star, observer, [&](std::uint32_t id) {
      if (id == observer.on || !eligible.admits(id)) return;
      ++stats.candidates;
      view.add(spheres[id], id);
    });
  }
  const Visibility seen = view.result();
  stats.double_double += counts.double_double;
  stats.exact += counts.exact;
  return seen;
}

}  // namespace sphaera::query
