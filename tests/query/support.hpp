#pragma once
/// \file What tests of queries share.

#include <base/validate.hpp>
#include <cstdint>
#include <property/worlds.hpp>
#include <sphaera/error.hpp>
#include <sphaera/scene.hpp>
#include <string>
#include <vector>

#include "catch.hpp"
#include "same.hpp"

namespace sphaera::test {

/// What an error said.
struct Refusal {
  ErrorCode code;
  std::int64_t element;
  std::string message;
};

template <class Work>
Refusal refusal(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return {error.code(), error.element(), error.what()};
  }
  FAIL("nothing was refused");
  return {};
}

/// What is asked about the spheres of a scene.
struct SceneQueries {
  std::vector<Ray> rays;
  std::vector<Vec3> points;
  std::vector<Ball> balls;

  SceneQueries(const std::vector<Sphere>& spheres, std::size_t n_rays, std::size_t n_others, Random& random)
      : rays(make_rays(spheres, n_rays, random)),
        points(make_points(spheres, n_others, random)),
        balls(make_balls(spheres, n_others, random)) {}

  /// Thin bullets from the first n points along the rays; one that is not valid is replaced.
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
