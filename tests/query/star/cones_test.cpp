/// \file Candidates of starlight by cones: none is lost in scenes of every kind, and few are superfluous.

#include <algorithm>
#include <cmath>
#include <sphaera/sphaera.hpp>
#include <tests/inputs/scenes.hpp>
#include <tools/workload/workload.hpp>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/near.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::SceneKind, test::length, test::same;

Vec3 unit(const Vec3& v) { return (1 / length(v)) * v; }

/// One question: a star and an observer.
struct Sight {
  Star star;
  Observer observer;
};

class Sights {
 public:
  Sights(const std::vector<Sphere>& spheres, test::Random& random) : spheres_(spheres), random_(random) {
    points_ = test::make_points(spheres, 64, random_);
  }

  Sight next() {
    const Observer observer = random_.one_in(3) ? standing() : Observer{point()};
    switch (random_.below(4)) {
      case 0:
        return {Star::at(point(), 0), observer};
      case 1:
        return {Star::at_infinity(direction(), random_.log_uniform(1e-9, 0.9)), observer};
      case 2:
        return {grazing(observer.position), observer};
      default: {
        const Vec3 place = point();
        const double distance = length(place - observer.position);
        return {Star::at(place, std::min(distance * random_.log_uniform(1e-9, 1), domain_limit)), observer};
      }
    }
  }

 private:
  Vec3 point() { return points_[random_.bits() % points_.size()]; }
  Vec3 direction() { return random_.in_cube(1); }
  const Sphere& sphere() { return spheres_[random_.bits() % spheres_.size()]; }
  Observer standing() {
    const std::uint64_t id = random_.bits() % spheres_.size();
    const Sphere& s = spheres_[id];
    const Observer observer{s.center + s.radius * unit(direction()), static_cast<std::int64_t>(id)};
    return observer.position == s.center ? Observer{s.center} : observer;
  }
  /// A star at infinity whose disc touches a sphere's within a few roundings.
  Star grazing(const Vec3& observer) {
    const Sphere& s = sphere();
    const Vec3 to = s.center - observer;
    const double distance = length(to), radius = random_.log_uniform(1e-9, 0.4);
    if (!(distance > s.radius) || !(distance < 1e150) || !(distance > 1e-150))
      return Star::at_infinity(direction(), radius);
    const Vec3 axis = unit(to);
    const Vec3 across = unit(cross(axis, direction()));
    const double angle = std::asin(s.radius / distance) + radius * (1 + 1e-9 * random_.between(-1, 1));
    return Star::at_infinity(std::cos(angle) * axis + std::sin(angle) * across, radius);
  }

  const std::vector<Sphere>& spheres_;
  test::Random& random_;
  std::vector<Vec3> points_;
};

/// Does the sphere meet the cone from the observer to the star? In double: for counting.
bool meets_cone(const Star& star, const Vec3& observer, const Sphere& s) {
  const bool endless = star.distance == Star::Distance::infinite;
  const Vec3 d = endless ? star.direction : star.center - observer, axis = unit(d), to = s.center - observer;
  const double end = endless ? infinity : length(d);
  const double sine = endless ? std::sin(star.angular_radius) : star.radius / end;
  const double at = dot(to, axis), across = length(to - at * axis), cosine = std::sqrt(1 - sine * sine);
  const double foot = std::clamp((at + across * sine / cosine), 0.0, end);  // the nearest of the cone's balls
  return length(to - foot * axis) <= s.radius + foot * sine;
}

}  // namespace

TEST_CASE("starlight by the index is that by brute force on scenes of every kind", "[query][stars][cone]") {
  test::Random random(test::seed());
  for (const SceneKind scene_kind : test::kinds_to_try()) {
    for (const std::size_t n : {9, 100, 1000}) {
      const std::vector<Sphere> spheres = test::make_spheres(scene_kind, n, random);
      BuildOptions build;
      build.quality = static_cast<BuildQuality>(random.below(3));
      const Scene scene = Scene::build(spheres, build);
      Sights sights(spheres, random);
      const int questions = test::fewer_in_repeats(n == 1000 ? 20 : 200);
      int different = 0;
      for (int i = 0; i < questions; ++i) {
        const Sight sight = sights.next();
        const Visibility a = scene.starlight(sight.star, sight.observer),
                         b = scene.starlight(sight.star, sight.observer, {.search = Search::brute_force});
        different += !same(a, b);
      }
      INFO(test::name(scene_kind) << ", " << n << " spheres");
      CHECK(different == 0);
    }
  }
}

TEST_CASE("at most four times as many spheres, plus 8, are tested as meet the cone", "[query][stars][cone]") {
  test::Random random(test::seed());
  const auto sun_over = [](const Vec3& direction) { return Star::at_infinity(direction, 0.00465); };
  for (const workload::Kind kind : {workload::Kind::crowd, workload::Kind::belt, workload::Kind::planet}) {
    constexpr std::size_t n = 20000;
    const std::vector<Sphere> spheres = workload::spheres(kind, n, 1);
    const std::vector<Ray> rays = workload::rays(kind, 200, n, 1);
    const Scene scene = Scene::build(spheres);
    std::uint64_t tested = 0, meeting = 0, exceeded = 0;
    for (const Ray& ray : rays) {
      const Star star =
          kind == workload::Kind::belt
              ? Star::at({0, 0, 0}, 5)
              : sun_over({random.between(-1, 1), random.between(-1, 1), random.between(0.1, 1)});
      QueryStats stats;
      QueryOptions options;
      options.stats = &stats;
      (void)scene.starlight(star, Observer{ray.origin}, options);
      const auto meet = static_cast<std::uint64_t>(
          std::ranges::count_if(spheres, [&](const Sphere& s) { return meets_cone(star, ray.origin, s); }));
      tested += stats.candidates, meeting += meet;
      if (stats.candidates > 4 * meet + 8) ++exceeded;
    }
    std::printf("%s: %.3f spheres tested an observer, %.3f meet the cone\n",
                std::string(workload::name(kind)).c_str(), double(tested) / double(rays.size()),
                double(meeting) / double(rays.size()));
    CHECK(tested >= meeting);
    CHECK(exceeded == 0);
  }
}

}  // namespace sphaera
