#pragma once
/// \file Rays, points, balls and bullets for the spheres of a scene.

#include <base/validate.hpp>
#include <sphaera/bullet.hpp>
#include <tests/inputs/scenes.hpp>
#include <vector>

namespace sphaera::test {

struct SceneQueries {
  std::vector<Ray> rays;
  std::vector<Vec3> points;
  std::vector<Ball> balls;

  SceneQueries(const std::vector<Sphere>& spheres, std::size_t n_rays, std::size_t n_others, Random& random)
      : rays(make_rays(spheres, n_rays, random)),
        points(make_points(spheres, n_others, random)),
        balls(make_balls(spheres, n_others, random)) {}

  /// Thin bullets from the first n points along the rays; Bullet{} in place of a bullet that is not valid.
  std::vector<Bullet> thin_bullets(std::size_t n, double duration) const {
    std::vector<Bullet> bullets;
    for (std::size_t i = 0; i < n; ++i) {
      const Bullet bullet{.origin = points[i],
                          .velocity = rays[i].direction,
                          .radius = 1e-3 * balls[i].radius,
                          .duration = duration};
      bullets.push_back(base::valid(bullet) ? bullet : Bullet{});
    }
    return bullets;
  }
};

}  // namespace sphaera::test
