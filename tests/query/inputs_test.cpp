/// \file What the scene refuses, and how: before any work, naming the element.

#include <cmath>
#include <limits>
#include <memory>
#include <sphaera/error.hpp>
#include <sphaera/scene.hpp>
#include <string>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/queries/every_query.hpp>
#include <tests/refusal.hpp>

namespace sphaera {
namespace {

using test::nan, test::Questions, test::refusal, test::Refusal;

Scene two_spheres() { return Scene::build(std::vector<Sphere>{{{0, 0, 0}, 1}, {{5, 0, 0}, 1}}); }

}  // namespace

TEST_CASE("a scene refuses the first bad sphere and names it", "[query]") {
  for (const Sphere& bad : {Sphere{{nan, 0, 0}, 1}, Sphere{{0, infinity, 0}, 1}, Sphere{{0, 0, 0}, 0},
                            Sphere{{0, 0, 0}, -1}, Sphere{{0, 0, 0}, nan}, Sphere{{0, 0, 0}, infinity},
                            Sphere{{0x1p201, 0, 0}, 1}, Sphere{{0, 0, 0}, 0x1p201}}) {
    std::vector<Sphere> spheres(100000, Sphere{{0, 0, 0}, 1});
    spheres[70000] = spheres[90000] = bad;
    const Refusal r = refusal([&] { (void)Scene::build(spheres); });
    CHECK(r.code == ErrorCode::invalid_argument);
    CHECK(r.element == 70000);
    CHECK(r.message.find("70000") != std::string::npos);
  }
}

TEST_CASE("a batch refuses the first bad query, whatever the number of threads", "[query][sized]") {
  const std::int64_t first = test::fewer_in_repeats(33'333), second = first + first / 3;
  const Scene scene = Scene::build({{{0, 0, 0}, 1}, {{-3, 1.5, 0}, 1}});  // one is hit, one missed nearly
  const std::vector<Ray> rays(static_cast<std::size_t>(first + first / 2), Ray{{-3, 0, 0}, {1, 0, 0}});
  Questions questions = test::questions_along(rays, rays.size());
  questions.max_distance = 2;
  for (const test::Query* query : test::every_query()) {
    INFO(query->name);
    const std::unique_ptr<test::AnswerPlace> place = query->place(scene, questions);
    const std::vector<test::Bytes> before = place->rows();
    const bool would_show = query->alone(scene, questions, 0) != query->miss(questions);
    CHECK(would_show);
    for (std::size_t fault = 0; fault < query->faults(); ++fault) {
      query->spoil(questions, first, fault), query->spoil(questions, second, fault);
      for (const int threads : {1, 2, 8}) {
        const Refusal r = refusal([&] { place->ask(scene, questions, {.threads = threads}); });
        CHECK(r.code == ErrorCode::invalid_argument);
        CHECK(r.element == first);
      }
      CHECK(refusal([&] { query->ask(scene, questions); }).element == first);
      CHECK(refusal([&] { query->ask_alone(scene, questions, first); }).code == ErrorCode::invalid_argument);
    }
    const bool nothing_was_written = place->rows() == before;
    CHECK(nothing_was_written);
  }
}

TEST_CASE("sizes that do not fit are refused", "[query]") {
  const Scene scene = two_spheres();
  const std::vector<Ray> rays(3, Ray{{-3, 0, 0}, {1, 0, 0}});
  std::vector<std::uint8_t> flags(2);
  std::vector<Hit> hits(4);
  std::vector<Neighbor> neighbors(5);
  CHECK(refusal([&] { scene.blocked(rays, flags); }).message.find("3") != std::string::npos);
  CHECK(refusal([&] { scene.first_hit(rays, hits); }).code == ErrorCode::invalid_argument);
  CHECK(refusal([&] { scene.nearest(std::vector<Vec3>(3), 2, neighbors); }).code ==
        ErrorCode::invalid_argument);
  CHECK(refusal([&] { (void)scene.nearest(std::vector<Vec3>(3), SIZE_MAX / 2); }).code ==
        ErrorCode::out_of_memory);

  const std::vector<std::int64_t> too_few{0}, strange{0, -2, 0}, beyond{0, 1, 2};
  CHECK(refusal([&] { (void)scene.blocked(rays, {.ignore = too_few}); }).code == ErrorCode::invalid_argument);
  CHECK(refusal([&] { (void)scene.blocked(rays, {.ignore = strange}); }).element == 1);
  CHECK(refusal([&] { (void)scene.blocked(rays, {.ignore = beyond}); }).element == 2);

  const std::vector<Sphere> spheres(2, Sphere{{0, 0, 0}, 1});
  const std::vector<std::uint8_t> one_layer{0}, high_layer{0, 64};
  CHECK(refusal([&] { (void)Scene::build(spheres, {.layers = one_layer}); }).code ==
        ErrorCode::invalid_argument);
  CHECK(refusal([&] { (void)Scene::build(spheres, {.layers = high_layer}); }).element == 1);
}

TEST_CASE("empty scenes and empty batches are answered", "[query]") {
  const Scene scenes[] = {Scene{}, Scene::build({}), two_spheres()};
  for (const Scene& scene : scenes) {
    for (const test::Query* query : test::every_query())
      CHECK(query->rows(scene, {}).size() == (query->about_spheres ? scene.size() : 0));
  }
  const Ray ray{{0, 0, 0}, {1, 0, 0}};
  CHECK_FALSE(scenes[1].blocked(ray));
  CHECK(scenes[1].first_hit(ray).sphere == -1);
  CHECK(scenes[1].nearest(Vec3{}).sphere == -1);
  CHECK(std::isinf(scenes[1].nearest(Vec3{}).distance));
  CHECK(scenes[1].within(Ball{{0, 0, 0}, 1e9}).empty());
  CHECK(scenes[1].info().spheres == 0);
}

}  // namespace sphaera
