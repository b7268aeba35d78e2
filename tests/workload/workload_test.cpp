#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <tests/catch.hpp>
#include <tests/seed.hpp>
#include <thread>
#include <tools/workload/workload.hpp>

namespace {

using namespace sphaera;
using workload::Astronomical;
using workload::Belt;
using workload::Crowd;
using workload::Earth;
using workload::HardBelt;
using workload::Kind;
using workload::People;
using workload::Planet;
using workload::Uniform;

double length(const Vec3& v) { return std::sqrt(dot(v, v)); }

class Fingerprint {  // FNV-1a over the bits of doubles
 public:
  void add(std::initializer_list<double> values) {
    for (const double value : values)
      for (int shift = 0; shift < 64; shift += 8)
        hash_ = (hash_ ^ ((std::bit_cast<std::uint64_t>(value) >> shift) & 0xff)) * 1099511628211u;
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 14695981039346656037u;
};

std::uint64_t fingerprint(std::span<const Sphere> spheres) {
  Fingerprint print;
  for (const auto& [c, r] : spheres) print.add({c.x, c.y, c.z, r});
  return print.value();
}

std::uint64_t fingerprint(std::span<const Ray> rays) {
  Fingerprint print;
  for (const auto& [o, d, t_min, t_max] : rays) print.add({o.x, o.y, o.z, d.x, d.y, d.z, t_min, t_max});
  return print.value();
}

std::uint64_t fingerprint(std::span<const Vec3> vectors) {
  Fingerprint print;
  for (const auto& [x, y, z] : vectors) print.add({x, y, z});
  return print.value();
}

std::uint64_t fingerprint(std::span<const Bullet> bullets) {
  Fingerprint print;
  for (const auto& [o, v, radius, start, duration] : bullets)
    print.add({o.x, o.y, o.z, v.x, v.y, v.z, radius, start, duration});
  return print.value();
}

}  // namespace

TEST_CASE("generated bits are the same on every platform", "[workload]") {
  struct Pin {
    Kind kind;
    std::uint64_t spheres, rays;
  };
  for (const auto& [kind, spheres, rays] : {Pin{Kind::crowd, 0x2674b03a226a916a, 0xc6151f7daddcdbf7},
                                            Pin{Kind::belt, 0xb2d060a34bc171f5, 0x95a04ab7ea7e5d89},
                                            Pin{Kind::uniform, 0x4fee51806ec796f1, 0x73dcb48989dbc770},
                                            Pin{Kind::astronomical, 0x67db8d0631a1d0db, 0x501ca7d3149c93c1},
                                            Pin{Kind::earth, 0x46301a822e4c7248, 0x408ca898ff95d4af},
                                            Pin{Kind::planet, 0xba3471e02c4a0f98, 0x8547e10a635218fc},
                                            Pin{Kind::hard_belt, 0xf73aa2787dd48de5, 0x1b502b9c22d902bd},
                                            Pin{Kind::people, 0xcf2b93fd0a14f96b, 0x92a31cbf0ce1d195}}) {
    INFO(workload::name(kind));
    CHECK(fingerprint(workload::spheres(kind, 100000, 1)) == spheres);
    CHECK(fingerprint(workload::rays(kind, 2000, 100000, 1)) == rays);
  }
}

TEST_CASE("generated bits of what moves are the same on every platform", "[workload]") {
  struct Pin {
    Kind kind;
    std::uint64_t velocities, bullets;
  };
  for (const auto& [kind, velocities, bullets] :
       {Pin{Kind::crowd, 0x5542f8050d475a91, 0x086dc42b409b12f9},
        Pin{Kind::earth, 0x5542f8050d475a91, 0x220ee7301cbffa1d},
        Pin{Kind::planet, 0x619716ad0c2a5897, 0x62f58bb2e0e879c2},
        Pin{Kind::people, 0xad5a8622f671f571, 0x6c39c23d13df141a}}) {
    INFO(workload::name(kind));
    CHECK(fingerprint(workload::velocities(kind, 20000, 1)) == velocities);
    CHECK(fingerprint(workload::bullets(kind, 2000, 20000, 1)) == bullets);
  }
}

TEST_CASE("an element does not depend on how much is made at once", "[workload]") {
  for (const Kind kind : workload::kinds) {
    INFO(workload::name(kind));
    const std::uint64_t n = 1000;
    const workload::Generator generator(kind, n, test::seed());
    const auto all = workload::spheres(kind, n, test::seed());
    std::vector<Sphere> piece(77);
    generator.spheres(500, piece);
    CHECK(std::equal(piece.begin(), piece.end(), all.begin() + 500));
    CHECK(generator.sphere(999) == all[999]);

    std::vector<Ray> later(10);
    generator.rays(90, later);
    const auto rays = workload::rays(kind, 100, n, test::seed());
    CHECK(fingerprint(later) == fingerprint(std::span(rays).subspan(90)));

    std::vector<Vec3> walk(77);
    generator.velocities(500, walk);
    const auto velocities = workload::velocities(kind, n, test::seed());
    CHECK(std::equal(walk.begin(), walk.end(), velocities.begin() + 500));
    std::vector<Bullet> late(10);
    generator.bullets(90, late);
    const auto bullets = workload::bullets(kind, 100, n, test::seed());
    CHECK(fingerprint(late) == fingerprint(std::span(bullets).subspan(90)));
  }
}

TEST_CASE("seeds give different scenes, and spheres differ from rays", "[workload]") {
  for (const Kind kind : workload::kinds) {
    const workload::Generator one(kind, 100, test::seed()), other(kind, 100, test::seed() + 1);
    CHECK_FALSE(one.sphere(99) == other.sphere(99));
    CHECK_FALSE(one.sphere(99) == one.sphere(98));
    CHECK_FALSE(one.sphere(99).center == one.ray(99).origin);
  }
}

TEST_CASE("all that is generated is valid, for scenes of any size", "[workload]") {
  for (const Kind kind : workload::kinds)
    for (const std::uint64_t n : {0, 1, 2, 40, 1000}) {
      INFO(workload::name(kind) << " " << n);
      for (const auto& [center, radius] : workload::spheres(kind, n, test::seed())) {
        REQUIRE(std::isfinite(length(center)));
        REQUIRE((radius > 0 && std::isfinite(radius)));
      }
      for (const Ray& ray : workload::rays(kind, 100, n, test::seed())) {
        REQUIRE(std::isfinite(length(ray.origin)));
        REQUIRE(length(ray.direction) > 0);
        REQUIRE(ray.t_min < ray.t_max);
      }
      for (const Vec3& velocity : workload::velocities(kind, n, test::seed())) {
        REQUIRE(std::isfinite(length(velocity)));
        REQUIRE((workload::has_people(kind) || velocity == Vec3{}));
      }
      for (const Bullet& bullet : workload::bullets(kind, 100, n, test::seed())) {
        REQUIRE(length(bullet.velocity) > 0);
        REQUIRE((bullet.radius >= 0 && bullet.start >= 0 && bullet.duration > 0));
      }
    }
}

TEST_CASE("kinds have names", "[workload]") {
  for (const Kind kind : workload::kinds) CHECK(workload::kind_named(workload::name(kind)) == kind);
  CHECK_FALSE(workload::kind_named("swarm"));
}

TEST_CASE("a crowd stands on its ground, as dense for any number", "[workload]") {
  const std::uint64_t n = GENERATE(1000u, 50000u);
  const Crowd crowd(n, test::seed());
  CHECK(crowd.side() * crowd.side() * Crowd::density == Approx(static_cast<double>(n)));
  const double reach = crowd.side() / 2 + Crowd::group_spread * std::sqrt(double{Crowd::group_max});
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto [center, radius] = crowd.sphere(i);
    REQUIRE(std::max(std::abs(center.x), std::abs(center.y)) <= reach);
    const double height = center.z - crowd.ground(center.x, center.y);
    REQUIRE((height > Crowd::height_min - 1e-12 && height < Crowd::height_max + 1e-12));
    REQUIRE((radius >= Crowd::radius_min && radius < Crowd::radius_max));
  }
}

