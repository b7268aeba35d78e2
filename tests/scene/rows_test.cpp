/// \file Scenes from numbers as engines have them, rows that are skipped, and memory of the caller's.

#include <sphaera/scene.hpp>
#include <sphaera/scene_buffer.hpp>

#include <array>
#include <cmath>
#include <cstring>
#include <tests/answer_bytes.hpp>
#include <tests/catch.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/refusal.hpp>
#include <tests/scene/counted_memory.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::Bytes, test::SceneKind, test::Random, test::nan, test::refusal;

/// An agent as an engine may have it.
struct Agent {
  int health = 100;
  float place[3]{};
  bool awake = true;
  double heading[3]{};
  float radius = 0;
};

std::vector<Agent> make_agents(std::size_t n, Random& random) {
  std::vector<Agent> agents(n);
  for (Agent& agent : agents) {
    for (float& x : agent.place) x = static_cast<float>(random.between(-50, 50));
    for (double& x : agent.heading) x = random.between(-1, 1);
    agent.radius = static_cast<float>(random.between(0.2, 0.9));
  }
  return agents;
}

VectorRows places(const std::vector<Agent>& agents) {
  return Strided{&agents[0].place[0], agents.size(), sizeof(Agent)};
}
VectorRows headings(const std::vector<Agent>& agents) {
  return Strided{&agents[0].heading[0], agents.size(), sizeof(Agent)};
}
NumberRows radii(const std::vector<Agent>& agents) {
  return Strided{&agents[0].radius, agents.size(), sizeof(Agent)};
}

Vec3 place(const Agent& a) { return {a.place[0], a.place[1], a.place[2]}; }
Vec3 heading(const Agent& a) { return {a.heading[0], a.heading[1], a.heading[2]}; }
std::vector<Vec3> copied(const std::vector<Agent>& agents, Vec3 (*of)(const Agent&)) {
  std::vector<Vec3> vectors;
  for (const Agent& agent : agents) vectors.push_back(of(agent));
  return vectors;
}

Bytes answers(const Scene& scene, Random random) {
  std::vector<Ray> rays;
  std::vector<Bullet> bullets;
  for (int i = 0; i < 300; ++i) {
    rays.push_back({random.in_cube(60), random.direction()});
    bullets.push_back({random.in_cube(60), 30 * random.direction(), 0.1, 0, 3});
  }
  Bytes out;
  out.put(scene.all_hits(rays)), out.put(scene.first_impact(bullets)), out.put(scene.spheres());
  out.put(scene.velocities());
  return out;
}

}  // namespace

TEST_CASE("rows of floats and doubles make the scenes that their copies make", "[scene][edit]") {
  Random random(test::seed());
  const std::vector<Agent> agents = make_agents(500, random);
  const std::vector<Vec3> velocities = copied(agents, heading);
  std::vector<Sphere> spheres;
  for (const Agent& a : agents) spheres.push_back({place(a), a.radius});
  Scene scene = Scene::build({places(agents), radii(agents), headings(agents)}, {.horizon = {0, 3}});
  Scene expected = Scene::build(spheres, {.velocities = velocities, .horizon = {0, 3}});
  CHECK(answers(scene, random) == answers(expected, random));

  const std::vector<Agent> later = make_agents(500, random);
  scene.update(places(later), headings(later)), expected.update(copied(later, place), copied(later, heading));
  CHECK(answers(scene, random) == answers(expected, random));

  const std::vector<std::int64_t> few{3, 77, 12};
  const std::vector<Agent> moved = make_agents(3, random);
  scene.update(few, places(moved)), expected.update(few, copied(moved, place));
  CHECK(answers(scene, random) == answers(expected, random));

  const float radius = 0.4f;  // one for all
  std::vector<std::int64_t> ids(3);
  scene.insert({places(moved), Strided{&radius, 3, 0}, headings(moved)}, ids);
  CHECK((ids == std::vector<std::int64_t>{500, 501, 502}));
  std::vector<Sphere> added;
  for (const Agent& a : moved) added.push_back({place(a), radius});
  expected.insert(added, {.velocities = copied(moved, heading)});
  CHECK(answers(scene, random) == answers(expected, random));

  // From the last row to the first, and a buffer.
  const std::vector<Agent> crowd = make_agents(503, random);
  std::vector<Vec3> backward = copied(crowd, place);
  std::reverse(backward.begin(), backward.end());
  SceneBuffer buffer(std::move(scene));
  buffer.update(VectorRows(Strided{&crowd.back().place[0], crowd.size(), -std::ptrdiff_t{sizeof(Agent)}}));
  expected.update(backward);
  CHECK(answers(*buffer.current(), random) == answers(expected, random));
  CHECK(refusal([&] { (void)Scene::build({places(agents), radii(moved)}); }).message ==
        "there are 3 radii for 500 centers; give one for each, or one for all by a stride of 0");
}

