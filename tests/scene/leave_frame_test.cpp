/// \file People at the edge of a crowd that has a nested frame step out of it, and back: single updates,
/// without a rebuild. The scene answers as brute force does.

#include <sphaera/scene.hpp>

#include <algorithm>
#include <numeric>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::Random;

/// A crowd in a box about `place`, on half of all grounds, below a moon so far away that the crowd gets
/// a nested frame.
struct EdgeOfCrowd {
  static constexpr Vec3 axes[] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}};

  Random random;
  double width = random.log_uniform(1e-2, 1e5), radius = 3e-3 * width;
  Vec3 place = random.in_cube(1e5 * width);
  std::vector<Sphere> spheres;
  std::vector<std::int64_t> edge;  ///< ids of the people nearest to one side of the box
  Vec3 outward = axes[random.below(3)];

  explicit EdgeOfCrowd(std::uint64_t stream) : random(test::seed(), stream) {
    const int people = random.whole(60, 300);
    for (int i = 0; i < people; ++i) spheres.push_back({place + random.in_cube(width), radius});
    for (std::int64_t i = 0; i < people; ++i) edge.push_back(i);
    std::ranges::sort(edge, {}, [&](std::int64_t id) { return -dot(spheres[id].center, outward); });
    edge.resize(static_cast<std::size_t>(random.whole(1, people / 12)));
    const double far = width * random.log_uniform(1e7, 1e9);
    spheres.push_back({place + far * random.direction(), 0.1 * far});
    if (random.one_in(2)) spheres.push_back({place - Vec3{0, 0, 1e3 * width}, 998 * width});
  }

  /// Where the people at the edge stand after a step of at most `most` radii outward (inward if negative).
  std::vector<Vec3> step(double most) {
    std::vector<Vec3> centers;
    for (const std::int64_t id : edge) {
      Vec3& center = spheres[static_cast<std::size_t>(id)].center;
      center = center + random.between(0, most) * radius * outward;
      centers.push_back(center);
    }
    return centers;
  }

  /// Past the people at the edge, from near and far.
  std::vector<Ray> rays(std::size_t n) {
    std::vector<Ray> rays;
    while (rays.size() < n) {
      const Sphere& aim = spheres[static_cast<std::size_t>(edge[random.bits() % edge.size()])];
      const Vec3 through = aim.center + random.in_cube(radius), d = random.direction();
      const double before = width * random.log_uniform(1e-2, 1e4);
      rays.push_back({through - before * d, d, 0, random.one_in(2) ? infinity : 2 * before});
    }
    return rays;
  }
};

}  // namespace

TEST_CASE("people who step out of their crowd's nested frame are found", "[scene][edit]") {
  const UpdateOptions never{.rebuild = UpdateOptions::Rebuild::never};
  std::size_t hits = 0, rays_shot = 0;
  for (std::uint64_t stream = 0; stream < test::fewer_in_repeats(60u); ++stream) {
    EdgeOfCrowd crowd(stream);
    INFO("stream " << stream);
    Scene scene = Scene::build(crowd.spheres);
    REQUIRE(scene.info().frames.size() >= 2);
    for (const double most : {1.0, 1.0, 4.0, 4.0, 20.0, -8.0, -8.0}) {
      CHECK(!scene.update(crowd.edge, crowd.step(most), {}, never).rebuilt);
      const std::vector<Ray> rays = crowd.rays(40);
      const QueryOptions brute{.search = Search::brute_force};
      const std::vector<Hit> found = scene.first_hit(rays), expected = scene.first_hit(rays, brute);
      CHECK(test::all_same(found, expected));
      CHECK(scene.blocked(rays) == scene.blocked(rays, brute));
      CHECK(test::all_same(scene.all_hits(rays).items, scene.all_hits(rays, brute).items));
      rays_shot += rays.size();
      hits += static_cast<std::size_t>(
          std::ranges::count_if(expected, [](const Hit& hit) { return hit.sphere >= 0; }));
    }
  }
  CHECK(hits > rays_shot / 4);
}

/// Are all spheres found at their own places?
bool finds_all(const Scene& scene) {
  const std::span<const Sphere> spheres = scene.spheres();
  return std::ranges::all_of(spheres, [&](const Sphere& sphere) {
    const std::vector<Hit> hits = scene.all_hits(Ray{sphere.center, {0, 0, 1}, 0, 0});
    const auto number = &sphere - spheres.data();
    return std::ranges::any_of(hits, [&](const Hit& hit) { return hit.sphere == number; });
  });
}

TEST_CASE("spheres that jump together beyond the floats of their nested frame are found", "[scene][update]") {
  // Far from its frame a small sphere's box may round to a point. Most of a cluster is in leaves of its own.
  for (std::uint64_t stream = 0; stream < 200; ++stream) {
    INFO("stream " << stream);
    Random random(test::seed(), stream);
    const int people = random.whole(34, 80), jumping = random.whole(1, people / 2);
    std::vector<Sphere> spheres{{{0, 0, -6.4e6}, 6.39e6}};
    for (int i = 0; i < people; ++i) {
      const Vec3 place = i < jumping ? Vec3{1, 1, 1} + random.in_cube(1e-3) : random.in_cube(1);
      spheres.push_back({place, 1e-7});
    }
    Scene scene = Scene::build(spheres), changed = Scene::build(spheres);
    REQUIRE(scene.info().frames.size() == 2);
    std::vector<Vec3> centers;
    const Vec3 place = random.log_uniform(1e2, 1e12) * random.direction();
    for (int i = 0; i <= people; ++i)
      centers.push_back(i >= 1 && i <= jumping ? place : spheres[static_cast<std::size_t>(i)].center);
    std::vector<std::int64_t> ids(static_cast<std::size_t>(jumping));
    std::iota(ids.begin(), ids.end(), 1);
    const UpdateOptions never{.rebuild = UpdateOptions::Rebuild::never};
    scene.update(centers, {}, never);
    CHECK(finds_all(scene));
    changed.update(ids, std::vector<Vec3>(centers.begin() + 1, centers.begin() + 1 + jumping), {}, never);
    CHECK(finds_all(changed));
  }
}

}  // namespace sphaera
