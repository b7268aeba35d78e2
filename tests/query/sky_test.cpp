/// \file The sky against the oracle, against sampled directions, and with and without an index.

#include <cmath>
#include <cstdio>
#include <numbers>
#include <query/sky/sky_map.hpp>
#include <sphaera/scene.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/cap_cases.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/oracle/caps/open_part.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

constexpr double pi = std::numbers::pi;

/// The share by the oracle.
SkyShare reference(const SkyPoint& point, std::span<const Sphere> balls, double within) {
  const bool half = point.normal != Vec3{};
  const oracle::OpenPart part =
      oracle::open_part(oracle::caps_of_sky(point.position, balls, half ? &point.normal : nullptr, within));
  SkyShare share;
  share.open = static_cast<double>(part.area) / (half ? 2 * pi : 4 * pi);
  if (half)
    share.open_by_cosine = static_cast<double>(
        oracle::dot(part.moment, oracle::unit(oracle::from({}, point.normal))) / oracle::Long(pi));
  return share;
}

/// The greatest difference of the shares.
double difference(const SkyShare& a, const SkyShare& b, bool half) {
  const double open = std::fabs(a.open - b.open);
  return half ? std::max(open, std::fabs(a.open_by_cosine - b.open_by_cosine)) : open;
}

/// The error of the scene's exact answer; checks that there is one and that brute force has it, too.
double error_of(const Scene& scene, const SkyPoint& point, const SkyOptions& sky,
                const QueryOptions& more = {}) {
  const SkyShare share = scene.sky(point, sky, more);
  QueryOptions brute = more;
  brute.search = Search::brute_force;
  CHECK(same(share, scene.sky(point, sky, brute)));
  CHECK(share.rays == 0);
  CHECK(std::isnan(share.open_by_cosine) == (point.normal == Vec3{}));
  return difference(share, reference(point, scene.spheres(), sky.within), point.normal != Vec3{});
}

}  // namespace

TEST_CASE("sky: open shares against the oracle", "[query][sky]") {
  const int cases = fewer_unless_all(4000);
  double worst = 0;
  for (int i = 0; i < cases; ++i) {
    Random random(seed(), i);
    const SkyCase c = random_sky_case(random, random.whole(1, i % 16 ? 4 : 12));
    const Scene scene = Scene::build(c.balls);
    const SkyPoint point{c.point, random.one_in(2) ? c.normal : Vec3{}};
    const Sphere& one = c.balls[static_cast<std::size_t>(random.below(static_cast<int>(c.balls.size())))];
    const Vec3 to_center = one.center - c.point;
    const double within =
        random.one_in(2)
            ? infinity
            : std::fabs(std::sqrt(dot(to_center, to_center)) + one.radius * random.between(-1.1, 1.1));
    INFO("case " << i << ": within " << within << ", half " << (point.normal != Vec3{}) << ", " << text(c));
    const double error = error_of(scene, point, {.within = within});
    CHECK(error <= 1e-10);
    worst = std::max(worst, error);
  }
  std::printf("sky: %d skies of 1 to 12 balls, worst error of a share %.1e\n", cases, worst);
}

TEST_CASE("sky: scenes of all kinds against the oracle", "[query][sky]") {
  double worst = 0;
  for (const SceneKind kind : kinds_to_try()) {
    if (is_exact_throughout(kind)) continue;  // beyond the digits of the oracle
    Random random(seed(), static_cast<std::uint64_t>(kind));
    const std::vector<Sphere> spheres = make_spheres(kind, 24, random);
    const Scene scene = Scene::build(spheres);
    for (const Vec3& place : make_points(spheres, 6, random)) {
      INFO(name(kind) << ", " << place.x << ", " << place.y << ", " << place.z);
      const double error = error_of(scene, {place, random.one_in(2) ? random.direction() : Vec3{}}, {});
      CHECK(error <= 1e-10);
      worst = std::max(worst, error);
    }
  }
  std::printf("sky: scenes of 24 spheres, worst error of a share %.1e\n", worst);
}

TEST_CASE("sky: exact and sampled shares of a crowd agree, with an index and without", "[query][sky]") {
  Random random(seed());
  for (const SceneKind kind : {SceneKind::crowd, SceneKind::belt, SceneKind::uniform, SceneKind::peopled}) {
    const std::vector<Sphere> spheres = make_spheres(kind, 3000, random);
    const Scene scene = Scene::build(spheres);
    const SkyOptions whole{.most_discs = 3000}, sampled{.most_discs = 0, .rays = 1 << 14};
    for (int i = 0; i < fewer_in_repeats(8); ++i) {
      const std::int64_t id = random.below(3000);
      const Sphere& own = spheres[static_cast<std::size_t>(id)];
      const Vec3 normal = random.direction();
      const SkyPoint point{own.center + own.radius * normal, random.one_in(2) ? normal : Vec3{}};
      const QueryOptions options{.ignore = {&id, 1}},
          brute{.ignore = {&id, 1}, .search = Search::brute_force};
      const SkyShare share = scene.sky(point, whole, options), rays = scene.sky(point, sampled, options);
      INFO(name(kind) << ", sphere " << id << ", " << share.open << " by " << share.discs
                      << " discs, sampled " << rays.open);
      CHECK(same(share, scene.sky(point, whole, brute)));
      CHECK(share.rays == 0);
      if (share.discs == 0) {  // inside another sphere
        CHECK(share.open == 0);
        continue;
      }
      CHECK(rays.rays == sampled.rays);
      CHECK(rays.error == 1.0 / 256);
      CHECK(difference(share, rays, point.normal != Vec3{}) <= rays.error);
    }
  }
}

