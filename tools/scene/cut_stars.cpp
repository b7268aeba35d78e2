#include <fmt/core.h>

#include <algorithm>
#include <star_light/star_view.hpp>
#include <tools/scene/cut_stars.hpp>
#include <tools/scene/load.hpp>
#include <tools/terminal/plural.hpp>

namespace sphaera::tool {

std::vector<CutStar> cut_stars(const std::vector<NamedStar>& stars, const Scene& scene,
                               const QueryOptions& options) {
  std::vector<CutStar> found;
  exact::Counts counts;
  for (std::size_t i = 0; i < stars.size(); ++i) {
    const Star& star = stars[i].star;
    if (star.distance == Star::Distance::infinite) continue;
    for (const std::int64_t id : scene.within(Ball{star.center, star.radius}, options)) {
      const Sphere& sphere = scene.spheres()[static_cast<std::size_t>(id)];
      if (star_light::ball_relation(star, sphere, counts) != star_light::BallRelation::intersects) continue;
      found.push_back({i, id});
      break;
    }
  }
  return found;
}

void warn_of(const std::vector<CutStar>& cut, const std::vector<NamedStar>& stars, const SceneFile& file,
             const std::string& effect, const Console& console) {
  constexpr std::size_t max_listed = 8;
  for (const CutStar& c : std::span(cut).first(std::min(cut.size(), max_listed))) {
    console.warn(fmt::format("{} is cut by {}: {}", star_text(c.star, stars[c.star].name),
                             sphere_text(file, static_cast<std::size_t>(c.sphere)), effect));
  }
  if (cut.size() > max_listed)
    console.warn(fmt::format("and {} cut by spheres", counted(cut.size() - max_listed, "more star")));
}

}  // namespace sphaera::tool
