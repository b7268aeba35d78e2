/// \file Sums of chords against the lengths of cells: all ends of chords split the ray, and of each cell the
/// chords that cover its middle are counted.

#include <algorithm>
#include <cmath>
#include <random>
#include <sphaera/closed_form/chord_sums.hpp>
#include <sphaera/scene.hpp>
#include <tests/catch.hpp>
#include <tests/seed.hpp>
#include <vector>

using namespace sphaera;
using namespace sphaera::test;

namespace {

struct LongSums {
  long double chords = 0, inside = 0;
};

LongSums by_cells(const Ray& ray, const std::vector<Hit>& hits) {
  std::vector<long double> ends;
  for (const Hit& hit : hits)
    for (const double t : {hit.t_enter, hit.t_exit}) ends.push_back(std::min(t, ray.t_max));
  std::ranges::sort(ends);
  LongSums sums;
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const long double middle = (ends[i - 1] + ends[i]) / 2, length = ends[i] - ends[i - 1];
    const auto over = std::ranges::count_if(hits, [&](const Hit& hit) {
      return hit.t_enter < middle && middle < std::min(hit.t_exit, ray.t_max);
    });
    sums.chords += length * static_cast<long double>(over);
    sums.inside += over > 0 ? length : 0;
  }
  const Vec3& d = ray.direction;
  const long double unit =
      std::sqrt(static_cast<long double>(d.x) * d.x + static_cast<long double>(d.y) * d.y +
                static_cast<long double>(d.z) * d.z);
  return {sums.chords * unit, sums.inside * unit};
}

}  // namespace

TEST_CASE("chord_sums are the lengths of the cells between all ends of chords", "[closed_form]") {
  std::mt19937_64 random(seed());
  const auto between = [&](double a, double b) { return std::uniform_real_distribution(a, b)(random); };
  for (int scene_number = 0; scene_number < 200; ++scene_number) {
    const double unit = std::exp2(std::round(between(-90, 90)));
    std::vector<Sphere> spheres;
    for (int i = 0; i < 60; ++i) {
      const Vec3 center{unit * between(-1, 1), unit * between(-1, 1), unit * between(-1, 1)};
      spheres.push_back({center, unit * std::exp2(between(-6, 0))});
      if (i % 7 == 0) spheres.push_back(spheres.back());  // the same chord twice
    }
    const Scene scene = Scene::build(spheres);
    for (int i = 0; i < 20; ++i) {
      const double speed = std::exp2(between(-40, 40));
      Ray ray{{unit * between(-2, 2), unit * between(-2, 2), unit * between(-2, 2)},
              {speed * between(-1, 1), speed * between(-1, 1), speed * between(-1, 1)}};
      if (i % 3 == 1) ray.t_max = between(0, 3) * unit / speed;
      if (i % 3 == 2) ray.t_min = -infinity;
      const std::vector<Hit> hits = scene.all_hits(ray);
      const ChordSums sums = chord_sums(ray, hits);
      const LongSums cells = by_cells(ray, hits);
      CAPTURE(scene_number, i, hits.size());
      CHECK(sums.hits == hits.size());
      const auto allowed = static_cast<long double>(hits.size() + 4) * 0x1p-52L * (cells.chords + 8 * unit);
      CHECK(std::fabs(static_cast<long double>(sums.chords) - cells.chords) <= allowed);
      CHECK(std::fabs(static_cast<long double>(sums.inside) - cells.inside) <= allowed);
      CHECK(sums.inside <= sums.chords * (1 + 0x1p-40));
    }
  }
}

TEST_CASE("chord_sums of touching, nested and cut chords", "[closed_form]") {
  const Scene scene =
      Scene::build(std::vector<Sphere>{{{0, 0, 0}, 4}, {{1, 0, 0}, 1}, {{6, 0, 0}, 2}, {{9, 4, 0}, 4}});
  const auto sums = [&](const Ray& ray) { return chord_sums(ray, scene.all_hits(ray)); };
  const ChordSums whole = sums({{-9, 0, 0}, {1, 0, 0}});  // 8, 2 inside it, 4 that touches it, a tangent
  CHECK(whole.hits == 4);
  CHECK(whole.chords == 14);
  CHECK(whole.inside == 12);
  const ChordSums cut = sums({{0, 0, 0}, {0, 0, -2}, -1, 1});
  CHECK(cut.hits == 2);
  CHECK(cut.chords == 4 + 0);  // the second is a tangent at its end
  CHECK(cut.inside == 4);
  CHECK(sums({{0, 9, 0}, {1, 0, 0}}).hits == 0);
  CHECK(sums({{0, 9, 0}, {1, 0, 0}}).inside == 0);
}