TEST_CASE("legs, body and head of one person stand above one place and walk together", "[workload]") {
  const std::uint64_t people = 1000;
  const People scene(3 * people, test::seed());
  const Crowd crowd(people, test::seed());
  for (std::uint64_t p = 0; p < people; ++p) {
    const Sphere legs = scene.sphere(3 * p), body = scene.sphere(3 * p + 1), head = scene.sphere(3 * p + 2);
    const Vec3 place = crowd.sphere(p).center;
    for (const Sphere& part : {legs, body, head})
      REQUIRE((part.center.x == place.x && part.center.y == place.y));
    const double ground = crowd.ground(place.x, place.y), stature = head.center.z + head.radius - ground;
    REQUIRE((stature > 1.499 && stature < 1.901));
    REQUIRE(legs.center.z - legs.radius == Approx(ground).margin(1e-9));
    REQUIRE(body.center.z - legs.center.z < legs.radius + body.radius);
    REQUIRE(head.center.z - body.center.z < body.radius + head.radius);
    for (std::uint64_t part = 0; part < 3; ++part) REQUIRE(scene.velocity(3 * p + part) == crowd.velocity(p));
  }
}

TEST_CASE("a crowd's groups hold 5 to 60 people", "[workload]") {
  // A group's people are consecutive and within its spread of each other; the next group stands elsewhere. In
  // a crowd as thin as this, chance does not put two groups in one place.
  const std::uint64_t n = 65 * 2000;
  const Crowd crowd(n, 7);
  const double reach = 2 * Crowd::group_spread * std::sqrt(double{Crowd::group_max});
  std::vector<int> sizes;
  int size = 1;
  for (std::uint64_t i = 1; i <= n; ++i) {
    Vec3 step = i < n ? crowd.sphere(i).center - crowd.sphere(i - 1).center : Vec3{1e9, 0, 0};
    step.z = 0;
    if (length(step) < reach) {
      ++size;
    } else {
      sizes.push_back(size);
      size = 1;
    }
  }
  // 4000 groups; a few neighbors by chance read as one.
  CHECK(sizes.size() > 3990);
  CHECK(*std::min_element(sizes.begin(), sizes.end()) == Crowd::group_min);
  CHECK(std::count_if(sizes.begin(), sizes.end(), [](int s) { return s > Crowd::group_max; }) < 10);
  CHECK(std::count(sizes.begin(), sizes.end(), Crowd::group_max) > 30);
}

