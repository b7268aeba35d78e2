/// \file Paths prepared eight at a time have the same bits as paths prepared one by one.

#include <bit>
#include <cmath>
#include <exact/numbers/dispatch.hpp>
#include <index/tree/prepared_rays.hpp>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using index::PreparedRays;

/// Rays that start in a frame, near it or far away and hit or miss it; with components of the direction that
/// are 0 or nearly 0; with and without ends.
class Rays {
 public:
  explicit Rays(const index::Frame& frame) : frame_(frame) {}

  Ray next() {
    const Vec3 h = frame_.half_size();
    const double away = std::exp2(along(-4, 24)), size = std::exp2(along(-300, 300));
    const Vec3 o = away * point(), towards = along(0, 1) < 0.7 ? 0.9 * point() - o : point();
    Ray ray{frame_.center() + Vec3{h.x * o.x, h.y * o.y, h.z * o.z},
            {size * h.x * towards.x, size * h.y * towards.y, size * h.z * towards.z}};
    for (int axis = 0; axis < 3; ++axis)
      if (const double kind = along(0, 1); kind < 0.3)
        (&ray.direction.x)[axis] = kind < 0.1 ? 0. : kind < 0.2 ? -0. : 1e-30 * ray.direction.x;
    ray.t_min = along(0, 1) < 0.3 ? -infinity : along(-1, 0.5) / size;
    ray.t_max = along(0, 1) < 0.3 ? infinity : ray.t_min + along(0, 1.5) / size;
    if (!(ray.t_max >= ray.t_min)) ray.t_max = infinity;
    return ray;
  }

  /// The margin of a thick path: from a millionth of the frame's half-size to eight times it.
  double margin() { return std::exp2(along(-20, 3)) * frame_.largest_half_size(); }

 private:
  double along(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  Vec3 point() { return {along(-1, 1), along(-1, 1), along(-1, 1)}; }

  std::mt19937_64 random_{test::seed()};
  index::Frame frame_;
};

template <class Item, std::size_t n>
bool same_bits(const Item (&a)[n], const Item (&b)[n]) {
  return std::memcmp(a, b, sizeof a) == 0;
}
template <class Item>
bool same_bits(const Item& a, const Item& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

struct PreparedTally {
  int known = 0, unknown = 0, misses = 0;
};

void compare(const index::Frame& frame, const exact::Path& path, double margin, const PreparedRays& prepared,
             std::uint32_t i, PreparedTally& tally) {
  if (!prepared.is_known(i)) return void(++tally.unknown);
  ++tally.known;
  index::LocalRay local;
  const bool hits = margin > 0 ? frame.clip_grown(path, margin, local) : frame.clip(path, local);
  REQUIRE(prepared.misses(i) != hits);
  if (!hits) return void(++tally.misses);
  const index::NodeRay node(local);
  const index::LeafRay leaf(local);
  index::NodeRay node_ray;
  index::LeafRay leaf_ray;
  index::LocalRay span;
  prepared.put(i, node_ray, leaf_ray);
  prepared.put_span(i, span);
  CHECK(same_bits(node_ray.origin, node.origin));
  CHECK(same_bits(node_ray.inverse, node.inverse));
  CHECK(same_bits(node_ray.start, node.start));
  CHECK(node_ray.near == node.near);
  CHECK(same_bits(leaf_ray.origin, leaf.origin));
  CHECK(same_bits(leaf_ray.direction, leaf.direction));
  CHECK(same_bits(leaf_ray.inverse, leaf.inverse));
  CHECK(leaf_ray.within_limits == leaf.within_limits);
  CHECK(same_bits(span.s0, local.s0));
  CHECK(same_bits(span.length, local.length));
  CHECK(same_bits(span.rate, local.rate));
}

}  // namespace

TEST_CASE("paths prepared together are those prepared one by one", "[index]") {
  const int rounds = test::fewer_in_repeats(20'000);
  const index::Frame frames[] = {{{0, 0, 0}, {1, 1, 1}},
                                 {{3e3, -5e4, 7}, {0.7, 0.01, 0.3}},
                                 {{2.5e12, -2e12, 9e11}, {5e12, 3e12, 1e12}}};
  for (const index::Frame& frame : frames) {
    Rays rays(frame);
    PreparedTally tally;
    for (int round = 0; round < rounds; ++round) {
      std::array<exact::Path, PreparedRays::size> paths;
      for (exact::Path& path : paths) path = exact::path_of(rays.next());
      PreparedRays::Margins margins{};
      if (round % 2 == 1)
        for (double& margin : margins) margin = rays.margin();
      PreparedRays prepared;
      prepared.make(frame, paths, round % 2 == 1 ? &margins : nullptr);
      for (std::uint32_t i = 0; i < PreparedRays::size; ++i)
        compare(frame, paths[i], margins[i], prepared, i, tally);
    }
    CHECK(tally.misses > rounds / 10);
    CHECK(tally.known - tally.misses > rounds / 10);
    CHECK(tally.unknown > rounds / 10);
  }
}

}  // namespace sphaera
