/// \file No touched sphere is lost, on the real index, built for every instruction set that Embree can be set
/// to use.

#include <algorithm>
#include <exact/predicates/decide.hpp>
#include <index/boxes/scene_bounds.hpp>
#include <index/scene_index.hpp>
#include <string>
#include <vector>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/embree_instruction_sets.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

/// `n` spheres in a cube of half-size `size` about `place`, with radii down to 2^-34 · size; half of them
/// tiny and near the corners. Each sphere is repeated to fill a leaf block, whose box is then as tight as the
/// sphere's.
std::vector<Sphere> sparse_scene(std::mt19937_64& random, const Vec3& place, double size, std::size_t n) {
  std::uniform_real_distribution<double> along(-1, 1), out(0.9, 1), any(-34, -6), tiny(-34, -28);
  const auto outside = [&] { return std::copysign(out(random), along(random)); };
  std::vector<Sphere> spheres(n);
  for (std::size_t i = 0; i < n; i += index::leaf_block_size) {
    const bool corner = i % (2 * index::leaf_block_size) == 0;
    const Vec3 there =
        corner ? Vec3{outside(), outside(), outside()} : Vec3{along(random), along(random), along(random)};
    const Sphere fresh{place + size * there, size * std::exp2(corner ? tiny(random) : any(random))};
    std::fill_n(spheres.begin() + static_cast<std::ptrdiff_t>(i), index::leaf_block_size, fresh);
  }
  return spheres;
}

/// A ray that grazes a sphere where the sphere touches its box: a rounded slab test loses such rays first.
Ray grazing_ray(std::mt19937_64& random, const Sphere& s, double size) {
  std::uniform_real_distribution<double> along(-1, 1), far(0, 3), tilt(-1e-7, 1e-7);
  const int axis = static_cast<int>(random() % 3);
  double d[3] = {along(random), along(random), along(random)};
  d[axis] = random() % 4 == 0 ? 0 : tilt(random);
  if (random() % 8 == 0) d[(axis + 1) % 3] = 0;
  double p[3] = {s.center.x, s.center.y, s.center.z};
  p[axis] += random() % 2 ? s.radius : -s.radius;
  p[axis] = std::nextafter(p[axis], s.center[axis]);
  const Vec3 direction{d[0], d[1], d[2]};
  return {Vec3{p[0], p[1], p[2]} - far(random) * size * direction, direction};
}

/// A ray from one side of the scene to the other through a sphere. Where the sphere is tiny, its box is
/// little more than the inflation, and every rounding of a long ray counts.
Ray crossing_ray(std::mt19937_64& random, const Sphere& s, double size) {
  std::uniform_real_distribution<double> along(-1, 1), ahead(0.5, 3);
  const Vec3 d = size * Vec3{along(random), along(random), along(random)};
  const Vec3 off = 0.5 * s.radius * Vec3{along(random), along(random), along(random)};
  return {s.center + off - ahead(random) * d, d};
}

/// A ray through a sphere from the other side of `place`. From corner to corner of the scene every rounding
/// is as large as it can be: of the long direction, of its inverse just above a power of two, of the distance
/// to a plane at τ just below 1; and where the sphere is tiny, three axes have to agree on τ within the
/// inflation.
Ray diagonal_ray(std::mt19937_64& random, const Sphere& s, const Vec3& place) {
  std::uniform_real_distribution<double> along(-1, 1), opposite(-1.1, -0.95);
  const Vec3 out = s.center - place,
             from =
                 place + Vec3{opposite(random) * out.x, opposite(random) * out.y, opposite(random) * out.z},
             off = 0.5 * s.radius * Vec3{along(random), along(random), along(random)};
  return {from, s.center + off - from};
}

struct Sought : index::PathWalk {
  std::uint32_t wanted;
  bool yes = false;

  Sought(const exact::Path& p, std::uint32_t id) : PathWalk(p, {.visit = test}), wanted(id) {}
  static index::TraversalControl test(index::PathWalk& walk, const index::LeafIds& ids,
                                      index::LaneHits touch) {
    auto& q = static_cast<Sought&>(walk);
    for (std::uint32_t lane = 0; lane < index::leaf_block_size; ++lane)
      q.yes = q.yes || (ids[lane] == q.wanted && (touch.maybe >> lane & 1));
    return q.yes ? index::TraversalControl::stop : index::TraversalControl::go_on;
  }
};

struct Tally {
  int met = 0, lost = 0;
};

