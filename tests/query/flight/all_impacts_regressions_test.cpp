/// \file Bullets that were once answered wrongly: at the edge of a box, of a horizon, of float and of double.

#include <algorithm>
#include <tests/catch.hpp>
#include <tests/inputs/moving_scene.hpp>
#include <tests/oracle/worst_errors.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

/// Checks that index and brute force give the same impact, and returns it.
Impact agreed(const MovingScene& world, const Bullet& bullet, const FlightOptions& flight = {}) {
  const Scene scene = world.build();
  const Impact found = scene.first_impact(bullet, flight);
  CHECK(same(found, scene.first_impact(bullet, flight, {.search = Search::brute_force})));
  return found;
}

NearMiss near_miss(const MovingScene& world, const Bullet& bullet, double reach) {
  const Scene scene = world.build();
  const NearMiss found = scene.near_misses({&bullet, 1}, reach).at(0);
  CHECK(same(found, scene.near_misses({&bullet, 1}, reach, {.search = Search::brute_force}).at(0)));
  return found;
}

/// Compares the impact of a bullet that enters a resting sphere with a hundred digits.
void check_numbers(const Impact& m, const Sphere& sphere, const Bullet& bullet, const FlightOptions& flight) {
  WorstErrors worst;
  compare(m, bullet, sphere, {}, flight, worst);
  worst.angle *= m.angle;  // 8u is stated for the angle, not for its relative error, which `compare` takes
  CHECK(worst.most() <= 1);
}

/// The stated error of a gap: `far` is |L|.
double near_miss_error(double far, double radii) { return 18 * 0x1p-53 * (far + radii); }

/// The spheres that a bullet hits, in order, by index and brute force, alone and in a batch of many.
std::vector<std::int64_t> spheres_hit(const MovingScene& world, const Bullet& bullet,
                                      const FlightOptions& flight) {
  const Scene scene = world.build();
  const std::vector<Impact> impacts = scene.all_impacts(bullet, flight);
  const auto agrees = [&](std::span<const Impact> other) {
    return std::ranges::equal(impacts, other, [](const Impact& a, const Impact& b) { return same(a, b); });
  };
  CHECK(agrees(scene.all_impacts(bullet, flight, {.search = Search::brute_force})));
  const std::vector<Bullet> many(20, bullet);
  const ImpactLists lists = scene.all_impacts(many, flight);
  for (std::size_t i = 0; i < many.size(); ++i) CHECK(agrees(lists[i]));
  std::vector<std::int64_t> spheres;
  for (const Impact& m : impacts) spheres.push_back(m.sphere);
  return spheres;
}
using Ids = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("the exit of a bullet that gravity carries far through a sphere is the root", "[query]") {
  // Newton's method for the way from entry to exit had not converged, and its last value was taken.
  MovingScene world;
  world.spheres = {
      {{0x1.4dc25d485b69dp+15, 0x1.260db26fdb502p+15, 0x1.29bca5a904b7ap+14}, 0x1.27310c8fa2bfbp+10}};
  world.velocities = {{0x1.109126f769095p+10, 0x1.69d8ce135ff6ep+11, 0x1.fad1a389ad0f1p+11}};
  world.horizon = {0, 4};
  const Bullet bullet{{0x1.4dc284e6557eep+15, 0x1.260daa3227cd2p+15, 0x1.29bcadf44f185p+14},
                      {0x1.fde1ed1f87662p+9, 0x1.ef8e4bcbe09adp+11, 0x1.3ff5c85a01a2bp+14},
                      0,
                      0x1.91241cbc0075ap-2};
  const FlightOptions flight{.gravity = {0, 0, -0x1.11da67a7407cp+16}};
  const Impact m = agreed(world, bullet, flight);
  CHECK(m.time == Approx(0.48438424588879425));
  CHECK(m.exit_time == Approx(0.80947377517818423));
  WorstErrors worst;
  compare(m, bullet, world.spheres[0], world.velocities[0], flight, worst);
  CHECK(worst.most() <= 1);
}