TEST_CASE("bullets leave 1.5 m above ground, near-horizontal, for 200 m", "[workload]") {
  const Crowd crowd(1000, test::seed());
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Ray ray = crowd.ray(i);
    REQUIRE(ray.origin.z - crowd.ground(ray.origin.x, ray.origin.y) == Approx(1.5));
    REQUIRE(length(ray.direction) == Approx(1));
    REQUIRE(std::abs(ray.direction.z) <= Crowd::bullet_slope);
    REQUIRE((ray.t_min == 0 && ray.t_max == 200));
  }
}

TEST_CASE("bullets fly along the rays at 300 to 900 m/s and start within a second", "[workload]") {
  const Crowd crowd(1000, test::seed());
  double earliest = 1, latest = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Bullet bullet = crowd.bullet(i);
    const Ray ray = crowd.ray(i);
    const double speed = length(bullet.velocity);
    REQUIRE(bullet.origin == ray.origin);
    REQUIRE(length(bullet.velocity - speed * ray.direction) < 1e-12 * speed);
    REQUIRE((speed > 300 - 1e-9 && speed < 900 + 1e-9));
    REQUIRE(bullet.duration * speed == Approx(Crowd::bullet_range));
    REQUIRE(bullet.radius == 0.004);
    REQUIRE((bullet.start >= 0 && bullet.start < 1));
    earliest = std::min(earliest, bullet.start), latest = std::max(latest, bullet.start);
  }
  CHECK(latest - earliest > 0.95);
}

TEST_CASE("a crowd walks in its groups, at 0.5 to 2 m/s, along the ground", "[workload]") {
  const std::uint64_t n = 65 * 400;  // 800 groups
  const Crowd crowd(n, 7);
  double sum = 0;
  std::uint64_t turns = 0;
  Vec3 last;
  for (std::uint64_t i = 0; i < n; ++i) {
    const Vec3 velocity = crowd.velocity(i), center = crowd.sphere(i).center, after = center + velocity;
    REQUIRE(after.z - crowd.ground(after.x, after.y) ==
            Approx(center.z - crowd.ground(center.x, center.y)).margin(1e-12));
    const Vec3 level{velocity.x, velocity.y, 0};
    REQUIRE(length(level) < Crowd::pace_max + 6 * Crowd::pace_spread * std::sqrt(2));
    sum += length(level);
    turns += i > 0 && length(level - last) > 1;  // within a group this would be 7σ of a difference
    last = level;
  }
  CHECK(sum / static_cast<double>(n) == Approx(1.25).epsilon(0.05));
  CHECK(turns < 800);
  CHECK(turns > 400);
}

