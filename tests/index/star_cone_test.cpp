/// \file A star's index leads to every sphere that touches the hull of an observer and the star's ball, or
/// the cone to a star at infinity.

#include <algorithm>
#include <cmath>
#include <index/viewpoint/viewpoint_faces.hpp>
#include <tests/inputs/scenes.hpp>
#include <vector>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

struct ConeOffers : index::ConeWalk {
  std::vector<bool> offered;

  ConeOffers(const index::Cone& walked, std::size_t n)
      : ConeWalk(walked, {.visit = visit_leaf}), offered(n) {}
  static index::TraversalControl visit_leaf(index::ConeWalk& walk, const index::LeafIds& ids,
                                            index::LaneHits hits) {
    for (std::uint32_t lane = 0; lane < index::leaf_block_size; ++lane)
      if (ids[lane] != index::no_sphere && (hits.maybe >> lane & 1))
        static_cast<ConeOffers&>(walk).offered[ids[lane]] = true;
    return index::TraversalControl::go_on;
  }
};

/// Distance of a point from the hull of x and the ball about 0 with this radius: the least of |c − (1 − λ)x|
/// − λ·radius, a convex function of λ, by golden sections.
double distance_from_hull(const Vec3& c, const Vec3& x, double radius) {
  const auto at = [&](long double share) {
    const long double a = c.x - (1 - share) * x.x, b = c.y - (1 - share) * x.y, d = c.z - (1 - share) * x.z;
    return std::sqrt(a * a + b * b + d * d) - share * radius;
  };
  long double low = 0, high = 1;
  constexpr long double golden = 0.61803398874989484820L;
  for (int i = 0; i < 100; ++i) {
    const long double one = high - golden * (high - low), two = low + golden * (high - low);
    at(one) < at(two) ? high = two : low = one;
  }
  return static_cast<double>(std::min({at(low), at(0), at(1)}));
}

/// A lower bound of distance_from_hull, up to rounding; quicker to compute.
double least_distance_from_hull(const Vec3& c, const Vec3& x, double radius) {
  const Vec3 l = c - std::clamp(dot(c, x) / dot(x, x), 0.0, 1.0) * x;
  return std::sqrt(dot(l, l)) - radius;
}

struct ConeTally {
  int cones = 0, met = 0, lost = 0;
  long offered = 0;
};

/// Tallies the hulls of each observer (given relative to the star) and the ball of `radius` about the star.
ConeTally tally_hulls(const std::vector<Sphere>& spheres, const Vec3& star,
                      const std::vector<Vec3>& observers, double radius) {
  const index::ViewpointFaces tree(star, {{spheres}}, {}, 1);
  ConeTally t;
  for (const Vec3& place : observers) {
    const Vec3 from = star + place, way = star - from, x = from - star;
    const double length = std::sqrt(dot(way, way));
    const index::Cone cone{exact::path_of(Segment{from, star}), (1 / length) * way, length, radius / length};
    ConeOffers walk(cone, spheres.size());
    if (!tree.in_cone(walk, from, radius)) continue;
    ++t.cones;
    for (std::size_t i = 0; i < spheres.size(); ++i) {
      t.offered += walk.offered[i];
      const Vec3 c = spheres[i].center - star;
      if (least_distance_from_hull(c, x, radius) > 1.001 * spheres[i].radius) continue;
      if (!(distance_from_hull(c, x, radius) < spheres[i].radius)) continue;
      ++t.met;
      t.lost += !walk.offered[i];
    }
  }
  return t;
}

enum class Where : std::uint8_t {
  anywhere,
  clear_of_star,  ///< no ball is near the star: a cone may miss whole faces
};