TEST_CASE("a row that is not valid costs no other row its update", "[scene][edit]") {
  Random random(test::seed());
  const auto spheres = test::make_spheres(SceneKind::crowd, 200, random);
  for (const bool moving : {false, true}) {
    std::vector<Vec3> velocities;
    for (std::size_t i = 0; moving && i < spheres.size(); ++i) velocities.push_back(random.direction());
    const BuildOptions options{.velocities = velocities, .horizon = {0, 2}};
    Scene scene = Scene::build(spheres, options), expected = Scene::build(spheres, options);
    std::vector<Vec3> centers, kept;
    std::vector<bool> bad;
    for (const Sphere& s : spheres) {
      bad.push_back(random.one_in(7));
      const Vec3 there = s.center + Vec3{0.3, 0.1, 0};
      kept.push_back(bad.back() ? s.center : there);
      centers.push_back(bad.back() ? Vec3{there.x, random.one_in(2) ? nan : 0x1p201, 0} : there);
    }
    std::vector<RowStatus> rows(spheres.size());
    scene.update(centers, {}, {.statuses = rows}), expected.update(kept);
    for (std::size_t i = 0; i < rows.size(); ++i)
      REQUIRE(rows[i] == (bad[i] ? RowStatus::skipped : RowStatus::ok));
    CHECK(answers(scene, random) == answers(expected, random));
    if (moving) {  // a bad velocity keeps the place, too
      std::vector<Vec3> turned(velocities.rbegin(), velocities.rend()), kept_velocities = turned;
      turned[5].y = infinity, kept_velocities[5] = velocities[5];
      std::vector<Vec3> places = kept;
      places[5] = {1, 2, 3};
      scene.update(places, turned, {.statuses = rows});
      CHECK(std::count(rows.begin(), rows.end(), RowStatus::skipped) == 1);
      expected.update(kept, kept_velocities);
      CHECK(answers(scene, random) == answers(expected, random));
    }
    // Updates by id: a free id, an id given twice, ids out of range, a bad place.
    scene.erase(std::vector<std::int64_t>{9}), expected.erase(std::vector<std::int64_t>{9});
    const std::vector<std::int64_t> ids{4, 9, 4, -1, 11, 1000, 12};
    const std::vector<Vec3> there{{1, 1, 1},   {2, 2, 2}, {3, 3, 3}, {0, 0, 0},
                                  {nan, 0, 0}, {0, 0, 0}, {5, 5, 5}};
    std::vector<RowStatus> few(ids.size());
    scene.update(ids, there, {}, {.statuses = few});
    constexpr RowStatus ok = RowStatus::ok, skipped = RowStatus::skipped;
    CHECK((few == std::vector{ok, skipped, skipped, skipped, skipped, skipped, ok}));
    expected.update(std::vector<std::int64_t>{4, 12}, std::vector<Vec3>{{1, 1, 1}, {5, 5, 5}});
    CHECK(answers(scene, random) == answers(expected, random));
    // Inserted spheres.
    const std::vector<Sphere> strangers{{{0, 0, nan}, 1}, {{1, 2, 3}, 1}, {{0, 0, 0}, -1}, {{4, 4, 4}, 2}};
    std::vector<std::int64_t> added(4);
    std::vector<RowStatus> four(4);
    scene.insert(strangers, added, {.statuses = four});
    CHECK((added == std::vector<std::int64_t>{-1, 9, -1, 200}));
    CHECK((four == std::vector{skipped, ok, skipped, ok}));
  }
}

