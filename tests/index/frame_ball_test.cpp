/// \file The ball around a nested frame. A path inside the ball tests only the frame's own spheres and a few
/// others. No sphere that such a path meets is lost, wherever the other spheres lie or move.

#include <index/scene_index.hpp>
#include <numeric>
#include <sphaera/scene.hpp>
#include <tests/index/offered_spheres.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <vector>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::Random, test::OfferedSpheres, test::count_lost;

/// A crowd, spheres of all sizes near it or reaching into it, and one sphere so far away that the crowd gets
/// a nested frame.
struct Town {
  Random random;
  double width = random.log_uniform(1e-2, 1e5), height = width * random.log_uniform(1e-2, 1);
  Vec3 place = random.in_cube(1e5 * width);
  std::vector<Sphere> spheres;
  std::vector<Vec3> velocities;
  Horizon horizon{random.between(-1, 1), 2};

  explicit Town(std::uint64_t stream) : random(test::seed(), stream) {
    const auto people = static_cast<std::size_t>(random.whole(60, 200));
    const int others = random.below(16);
    for (std::size_t i = 0; i < people; ++i)
      spheres.push_back({in_crowd(), width * random.between(1e-3, 3e-3)});
    for (int i = 0; i < others; ++i) spheres.push_back(other());
    const double far = width * random.log_uniform(1e7, 1e9);
    spheres.push_back({place + far * random.direction(), 0.1 * far});
    velocities.resize(spheres.size());
    for (Vec3& v : velocities)
      if (random.one_in(2)) v = width * random.log_uniform(1e-3, 0.1) * random.direction();
    for (std::size_t i = people; i < spheres.size(); ++i)
      if (random.one_in(2)) velocities[i] = random.between(0, 1) * (place - spheres[i].center);
  }

  Vec3 in_crowd() {
    return place +
           Vec3{width * random.between(-1, 1), width * random.between(-1, 1), height * random.between(-1, 1)};
  }
  /// A sphere whose surface is `gap` away from the crowd's center; one in eight goes through the center.
  Sphere other() {
    const double radius = width * random.log_uniform(1e-2, 1e6), gap = width * random.log_uniform(1, 1e4);
    return {place + (random.one_in(8) ? radius : radius + gap) * random.direction(), radius};
  }
  /// Starts inside the crowd or outside. Ends in the crowd, outside, or just above the surface of one of the
  /// last 17 spheres, equally often.
  Segment segment() {
    const Vec3 from =
        random.one_in(2) ? in_crowd() : place + width * random.log_uniform(1, 1e5) * random.direction();
    const int kind = random.below(3);
    if (kind == 0) return {from, in_crowd()};
    if (kind == 1) return {from, place + width * random.log_uniform(1, 1e5) * random.direction()};
    const Sphere& s = spheres[spheres.size() - 1 - random.below(17)];
    const Vec3 away = from - s.center;
    const double distance = std::sqrt(dot(away, away));
    Vec3 to = s.center + s.radius * (1 + random.log_uniform(1e-16, 1e-4)) / distance * away;
    to.x = test::step(to.x, random.whole(-3, 3));
    return {from, to};
  }
};

/// A crowd with a nested frame, many spheres at rest around it, and a few that start outside all of them and
/// pass close to the crowd. The moon is so near that boxes in the outermost frame are smaller than the crowd;
/// a walk about the crowd then meets spheres at rest before those that pass.
struct Passage {
  Random random;
  double width = random.log_uniform(1e-2, 1e5);
  Vec3 place = random.in_cube(1e5 * width);
  std::vector<Sphere> spheres;
  std::vector<Vec3> velocities;
  std::vector<double> passes;  ///< the times at which the last spheres pass