TEST_CASE("a bullet that touches several spheres at one instant touches each once and flies on", "[query]") {
  const std::vector<Sphere> pair{{{-1, 0, 0}, 1}, {{1, 0, 0}, 1}, {{0, -3, 0}, 1}};
  const Bullet down{{0, 5, 0}, {0, -1, 0}};
  CHECK(spheres_hit({pair, {}}, down, {.bounces = 6}) == Ids{0, 1, 2, 0, 1});
  CHECK(spheres_hit({pair, {}}, down, {.bounces = 6, .restitution = 0.5}) == Ids{0, 1, 2, 0, 1});
  CHECK(spheres_hit({pair, {}}, down, {.bounces = 6, .friction = 0.5}) == Ids{0, 1, 2, 0, 1});
  // A ball of radius 0.25 through a gap of 0.5.
  const std::vector<Sphere> gap{{{-1.25, 0, 0}, 1}, {{1.25, 0, 0}, 1}};
  CHECK(spheres_hit({gap, {}}, {{0, 5, 0}, {0, -1, 0}, 0.25}, {.bounces = 6}) == Ids{0, 1});
  // Four at once, and the four after them.
  std::vector<Sphere> aisle;
  for (const double y : {0.0, -4.0})
    for (const Vec3& c : {Vec3{-1, y, 0}, {1, y, 0}, {0, y, -1}, {0, y, 1}}) aisle.push_back({c, 1});
  CHECK(spheres_hit({aisle, {}}, down, {.bounces = 20}) == Ids{0, 1, 2, 3, 4, 5, 6, 7});
  // Spheres that move with the gap between them, and the bullet with them.
  const MovingScene moving{{pair[0], pair[1]}, {{0.5, 0, 0}, {0.5, 0, 0}}, {0, 16}};
  CHECK(spheres_hit(moving, {{0, 4, 0}, {0.5, -1, 0}}, {.bounces = 6}) == Ids{0, 1});
  // Spheres that pass a waiting bullet, and spheres that meet at it.
  const MovingScene pass{{{{-1, 4, 0}, 1}, {{1, 4, 0}, 1}}, {{0, -1, 0}, {0, -1, 0}}, {0, 16}};
  CHECK(spheres_hit(pass, {{0, 0, 0}, {}}, {.bounces = 6}) == Ids{0, 1});
  const MovingScene cross{{{{-1, 4, 0}, 1}, {{1, -4, 0}, 1}}, {{0, -1, 0}, {0, 1, 0}}, {0, 16}};
  CHECK(spheres_hit(cross, {{0, 0, 0}, {}}, {.bounces = 6}) == Ids{0, 1});
}

TEST_CASE("a bullet under gravity touches two spheres at one instant and flies on", "[query]") {
  // It falls 2 + 0.5 in two units of time: to the line of centers.
  const std::vector<Sphere> pair{{{-1, 0, 0}, 1}, {{1, 0, 0}, 1}, {{0, -8, 0}, 1}};
  CHECK(spheres_hit({pair, {}}, {{0, 2.5, 0}, {0, -1, 0}}, {.bounces = 2, .gravity = {0, -0.25, 0}}) ==
        Ids{0, 1, 2});
}

TEST_CASE("a bullet that bounces on the spot for ever is stuck after a hundred hops", "[query]") {
  constexpr std::uint32_t for_ever = 0xffffffff;
  const auto ends = [](const MovingScene& world, const Bullet& bullet, FlightOptions flight) {
    flight.bounces = for_ever;
    const std::vector<Impact> impacts = world.build().all_impacts(bullet, flight);
    REQUIRE(!impacts.empty());
    CHECK(spheres_hit(world, bullet, flight).size() == impacts.size());
    for (std::size_t i = 0; i + 1 < impacts.size(); ++i) CHECK(impacts[i].outcome == Outcome::ricochets);
    CHECK(impacts.back().outcome == Outcome::stuck);
    return impacts.size();
  };
  // In the lens of two spheres, along the line of their centers: hit at once, off each to the other.
  const std::vector<Sphere> lens{{{0, 0, 0}, 2}, {{3, 0, 0}, 2}};
  CHECK(ends({lens, {}}, {{1.5, 0, 0}, {1, 0, 0}}, {}) == 101);
  CHECK(spheres_hit({lens, {}}, {{1.5, 0, 0}, {0, 1, 0}}, {.bounces = for_ever}) == Ids{0});
  // Between spheres that close in on it, and take half of the speed.
  const MovingScene press{{{{-2, 0, 0}, 1}, {{2, 0, 0}, 1}}, {{1, 0, 0}, {-1, 0, 0}}, {0, 8}};
  CHECK(ends(press, {{0, 0, 0}, {2, 0, 0}}, {.restitution = 0.5}) < 200);
  // Into the crease of two spheres, which take all speed along the normal.
  const std::vector<Sphere> crease{{{-1, 0, 0}, 1.25}, {{1, 0, 0}, 1.25}};
  CHECK(ends({crease, {}}, {{0, 5, 0}, {0, -1, 0}}, {.restitution = 0}) == 101);
  // By gravity, into a steeper one.
  const std::vector<Sphere> steep{{{-1, 0, 0}, 1.03125}, {{1, 0, 0}, 1.03125}};
  CHECK(ends({steep, {}}, {{0x1p-6, 1, 0}, {}}, {.gravity = {0, -1, 0}, .restitution = 0.5}) < 300);
}

