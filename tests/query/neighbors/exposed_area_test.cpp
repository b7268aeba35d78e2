/// \file exposed_area: areas, classes and hiders that the oracle finds, for spheres that touch, nest,
/// coincide and cut each other in all ways; closed surfaces; volumes.

#include <sphaera/scene.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <tests/effort.hpp>
#include <tests/inputs/cap_cases.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/near.hpp>
#include <tests/oracle/caps/open_part.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using test::Random, test::SceneKind, test::refusal;

constexpr double pi = std::numbers::pi;

double surface(const Sphere& sphere, double probe) {
  return 4 * pi * (sphere.radius + probe) * (sphere.radius + probe);
}

/// The largest errors, as shares of the surfaces.
struct ExposedErrors {
  double area = 0, outward = 0;

  void compare(const ExposedArea& found, const Sphere& sphere, double probe, const oracle::Caps& caps) {
    CHECK((found.exposure == Exposure::inside) == caps.all);
    CHECK((found.exposure == Exposure::whole) == (!caps.all && caps.list.empty()));
    CHECK((found.hider < 0) == (found.exposure == Exposure::whole));
    const double whole = surface(sphere, probe), square = whole / (4 * pi);
    if (caps.all) {
      CHECK(test::same(found, {0, 0, {}, found.hider, Exposure::inside}));
      return;
    }
    const oracle::OpenPart part = oracle::open_part(caps);
    const Vec3 expected{static_cast<double>(part.moment[0]), static_cast<double>(part.moment[1]),
                        static_cast<double>(part.moment[2])};
    const double error = std::fabs(found.share - static_cast<double>(part.area) / (4 * pi));
    area = std::max(area, error);
    CHECK(error < 1e-11);
    if (whole < 0x1p-900) return;  // tiny areas are denormal
    CHECK(found.area == Approx(whole * found.share).margin(1e-15 * whole));
    const double outward_error = test::length(found.outward - square * expected) / whole;
    outward = std::max(outward, outward_error);
    CHECK(outward_error < 1e-11);
  }
};

/// Whole scenes against the oracle, which takes the caps of one sphere after another.
void compare_scene(const std::vector<Sphere>& spheres, double probe, ExposedErrors& worst) {
  const std::vector<ExposedArea> found = Scene::build(spheres).exposed_area(probe);
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    std::vector<Sphere> others;
    for (std::size_t j = 0; j < spheres.size(); ++j)
      if (j < i || (j > i && spheres[j] != spheres[i])) others.push_back(spheres[j]);
    INFO("sphere " << i << " of " << spheres.size() << ", probe " << probe);
    worst.compare(found[i], spheres[i], probe, oracle::caps_on(spheres[i], probe, others));
  }
}

double volume(const std::vector<Sphere>& spheres, double probe) {
  const std::vector<ExposedArea> areas = Scene::build(spheres).exposed_area(probe);
  double sum = 0;
  for (std::size_t i = 0; i < spheres.size(); ++i)
    sum += (spheres[i].radius + probe) * areas[i].area + dot(spheres[i].center, areas[i].outward);
  return sum / 3;
}

}  // namespace

TEST_CASE("exposed area of spheres that touch, nest, cover and coincide, against the oracle",
          "[query][neighbors]") {
  ExposedErrors worst;
  const int cases = test::fewer_unless_all(2000);
  for (int i = 0; i < cases; ++i) {
    Random random(test::seed(), i);
    const test::SphereCase c = test::random_sphere_case(random, random.whole(0, i % 8 ? 5 : 14));
    INFO("case " << i << ": " << test::text(c));
    std::vector<Sphere> spheres{c.sphere}, others;
    spheres.insert(spheres.end(), c.others.begin(), c.others.end());
    for (const Sphere& other : c.others)
      if (other != c.sphere) others.push_back(other);
    const Scene scene = Scene::build(spheres);
    const std::vector<ExposedArea> found = scene.exposed_area(c.probe);
    worst.compare(found[0], c.sphere, c.probe, oracle::caps_on(c.sphere, c.probe, others));
    for (const Search search : {Search::brute_force, Search::embree})
      CHECK(test::all_same(scene.exposed_area(c.probe, {.search = search}), found));
  }
  std::printf("exposed area: worst error of the surface %.1e, of outward %.1e\n", worst.area, worst.outward);
}

TEST_CASE("exposed area in whole scenes, against the oracle", "[query][neighbors]") {
  ExposedErrors worst;
  Random random(test::seed());
  for (const SceneKind scene_kind : test::kinds_to_try()) {
    for (const std::size_t n : {0, 1, 2, 12}) {
      std::vector<Sphere> spheres = test::make_spheres(scene_kind, n, random);
      for (std::size_t i = 0; i < n / 6; ++i) spheres[n - 1 - i] = spheres[i];
      INFO(test::name(scene_kind));
      compare_scene(spheres, random.one_in(2) || n == 0 ? 0 : spheres[0].radius * random.log_uniform(0.1, 10),
                    worst);
    }
  }
}

