/// \file A star's index leads to every sphere that a way touches (a segment to the star, a ray from it or in
/// its direction), and is certain of no other; for a star at a point and at infinity.

#include <algorithm>
#include <cmath>
#include <exact/predicates/decide.hpp>
#include <index/viewpoint/viewpoint_faces.hpp>
#include <string>
#include <tests/inputs/scenes.hpp>
#include <vector>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

/// The spheres that a walk offers, and those that it is certain of.
struct OfferedOnPath : index::PathWalk {
  std::vector<bool> maybe, surely;
  std::vector<double> low, high;  ///< bounds of entries

  OfferedOnPath(const exact::Path& p, std::size_t n)
      : PathWalk(p, {.visit = visit_leaf}), maybe(n), surely(n), low(n), high(n, infinity) {}
  static index::TraversalControl visit_leaf(index::PathWalk& walk, const index::LeafIds& ids,
                                            index::LaneHits hits) {
    auto& q = static_cast<OfferedOnPath&>(walk);
    for (std::uint32_t lane = 0; lane < index::leaf_block_size; ++lane) {
      if (ids[lane] == index::no_sphere) continue;
      if (hits.maybe >> lane & 1) q.maybe[ids[lane]] = true;
      if (hits.surely >> lane & 1) q.surely[ids[lane]] = true;
      if (hits.bounded >> lane & 1)
        q.low[ids[lane]] = q.local.from(q.entries.low[lane]),
        q.high[ids[lane]] = q.local.to(q.entries.high[lane]);
    }
    return index::TraversalControl::go_on;
  }
};

struct StarTally {
  int ways = 0, met = 0, lost = 0, wrong = 0, certain = 0, mistimed = 0;
};

/// Ways to the star (segments) or away from it (rays) that graze spheres, end on them, or go anywhere.
exact::Path way_of_star(test::Random& random, const Vec3& star, const std::vector<Sphere>& spheres,
                        bool towards) {
  const Sphere& s = spheres[static_cast<std::size_t>(random.below(static_cast<int>(spheres.size())))];
  const Vec3 c = s.center - star, any = random.in_cube(1);
  const double distance = std::sqrt(dot(c, c));
  Vec3 other = s.center + s.radius * std::exp2(random.between(-3, 3)) * any;  // a place about the sphere
  if (!random.one_in(3) && distance > s.radius) {                             // along a tangent from the star
    const Vec3 along = (1 / distance) * c, aside = any - dot(any, along) * along;
    const double sine = s.radius / distance, length = std::sqrt(dot(aside, aside));
    const Vec3 tangent = std::sqrt(1 - sine * sine) * along + (sine / length) * aside;
    other = star + (distance * random.between(0.9, 3)) * tangent;
  } else if (random.one_in(2)) {  // from the sphere's surface
    other = s.center + (s.radius / std::sqrt(dot(any, any))) * any;
  }
  if (towards) return exact::path_of(Segment{other, star});
  return exact::path_of(Ray{star, other - star, 0, random.one_in(2) ? 1 : infinity});
}

/// Rays in one direction that graze spheres, begin on them, or go anywhere; a third has an end.
exact::Path parallel_way(test::Random& random, const Vec3& direction, const std::vector<Sphere>& spheres) {
  const Sphere& s = spheres[static_cast<std::size_t>(random.below(static_cast<int>(spheres.size())))];
  const Vec3 any = random.in_cube(1),
             aside = any - (dot(any, direction) / dot(direction, direction)) * direction;
  Vec3 from = s.center + s.radius * std::exp2(random.between(-3, 3)) * any;
  if (!random.one_in(3)) from = s.center + (s.radius / std::sqrt(dot(aside, aside))) * aside;
  const Sphere& other = spheres[static_cast<std::size_t>(random.below(static_cast<int>(spheres.size())))];
  const double along = dot(other.center - s.center, direction) / dot(direction, direction);
  if (random.one_in(2)) from = from + along * direction;  // before the sphere, or behind it
  return exact::path_of(Ray{from, direction, random.one_in(2) ? 0 : random.between(-1, 1) * along,
                            random.one_in(3) ? random.between(0, 2) * std::fabs(along) : infinity});
}

/// The paths of a star: to or from a point, or in its direction.
exact::Path way_of(test::Random& random, const index::Viewpoint& star, const std::vector<Sphere>& spheres,
                   int number) {
  return star.at_infinity() ? parallel_way(random, star.at(), spheres)
                            : way_of_star(random, star.at(), spheres, number % 2 == 0);
}

StarTally tally_ways(test::Random& random, const index::Viewpoint& star, const std::vector<Sphere>& spheres,
                     int ways, double share = 1) {
  const index::ViewpointFaces tree(star, {{spheres}}, {}, share);
  StarTally t;
  exact::Counts counts;
  for (int i = 0; i < ways; ++i) {
    const exact::Path path = way_of(random, star, spheres, i);
    OfferedOnPath any(path, spheres.size()), ordered(path, spheres.size());
    if (!tree.any(any)) continue;
    REQUIRE(tree.nearest_first(ordered));
    ++t.ways;
    for (std::uint32_t id = 0; id < spheres.size(); ++id) {
      const bool meets = exact::meets(path, spheres[id], counts);
      t.met += meets;
      t.lost += meets && !(any.maybe[id] && ordered.maybe[id]);
      t.certain += any.surely[id];
      t.wrong += !meets && (any.surely[id] || ordered.surely[id]);
      if (!ordered.surely[id]) continue;
      t.mistimed += exact::sign_power(path, spheres[id], ordered.low[id], counts) < 0 &&
                    exact::sign_slope(path, spheres[id], ordered.low[id], counts) < 0;
      t.mistimed += exact::sign_power(path, spheres[id], ordered.high[id], counts) > 0 &&
                    exact::sign_slope(path, spheres[id], ordered.high[id], counts) < 0;
    }
  }
  return t;
}

