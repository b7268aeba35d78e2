/// \file Numbers of answers as bounds of other queries: they are rounded, so a bound must be one ulp larger.

#include <sphaera/scene.hpp>

#include <algorithm>
#include <cmath>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::Random, test::SceneKind;

double one_ulp_up(double x) { return std::nextafter(x, infinity); }

/// How often a bound reached the sphere whose number it was.
struct Reached {
  int as_given = 0, one_ulp_up = 0, all = 0;
};

Reached reach_neighbors(const Scene& scene, const std::vector<Vec3>& points) {
  Reached reached;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Neighbor found = scene.nearest(points[i]);
    if (!(found.distance > 0 && found.distance < domain_limit / 2)) continue;
    const auto holds = [&](double radius) {
      const std::vector<std::int64_t> ids = scene.within(Ball{points[i], radius});
      return std::ranges::find(ids, found.sphere) != ids.end();
    };
    ++reached.all;
    reached.as_given += holds(found.distance), reached.one_ulp_up += holds(one_ulp_up(found.distance));
  }
  return reached;
}

Reached reach_hits(const Scene& scene, const std::vector<Ray>& rays) {
  Reached reached;
  for (Ray ray : rays) {
    const Hit found = scene.first_hit(ray);
    if (found.contact != Contact::enters || !std::isfinite(found.t_enter)) continue;
    const auto holds = [&](double t_max) {
      ray.t_max = t_max;
      return scene.first_hit(ray).sphere == found.sphere;
    };
    ++reached.all;
    reached.as_given += holds(found.t_enter), reached.one_ulp_up += holds(one_ulp_up(found.t_enter));
  }
  return reached;
}

}  // namespace

TEST_CASE("a rounded distance or t_enter, one ulp up, reaches its sphere", "[query]") {
  Random random(test::seed());
  Reached neighbors, hits;
  const auto add = [](Reached& sum, const Reached& more) {
    sum.as_given += more.as_given, sum.one_ulp_up += more.one_ulp_up, sum.all += more.all;
  };
  for (const SceneKind kind : test::kinds_to_try()) {
    CAPTURE(test::name(kind));
    const std::vector<Sphere> spheres = test::make_spheres(kind, 100, random);
    const Scene scene = Scene::build(spheres);
    const int n = test::fewer_in_repeats(2000);
    const Reached near =
        reach_neighbors(scene, test::make_points(spheres, static_cast<std::size_t>(n), random));
    CHECK(near.one_ulp_up == near.all);
    add(neighbors, near);
    const Reached hit = reach_hits(scene, test::make_rays(spheres, static_cast<std::size_t>(n), random));
    CHECK(hit.one_ulp_up == hit.all);
    add(hits, hit);
  }
  // As given, about half of the numbers are too small: rounded down.
  INFO(neighbors.as_given << " of " << neighbors.all << ", " << hits.as_given << " of " << hits.all);
  CHECK(neighbors.as_given < neighbors.all);
  CHECK(hits.as_given < hits.all);
}

}  // namespace sphaera