// A regression of the oracle, which lost the difference of radii beside the probe.
TEST_CASE("exposed area: a probe far larger than the spheres and their distances", "[query][neighbors]") {
  ExposedErrors worst;
  compare_scene(
      {{{-0x1.685f1ffe646dep-5, -0x1.34248d0934fc8p-5, 0x1.5bbf31b78dfacp-4}, 0x1.f85a0b9c96112p-10},
       {{0xc284f7p-1050, -0x46c938p-1050, 0x1c7e4fp-1050}, 0xa1818p-1050},
       {{0xc586c3p-1050, 0x638ac1p-1050, -0xf51e2dp-1050}, 0xc5587p-1050},
       {{0xe86a36p-1050, 0xdd2165p-1050, -0x3b5839p-1050}, 0xd373p-1050}},
      0x1.0817eb764cafdp+2, worst);
}

TEST_CASE("exposed area: hiders, layers, ranges, disabled spheres", "[query][neighbors]") {
  // A middle sphere, one that cuts it, a smaller one that hides less, a copy of it, one inside, one apart.
  const std::vector<Sphere> spheres{{{0, 0, 0}, 2}, {{2.5, 0, 0}, 2},   {{0, 2.5, 0}, 1},
                                    {{0, 0, 0}, 2}, {{0.5, 0.5, 0}, 1}, {{0, 0, -9}, 1}};
  const std::vector<std::uint8_t> layers{0, 1, 2, 0, 0, 0};
  Scene scene = Scene::build(spheres, {.layers = layers});
  std::vector<ExposedArea> all = scene.exposed_area(0);
  const std::vector<Exposure> expected{Exposure::part,   Exposure::part,   Exposure::part,
                                       Exposure::inside, Exposure::inside, Exposure::whole};
  for (std::size_t i = 0; i < spheres.size(); ++i) CHECK(all[i].exposure == expected[i]);
  CHECK(all[0].hider == 1);
  CHECK(all[1].hider == 0);
  CHECK(all[2].hider == 0);
  CHECK(all[3].hider == 0);
  CHECK(all[4].hider == 0);
  CHECK(all[5].hider == -1);
  CHECK(all[5].area == surface(spheres[5], 0));
  CHECK(test::all_same(scene.exposed_area(IdRange{2, 3}, 0), std::span(all).subspan(2, 3)));
  const std::vector<ExposedArea> two = scene.exposed_area(0, {.layers = 0b101});
  CHECK(two[0].hider == 2);
  CHECK(test::same(two[1], ExposedArea{}));
  const std::int64_t first = 0;
  scene.set_enabled(std::span(&first, 1), false);
  all = scene.exposed_area(0);
  CHECK(all[0].exposure == Exposure::none);
  CHECK(all[3].exposure == Exposure::part);
  CHECK(all[4].hider == 3);
  CHECK(scene.exposed_area(0, {.accept = [](std::size_t, std::int64_t id) { return id == 5; }})[3].share ==
        1);
}

TEST_CASE("exposed area: surfaces close, volumes of the union", "[query][neighbors]") {
  const double lens = pi * 1 * 1 * (3 * 2 - 1) / 3;  // a cap of height 1 on a sphere of radius 2
  CHECK(test::near(volume({{{0, 0, 0}, 2}, {{2, 0, 0}, 2}}, 0), 2 * (32 * pi / 3) - 2 * lens));
  CHECK(test::near(volume({{{0, 0, 0}, 1}, {{2, 0, 0}, 1}}, 1), 2 * (32 * pi / 3) - 2 * lens));
  CHECK(test::near(volume({{{9, 0, 0}, 2}, {{9, 0.5, 0}, 1}, {{9, 0, 0}, 2}}, 0), 32 * pi / 3));
  Random random(test::seed());
  for (const SceneKind scene_kind : {SceneKind::crowd, SceneKind::nested, SceneKind::lattice}) {
    const std::vector<Sphere> spheres = test::make_spheres(scene_kind, test::fewer_in_repeats(800u), random);
    const double probe = 0.5 * spheres[0].radius;
    const Scene scene = Scene::build(spheres);
    const std::vector<ExposedArea> found = scene.exposed_area(probe);
    Vec3 outward;
    double total = 0;
    for (const ExposedArea& exposed : found) outward = outward + exposed.outward, total += exposed.area;
    CHECK(test::length(outward) <= 1e-11 * total);
    for (const int threads : {1, 3})
      CHECK(test::all_same(scene.exposed_area(probe, {.threads = threads, .grain = 7}), found));
  }
}

TEST_CASE("exposed area: probes that are refused, and the ends of the range", "[query][neighbors]") {
  const Scene scene =
      Scene::build(std::vector<Sphere>{{{0, 0, 0}, 1}, {{0, 0, 3}, 0x1p200}, {{5, 0, 0}, 0x1p-200}});
  for (const double probe : {-1.0, infinity, std::nan(""), 0x1.0000000000001p200})
    CHECK(refusal([&] { (void)scene.exposed_area(probe); }).message.find("probe is") != std::string::npos);
  CHECK(refusal([&] { (void)scene.exposed_area(IdRange{2, 2}, 0); }).message.find("ids are {2, 2}") !=
        std::string::npos);
  std::vector<ExposedArea> few(2);
  CHECK(refusal([&] { scene.exposed_area(0, few); }).code == ErrorCode::invalid_argument);
  CHECK(scene.exposed_area(0x1p200)[1].area == Approx(4 * pi * 0x1p402));
  CHECK(scene.exposed_area(0)[0].exposure == Exposure::inside);
}

}  // namespace sphaera