TEST_CASE("a belt is a thick disc with power-law radii, as opaque for any number", "[workload]") {
  const std::uint64_t n = GENERATE(20000u, 200000u);
  const Belt belt(n, 11);
  CHECK(belt.radius_min() == Approx(0.12 * std::sqrt(1e6 / static_cast<double>(n))));
  double height_squared = 0, above_double = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto [center, radius] = belt.sphere(i);
    const double ring = std::hypot(center.x, center.y);
    REQUIRE((ring >= Belt::inner && ring <= Belt::outer));
    REQUIRE((radius >= belt.radius_min() && radius <= Belt::radius_max));
    height_squared += center.z * center.z;
    above_double += radius > 2 * belt.radius_min();
  }
  CHECK(std::sqrt(height_squared / static_cast<double>(n)) == Approx(Belt::thickness).epsilon(0.02));
  // The share above 2·r_min: (2^−1.5 − q) / (1 − q), with q = (r_min / r_max)^1.5 cut off at the top.
  const double cut = std::pow(belt.radius_min() / Belt::radius_max, 1.5);
  CHECK(above_double / static_cast<double>(n) == Approx((std::pow(2, -1.5) - cut) / (1 - cut)).epsilon(0.03));
}

TEST_CASE("lines of sight in a belt end exactly at the star", "[workload]") {
  const Belt belt(1000, test::seed());
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Ray ray = belt.ray(i);
    REQUIRE(ray.origin + ray.direction == Vec3{0, 0, 0});
    REQUIRE((ray.t_min == 0 && ray.t_max == 1));
  }
}

TEST_CASE("a hard belt has the belt's places and power-law radii of exponent 3.5", "[workload]") {
  const std::uint64_t n = GENERATE(20000u, 200000u);
  const Belt belt(n, 11);
  const HardBelt hard(n, 11);
  CHECK(hard.radius_min() == belt.radius_min());
  double above_double = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto [center, radius] = hard.sphere(i);
    REQUIRE(center == belt.sphere(i).center);
    REQUIRE((radius >= hard.radius_min() && radius <= Belt::radius_max));
    above_double += radius > 2 * hard.radius_min();
  }
  // The share above 2·r_min: (2^−2.5 − q) / (1 − q), with q = (r_min / r_max)^2.5 cut off at the top.
  const double cut = std::pow(hard.radius_min() / Belt::radius_max, 2.5);
  CHECK(above_double / static_cast<double>(n) == Approx((std::pow(2, -2.5) - cut) / (1 - cut)).epsilon(0.04));
}

TEST_CASE("lines of sight of a hard belt start outside all bodies; more than a quarter are blocked",
          "[workload]") {
  // Mean of 600 and of 300 seeds. The standard deviation is 13 and 12: large bodies block many lines at once.
  const auto [n, mean] = GENERATE(table<std::uint64_t, double>({{3'000, 131}, {20'000, 151}}));
  const HardBelt belt(n, test::seed());
  const auto bodies = workload::spheres(Kind::hard_belt, n, test::seed());
  int blocked = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Ray ray = belt.ray(i);
    REQUIRE(ray.origin + ray.direction == Vec3{0, 0, 0});
    REQUIRE((ray.t_min == 0 && ray.t_max == 1));
    bool meets = false;
    for (const auto& [center, radius] : bodies) {
      const Vec3 to = center - ray.origin;
      REQUIRE(length(to) > radius * (1 - 1e-14));
      const double t = std::clamp(dot(to, ray.direction) / dot(ray.direction, ray.direction), 0.0, 1.0);
      meets |= length(to - t * ray.direction) < radius;
    }
    blocked += meets;
  }
  CHECK(blocked == Approx(mean).margin(6 * 13));
}

