/// \file Rows that are not valid, in batches that skip them.

#include <sphaera/scene.hpp>

#include <cmath>
#include <tests/answer_bytes.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/refusal.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::Bytes, test::SceneKind, test::Random, test::nan, test::refusal;

/// Spoils some of the inputs; the others keep their answers. `spoil(input)` makes one invalid.
template <class Input, class Spoil, class Ask, class Miss>
void check_skips(const Scene& scene, std::vector<Input> inputs, Random& random, const Spoil& spoil,
                 const Ask& ask, const Miss& miss) {
  const auto before = ask(scene, inputs, QueryOptions{});
  std::vector<bool> bad(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    bad[i] = random.one_in(3);
    if (bad[i]) spoil(inputs[i]);
  }
  CHECK(refusal([&] { (void)ask(scene, inputs, QueryOptions{}); }).element ==
        std::find(bad.begin(), bad.end(), true) - bad.begin());
  for (const int threads : {0, 1}) {
    std::vector<RowStatus> rows(inputs.size());
    const auto found = ask(scene, inputs, QueryOptions{.threads = threads, .statuses = rows});
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      REQUIRE(rows[i] == (bad[i] ? RowStatus::skipped : RowStatus::ok));
      Bytes one, expected;
      one.put(found[i]);
      if (bad[i])
        expected.put(miss);
      else
        expected.put(before[i]);
      REQUIRE(one == expected);
    }
  }
}

/// Each list as a vector of its own.
template <class Item>
std::vector<std::vector<Item>> apart(const Lists<Item>& lists) {
  std::vector<std::vector<Item>> all;
  for (std::size_t i = 0; i < lists.size(); ++i) all.emplace_back(lists[i].begin(), lists[i].end());
  return all;
}

}  // namespace

TEST_CASE("batches skip rows that are not valid if statuses are asked for", "[query]") {
  Random random(test::seed());
  const auto spheres = test::make_spheres(SceneKind::crowd, 30000, random);  // enough to sort batches
  const Scene scene = Scene::build(spheres);
  std::vector<Ray> rays = test::make_rays(spheres, test::fewer_in_repeats(5000), random);
  const auto bad_ray = [&](Ray& ray) { (random.one_in(2) ? ray.origin.x : ray.t_max) = nan; };
  check_skips(
      scene, rays, random, bad_ray,
      [](const Scene& s, const auto& in, const auto& o) { return s.blocked(in, o); }, std::uint8_t{0});
  check_skips(
      scene, rays, random, bad_ray,
      [](const Scene& s, const auto& in, const auto& o) { return s.first_hit(in, o); }, Hit{});
  check_skips(
      scene, rays, random, bad_ray,
      [](const Scene& s, const auto& in, const auto& o) { return s.first_surface_hit(in, o); }, SurfaceHit{});
  check_skips(
      scene, rays, random, bad_ray,
      [](const Scene& s, const auto& in, const auto& o) { return apart(s.all_hits(in, o)); },
      std::vector<Hit>());
  const std::vector<Vec3> points = test::make_points(spheres, test::fewer_in_repeats(500), random);
  check_skips(
      scene, points, random, [](Vec3& p) { p.y = infinity; },
      [](const Scene& s, const auto& in, const auto& o) { return s.nearest(in, 1, o); }, Neighbor{});
  std::vector<Ball> balls;
  std::vector<Bullet> bullets;
  std::vector<Observer> observers;
  for (const Vec3& p : points)
    balls.push_back({p, 1}), bullets.push_back({p, {1, 0.5, 0}, 0.1}), observers.push_back({p});
  check_skips(
      scene, balls, random, [](Ball& b) { b.radius = -1; },
      [](const Scene& s, const auto& in, const auto& o) { return apart(s.within(in, o)); },
      std::vector<std::int64_t>());
  const auto bad_bullet = [](Bullet& b) { b.velocity.z = nan; };
  check_skips(
      scene, bullets, random, bad_bullet,
      [](const Scene& s, const auto& in, const auto& o) { return s.first_impact(in, {}, o); }, Impact{});
  check_skips(
      scene, bullets, random, bad_bullet,
      [](const Scene& s, const auto& in, const auto& o) { return apart(s.all_impacts(in, {}, o)); },
      std::vector<Impact>());
  check_skips(
      scene, bullets, random, bad_bullet,
      [](const Scene& s, const auto& in, const auto& o) { return s.near_misses(in, 1, o); }, NearMiss{});
  const std::vector<Star> stars{Star::at({0, 0, 1e4}, 10)};
  check_skips(
      scene, observers, random, [](Observer& o) { o.on = 1 << 30; },
      [&](const Scene& s, const auto& in, const auto& o) { return s.starlight(stars, in, o); }, Visibility{});
}

TEST_CASE("batches of balls skip rows in every form", "[query]") {
  Random random(test::seed());
  const auto spheres = test::make_spheres(SceneKind::crowd, 3000, random);
  const Scene scene = Scene::build(spheres);
  const std::vector<Ball> balls = test::make_balls(spheres, test::fewer_in_repeats(500u), random);
  check_skips(
      scene, balls, random, [](Ball& b) { b.radius = -1; },
      [](const Scene& s, const auto& in, const auto& o) { return apart(s.neighbors_within(in, o)); },
      std::vector<Neighbor>());
  check_skips(
      scene, balls, random, [](Ball& b) { b.center.x = nan; },
      [](const Scene& s, const auto& in, const auto& o) { return s.count_within(in, o); }, std::uint64_t{0});
}

TEST_CASE("a row is skipped for a bad id to ignore or a bad time, too", "[query]") {
  const Scene scene = Scene::build({{{0, 0, 0}, 1}});
  const std::vector<Ray> rays(3, Ray{{0, 0, -5}, {0, 0, 1}});
  const std::vector<std::int64_t> ignore{-1, 7, -1};
  const std::vector<double> times{0, 0, nan};
  std::vector<RowStatus> rows(3);
  const std::vector<Hit> hits = scene.first_hit(rays, {.ignore = ignore, .times = times, .statuses = rows});
  CHECK((hits[0].sphere == 0 && hits[1].sphere == -1 && hits[2].sphere == -1));
  CHECK((rows == std::vector{RowStatus::ok, RowStatus::skipped, RowStatus::skipped}));
  RowStatus row{};
  CHECK(scene.first_hit(Ray{{nan, 0, 0}, {1, 0, 0}}, {.statuses = {&row, 1}}).sphere == -1);
  CHECK(row == RowStatus::skipped);
  CHECK(scene.first_hit(rays[0], {.statuses = {&row, 1}}).sphere == 0);
  CHECK(row == RowStatus::ok);
  CHECK(refusal([&] { (void)scene.first_hit(rays, {.statuses = {&row, 1}}); }).code ==
        ErrorCode::invalid_argument);
}

TEST_CASE("an empty scene skips rows, too", "[query]") {
  std::vector<RowStatus> rows(2);
  const std::vector<Ray> rays{{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 1}}};
  (void)Scene().all_hits(rays, {.statuses = rows});
  CHECK((rows == std::vector{RowStatus::skipped, RowStatus::ok}));
}

}  // namespace sphaera