TEST_CASE("a bullet that bounces for ever ends at the memory limit", "[query]") {
  const MovingScene walls{{{{-2, 0, 0}, 1}, {{2, 0, 0}, 1}}, {}};
  const Scene scene = walls.build();
  const Bullet bullet{{}, {1, 0, 0}};
  const std::vector<Bullet> many(20, bullet);
  for (const Vec3& gravity : {Vec3{}, Vec3{0x1p-30, 0, 0}}) {
    const FlightOptions flight{.bounces = 0xffffffff, .gravity = gravity};
    const QueryOptions options{.memory_limit = 1 << 20};
    std::vector<Impact> out(1);
    CHECK(refusal([&] { (void)scene.all_impacts(bullet, flight, options); }).code ==
          ErrorCode::out_of_memory);
    CHECK(refusal([&] { (void)scene.all_impacts(bullet, out, flight, options); }).code ==
          ErrorCode::out_of_memory);
    CHECK(refusal([&] { (void)scene.all_impacts({&bullet, 1}, flight, options); }).code ==
          ErrorCode::out_of_memory);
    CHECK(refusal([&] { (void)scene.all_impacts(many, flight, options); }).code == ErrorCode::out_of_memory);
  }
  const std::size_t fit = (1 << 20) / sizeof(Impact);
  const auto count = [&](std::size_t impacts) {
    return scene
        .all_impacts(bullet, {.bounces = static_cast<std::uint32_t>(impacts - 1)}, {.memory_limit = 1 << 20})
        .size();
  };
  CHECK(count(fit) == fit);
  CHECK(refusal([&] { count(fit + 1); }).code == ErrorCode::out_of_memory);
}

TEST_CASE("a bullet that bounces where it would leave a sphere that it has passed into has left it",
          "[query]") {
  // It ricochets off sphere 1 on the surface of sphere 0, and then, moving inward, off sphere 0 at once.
  const MovingScene world{{{{0, 0, 0}, 5}, {{7, 0, 0}, 2}}, {}};
  CHECK(spheres_hit(world, {{-9, 0, 0}, {1, 0, 0}}, {.bounces = 2, .pierces = 1}) == Ids{0, 1, 0, 1});
  // A hair earlier, inside, it has not left it, and passes out through it.
  const MovingScene inside{{{{0, 0, 0}, 5}, {{7, 0, 0}, 2.5}}, {}};
  CHECK(spheres_hit(inside, {{-9, 0, 0}, {1, 0, 0}}, {.bounces = 2, .pierces = 1}) == Ids{0, 1});
}

TEST_CASE("a bullet that leaves first does not pass what the bullet before it started inside", "[query]") {
  // Midway between spheres 0 and 1, which it touches at once; by rounding it is then inside of sphere 1.
  const MovingScene world{{{{1.25, 1.5, 0}, 0.5}, {{0, 1.5, 0}, 0.5}, {{0, 0, 1.5}, 0.5}}, {}};
  const Bullet bullet{{0.625, 3.75, 0.625}, {0, -1, 0}, 0.5};
  CHECK(spheres_hit(world, bullet, {.bounces = 1, .start_inside = StartInside::leaves, .restitution = 0}) ==
        Ids{0, 1});
}

TEST_CASE("a lobbed bullet on the plane where the scene ends", "[query]") {
  const MovingScene world{{{{0.1, 5, 0}, 0.7}}, {}};
  const Bullet bullet{{0.7999999999999999, 0, 0}, {1e-20, 1, 2.5}};
  const FlightOptions flight{.gravity = {0, 0, -1}};
  const Impact m = agreed(world, bullet, flight);
  CHECK(m.sphere == 0);
  check_numbers(m, world.spheres[0], bullet, flight);
}

TEST_CASE("a flight is cut to the horizon, however long before its end it began", "[query]") {
  const MovingScene world{{{{0, 0, 0}, 1}}, {{10, 0, 0}}, {-9007199254740994.0, 1}};
  CHECK(agreed(world, {{20, 0, 0}, {}, 0, -9007199254740994.0}).sphere == -1);
  CHECK(agreed(world, {{0.5, 0, 0}, {}, 0, -9007199254740994.0}).sphere == 0);
}

TEST_CASE("velocities and times beyond float", "[query]") {
  const MovingScene ages{{{{0, 0, 0}, 1}, {{0, 10, 0}, 1}}, {{}, {1e-45, 0, 0}}, {0, 1e39}};
  CHECK(agreed(ages, {{-5, 0, 0}, {1, 0, 0}, 0, 5e38, 1e30}).sphere == 0);
  const MovingScene fast{{{{0, 0, 0}, 1}, {{5, 0, 0}, 1}}, {{1e42, 0, 0}, {}}, {0, 0}};
  CHECK(agreed(fast, {{0.5, 0, 0}, {1, 0, 0}, 0, 0, 0}).sphere == 0);
  CHECK(agreed(fast, {{5.5, 0, 0}, {1, 0, 0}, 0, 0, 0}).sphere == 1);
}