  explicit Passage(std::uint64_t stream) : random(test::seed(), stream) {
    const int people = random.whole(60, 200), resting = random.whole(20, 300);
    for (int i = 0; i < people; ++i)
      spheres.push_back({place + random.in_cube(width), width * random.between(1e-3, 3e-3)});
    for (int i = 0; i < resting; ++i) {
      const double radius = width * random.log_uniform(1e-2, 1), gap = width * random.log_uniform(8, 30);
      spheres.push_back({place + (radius + gap) * random.direction(), radius});
    }
    const double far = width * random.log_uniform(3e4, 3e5);
    spheres.push_back({place + far * random.direction(), 0.1 * far});
    velocities.resize(spheres.size());
    for (int fast = random.whole(1, 10); fast > 0; --fast) add_fast();
  }

  void add_fast() {
    const double radius = width * random.log_uniform(0.1, 2), time = random.between(0.1, 0.9);
    const Vec3 way = width * random.log_uniform(50, 500) * random.direction(),
               pass = place + (radius + width * random.between(1.5, 6)) * random.direction();
    spheres.push_back({pass - way, radius}), velocities.push_back(1 / time * way);
    passes.push_back(time);
  }

  /// From within the crowd to the place of one of the fast spheres, when it passes.
  Bullet bullet() {
    const std::size_t which = random.bits() % passes.size(), id = spheres.size() - passes.size() + which;
    const Vec3 from = place + random.in_cube(0.5 * width),
               to = spheres[id].center + passes[which] * velocities[id] + random.in_cube(spheres[id].radius);
    const double duration = random.log_uniform(1e-7, 1e-2);
    return {from, 1 / duration * (to - from), random.one_in(2) ? 0 : 0.01 * width,
            passes[which] - duration * random.unit(), duration};
  }
};

/// The segment as a part of a ray whose origin lies 1e-2 to 1e14 widths before it.
Ray from_afar(const Segment& segment, double width, Random& random) {
  const Vec3 way = segment.to - segment.from;
  const double length = std::sqrt(dot(way, way)), before = width * random.log_uniform(1e-2, 1e14);
  const Vec3 d = 1 / length * way;
  return {segment.from - before * d, d, before, before + length};
}

/// Checks that the index answers as brute force does, also in an arena of two threads.
void check_answers(const Scene& scene, Town& town, int questions) {
  std::vector<Segment> segments;
  std::vector<Ray> rays;
  std::vector<Bullet> bullets;
  for (int i = 0; i < questions; ++i) {
    const Segment& segment = segments.emplace_back(town.segment());
    rays.push_back(from_afar(segment, town.width, town.random));
    const double radius = town.random.one_in(2) ? 0 : town.width * town.random.log_uniform(1e-3, 10);
    const double duration = town.random.between(0.1, 1), start = town.random.between(town.horizon.from, 2);
    bullets.push_back({segment.from, 1 / duration * (segment.to - segment.from), radius, start, duration});
  }
  const QueryOptions brute{.search = Search::brute_force}, index{.threads = 2, .grain = 7};
  CHECK(scene.blocked(rays, index) == scene.blocked(rays, brute));
  CHECK(test::all_same(scene.first_hit(rays, index), scene.first_hit(rays, brute)));
  for (const double reach : {0.0, town.width})
    CHECK(test::all_same(scene.near_misses(bullets, reach, index), scene.near_misses(bullets, reach, brute)));
  CHECK(scene.blocked(segments, index) == scene.blocked(segments, brute));
  CHECK(test::all_same(scene.first_hit(segments, index), scene.first_hit(segments, brute)));
  CHECK(test::all_same(scene.all_hits(segments, index).items, scene.all_hits(segments, brute).items));
  for (int i = 0; i < questions; i += 8)
    CHECK(test::same(scene.first_hit(segments[i]), scene.first_hit(segments[i], brute)));
  for (const FlightOptions& rules : {FlightOptions{}, FlightOptions{.pierces = 9},
                                     FlightOptions{.gravity = town.width * town.random.direction()}}) {
    const ImpactLists a = scene.all_impacts(bullets, rules, index),
                      b = scene.all_impacts(bullets, rules, brute);
    CHECK(test::all_same(a.items, b.items));
  }
}

}  // namespace