TEST_CASE("a build skips spheres that are not valid: their ids are free", "[scene][edit]") {
  Random random(test::seed());
  std::vector<Sphere> spheres = test::make_spheres(SceneKind::crowd, 100, random);
  std::vector<std::uint8_t> layers(100);
  spheres[0].radius = 0, spheres[7].center.z = nan, layers[50] = 64;
  std::vector<RowStatus> rows(100);
  const Scene scene = Scene::build(spheres, {.layers = layers, .statuses = rows});
  CHECK(scene.size() == 97);
  for (const std::int64_t id : {0, 7, 50}) CHECK_FALSE(scene.contains(id));
  CHECK(std::count(rows.begin(), rows.end(), RowStatus::skipped) == 3);
  std::vector<Sphere> good = spheres;
  for (const std::size_t id : {0u, 7u, 50u}) good[id] = good[1];
  Scene expected = Scene::build(good);
  expected.erase(std::vector<std::int64_t>{0, 7, 50});
  const std::vector<Ray> rays = test::make_rays(good, 300, random);
  Bytes one, other;
  one.put(scene.all_hits(rays)), other.put(expected.all_hits(rays));
  CHECK(one == other);
  one = {}, one.put(scene.all_hits(rays, {.search = Search::embree}));
  CHECK(one == other);
  rows.resize(2);
  const std::vector<Sphere> none{{{nan, 0, 0}, 1}, {{0, 0, 0}, -1}};
  const Scene empty = Scene::build(none, {.statuses = rows});
  CHECK((empty.size() == 0 && empty.first_hit(rays[0]).sphere == -1));
  CHECK(refusal([&] { (void)Scene::build(spheres, {.statuses = rows}); }).message ==
        "`statuses` has 2 items for 100 rows; give none or one for each");
}

/// So many rows that no memory holds them: a stride of 0 repeats one.
TEST_CASE("sizes are checked before rows are read", "[scene][edit]") {
  const std::array<float, 3> row{1, 2, 3};
  const Strided<const float> endless{row.data(), std::size_t{1} << 46, 0};
  const std::vector<Sphere> spheres(3, Sphere{{}, 1});
  const std::vector<Vec3> velocities(3);
  Scene scene = Scene::build(spheres, {.velocities = velocities, .horizon = {0, 1}});
  SceneBuffer buffer(spheres, {.velocities = velocities, .horizon = {0, 1}});
  const std::vector<std::int64_t> ids{0, 1};
  const std::vector<std::uint8_t> layers(2);
  std::vector<std::int64_t> out(2);
  const VectorRows three(velocities), two(std::span<const Vec3>(velocities).first(2));
  const auto refused = [](const auto& work) {
    const test::Refusal got = refusal(work);
    INFO(got.message);
    CHECK(got.code == ErrorCode::invalid_argument);
  };
  const auto both = [&](const auto& change) {
    refused([&] { change(scene); });
    refused([&] { change(buffer); });
  };
  both([&](auto& s) { s.update(VectorRows(endless)); });
  both([&](auto& s) { s.update(three, VectorRows(endless)); });
  both([&](auto& s) { s.update(ids, VectorRows(endless)); });
  both([&](auto& s) { s.update(ids, two, VectorRows(endless)); });
  both([&](auto& s) { s.insert(SphereRows{endless, endless}, out); });
  both([&](auto& s) { s.insert(SphereRows{two, endless}, out); });
  both([&](auto& s) { s.insert(SphereRows{two, Strided{row.data(), 2, 4}, VectorRows(endless)}, out); });
  refused([&] { (void)Scene::build(SphereRows{endless, endless}); });
  refused([&] { (void)Scene::build(SphereRows{endless, endless}, {.layers = layers}); });
  refused([&] { (void)Scene::build(SphereRows{two, Strided{row.data(), 2, 4}, VectorRows(endless)}); });
}