TEST_CASE("gravity over times beyond all measure, and next to none", "[query]") {
  const MovingScene far{{{{10, 0, 0}, 1}}, {}};
  CHECK(agreed(far, {{}, {1e-65, 0, 0}}, {.gravity = {1e-130, 0, 0}}).sphere == 0);
  const MovingScene two{{{{10, 0, 0}, 1}, {{0, 10, 0}, 1}}, {}};
  CHECK(agreed(two, {{9.5, 0, 0}, {1, 0, 0}, 0, 0, 1e-310}, {.gravity = {0, 0, -10}}).sphere == 0);
  const MovingScene one{{{{-1, 0, 0}, 1}}, {}};
  CHECK(agreed(one, {{-1e-300, 0, 0}, {1e20, 0, 0}}, {.gravity = {0, 0, -9.8}}).sphere == 0);
  const Bullet above{{10, 0, 5}, {}};
  const FlightOptions weak{.gravity = {0, 0, -1e-170}};
  const Impact slow = agreed(far, above, weak);
  CHECK(slow.sphere == 0);
  check_numbers(slow, far.spheres[0], above, weak);
}

TEST_CASE("near misses where an axis cancels, at next to no speed, and in the instant of a hit", "[query]") {
  const MovingScene crossing{{{{10, 0, 0}, 1}, {{5, 5, 0}, 1}}, {{0, 1, 0}, {}}, {0, 4}};
  CHECK(near_miss(crossing, {{0, 3, 0}, {10, 1, 0}, 0, 3, 1}, 1).sphere == 1);
  const MovingScene beside{{{{10, 1.3, 0}, 1}}, {}};
  CHECK(std::fabs(near_miss(beside, {{}, {1e-200, 0, 0}}, 1).distance - 0.3) <= near_miss_error(10.1, 1));
  const MovingScene both{{{{10, 1.5, 0}, 1}, {{10, -1.5, 0}, 1}}, {}};
  CHECK(near_miss(both, {{}, {1, 0, 0}, 1}, 0.5).sphere == -1);
  // The time to the second sphere overflows to infinity, and 0 · infinity is NaN.
  const MovingScene distant{{{{2, 2, 2}, 0.25}, {{1e9, 0, 0}, 1e6}}, {}};
  const Bullet crawls{{0.5, 1.5, 2.5}, {0x1.012p-1019, 0x1.016p-1019, 0}, 0x1.fep-1020};
  CHECK(near_miss(distant, crawls, 2).sphere == 0);
}

TEST_CASE("near misses of a bullet that comes from far away, and of one with a denormal velocity",
          "[query]") {
  // Its gap is 1 up to rounding, which is 1e-4 there.
  const MovingScene one{{{{0, 0, 0}, 1}}, {}};
  const Bullet far{{-0x1.22da8065cb339p+39, -0x1.0ba69294df2cp+40, 0x1.2e541c12fd72cp+39},
                   {0x1.0aca05893121ep-1, 0x1.eb03171869d6ep-1, -0x1.155094a10bca8p-1}};
  CHECK(near_miss(one, far, 1).sphere == 0);
  const MovingScene above{{{{0, 0, 5}, 1}}, {}};
  const NearMiss slow = near_miss(above, {{-10, -10, 0}, {0x1p-1074, 0x1p-1074, 0}}, 5);
  CHECK(std::fabs(slow.distance - 4) <= near_miss_error(15, 1));
  CHECK(std::fabs(slow.point.z - 4) <= near_miss_error(15, 1 + 4));  // a bit more than stated
}

TEST_CASE("a bullet that starts within a sphere is refused, whoever else it touches", "[query]") {
  const MovingScene world{{{{1, 0, 0}, 1}, {{0, 0, 0}, 5}}, {}};
  const Impact m = agreed(world, {{}, {1, 0, 0}}, {.start_inside = StartInside::refuses});
  CHECK(m.outcome == Outcome::refused);
  CHECK(m.sphere == 1);
}

TEST_CASE("a bullet that takes for ever keeps its velocity", "[query]") {
  const MovingScene world{{{{1e20, 0, 0}, 1}}, {}};
  const Impact m = agreed(world, {{}, {1e-300, 0, 0}}, {.pierces = 1});
  CHECK(m.outcome == Outcome::passes);
  CHECK(m.velocity == Vec3{1e-300, 0, 0});
}