ConeTally tally_cones(test::Random& random, double size, double radius, Where where) {
  const bool clear = where == Where::clear_of_star;
  const Vec3 star = random.one_in(2) ? Vec3{} : 100 * size * random.in_cube(1);
  std::vector<Vec3> observers;
  for (int i = 0; i < 40; ++i) {
    Vec3 x = size * random.in_cube(1);
    const double aside = clear ? random.log_uniform(radius / size, 1) : 1e-3;
    if (random.one_in(3)) x.y = x.x * (1 + aside * random.between(-1, 1));  // near an edge of the cube
    observers.push_back(x);
  }
  std::vector<Sphere> spheres;
  while (spheres.size() < 3000) {  // each just touches the cone of an observer
    const Vec3& x = observers[static_cast<std::size_t>(random.below(40))];
    const double along = clear && !random.one_in(3) ? 20 * radius / size * random.log_uniform(1, 30)
                                                    : random.log_uniform(1e-3, 1);
    const Vec3 c = along * x + 3 * radius * random.log_uniform(1e-2, 3) * random.in_cube(1);
    const double away = distance_from_hull(c, x, radius), from_star = std::sqrt(dot(c, c));
    if (clear && !(from_star > 20 * radius && away < from_star / 8)) continue;
    if (away > (clear ? 1e-3 * radius : 1e-9 * size)) spheres.push_back({star + c, away * (1 + 1e-6)});
  }
  return tally_hulls(spheres, star, observers, radius);
}

/// Does the ball touch the infinite cone of half-angle α about the unit vector d with its apex in x? Balls
/// that touch it by less than long double resolves do not count.
bool touches_cone(const Sphere& ball, const Vec3& x, const Vec3& d, double angle) {
  const Vec3& c = ball.center;
  const long double l[] = {static_cast<long double>(c.x) - x.x, static_cast<long double>(c.y) - x.y,
                           static_cast<long double>(c.z) - x.z};
  const long double along = l[0] * d.x + l[1] * d.y + l[2] * d.z,
                    square = l[0] * l[0] + l[1] * l[1] + l[2] * l[2], length = std::sqrt(square),
                    across = std::sqrt(std::max(0.0L, square - along * along)),
                    sine = std::sin(static_cast<long double>(angle)),
                    cosine = std::cos(static_cast<long double>(angle));
  // Nearest to the apex, or to the cone's side.
  const long double away = along * cosine + across * sine <= 0 ? length : across * cosine - along * sine;
  return away + 1e-15L * length < ball.radius;
}

Vec3 unit_vector(test::Random& random) {
  const Vec3 any = random.in_cube(1);
  return (1 / std::sqrt(dot(any, any))) * any;
}

/// Cones from observers to a star at infinity, in a direction of length 1.
ConeTally tally_parallel_cones(const std::vector<Sphere>& spheres, const std::vector<Vec3>& observers,
                               const Vec3& d, double angle) {
  const index::ViewpointFaces tree(index::Viewpoint::at_infinity(d), {{spheres}}, {}, 1);
  ConeTally t;
  for (const Vec3& x : observers) {
    const index::Cone cone{exact::path_of(Ray{x, d}), d, 1, std::sin(angle)};
    ConeOffers walk(cone, spheres.size());
    if (!tree.in_cone(walk, x, std::sin(angle))) continue;
    ++t.cones;
    for (std::size_t i = 0; i < spheres.size(); ++i) {
      t.offered += walk.offered[i];
      if (!touches_cone(spheres[i], x, d, angle)) continue;
      ++t.met;
      t.lost += !walk.offered[i];
    }
  }
  return t;
}

/// The same for spheres each of which just touches the cone of one observer.
ConeTally tally_touching(test::Random& random, double size, double angle) {
  const Vec3 d = unit_vector(random);
  std::vector<Vec3> observers;
  for (int i = 0; i < 40; ++i) observers.push_back(size * (random.one_in(8) ? 3.0 : 1.0) * random.in_cube(1));
  std::vector<Sphere> spheres;
  while (spheres.size() < 3000) {
    const Vec3& x = observers[static_cast<std::size_t>(random.below(40))];
    const double along = size * random.log_uniform(1e-3, 1) * (random.one_in(10) ? -1 : 1);
    const Vec3 c = x + along * d + size * random.log_uniform(1e-4, 0.1) * random.in_cube(1);
    const Vec3 l = c - x, aside = l - dot(l, d) * d;
    const double away = std::sqrt(dot(aside, aside)) * std::cos(angle) - dot(l, d) * std::sin(angle);
    if (away > 1e-7 * size) spheres.push_back({c, away * (1 + 1e-6)});
  }
  return tally_parallel_cones(spheres, observers, d, angle);
}

}  // namespace