TEST_CASE("every kind of build takes the arrays from the caller's memory", "[scene][edit]") {
  Random random(test::seed());
  auto spheres = test::make_spheres(SceneKind::crowd, 3000, random);
  const auto held_by = [&](const auto& build) {
    test::CountedMemory memory;
    const Scene scene = build(&memory);
    return std::size_t{memory.held};
  };
  const std::size_t by_span = held_by([&](auto* m) { return Scene::build(spheres, {.memory = m}); });
  CHECK(held_by([&](auto* m) { return Scene::build(std::vector<Sphere>(spheres), {.memory = m}); }) ==
        by_span);
  CHECK(held_by([&](auto* m) {
          const SphereRows rows{.centers = Strided{&spheres[0].center.x, 3000, sizeof(Sphere)},
                                .radii = Strided{&spheres[0].radius, 3000, sizeof(Sphere)}};
          return Scene::build(rows, {.memory = m});
        }) == by_span);
  spheres[5].radius = -1;
  std::vector<RowStatus> statuses(spheres.size());
  CHECK(held_by([&](auto* m) { return Scene::build(spheres, {.statuses = statuses, .memory = m}); }) >=
        by_span);
}

TEST_CASE("numbers that do not fit a scene are refused, whatever its size", "[scene][edit]") {
  const float three[3] = {1, 2, 3};
  const Strided rows{&three[0], 5, 0};
  Scene none, one = Scene::build({{{0, 0, 0}, 1}});
  for (Scene* const scene : {&none, &one}) {
    CHECK(refusal([&] { scene->update(VectorRows(rows)); }).code == ErrorCode::invalid_argument);
    const std::vector<std::int64_t> no_ids;
    CHECK(refusal([&] { scene->update(no_ids, rows); }).code == ErrorCode::invalid_argument);
    CHECK(refusal([&] { scene->set_radii(no_ids, std::vector<double>{1}); }).code ==
          ErrorCode::invalid_argument);
  }
  // A moving sphere that stands in for one that is not valid is valid itself.
  const std::vector<Sphere> spheres{{{0x1p200, 0, 0}, 0x1p180}, {{NAN, 0, 0}, 1}};
  const std::vector<Vec3> velocities{{-0x1p199, 0, 0}, {0, 0, 0}};
  std::vector<RowStatus> statuses(2);
  CHECK(Scene::build(spheres, {.velocities = velocities, .horizon = {1, 1.5}, .statuses = statuses}).size() ==
        1);
}

TEST_CASE("a scene's arrays come from the caller's memory for its whole life", "[scene][edit]") {
  Random random(test::seed());
  const auto spheres = test::make_spheres(SceneKind::peopled, 3000, random);
  test::CountedMemory memory;
  {
    Scene scene = Scene::build(spheres, {.memory = &memory}), plain = Scene::build(spheres);
    const SceneInfo info = scene.info();
    CHECK(memory.held >= info.sphere_bytes + info.index_bytes * 9 / 10);
    const auto step = [&](Scene& s, Random r) {
      std::vector<std::int64_t> ids;
      for (std::int64_t i = 0; i < 300; ++i) ids.push_back(i);
      s.erase(ids);
      (void)s.insert(std::span(spheres).first(500));
      std::vector<Vec3> centers;
      for (const Sphere& sphere : s.spheres()) centers.push_back(sphere.center + r.in_cube(0.01));
      s.update(centers);
      s.update(centers, {}, {.rebuild = UpdateOptions::Rebuild::always});
    };
    step(scene, random), step(plain, random);
    CHECK(answers(scene, random) == answers(plain, random));
    const std::size_t one = memory.held;
    CHECK(one >= scene.info().sphere_bytes + scene.info().index_bytes * 9 / 10);
    SceneBuffer buffer(std::move(scene), {.keep = 1});
    for (int i = 0; i < 4; ++i) buffer.change([&](Scene& s) { step(s, random); });
    CHECK(memory.held > 2 * one);  // copies, too
  }
  CHECK(memory.held == 0);
  memory.most = 50'000;
  CHECK(refusal([&] { (void)Scene::build(spheres, {.memory = &memory}); }).code == ErrorCode::out_of_memory);
  CHECK(memory.held == 0);
}

}  // namespace sphaera