TEST_CASE(
    "frame balls lead to every sphere that a path in them meets; the frame's own spheres alone would not",
    "[index]") {
  int towns = 0, paths = 0, met_others = 0;
  for (std::uint64_t stream = 0; stream < test::fewer_in_repeats(400u); ++stream) {
    Town town(stream);
    const index::SphereSet sphere_set{town.spheres};
    const index::SceneIndex tree(sphere_set,
                                 index::plan_frames({sphere_set}, index::scene_bounds_of({sphere_set})), {});
    const index::FrameBalls frame_balls(tree.top(), 0);
    if (frame_balls.empty()) continue;
    ++towns;
    for (int i = 0; i < 200; ++i) {
      const Segment segment = town.segment();
      const exact::Path path =
          i % 2 ? exact::path_of(segment) : exact::path_of(from_afar(segment, town.width, town.random));
      const index::FrameBall* const near = frame_balls.of(path);
      if (!near) continue;
      ++paths;
      CHECK(count_lost(town.spheres, path, [&](OfferedSpheres& walk) { near->any(walk); }) == 0);
      CHECK(count_lost(town.spheres, path, [&](OfferedSpheres& walk) { near->nearest_first(walk); }) == 0);
      met_others += count_lost(town.spheres, path, [&](OfferedSpheres& walk) { near->bvh().any(walk); });
    }
  }
  INFO(towns << " towns, " << paths << " paths, " << met_others << " others met");
  CHECK(towns > test::fewer_in_repeats(100));
  CHECK(paths > 30 * towns);
  CHECK(met_others > paths / 20);
}

TEST_CASE("a ray that starts so far away that its t is coarse loses no sphere near a frame ball", "[index]") {
  Random random(test::seed());
  int held = 0;
  for (int i = 0; i < test::fewer_in_repeats(400); ++i) {
    // A crowd no more than 2 wide, a wall 10 to 20 away from it, and a sphere far away: frames nest.
    const Vec3 place = random.in_cube(1);
    const double gap = random.between(10, 20), wall = 0x1p14;
    std::vector<Sphere> spheres(100);
    for (Sphere& s : spheres) s = {place + random.in_cube(1), 0.002};
    spheres.push_back({place + Vec3{gap + wall, 0, 0}, wall});
    spheres.push_back({{1e8, 3e8, -1e8}, 1e7});
    const index::SphereSet sphere_set{spheres};
    const index::SceneIndex tree(sphere_set,
                                 index::plan_frames({sphere_set}, index::scene_bounds_of({sphere_set})), {});
    REQUIRE(!tree.frame_balls().empty());
    const Vec3 center = tree.top().children()[0]->frame().center(), away = center - spheres[100].center;
    const double radius = std::sqrt(dot(away, away)) - wall;  // of the ball
    for (int k = 0; k < 20; ++k) {
      // The ray ends at most 64 steps of t before the wall and 2 steps behind it. A step is the spacing of
      // doubles at `before`. At 2^11 and 2^12 these steps are as fine as the share by which balls are smaller
      // and the origin is near enough to look the ball up.
      const double before = std::ldexp(1.0, random.one_in(2) ? random.whole(11, 12) : random.whole(4, 48)),
                   step = std::ldexp(before, -52);
      const double end = std::round((center.x + radius + before) / step + random.between(-64, 2)) * step;
      const Ray ray{{-before, center.y, center.z}, {1, 0, 0}, end - 4, end};
      const exact::Path path = exact::path_of(ray);
      held += tree.frame_balls().of(path) != nullptr;
      CHECK(count_lost(spheres, path, [&](OfferedSpheres& walk) { tree.any(walk); }) == 0);
    }
  }
  CHECK(held > test::fewer_in_repeats(100));
}