/// Shoots rays at random spheres. Counts the rays that meet their sphere exactly, and those of them for which
/// the index does not offer that sphere.
Tally tally(const index::SceneIndex& tree, const std::vector<Sphere>& spheres, std::mt19937_64& random,
            const Vec3& place, double size, int rays) {
  Tally t;
  exact::Counts counts;
  for (int i = 0; i < rays; ++i) {
    const auto id = static_cast<std::uint32_t>(random() % spheres.size());
    const exact::Path path = exact::path_of(i % 3 == 0   ? grazing_ray(random, spheres[id], size)
                                            : i % 3 == 1 ? crossing_ray(random, spheres[id], size)
                                                         : diagonal_ray(random, spheres[id], place));
    if (!exact::meets(path, spheres[id], counts)) continue;
    ++t.met;
    Sought any(path, id), ordered(path, id);
    tree.any(any);
    tree.nearest_first(ordered);
    t.lost += !any.yes || !ordered.yes;
  }
  return t;
}

Tally run(const char* isa, double inflation, const Vec3& place, double size, int rays, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::vector<Sphere> spheres = sparse_scene(random, place, size, 2000);
  const index::SceneBounds bounds = index::scene_bounds_of({{spheres}});
  const index::Frame fit = index::frame_of({{spheres}}, bounds);
  const index::Frame frame(fit.center(), fit.half_size(), inflation);
  index::FramePlan plan;
  plan.frame = frame;
  const index::SceneIndex tree({spheres}, plan, {.embree_options = isa});
  return tally(tree, spheres, random, place, size, rays);
}

/// As `run`, with an index that was built for spheres elsewhere and refitted three times.
Tally run_refitted(double inflation, const Vec3& place, double size, int rays, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Sphere> spheres = sparse_scene(random, {1, 2, 3}, 0.7 * size, 2000);
  const index::Frame fit = index::frame_of({{spheres}}, index::scene_bounds_of({{spheres}}));
  index::FramePlan plan;
  plan.frame = index::Frame(fit.center(), fit.half_size(), inflation);
  index::SceneIndex tree({spheres}, plan, {.embree_options = ""});
  for (const double share : {1e-3, 0.5, 1.0}) {
    const std::vector<Sphere> there = sparse_scene(random, place, share * size, 2000);
    std::ranges::copy(there, spheres.begin());
    tree.refit();
  }
  return tally(tree, spheres, random, place, size, rays);
}

}  // namespace

TEST_CASE("the index leads to every sphere that a ray touches", "[index]") {
  for (const char* isa : test::embree_instruction_sets()) {
    for (const auto& [place, size] : {std::pair(Vec3{}, 1.0), std::pair(Vec3{6.4e6, -1e3, 5}, 1e3),
                                      std::pair(Vec3{1e11, 1e12, -3e9}, 1e9), std::pair(Vec3{}, 1e-3)}) {
      const Tally t = run(isa, index::Frame::inflation, place, size, 5000, test::seed());
      INFO("isa '" << isa << "', size " << size << ", met " << t.met);
      CHECK(t.met > 1000);
      CHECK(t.lost == 0);
    }
  }
}

TEST_CASE("a refitted index leads to every sphere that a ray touches; without inflation it does not",
          "[index]") {
  for (const auto& [place, size] :
       {std::pair(Vec3{}, 1.0), std::pair(Vec3{6.4e6, -1e3, 5}, 1e3), std::pair(Vec3{1e11, 1e12, -3e9}, 1e9),
        std::pair(Vec3{}, 1e-3), std::pair(Vec3{}, 0.98)}) {
    const Tally t = run_refitted(index::Frame::inflation, place, size, 20000, test::seed());
    INFO("size " << size << ", met " << t.met);
    CHECK(t.met > 1000);
    CHECK(t.lost == 0);
  }
  const Tally none = run_refitted(0, {}, 0.98, 20000, 1);
  CHECK(none.lost > none.met / 100);
}

TEST_CASE("without inflation the same rays lose spheres: the test has teeth", "[index][plain]") {
  // In a frame whose size is just below a power of two, roundings are largest relative to the inflation. Of a
  // thousand rays two need more than a tenth of the inflation, of a million one needs more than a fifth.
  constexpr double size = 0.98;
  const int rays = test::fewer_in_repeats(1'000'000);
  const auto with = [&](double share) {
    return run("", share * index::Frame::inflation, {}, size, rays, test::seed());
  };
  const Tally none = with(0), tenth = with(0.1), all = with(1);
  std::printf("inflation 0: %d of %d rays lost; a tenth: %d of %d; all of it: %d of %d\n", none.lost,
              none.met, tenth.lost, tenth.met, all.lost, all.met);
  CHECK(none.lost > none.met / 100);
  CHECK(tenth.lost > tenth.met / 5000);
  CHECK(all.lost == 0);
}

}  // namespace sphaera
