/// \file A scene whose spheres have moved answers as one that was built where they are, whatever the moves.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <sphaera/scene_buffer.hpp>
#include <tests/inputs/draw_questions.hpp>
#include <tests/queries/every_query.hpp>
#include <tools/workload/workload.hpp>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::AllRows, test::all_rows, test::differing;
using test::SceneKind, test::Random, test::centers_of;
using Rebuild = UpdateOptions::Rebuild;

std::vector<Sphere> moved(std::vector<Sphere> spheres, const std::vector<Vec3>& centers) {
  for (std::size_t i = 0; i < spheres.size(); ++i) spheres[i].center = centers[i];
  return spheres;
}

enum class Move { step, teleport, gather, shuffle, shrink, grow, away, one_away, back };
constexpr int moves = 9;

Vec3 clamped(const Vec3& v) {
  const auto in_domain = [](double x) { return std::clamp(x, -0x1p200, 0x1p200); };
  return {in_domain(v.x), in_domain(v.y), in_domain(v.z)};
}

/// The next centers of all spheres.
std::vector<Vec3> after(Move move, const std::vector<Vec3>& now, const std::vector<Sphere>& start,
                        Random& random) {
  std::vector<Vec3> next = now;
  const auto anyone = [&] { return random.bits() % now.size(); };
  const Vec3 place = now.empty() ? Vec3{} : now[anyone()];
  const double scale = random.log_uniform(1e-9, 1e9), size = random.log_uniform(1e-3, 1e13);
  for (std::size_t i = 0; i < next.size(); ++i) {
    Vec3& c = next[i];
    switch (move) {
      case Move::step:
        c = c + random.in_cube(start[i].radius);
        break;
      case Move::teleport:
        c = random.one_in(8) ? now[anyone()] + random.in_cube(size) : c;
        break;
      case Move::gather:
        c = place + random.in_cube(1e-3 * start[i].radius);
        break;
      case Move::shuffle:
        std::swap(c, next[anyone()]);
        break;
      case Move::shrink:
        c = place + std::min(scale, 1 / scale) * (c - place);
        break;
      case Move::grow:
        c = place + std::max(scale, 1 / scale) * (c - place);
        break;
      case Move::away:
        c = c + Vec3{size, -size, 0.5 * size};
        break;
      case Move::one_away:
        c = i == 0 ? c + Vec3{0, size, 0} : c;
        break;
      case Move::back:
        c = start[i].center;
        break;
    }
    c = clamped(c);
  }
  return next;
}

std::vector<std::uint8_t> some_layers(std::size_t n, Random& random) {
  std::vector<std::uint8_t> layers(random.one_in(2) ? n : 0);
  for (std::uint8_t& layer : layers) layer = static_cast<std::uint8_t>(random.below(4));
  return layers;
}

/// Several updates in turn, each compared with a fresh scene and with brute force.
void wander(SceneKind scene_kind, std::size_t n, Random& random) {
  const std::vector<Sphere> start = test::make_spheres(scene_kind, n, random);
  const std::vector<std::uint8_t> layers = some_layers(n, random);
  const auto quality = static_cast<BuildQuality>(random.below(3));
  Scene scene = Scene::build(start, {.layers = layers, .quality = quality});
  std::vector<Vec3> centers = centers_of(start);
  for (int i = 0; i < 5; ++i) {
    const auto move = static_cast<Move>(random.below(moves));
    centers = after(move, centers, start, random);
    const auto rebuild = random.one_in(3) ? Rebuild::when_degraded : Rebuild::never;
    const UpdateResult result = scene.update(centers, {}, {.rebuild = rebuild});
    const std::vector<Sphere> spheres = moved(start, centers);
    const Scene fresh = Scene::build(spheres, {.layers = layers});
    const test::Questions questions = test::draw_questions(spheres, 30, 10, random);
    const LayerMask mask = random.one_in(2) ? all_layers : random.bits();
    const AllRows found = all_rows(scene, questions, {.layers = mask});
    INFO(test::name(scene_kind) << ", " << n << " spheres, move " << static_cast<int>(move) << ", rebuilt "
                                << result.rebuilt << ", degradation " << result.degradation);
    CHECK(scene.layers().size() == layers.size());
    CHECK(differing(found, all_rows(fresh, questions, {.layers = mask})) == "");
    CHECK(differing(found, all_rows(scene, questions, {.layers = mask, .search = Search::brute_force})) ==
          "");
  }
}

}  // namespace

