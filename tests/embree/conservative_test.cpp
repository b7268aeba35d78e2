/// \file No touched sphere is lost by the Embree index, built for every instruction set that Embree can be
/// set to use; with less inflation some are.

#include <cstdio>
#include <embree_index/embree_index.hpp>
#include <exact/predicates/decide.hpp>
#include <random>
#include <string>
#include <vector>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/embree_instruction_sets.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using embree_index::EmbreeIndex, embree_index::Frame, embree_index::TraversalControl;

/// Spheres within `size` of `place` in each coordinate, with radii down to 2^-34 of `size`. About half of
/// them are tiny and lie in the corners of the scene. Each sphere occurs four times: too few for a frame
/// of their own, so that all spheres are in one frame.
std::vector<Sphere> sparse_scene(std::mt19937_64& random, const Vec3& place, double size, std::size_t n) {
  constexpr std::size_t alike = 4;
  std::uniform_real_distribution<double> along(-1, 1), out(0.9, 1), any(-34, -6), tiny(-34, -28);
  const auto outside = [&] { return std::copysign(out(random), along(random)); };
  std::vector<Sphere> spheres;
  while (spheres.size() < n) {
    const bool corner = random() % 2 == 0;
    const Vec3 there =
        corner ? Vec3{outside(), outside(), outside()} : Vec3{along(random), along(random), along(random)};
    spheres.insert(spheres.end(), alike,
                   {place + size * there, size * std::exp2(corner ? tiny(random) : any(random))});
  }
  return spheres;
}

/// From the other side of `place` through a sphere: from corner to corner of the scene, where all roundings
/// of a slab test are as large as they can be.
Ray diagonal_ray(std::mt19937_64& random, const Sphere& s, const Vec3& place) {
  std::uniform_real_distribution<double> along(-1, 1), opposite(-1.1, -0.95);
  const Vec3 out = s.center - place,
             from =
                 place + Vec3{opposite(random) * out.x, opposite(random) * out.y, opposite(random) * out.z},
             off = 0.5 * s.radius * Vec3{along(random), along(random), along(random)};
  return {from, s.center + off - from};
}

/// Nearly in a face of the sphere's box, through the point where the sphere touches that face.
Ray grazing_ray(std::mt19937_64& random, const Sphere& s, double size) {
  std::uniform_real_distribution<double> along(-1, 1), far(0, 3), tilt(-1e-7, 1e-7);
  const int axis = static_cast<int>(random() % 3);
  double d[3] = {along(random), along(random), along(random)}, p[3] = {s.center.x, s.center.y, s.center.z};
  d[axis] = random() % 4 == 0 ? 0 : tilt(random);
  p[axis] += random() % 2 ? s.radius : -s.radius;
  p[axis] = std::nextafter(p[axis], s.center[axis]);
  const Vec3 direction{d[0], d[1], d[2]};
  return {Vec3{p[0], p[1], p[2]} - far(random) * size * direction, direction};
}

/// Notes whether a traversal reaches this sphere, and stops it there.
struct Wanted {
  std::uint32_t sphere;
  bool found = false;

  static TraversalControl test(void* self, std::uint32_t sphere) noexcept {
    auto& wanted = *static_cast<Wanted*>(self);
    wanted.found = wanted.found || sphere == wanted.sphere;
    return wanted.found ? TraversalControl::stop : TraversalControl::go_on;
  }
};

constexpr double no_limit = infinity;

bool is_reached(const EmbreeIndex& index, const exact::Path& path, std::uint32_t sphere) {
  Wanted any{sphere}, ordered{sphere};
  index.any({path, &any, Wanted::test, no_limit});
  index.nearest_first({path, &ordered, Wanted::test, no_limit});
  return any.found && ordered.found;
}

bool is_reached_thick(const EmbreeIndex& index, const exact::Path& path, std::uint32_t sphere) {
  Wanted thick{sphere};
  index.thick({path, &thick, Wanted::test, no_limit});
  return thick.found;
}

/// Does a search around a random point find the sphere? The search radius is the distance from the point to
/// the sphere, rounded up; it is 0 for a point inside.
bool is_near(const EmbreeIndex& index, std::mt19937_64& random, const Sphere& s, double size,
             std::uint32_t sphere) {
  std::uniform_real_distribution<double> along(-1, 1), far(-34, 4);
  const Vec3 away = size * std::exp2(far(random)) * Vec3{along(random), along(random), along(random)};
  const Vec3 point = s.center + away;
  const double distance = std::sqrt(dot(away, away)) * (1 + 16 * exact::u);  // and the point is rounded
  const double reach = std::max(
      0.0, distance + 16 * exact::u * (size + std::fabs(point.x) + std::fabs(point.y) + std::fabs(point.z)) -
               s.radius);
  Wanted wanted{sphere};
  index.around({point, &wanted, Wanted::test, reach});
  return wanted.found;
}

struct Tally {
  int met = 0, lost = 0, points_lost = 0, thick_lost = 0;
};

Tally run(const char* isa, double inflation, const Vec3& place, double size, int rays, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::vector<Sphere> spheres = sparse_scene(random, place, size, 2000);
  const EmbreeIndex index(spheres, {.embree_options = isa}, inflation);
  Tally t;
  exact::Counts counts;
  for (int i = 0; i < rays; ++i) {
    const auto id = static_cast<std::uint32_t>(random() % spheres.size());
    const Ray ray =
        i % 3 == 0 ? grazing_ray(random, spheres[id], size) : diagonal_ray(random, spheres[id], place);
    const exact::Path path = exact::path_of(ray);
    if (!exact::meets(path, spheres[id], counts)) continue;
    ++t.met;
    t.lost += !is_reached(index, path, id);
    if (i % 16 != 0) continue;
    t.points_lost += !is_near(index, random, spheres[id], size, id);
    t.thick_lost += !is_reached_thick(index, path, id);
  }
  return t;
}

}  // namespace

TEST_CASE("the Embree index leads to every sphere that a ray or a ball touches", "[embree]") {
  for (const char* isa : test::embree_instruction_sets()) {
    for (const auto& [place, size] :
         {std::pair(Vec3{}, 1.0), std::pair(Vec3{}, 0.98), std::pair(Vec3{6.4e6, -1e3, 5}, 1e3),
          std::pair(Vec3{1e11, 1e12, -3e9}, 1e9), std::pair(Vec3{}, 1e-3)}) {
      const Tally t = run(isa, Frame::inflation, place, size, test::fewer_in_repeats(4000), test::seed());
      INFO("isa '" << isa << "', size " << size << ", met " << t.met);
      CHECK(t.met > test::fewer_in_repeats(1000));
      CHECK(t.lost == 0);
      CHECK(t.points_lost == 0);
      CHECK(t.thick_lost == 0);
    }
  }
}

TEST_CASE("with less inflation the same rays lose spheres: the Embree test has teeth", "[embree][plain]") {
  constexpr double size = 0.98;  // just below a power of two roundings are largest
  const int rays = test::fewer_in_repeats(100'000);
  const auto with = [&](double share) {
    return run("", share * Frame::inflation, {}, size, rays, test::seed());
  };
  const Tally none = with(-Frame::outward / Frame::inflation), hundredth = with(0.01), all = with(1);
  std::printf("no inflation: %d of %d rays lost; a hundredth: %d; all of it: %d of %d\n", none.lost, none.met,
              hundredth.lost, all.lost, all.met);
  CHECK(none.lost > none.met / 100);
  CHECK(hundredth.lost > hundredth.met / 1000);
  CHECK(all.lost == 0);
}

}  // namespace sphaera