TEST_CASE("rays of a hard belt are the same from copies and from many threads", "[workload]") {
  const std::uint64_t n = 2000;
  const auto expected = workload::rays(Kind::hard_belt, 64, n, test::seed());
  const workload::Generator generator(Kind::hard_belt, n, test::seed()), copy = generator;
  std::vector<Ray> found(expected.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < 4; ++t)
      threads.emplace_back(
          [&, t] { (t % 2 ? copy : generator).rays(16 * t, std::span(found).subspan(16 * t, 16)); });
  }
  CHECK(fingerprint(found) == fingerprint(expected));
}

TEST_CASE("a uniform scene has one sphere a unit of volume", "[workload]") {
  const std::uint64_t n = GENERATE(1u, 1000u, 12345u, 1000000u);
  const Uniform scene(n, test::seed());
  CHECK(scene.side() == Approx(std::cbrt(static_cast<double>(n))).epsilon(1e-15));
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(n, 1000); ++i) {
    const auto [center, radius] = scene.sphere(i);
    REQUIRE(std::max({std::abs(center.x), std::abs(center.y), std::abs(center.z)}) <= scene.side() / 2);
    REQUIRE((radius >= Uniform::radius_min && radius < Uniform::radius_max));
  }
}

TEST_CASE("uniform rays have no end and no favourite direction", "[workload]") {
  const Uniform scene(1000, 13);
  Vec3 sum;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const Ray ray = scene.ray(i);
    REQUIRE(length(ray.direction) == Approx(1));
    REQUIRE((ray.t_min == 0 && ray.t_max == infinity));
    sum = sum + ray.direction;
  }
  CHECK(length(sum) / 20000 < 0.03);  // 1/√20000 = 0.007 expected
}

TEST_CASE("an astronomical belt is 1e11 to 1e12 m wide, its bodies 1e2 to 1e7 m", "[workload]") {
  const std::uint64_t n = 20000;
  const Astronomical belt(n, test::seed());
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto [center, radius] = belt.sphere(i);
    const double ring = std::hypot(center.x, center.y);
    REQUIRE((ring >= 1e11 && ring <= 1e12));
    REQUIRE((radius >= 1e2 && radius <= 1e7));
  }
}

TEST_CASE("astronomical lines end exactly at the star and often meet the body that they pass", "[workload]") {
  // A line passes x radii from the center, x uniform on [0, 2], seen under a random angle:
  // P(x sin θ < 1) = ½(1 + ∫₁² 1 − √(1 − 1/x²) dx) = 0.658.
  const Astronomical belt(1, 17);
  const auto [center, radius] = belt.sphere(0);
  int met = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Ray ray = belt.ray(i);
    REQUIRE(ray.origin + ray.direction == Vec3{0, 0, 0});
    REQUIRE((ray.t_min == 0 && ray.t_max == 1));
    REQUIRE(length(ray.origin) < Astronomical::farther * (length(center) + Astronomical::aim * radius));
    met += length(cross(center, ray.direction)) / length(ray.direction) < radius;
  }
  CHECK(met == Approx(658).margin(75));  // 5σ
}

TEST_CASE("an astronomical belt in the belt's unit is the same scene", "[workload]") {
  const Astronomical meters(1000, test::seed()), units(1000, test::seed(), 1 / Astronomical::belt_unit);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    REQUIRE(1e9 * units.sphere(i).radius == Approx(meters.sphere(i).radius).epsilon(1e-14));
    REQUIRE(length(1e9 * units.ray(i).origin - meters.ray(i).origin) < 1e-3);
  }
}

TEST_CASE("an Earth-centered crowd is the crowd, moved", "[workload]") {
  const Crowd crowd(1000, test::seed());
  const Earth earth(1000, test::seed());
  CHECK(length(Earth::site) == Approx(6.37e6).epsilon(0.01));
  for (std::uint64_t i = 0; i < 1000; ++i) {
    REQUIRE(length(earth.sphere(i).center - Earth::site - crowd.sphere(i).center) < 1e-8);
    REQUIRE(earth.sphere(i).radius == crowd.sphere(i).radius);
    REQUIRE(length(earth.ray(i).origin - Earth::site - crowd.ray(i).origin) < 1e-8);
    REQUIRE(earth.ray(i).direction == crowd.ray(i).direction);
    REQUIRE(earth.velocity(i) == crowd.velocity(i));
    REQUIRE(earth.bullet(i).origin == earth.ray(i).origin);
    REQUIRE(earth.bullet(i).velocity == crowd.bullet(i).velocity);
  }
}