TEST_CASE("after any moves a scene answers as a fresh one and as brute force", "[scene][update]") {
  for (const SceneKind scene_kind : test::kinds_to_try()) {
    for (const std::size_t n : {0, 1, 2, 9, test::sanitized() ? 20 : 60, test::sanitized() ? 40 : 300}) {
      Random random(test::seed(), 1000 * static_cast<std::uint64_t>(scene_kind) + n);
      wander(scene_kind, n, random);
    }
  }
}

TEST_CASE("an update gives the same bytes and the same decision to rebuild on any number of threads",
          "[scene][update]") {
  constexpr std::size_t n = 100'000;
  Random random(test::seed());
  const std::vector<Sphere> start = workload::spheres(workload::Kind::crowd, n, test::seed());
  const std::vector<Ray> rays = workload::rays(workload::Kind::crowd, 2000, n, test::seed());
  std::vector<std::vector<Hit>> answers;
  std::vector<UpdateResult> results;
  std::vector<Vec3> steps, shuffled = after(Move::shuffle, centers_of(start), start, random);
  for (const Sphere& s : start) steps.push_back(s.center + random.in_cube(0.5));
  for (const int threads : {1, 2, 8}) {
    Scene scene = Scene::build(start, {.threads = threads});
    for (const auto* centers : {&steps, &shuffled}) {
      results.push_back(scene.update(*centers, {}, {.threads = threads}));
      answers.push_back(scene.first_hit(rays, {.threads = threads}));
    }
  }
  for (std::size_t i = 2; i < answers.size(); ++i) {
    CHECK(test::all_same(answers[i], answers[i - 2]));
    CHECK(results[i].rebuilt == results[i - 2].rebuilt);
  }
  CHECK(!results[0].rebuilt);
  CHECK(results[1].rebuilt);
}

TEST_CASE("a degraded index is noticed and rebuilt, one that has moved as a whole is not",
          "[scene][update]") {
  Random random(test::seed());
  const std::vector<Sphere> start = workload::spheres(workload::Kind::crowd, 5000, test::seed());
  const std::vector<Vec3> here = centers_of(start);
  Scene scene = Scene::build(start);
  const double boxes = scene.info().boxes;
  CHECK(boxes > 1);

  std::vector<Vec3> centers = here;
  for (Vec3& c : centers) c = c + Vec3{1e7, -3e6, 5};
  UpdateResult result = scene.update(centers);
  CHECK_FALSE(result.rebuilt);
  CHECK(result.boxes == Approx(boxes).epsilon(1e-3));
  CHECK(result.degradation == Approx(1).epsilon(1e-3));

  const std::vector<Vec3> shuffled = after(Move::shuffle, here, start, random);
  result = scene.update(shuffled, {}, {.rebuild = Rebuild::never});
  CHECK_FALSE(result.rebuilt);
  CHECK(result.degradation > 10);
  CHECK(scene.info().boxes > 10 * boxes);
  result = scene.update(shuffled);
  CHECK(result.rebuilt);
  CHECK(result.boxes < 2 * boxes);
  CHECK(scene.info().boxes == result.boxes);
  result = scene.update(shuffled);
  CHECK_FALSE(result.rebuilt);
  CHECK(result.degradation == Approx(1));

  centers = shuffled;
  centers[7] = {1e12, 0, 0};  // the others' boxes all grow by the frame's inflation, 1e6 m
  result = scene.update(centers);
  CHECK(result.rebuilt);
  CHECK(scene.info().frames.size() >= 2);
  centers[7] = shuffled[7];
  scene.update(centers);
  CHECK(scene.info().inflation < 0.1);

  CHECK(scene.update(here, {}, {.rebuild = Rebuild::always}).rebuilt);
}

TEST_CASE("an update reports what a scene holds afterwards", "[scene][update]") {
  const std::vector<Sphere> start{{{0, 0, 0}, 1}, {{5, 0, 0}, 2}};
  Scene scene = Scene::build(start);
  scene.update(std::vector<Vec3>{{10, 0, 0}, {10, 0, -7}});
  CHECK(scene.spheres()[1].center == Vec3{10, 0, -7});
  CHECK(scene.spheres()[1].radius == 2);
  const SceneInfo info = scene.info();
  CHECK(info.lower == Vec3{8, -2, -9});
  CHECK(info.upper == Vec3{12, 2, 1});
  CHECK((info.radius_min == 1 && info.radius_max == 2));
}

