/// \file Builds over all exponents of a double: every build ends, and its index answers as brute force does.

#include <cmath>
#include <index/scene_index.hpp>
#include <sphaera/scene.hpp>
#include <tests/index/frame_plans.hpp>
#include <tests/inputs/draw_questions.hpp>
#include <tests/queries/every_query.hpp>
#include <tools/workload/workload.hpp>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/seed.hpp>
#include <tests/thread_seconds.hpp>

namespace sphaera {
namespace {

using test::depth, test::plan_of, test::spheres_in;
using test::Random;

constexpr int least_exponent = -1074, max_exponent = 199;

/// How the spheres of a scene lie and how large they are.
enum class Shape : std::uint8_t {
  coincident,       ///< the same sphere again and again
  near_coincident,  ///< one center, radii within ulps
  concentric,       ///< one center, each radius the same factor of the one before
  crowd,            ///< about one place, of one size
  decades,          ///< places and radii of all sizes within a range of exponents, about one place
  free_decades,     ///< the same, radii and distances independent of each other
  chain,            ///< each smaller than the one before by a factor, and beside it
  few_places,       ///< several scenes of the kinds above, each about a place of its own
};
constexpr int shapes = 8;

double clamped(double x) { return std::clamp(x, -0x1p200, 0x1p200); }

/// A valid sphere as near to the given one as can be.
Sphere valid(const Vec3& center, double radius) {
  return {{clamped(center.x), clamped(center.y), clamped(center.z)}, std::clamp(radius, 0x1p-1074, 0x1p200)};
}

double any_size(Random& random, int least = least_exponent, int most = max_exponent) {
  return std::fabs(random.pattern(least, most));
}

/// The origin, or a place at any distance from it; in some of these each axis has an exponent of its own.
Vec3 any_center(Random& random) {
  if (random.one_in(3)) return {};
  const double size = any_size(random);
  if (random.one_in(2)) return random.in_cube(size);
  return {random.one_in(3) ? 0 : random.pattern(least_exponent, 198), random.one_in(3) ? 0 : size, -size};
}

std::vector<Sphere> make(Shape shape, std::size_t n, Random& random) {
  const Vec3 center = any_center(random);
  const int exponent = random.whole(least_exponent, max_exponent),
            low = random.whole(least_exponent, exponent);
  const double radius = any_size(random, exponent, exponent), spread = any_size(random, low, exponent);
  const double factor = std::exp2(random.between(-40, 0) / random.whole(1, 40));
  std::vector<Sphere> spheres;
  double size = radius;
  while (spheres.size() < n) {
    switch (shape) {
      case Shape::coincident:
        spheres.push_back(valid(center, radius));
        break;
      case Shape::near_coincident:
        spheres.push_back(valid(center, test::step(radius, random.whole(-2, 2))));
        break;
      case Shape::concentric:
        spheres.push_back(valid(center, size));
        break;
      case Shape::crowd:
        spheres.push_back(valid(center + random.in_cube(radius), spread));
        break;
      case Shape::decades:
        size = any_size(random, low, exponent);
        spheres.push_back(valid(center + random.in_cube(size), size * factor));
        break;
      case Shape::free_decades:
        spheres.push_back(
            valid(center + random.in_cube(any_size(random, low, exponent)), any_size(random, low, exponent)));
        break;
      case Shape::chain:
        spheres.push_back(valid(center + Vec3{2 * size, -size, 0}, 0.5 * size));
        break;
      case Shape::few_places: {
        const auto part = make(static_cast<Shape>(random.below(shapes - 1)), 1 + n / 4, random);
        spheres.insert(spheres.end(), part.begin(), part.end());
        break;
      }
    }
    size *= factor;
  }
  spheres.resize(n);
  return spheres;
}

/// The index answers as brute force does.
void check_answers(const Scene& scene, Random& random) {
  const std::vector<Sphere> spheres(scene.spheres().begin(), scene.spheres().end());
  test::Questions questions = test::draw_questions(spheres, 12, 4, random);
  if (!random.one_in(8)) questions.gravity = {};  // with it a bullet may take a second
  const auto compared = [&](const QueryOptions& options) {
    return test::all_rows(scene, questions, options);
  };
  CHECK(test::differing(compared({}), compared({.search = Search::brute_force})) == "");
}

/// The next centers: those of another scene of this shape, all at one place, or 2^20 times as far apart.
std::vector<Vec3> moved(const std::vector<Sphere>& spheres, Shape shape, Random& random) {
  const std::vector<Sphere> others = make(shape, spheres.size(), random);
  const int how = random.below(3);
  std::vector<Vec3> centers;
  for (std::size_t i = 0; i < spheres.size(); ++i)
    centers.push_back(how == 0   ? others[i].center
                      : how == 1 ? spheres[0].center
                                 : valid(0x1p20 * spheres[i].center, 1).center);
  return centers;
}

void check(Shape shape, std::size_t n, std::uint64_t stream) {
  Random random(test::seed(), stream);
  const std::vector<Sphere> spheres = make(shape, n, random);
  const auto quality = static_cast<BuildQuality>(random.below(3));
  INFO("shape " << static_cast<int>(shape) << ", " << n << " spheres, stream " << stream << ", quality "
                << static_cast<int>(quality));
  Scene scene = Scene::build(spheres, {.quality = quality});
  check_answers(scene, random);
  const auto rebuild = static_cast<UpdateOptions::Rebuild>(random.below(3));
  scene.update(moved(spheres, shape, random), {}, {.rebuild = rebuild});
  check_answers(scene, random);
}

void check_all(int rounds, std::initializer_list<std::size_t> sizes) {
  std::uint64_t stream = 0;
  for (int round = 0; round < rounds; ++round)
    for (int shape = 0; shape < shapes; ++shape)
      for (const std::size_t n : sizes) check(static_cast<Shape>(shape), n, ++stream);
}

std::vector<Sphere> all_exponents(std::size_t n, Random& random) {
  std::vector<Sphere> spheres;
  while (spheres.size() < n) {
    const double size = any_size(random);
    spheres.push_back(valid(random.in_cube(size), 0x1p-10 * size));
  }
  return spheres;
}

}  // namespace

TEST_CASE("spheres too small for a frame of their own end a build's recursion", "[index]") {
  // The smallest frame has a half-size of 2^-520. These spheres are small beside it and lie in one place.
  for (const double radius : {0x1.86p-537, 3.4e-162, 0x1p-536, 0x1p-538, 0x1p-600, 0x1p-1074})
    for (const std::size_t n : {32, 33, 512})
      for (int quality = 0; quality < 3; ++quality) {
        const std::vector<Sphere> spheres(n, Sphere{{0, 0, 0}, radius});
        const Scene scene = Scene::build(spheres, {.quality = static_cast<BuildQuality>(quality)});
        CHECK(scene.info().frames.size() == 1);
        CHECK(scene.first_hit(Ray{{-1, 0, 0}, {1, 0, 0}}).sphere == 0);
        CHECK(scene.within(Ball{{0, 0, 0}, 0}).size() == n);
      }
}

TEST_CASE("a scene of any scale is built and answers as brute force does", "[index]") {
  check_all(test::fewer_in_repeats(4), {1, 7, 8, 9, 31, 32, 33, 34, 63, 64, 65});
  if (!test::sanitized()) check_all(1, {512});
}

TEST_CASE("many scenes of any scale answer as brute force does", "[.long]") {
  check_all(100, {1, 7, 8, 9, 31, 32, 33, 34, 63, 64, 65, 512});
}

TEST_CASE("a plan for spheres about one place, over all exponents, nests 40 to 60 deep", "[index]") {
  Random random(test::seed());
  const index::FramePlan plan = plan_of(all_exponents(20000, random));
  CHECK(spheres_in(plan) == 20000);
  CHECK(depth(plan) > 40);
  CHECK(depth(plan) < 60);
}

TEST_CASE("spheres over all exponents take a few times as long to build as a crowd", "[index][plain]") {
  // Compared with a crowd of the same size, a build that splits off one octave after the other by planes took
  // 70 times as long; a build by shells takes 8 times as long.
  Random random(test::seed());
  const std::size_t n = 30000;
  const std::vector<Sphere> crowd = workload::spheres(workload::Kind::crowd, n, test::seed()),
                            spread = all_exponents(n, random);
  const BuildOptions options{.threads = 1};
  const test::LeastSeconds seconds = test::least_seconds(
      3, [&] { (void)Scene::build(crowd, options); }, [&] { (void)Scene::build(spread, options); });
  INFO("crowd " << seconds.one << " s, all exponents " << seconds.other << " s");
  CHECK(seconds.other < 30 * seconds.one);
}

}  // namespace sphaera
