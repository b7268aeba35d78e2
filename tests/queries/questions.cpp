#include <base/validate.hpp>
#include <tests/queries/questions.hpp>
#include <utility>

namespace sphaera::test {

constexpr std::size_t most_targets = 11;

Questions questions_along(std::vector<Ray> rays, std::size_t others) {
  Questions questions;
  for (const Ray& ray : rays) {
    const Bullet bullet{ray.origin, 30.0 * ray.direction, 0.01, 0, 2};
    questions.segments.push_back({ray.origin, ray.origin + 100.0 * ray.direction});
    questions.bullets.push_back(bullet);
    if (questions.points.size() == others) continue;
    if (questions.targets.empty()) questions.targets.push_back(ray.origin);
    if (const Segment& segment = questions.segments.back();
        questions.targets.size() < most_targets && base::valid(segment))
      questions.targets.push_back(segment.to);
    questions.points.push_back(ray.origin), questions.balls.push_back({ray.origin, 3});
    questions.fallers.push_back(bullet);
    questions.observers.push_back({ray.origin}), questions.receivers.push_back({{ray.origin}, {0, 0, 1}});
    questions.skies.push_back({ray.origin, {0, 0, 1}});
  }
  questions.rays = std::move(rays);
  questions.stars = {Star::at({0, 0, 1e6}, 1e4, LimbDarkening::quadratic(0.4, 0.26))};
  questions.sources = {{questions.stars[0], 1e9}};
  questions.flight = {.bounces = 2, .pierces = 3};
  return questions;
}

}  // namespace sphaera::test