TEST_CASE("a rebuild by a single change is reported by the next update, once", "[scene][update]") {
  const std::vector<Sphere> spheres = workload::spheres(workload::Kind::crowd, 2000, test::seed());
  std::vector<std::int64_t> most(1500);
  std::iota(most.begin(), most.end(), 0);
  std::vector<Vec3> centers;
  for (const Sphere& s : spheres) centers.push_back(s.center);
  const UpdateOptions refit{.rebuild = UpdateOptions::Rebuild::never};

  Scene scene = Scene::build(spheres);
  CHECK(!scene.update(centers, {}, refit).rebuilt);
  scene.erase(most);  // few are left: the index is built again
  CHECK(scene.update(centers, {}, refit).rebuilt);
  CHECK(!scene.update(centers, {}, refit).rebuilt);
  scene.insert(std::span(spheres).first(1500), most);  // more than have room
  CHECK(scene.update(centers, {}, refit).rebuilt);

  SceneBuffer buffer(spheres);
  CHECK(!buffer.update(centers, {}, refit, [&](Scene& s) { s.erase(most); }).rebuilt);  // of the update alone
  CHECK(buffer.update(centers, {}, refit).rebuilt);
  buffer.insert(std::span(spheres).first(1500), most);
  CHECK(buffer.update(centers, {}, refit).rebuilt);
}

TEST_CASE("bad moves are refused with the first bad element named, and nothing has changed",
          "[scene][update]") {
  const std::vector<Sphere> start = workload::spheres(workload::Kind::crowd, 40'000, test::seed());
  Scene scene = Scene::build(start);
  std::vector<Vec3> centers = centers_of(start);
  for (Vec3& c : centers) c.z += 100;
  const auto unchanged = [&] {
    return std::ranges::equal(scene.spheres(), start, {}, &Sphere::center, &Sphere::center);
  };

  centers[39'000].x = infinity, centers[31'000].y = std::numeric_limits<double>::quiet_NaN();
  const test::Refusal bad = test::refusal([&] { scene.update(centers); });
  CHECK(bad.code == ErrorCode::invalid_argument);
  CHECK(bad.element == 31'000);
  CHECK(bad.message.starts_with("sphere 31000: center.y is nan"));
  CHECK(unchanged());

  centers.pop_back();
  CHECK(test::refusal([&] { scene.update(centers); }).message ==
        "there are 39999 centers for 40000 spheres; give one for each sphere");
  centers = centers_of(start);
  CHECK(test::refusal([&] { scene.update(centers, centers); }).code == ErrorCode::invalid_argument);
  CHECK(unchanged());
  CHECK(Scene().update({}).boxes == 0);
}

TEST_CASE("a move that carries a sphere out of the domain is refused where its radius has grown",
          "[scene][update]") {
  const std::vector<Sphere> start{{{0, 0, 0}, 1}, {{5, 0, 0}, 2}};
  const std::vector<Vec3> velocities(2), centers{{0, 0, 0}, {0x1p197, 0, 0}};
  Scene scene = Scene::build(start, {.velocities = velocities, .horizon = {0, 1}});
  scene.update(centers, velocities);
  scene.update(centers_of(start), velocities);
  scene.set_radii(std::vector<std::int64_t>{1}, std::vector<double>{0x1.ep199});  // with 2^197 beyond 2^200
  CHECK(test::refusal([&] { scene.update(centers, velocities); }).element == 1);
  CHECK(scene.spheres()[1].center == Vec3{5, 0, 0});
}

TEST_CASE("a rebuild that is stopped, or too large, leaves the index fitted", "[scene][update]") {
  Random random(test::seed());
  const std::vector<Sphere> start = workload::spheres(workload::Kind::crowd, 5000, test::seed());
  const std::vector<Vec3> shuffled = after(Move::shuffle, centers_of(start), start, random);
  const std::vector<Sphere> there = moved(start, shuffled);
  const Scene fresh = Scene::build(there);
  const test::Questions questions = test::draw_questions(there, 60, 20, random);

  std::stop_source stop;
  stop.request_stop();
  Scene stopped = Scene::build(start);
  UpdateResult result = stopped.update(shuffled, {}, {.stop = stop.get_token()});
  CHECK(!result.rebuilt);
  CHECK(result.degradation > 2);
  CHECK(differing(all_rows(stopped, questions), all_rows(fresh, questions)) == "");
}

}  // namespace sphaera
