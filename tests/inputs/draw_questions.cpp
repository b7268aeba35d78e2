#include <algorithm>
#include <base/validate.hpp>
#include <tests/inputs/draw_questions.hpp>
#include <tests/inputs/skies.hpp>

namespace sphaera::test {
namespace {

/// Any of the spheres; one of radius 1 at the origin if there is none.
Sphere any_sphere(const MovingScene& world, Random& random) {
  if (world.spheres.empty()) return {{0, 0, 0}, 1};
  return world.spheres[random.bits() % world.spheres.size()];
}

/// A ball that flies along a ray or rests: a point, of a size like that of a sphere, or of any.
Bullet bullet_along(const Ray& ray, const MovingScene& world, Random& random) {
  Bullet bullet{.origin = ray.origin, .velocity = ray.direction};
  if (random.one_in(2)) bullet.radius = any_sphere(world, random).radius * random.log_uniform(1e-3, 10);
  if (random.one_in(9)) bullet.radius = random.log_uniform(1e-3, 1e13);
  if (random.one_in(9)) bullet.velocity = {};
  if (random.one_in(2)) bullet.duration = random.between(0, 2);
  if (random.one_in(4)) bullet.start = random.between(-1, 1);
  return bullet;
}

/// One that grazes a sphere, one along a ray, or a thin one from a place near a sphere.
Bullet any_bullet(const MovingScene& world, const Questions& questions, Random& random) {
  const Ray& ray = questions.rays[random.bits() % questions.rays.size()];
  if (world.spheres.empty() || questions.balls.empty() || random.one_in(3))
    return bullet_along(ray, world, random);
  if (random.one_in(2)) return bullets_at(world, 1, random)[0];
  const Ball& ball = questions.balls[random.bits() % questions.balls.size()];
  return {.origin = ball.center,
          .velocity = ray.direction,
          .radius = 1e-3 * ball.radius,
          .duration = random.one_in(2) ? infinity : 9};
}

void add_bullets(Questions& questions, std::size_t n, const MovingScene& world, Random& random) {
  while (questions.bullets.size() < n) {
    const Bullet bullet = any_bullet(world, questions, random);
    if (base::valid(bullet) && bullet.start >= world.horizon.from) questions.bullets.push_back(bullet);
  }
}

/// Bullets that would graze a sphere; few among spheres of denormal size, where a curved flight may take a
/// second.
void add_fallers(Questions& questions, std::size_t n, const MovingScene& world, Random& random) {
  const double size = std::min(any_sphere(world, random).radius, 0x1p196);  // gravity ends at 2^200
  const bool exact = std::ranges::any_of(world.spheres, [](const Sphere& s) { return s.radius < 0x1p-1000; });
  const bool earthly = exact || random.one_in(2);
  questions.gravity = (earthly ? 9.8 : size * random.log_uniform(0.1, 10)) * random.direction();
  if (exact) n = (n + 9) / 10;
  if (world.spheres.empty()) questions.fallers.assign(n, {{0, 0, 0}, {1, 2, 3}, 0.5});
  while (questions.fallers.size() < n) {
    const Bullet bullet = bullets_at(world, 1, random)[0];
    if (base::valid(bullet) && bullet.start >= world.horizon.from) questions.fallers.push_back(bullet);
  }
}

void add_stars(Questions& questions, const MovingScene& world, Random& random) {
  while (questions.stars.size() < 3) {
    const Sphere body = any_sphere(world, random);
    const Star star =
        Star::at(body.center + (10 * body.radius) * random.in_cube(1), body.radius, random_law(random));
    if (!base::valid(star)) continue;
    questions.stars.push_back(star), questions.sources.push_back({star, random.log_uniform(1e-3, 1e3)});
  }
  questions.stars.push_back(Star::at_infinity(random.in_cube(1), 0.3, random_law(random)));
}

}  // namespace

Questions draw_questions(const MovingScene& world, std::size_t paths, std::size_t others, Random& random) {
  Questions questions;
  questions.rays = make_rays(world.spheres, paths, random);
  questions.segments = make_segments(world.spheres, paths, random);
  questions.points = make_points(world.spheres, others, random);
  questions.balls = make_balls(world.spheres, others, random);
  add_bullets(questions, paths, world, random);
  add_fallers(questions, (others + 3) / 4, world, random);
  add_stars(questions, world, random);
  for (const Vec3& point : questions.points) {
    questions.observers.push_back({point});
    questions.receivers.push_back({{point}, random.direction()});
    questions.skies.push_back({point, random.one_in(2) ? random.direction() : Vec3{}});
  }
  for (const Segment& segment : std::span(questions.segments).first(std::min<std::size_t>(paths, 11)))
    questions.targets.push_back(segment.to);
  questions.spheres = others;
  questions.max_distance = any_sphere(world, random).radius;
  questions.flight = {.bounces = static_cast<std::uint32_t>(random.below(3)),
                      .pierces = static_cast<std::uint32_t>(random.below(4)),
                      .start_inside = static_cast<StartInside>(random.below(3))};
  return questions;
}

Questions draw_questions(const std::vector<Sphere>& spheres, std::size_t paths, std::size_t others,
                         Random& random) {
  return draw_questions(MovingScene{spheres, {}}, paths, others, random);
}

}  // namespace sphaera::test