TEST_CASE("people stand on the planet, which has its moons and its star", "[workload]") {
  const std::uint64_t n = 60000;
  const Planet scene(n, test::seed());
  const auto [center, radius] = Planet::planet;
  double farthest = 0;
  for (const Sphere& body : Planet::bodies) farthest = std::max(farthest, length(body.center));
  CHECK(farthest == Approx(1e13).epsilon(0.05));
  CHECK(scene.sphere(1) == Planet::planet);
  constexpr double ulp = 0x1p-16;  // of coordinates of 1e11
  Vec3 sum;
  for (std::uint64_t i = Planet::bodies.size(); i < n; ++i) {
    const Sphere person = scene.sphere(i);
    const Vec3 from_center = person.center - center;
    const double height = length(from_center) - radius;
    REQUIRE((height > Crowd::height_min - ulp && height < 2 * Crowd::hill_height + Crowd::height_max + ulp));
    REQUIRE((person.radius >= Crowd::radius_min && person.radius < Crowd::radius_max));
    sum = sum + 1 / radius * from_center;
  }
  CHECK(length(sum) / n < 0.01);  // all around it
}

TEST_CASE("the planet's crowds are as dense as a crowd, their bullets as level", "[workload]") {
  const std::uint64_t people = 6 * 65 * 100;
  const Planet scene(people + Planet::bodies.size(), test::seed());
  const Crowd crowd(people / 6, test::seed());
  std::vector<Sphere> first_site;
  for (std::uint64_t i = 0; i < people; ++i)
    if (i / 65 % 6 == 0) first_site.push_back(scene.sphere(Planet::bodies.size() + i));
  REQUIRE(first_site.size() == people / 6);
  for (std::size_t i = 1; i < first_site.size(); ++i) {
    const double apart = length(first_site[i].center - first_site[i - 1].center);
    const double in_plane = length(crowd.sphere(i).center - crowd.sphere(i - 1).center);
    REQUIRE(apart == Approx(in_plane).epsilon(1e-4).margin(1e-3));  // the planet is round
  }
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Ray ray = scene.ray(i);
    const Vec3 out = ray.origin - Planet::planet.center;
    const double height = length(out) - Planet::planet.radius;
    REQUIRE((height > Crowd::muzzle_height - 1e-4 &&
             height < 2 * Crowd::hill_height + Crowd::muzzle_height + 1e-4));
    REQUIRE(length(ray.direction) == Approx(1));
    REQUIRE(std::abs(dot(ray.direction, out)) / length(out) < Crowd::bullet_slope + 1e-9);
    REQUIRE((ray.t_min == 0 && ray.t_max == Crowd::bullet_range));
    const Bullet bullet = scene.bullet(i);
    REQUIRE(bullet.origin == ray.origin);
    const double speed = length(bullet.velocity);
    REQUIRE(length(bullet.velocity - speed * ray.direction) < 1e-12 * speed);
  }
}

TEST_CASE("on the planet people walk on the ground, as those of a crowd do; bodies rest", "[workload]") {
  const std::uint64_t people = 6 * 65 * 10;
  const Planet scene(people + Planet::bodies.size(), test::seed());
  const Crowd crowd(people / 6, test::seed());
  for (std::uint64_t i = 0; i < Planet::bodies.size(); ++i) CHECK(scene.velocity(i) == Vec3{});
  std::uint64_t person = 0;
  for (std::uint64_t i = 0; i < people; ++i) {
    if (i / 65 % 6 != 0) continue;
    const Vec3 velocity = scene.velocity(Planet::bodies.size() + i), in_plane = crowd.velocity(person++);
    const Vec3 out = scene.sphere(Planet::bodies.size() + i).center - Planet::planet.center;
    REQUIRE(length(velocity) == Approx(length(in_plane)));
    REQUIRE(dot(velocity, out) / length(out) == Approx(in_plane.z).margin(1e-9));
  }
}