TEST_CASE("sky: single cases", "[query][sky]") {
  const std::vector<Sphere> spheres{{{0, 0, -10}, 10}, {{0, 0, 4}, 2}, {{0, 0, 40}, 2}};
  const Scene scene = Scene::build(spheres);
  const auto near = [](double x) { return Approx(x).margin(1e-10); };
  const std::int64_t ground = 0;
  const QueryOptions on_ground{.ignore = {&ground, 1}};

  CHECK(scene.sky({{0, 0, -1}, {}}).open == 0);  // inside
  CHECK(scene.sky({{0, 0, 0}, {}}).open == 0);   // on the surface
  CHECK(scene.sky({{0, 0, 0}, {0, 0, 1}}).open_by_cosine == 0);
  // sin α = 1/2 above; the farther ball is hidden.
  const SkyShare up = scene.sky({{0, 0, 0}, {0, 0, 1}}, {}, on_ground);
  CHECK(up.open == near(std::sqrt(0.75)));
  CHECK(up.open_by_cosine == near(0.75));
  CHECK(up.discs == 1);
  CHECK(scene.sky({{0, 0, 0}, {}}, {}, on_ground).open == near((1 + std::sqrt(0.75)) / 2));
  // At a height of 1 the ground hides sin α = 10/11.
  CHECK(scene.sky({{0, 0, 1}, {0, 0, 1}}, {.within = 0.5}).open == 1);
  CHECK(scene.sky({{0, 0, 1}, {0, 0, -1}}).open == near(std::sqrt(21.0) / 11));
  // Within 2.5 the ball above counts where the sphere of that radius lies in it: cos α = (16 + 2.5² − 4)/20.
  CHECK(scene.sky({{0, 0, 0}, {0, 0, 1}}, {.within = 2.5}, on_ground).open == near(18.25 / 20));
  CHECK(scene.sky({{0, 0, 0}, {0, 0, 1}}, {.within = 2}, on_ground).open == near(1));
  CHECK(scene.sky({{0, 0, 0}, {0, 0, 1}}, {.within = 1}, on_ground).discs == 0);

  // Copies of a ball count once.
  const std::vector<Sphere> copies(2000, Sphere{{0, 0, 2}, 1});
  const SkyShare once = Scene::build(copies).sky({{0, 0, 0}, {}}, {.most_discs = 1});
  CHECK(once.discs == 1);
  CHECK(once.open == near((1 + std::sqrt(0.75)) / 2));

  // Two balls that touch in the direction of the normal, and one disc too many.
  const Scene two = Scene::build(std::vector<Sphere>{{{0, -3, 3}, 3}, {{0, 3, 3}, 3}});
  CHECK(two.sky({{0, 0, 0}, {0, 0, 1}}).discs == 2);
  const SkyShare many = two.sky({{0, 0, 0}, {0, 0, 1}}, {.most_discs = 1, .rays = 100});
  CHECK(many.rays == 100);
  CHECK(many.discs == 2);
  CHECK(many.error == 0.05);
  CHECK(std::fabs(many.open - two.sky({{0, 0, 0}, {0, 0, 1}}).open) < 0.05);
}

TEST_CASE("sky: refusals", "[query][sky]") {
  const Scene scene = Scene::build(std::vector<Sphere>{{{0, 0, 4}, 2}});
  const SkyPoint good{{0, 0, 0}, {0, 0, 1}}, bad{{0, 0, 0}, {0, 0, infinity}},
      nowhere{{sphaera::test::nan, 0, 0}, {}};
  const auto refused = [&](const SkyPoint& point, const SkyOptions& sky) {
    return refusal([&] { static_cast<void>(scene.sky(std::vector{good, point}, sky)); }).message;
  };
  CHECK(refused(bad, {}) ==
        "point 1: normal is not finite; give three finite numbers, or 0,0,0 for the whole sky");
  CHECK(refused(nowhere, {}).starts_with("point 1: x is nan"));
  CHECK(refused(good, {.within = -1}) == "within is -1; give a number of 0 or more");
  CHECK(refused(good, {.within = sphaera::test::nan}) == "within is nan; give a number of 0 or more");
  CHECK(refused(good, {.rays = 0}) == "rays is 0; give a number from 1 to 2^24");
}

TEST_CASE("sky: a box that the map hides is in the union of its discs", "[query][sky]") {
  int hidden = 0;
  for (int i = 0; i < fewer_in_repeats(2000); ++i) {
    Random random(seed(), i);
    query::SkyMap map;
    map.clear();
    std::vector<std::pair<Vec3, double>> discs;
    const Vec3 about = random.direction();
    const double spread = random.log_uniform(1e-3, 1);
    for (int k = random.whole(1, 12); k > 0; --k) {
      const Vec3 place = about + spread * random.in_cube(1),
                 axis = (1 / std::sqrt(dot(place, place))) * place;
      const double angle = std::min(spread * random.between(0.1, 2), pi / 2);
      discs.push_back({axis, std::cos(angle)});
      map.cover(axis, std::cos(angle));
    }
    for (int k = 0; k < 50; ++k) {
      const double distance = random.log_uniform(1e-3, 1e3),
                   half = distance * spread * random.log_uniform(1e-3, 1);
      const Vec3 middle = distance * (about + spread * random.in_cube(1));
      if (!map.covers({middle.x - half, middle.y - half, middle.z - half},
                      {middle.x + half, middle.y + half, middle.z + half}))
        continue;
      ++hidden;
      for (int n = 0; n < 20; ++n) {
        const Vec3 q = middle + random.in_cube(half);
        const double length = std::sqrt(dot(q, q));
        const bool in_a_disc = std::ranges::any_of(
            discs, [&](const auto& disc) { return dot(disc.first, q) >= disc.second * length; });
        INFO("case " << i);
        REQUIRE((length == 0 || in_a_disc));
      }
    }
  }
  CHECK(hidden > 1000);
}