TEST_CASE("in and about a frame_ball the index answers as brute force does, also once all have moved",
          "[index]") {
  for (std::uint64_t stream = 0; stream < test::fewer_in_repeats(300u); ++stream) {
    Town town(1000 + stream);
    INFO("stream " << stream);
    const bool moving = stream % 2 == 1;
    BuildOptions options;
    if (moving) options.velocities = town.velocities, options.horizon = town.horizon;
    Scene scene = Scene::build(town.spheres, options);
    check_answers(scene, town, 60);
    std::vector<Vec3> centers;
    for (Sphere& s : town.spheres) {
      if (town.random.one_in(3))
        s.center = s.center + town.width * town.random.log_uniform(1e-3, 10) * town.random.direction();
      centers.push_back(s.center);
    }
    scene.update(centers, moving ? town.velocities : std::vector<Vec3>{},
                 {.rebuild = UpdateOptions::Rebuild::never});
    check_answers(scene, town, 60);
  }
}

TEST_CASE("fast spheres that pass a crowd amid many at rest hit bullets that fly out of it", "[index]") {
  std::size_t frame_balls = 0, hit_fast = 0, flights = 0;
  const QueryOptions brute{.search = Search::brute_force};
  // One passage in four has a frame ball: of few passages too few may have one, then there are more.
  const unsigned passages = test::fewer_in_repeats(200u);
  for (std::uint64_t stream = 0; stream < passages || (frame_balls <= passages / 8 && stream < 400);
       ++stream) {
    Passage passage(2000 + stream);
    INFO("stream " << stream);
    const index::SphereSet sphere_set{passage.spheres, passage.velocities, 0, 1};
    const index::SceneIndex tree(sphere_set,
                                 index::plan_frames({sphere_set}, index::scene_bounds_of({sphere_set})), {});
    frame_balls += tree.frame_balls().size();
    const Scene scene = Scene::build(passage.spheres, {.velocities = passage.velocities, .horizon = {0, 1}});
    std::vector<Bullet> bullets;
    for (int i = 0; i < 40; ++i) bullets.push_back(passage.bullet());
    const std::vector<Impact> found = scene.first_impact(bullets),
                              expected = scene.first_impact(bullets, {}, brute);
    CHECK(test::all_same(found, expected));
    CHECK(test::all_same(scene.near_misses(bullets, passage.width),
                         scene.near_misses(bullets, passage.width, brute)));
    flights += bullets.size();
    const auto first_fast = static_cast<std::int64_t>(passage.spheres.size() - passage.passes.size());
    for (const Impact& impact : expected) hit_fast += impact.sphere >= first_fast;
  }
  CHECK(frame_balls > passages / 8);
  CHECK(hit_fast > flights / 4);
}

TEST_CASE("spheres that become fast hit bullets that fly out of a crowd, as those of a new scene do",
          "[index][scene][edit]") {
  const QueryOptions brute{.search = Search::brute_force};
  const unsigned passages = test::fewer_in_repeats(100u);
  for (std::uint64_t stream = 0; stream < passages; ++stream) {
    Passage passage(3000 + stream);
    INFO("stream " << stream);
    const std::vector<Vec3> at_rest(passage.spheres.size());
    const auto first_fast = passage.spheres.size() - passage.passes.size();
    std::vector<std::int64_t> fast(passage.passes.size());
    std::iota(fast.begin(), fast.end(), static_cast<std::int64_t>(first_fast));
    std::vector<Vec3> centers;
    for (const Sphere& sphere : std::span(passage.spheres).subspan(first_fast))
      centers.push_back(sphere.center);
    Scene scene = Scene::build(passage.spheres, {.velocities = at_rest, .horizon = {0, 1}});
    scene.update(fast, centers, std::span(passage.velocities).subspan(first_fast),
                 {.rebuild = UpdateOptions::Rebuild::never});
    std::vector<Bullet> bullets;
    for (int i = 0; i < 40; ++i) bullets.push_back(passage.bullet());
    CHECK(test::all_same(scene.first_impact(bullets), scene.first_impact(bullets, {}, brute)));
  }
}

}  // namespace sphaera