TEST_CASE("a star's index leads to every sphere that a cone to the star touches", "[index]") {
  test::Random random(test::seed());
  for (const double size : test::one_in_short_runs({1.0, 1e3, 1e11})) {
    for (const double radius : {1e-9, 1e-5, 1e-3, 0.05}) {
      const ConeTally t = tally_cones(random, size, radius * size, Where::anywhere);
      INFO("size " << size << ", radius " << radius << ": " << t.cones << " cones, " << t.met << " met, "
                   << t.offered << " offered");
      CHECK(t.cones > 20);
      CHECK(t.met > t.cones);
      CHECK(t.lost == 0);
      CHECK(t.offered < 4L * t.met + 100L * t.cones);
    }
  }
}

TEST_CASE("a star's index leads to every sphere in the faces that a cone does not miss", "[index]") {
  test::Random random(test::seed());
  for (const double radius : {1e-9, 1e-7, 1e-5}) {
    for (int i = 0; i < (test::sanitized() ? 1 : 3); ++i) {
      const ConeTally t = tally_cones(random, 1, radius, Where::clear_of_star);
      INFO("radius " << radius << ": " << t.cones << " cones, " << t.met << " met");
      CHECK(t.cones > 20);
      CHECK(t.met > t.cones);
      CHECK(t.lost == 0);
    }
  }
}

TEST_CASE("a cone loses no ball that is tiny beside the face's depth and far from its other balls' size",
          "[index]") {
  test::Random random(test::seed());
  // Seen from the star all lie within 2^-40 of the axis, which gives the face its greatest scale.
  std::vector<Sphere> spheres{{{0, 0, 0x1.8p101}, 0x1p60}};
  for (int i = 0; i < 800; ++i)
    spheres.push_back({{0, 0, random.between(4.9, 5.1)}, random.between(1e-12, 2e-12)});
  std::vector<Vec3> observers;
  for (int i = 0; i < 40; ++i) observers.push_back({random.between(1.01, 1.03), 0, 10});
  const ConeTally t = tally_hulls(spheres, {}, observers, 1);
  INFO(t.cones << " cones, " << t.met << " met");
  CHECK(t.cones == 40);
  CHECK(t.met > 100 * t.cones);
  CHECK(t.lost == 0);
}

TEST_CASE("the index of a star at infinity leads to every sphere that a cone touches", "[index]") {
  test::Random random(test::seed());
  for (const double size : {1.0, 1e3, 1e11}) {
    for (const double angle : {0.0, 1e-7, 1e-4, 5e-3, 0.1, 0.25}) {
      const ConeTally t = tally_touching(random, size, angle);
      INFO("size " << size << ", angle " << angle << ": " << t.cones << " cones, " << t.met << " met, "
                   << t.offered << " offered");
      CHECK(t.cones == 40);
      CHECK(t.met > t.cones);
      CHECK(t.lost == 0);
      CHECK(t.offered < 4L * t.met + 100L * t.cones);
    }
  }
}

TEST_CASE("cones to a star at infinity lose no sphere in scenes of any kind", "[index]") {
  test::Random random(test::seed());
  int cones = 0, met = 0;
  for (int c = 0; c < test::scene_kind_count; ++c) {
    const auto scene_kind = static_cast<test::SceneKind>(c);
    INFO(test::name(scene_kind));
    const std::vector<Sphere> spheres = test::make_spheres(scene_kind, test::fewer_in_repeats(1000u), random);
    const std::vector<Vec3> observers = test::make_points(spheres, 30, random);
    for (const double angle : {0.0, 1e-6, 0.005, 0.2}) {
      const ConeTally t = tally_parallel_cones(spheres, observers, unit_vector(random), angle);
      CHECK(t.lost == 0);
      cones += t.cones, met += t.met;
    }
  }
  CHECK(cones > 20 * test::scene_kind_count);
  CHECK(met > cones);
}

TEST_CASE("a star at infinity that is wider than a cone may be is not looked up", "[index]") {
  const std::vector<Sphere> one{{{1, 2, 3}, 1}};
  const index::ViewpointFaces tree(index::Viewpoint::at_infinity({0, 0, 1}), {{one}}, {});
  const index::Cone wide{exact::path_of(Ray{{1, 2, 0}, {0, 0, 1}}), {0, 0, 1}, 1, 0.26};
  ConeOffers walk(wide, 1);
  CHECK(!tree.in_cone(walk, {1, 2, 0}, 0.26));
}

}  // namespace sphaera
