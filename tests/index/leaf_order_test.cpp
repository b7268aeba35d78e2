/// \file The order of a frame's spheres in leaf blocks, made in parts where the spheres are too many.

#include <algorithm>
#include <base/arena.hpp>
#include <index/builder/leaf_order.hpp>
#include <index/builder/nesting.hpp>
#include <numeric>
#include <tools/workload/workload.hpp>
#include <vector>

#include <tests/catch.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

struct Ordered {
  std::vector<std::uint32_t> order;
  std::vector<index::SubtreeRef> leaves;
  double area = 0;  // half-areas of the blocks, summed
  std::uint64_t peak_bytes = 0;
};

void collect(const index::SubtreeRef& ref, std::vector<index::SubtreeRef>& leaves) {
  if (!ref.binary_node) return leaves.push_back(ref);
  for (const index::SubtreeRef& child : ref.binary_node->children) collect(child, leaves);
}

Ordered grouped(const std::vector<Sphere>& spheres, std::size_t boxes_at_once, int threads,
                const index::BuildControl& control = {}) {
  Ordered found;
  base::in_arena(threads, [&] {
    const index::SphereSubset members{{spheres}, nullptr};
    const index::Frame frame = index::frame_of(members, index::scene_bounds_of(members));
    index::Device device(control);
    const index::LeafOrder leaf_order(device, members, frame, {&control}, boxes_at_once);
    found.order.assign(leaf_order.order().begin(), leaf_order.order().end());
    for (const index::LeafBlockTree& block : leaf_order.blocks()) {
      collect(block.subtree.ref, found.leaves);
      found.area += static_cast<double>(block.subtree.aabb.half_area());
    }
    found.peak_bytes = device.peak_bytes();
  });
  return found;
}

void check(const Ordered& found, std::size_t spheres) {
  std::vector<std::uint32_t> ids = found.order, all(spheres);
  std::ranges::sort(ids), std::iota(all.begin(), all.end(), 0u);
  CHECK(ids == all);
  std::uint32_t next = 0;
  for (const index::SubtreeRef& leaf : found.leaves) {
    REQUIRE(leaf.first == next);
    REQUIRE((leaf.size >= 1 && leaf.size <= index::leaf_block_size));
    next += leaf.size;
  }
  CHECK(next == spheres);
}

}  // namespace

TEST_CASE("a leaf order made in parts holds every sphere once, as near its neighbors, with fewer boxes",
          "[index]") {
  constexpr std::size_t n = 30'000;
  for (const workload::Kind kind : {workload::Kind::crowd, workload::Kind::belt, workload::Kind::uniform}) {
    const std::vector<Sphere> spheres = workload::spheres(kind, n, test::seed());
    const Ordered whole = grouped(spheres, n, 1), parts = grouped(spheres, n / 10, 1),
                  again = grouped(spheres, n / 10, 3);
    check(whole, n), check(parts, n);
    CHECK(parts.order == again.order);
    CHECK(std::ranges::equal(parts.leaves, again.leaves, {}, &index::SubtreeRef::first,
                             &index::SubtreeRef::first));
    CHECK(parts.area < 1.2 * whole.area);
    CHECK(parts.peak_bytes < whole.peak_bytes - n / 2 * sizeof(index::SphereBox));
  }
}

TEST_CASE("parts of spheres in one place, or all but one of them, are halved in their order", "[index]") {
  std::vector<Sphere> spheres(5'000, Sphere{{1, 2, 3}, 0.5});
  check(grouped(spheres, 300, 2), spheres.size());
  for (std::size_t i = 0; i < spheres.size(); ++i)
    spheres[i].center.x = std::ldexp(1.0, -static_cast<int>(i % 700));
  check(grouped(spheres, 300, 2), spheres.size());
}

TEST_CASE("a leaf order made in parts reports progress", "[index]") {
  const std::vector<Sphere> spheres = workload::spheres(workload::Kind::uniform, 20'000, test::seed());
  std::vector<double> shares;
  (void)grouped(spheres, 3'000, 1, {.progress = [&](double share) { shares.push_back(share); }});
  CHECK(shares.size() > 10);
  CHECK(std::ranges::is_sorted(shares));
  CHECK(shares.back() == 1);
}

}  // namespace sphaera