/// The star in a sphere's center, on its surface, near all spheres or far away.
Vec3 star_position(test::Random& random, const std::vector<Sphere>& spheres) {
  const Sphere& s = spheres[static_cast<std::size_t>(random.below(static_cast<int>(spheres.size())))];
  switch (random.below(4)) {
    case 0:
      return s.center;
    case 1:
      return s.center + Vec3{s.radius, 0, 0};
    case 2:
      return s.center + 3 * s.radius * Vec3{1, -0.5, 0.25};
    default:
      return test::make_points(spheres, 1, random)[0];
  }
}

/// A direction of any kind and length: along an axis, nearly so, on the edge of a face, any.
index::Viewpoint star_direction(test::Random& random) {
  Vec3 d = random.in_cube(1);
  if (random.one_in(4)) d.y = d.z = 0;
  if (random.one_in(4)) d.y *= 1e-9;
  if (random.one_in(4)) d.x = random.one_in(2) ? d.z : -d.z;
  if (d == Vec3{}) d.x = 1;
  return index::Viewpoint::at_infinity(std::exp2(random.between(-100, 100)) * d);
}

}  // namespace

TEST_CASE("a star's index leads to every sphere that a way touches", "[index]") {
  test::Random random(test::seed());
  StarTally all;
  for (int scene_kind = 0; scene_kind < test::scene_kind_count; ++scene_kind) {
    const auto spheres = test::make_spheres(static_cast<test::SceneKind>(scene_kind), 200, random);
    for (int star = 0; star < 12; ++star) {
      const index::Viewpoint place = star < 8 ? star_position(random, spheres) : star_direction(random);
      const StarTally t = tally_ways(random, place, spheres, test::fewer_in_repeats(300));
      INFO(test::name(static_cast<test::SceneKind>(scene_kind)) << ", star " << star);
      CHECK(t.lost == 0);
      CHECK(t.wrong == 0);
      CHECK(t.mistimed == 0);
      all.ways += t.ways, all.met += t.met, all.certain += t.certain;
    }
  }
  INFO(all.ways << " ways, " << all.met << " hits, " << all.certain << " certain");
  CHECK(all.met > all.ways);
  CHECK(all.certain > all.met / 8);
}

TEST_CASE("without inflation a star's index loses spheres: the test has teeth", "[index][plain]") {
  test::Random random(test::seed());
  std::vector<Sphere> spheres;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 c = random.in_cube(1);
    spheres.push_back({c, std::exp2(-20) * std::sqrt(dot(c, c))});
  }
  const int ways = test::fewer_in_repeats(2000);
  const StarTally none = tally_ways(random, {}, spheres, ways, 0),
                  all = tally_ways(random, {}, spheres, ways);
  CHECK(none.lost > none.met / 100);
  CHECK(all.lost == 0);
}

TEST_CASE("without inflation the index of a star at infinity loses spheres", "[index][plain]") {
  test::Random random(test::seed());
  std::vector<Sphere> spheres;
  for (int i = 0; i < 2000; ++i) spheres.push_back({random.in_cube(1), 0x1p-22});
  const int ways = test::fewer_in_repeats(2000);
  const auto star = index::Viewpoint::at_infinity({0.3, -0.2, 1});
  const StarTally none = tally_ways(random, star, spheres, ways, 0),
                  all = tally_ways(random, star, spheres, ways);
  CHECK(none.lost > none.met / 100);
  CHECK(all.lost == 0);
  CHECK(all.ways == ways);
}

TEST_CASE("a ray that begins far away, and one of another direction, have no way to a star at infinity",
          "[index]") {
  const std::vector<Sphere> spheres{{{0, 0, 0}, 1}, {{5, 5, 5}, 1}};
  const index::ViewpointFaces tree(index::Viewpoint::at_infinity({0, 0, 2}), {{spheres}}, {});
  const auto asked = [&](const Ray& ray) {
    const exact::Path path = exact::path_of(ray);
    OfferedOnPath walk(path, spheres.size());
    return tree.any(walk) ? int{walk.maybe[0]} : -1;
  };
  CHECK(asked({{0, 0, -30}, {0, 0, 2}}) == 1);
  CHECK(asked({{0, 0, 30}, {0, 0, 2}}) == 0);
  CHECK(asked({{0, 0, 30}, {0, 0, 2}, -infinity}) == 1);
  CHECK(asked({{0, 0, -3e4}, {0, 0, 2}}) == -1);
  CHECK(asked({{0, 0, -30}, {0, 0, 1}}) == -1);
  CHECK(asked({{0, 0, -30}, {0, 0, -2}}) == -1);
}

}  // namespace sphaera
