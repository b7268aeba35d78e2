/// \file The SAH builder puts each sphere into one leaf block, makes no leaf block too large and keeps near
/// spheres together, for any scene and any number of threads.

#include <algorithm>
#include <base/arena.hpp>
#include <cmath>
#include <index/builder/sah_builder.hpp>
#include <sphaera/error.hpp>
#include <vector>

#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using index::LeafBlockTree;
using index::SphereBox;
using index::SubtreeRef;

SphereBox box_of(std::uint32_t id, const std::array<float, 3>& c, float r) {
  return {{c[0] - r, c[1] - r, c[2] - r}, id, {-c[0] - r, -c[1] - r, -c[2] - r}, 0};
}

/// `count` boxes at place(i), with ids that say nothing about the places.
template <class Place>
std::vector<SphereBox> boxes_at(std::size_t count, const Place& place, float radius) {
  std::vector<SphereBox> boxes;
  for (std::size_t i = 0; i < count; ++i)
    boxes.push_back(box_of(static_cast<std::uint32_t>((i * 7919) % count), place(i), radius));
  return boxes;
}

std::vector<LeafBlockTree> grouped(std::vector<SphereBox>& boxes, const index::BuildControl& control,
                                   int threads) {
  std::vector<LeafBlockTree> blocks;
  base::in_arena(threads, [&] { blocks = index::group(boxes, {&control}); });
  return blocks;
}

/// Appends the leaf blocks below `ref` in tree order and returns their number. Checks the depth and the
/// number of leaf blocks in each binary node.
std::uint32_t collect(const SubtreeRef& ref, unsigned depth, std::vector<SubtreeRef>& leaves) {
  CHECK(depth <= index::max_depth_of_block);
  if (!ref.binary_node) {
    leaves.push_back(ref);
    return 1;
  }
  const std::uint32_t first = collect(ref.binary_node->children[0], depth + 1, leaves),
                      second = collect(ref.binary_node->children[1], depth + 1, leaves);
  REQUIRE(ref.binary_node->leaves == first + second);
  return first + second;
}

std::vector<SubtreeRef> leaf_blocks_of(const std::vector<LeafBlockTree>& blocks) {
  std::vector<SubtreeRef> leaves;
  for (const LeafBlockTree& block : blocks)
    REQUIRE(collect(block.subtree.ref, 0, leaves) == block.subtree.leaves);
  return leaves;
}

/// Checks that every id occurs once, and that leaf blocks of 1 to 8 spheres follow each other without gaps.
void check_partition(const std::vector<SphereBox>& boxes, const std::vector<SubtreeRef>& leaves) {
  std::vector<int> seen(boxes.size());
  for (const SphereBox& box : boxes) ++seen.at(box.id);
  CHECK(std::ranges::count(seen, 1) == static_cast<std::ptrdiff_t>(boxes.size()));
  std::uint32_t next = 0;
  for (const SubtreeRef& leaf : leaves) {
    REQUIRE(leaf.first == next);
    REQUIRE(leaf.size >= 1);
    REQUIRE(leaf.size <= index::leaf_block_size);
    next += leaf.size;
  }
  CHECK(next == boxes.size());
}

/// The half-areas of the leaf blocks' boxes, summed.
double areas(const std::vector<SphereBox>& boxes, const std::vector<SubtreeRef>& leaves) {
  double sum = 0;
  for (const SubtreeRef& leaf : leaves) {
    index::Aabb aabb = index::Aabb::empty();
    for (std::uint32_t i = 0; i < leaf.size; ++i) aabb.add(index::Aabb(boxes[leaf.first + i]));
    sum += static_cast<double>(aabb.half_area());
  }
  return sum;
}

constexpr BuildQuality qualities[] = {BuildQuality::fast, BuildQuality::balanced, BuildQuality::compact};

}  // namespace

TEST_CASE("leaf blocks hold every sphere once, for any scene, quality and number of threads", "[index]") {
  std::mt19937_64 random(test::seed());
  std::uniform_real_distribution<float> uniform(-1, 1);
  const auto somewhere = [&](std::size_t) {
    return std::array{uniform(random), uniform(random), uniform(random)};
  };
  const auto flat = [&](std::size_t) { return std::array{uniform(random), uniform(random), 0.25f}; };
  const auto one_place = [](std::size_t) { return std::array{0.5f, -0.5f, 0.f}; };
  // Each box half as far away as the one before: a cut separates few boxes, and the last ones are denormal.
  const auto geometric = [](std::size_t i) {
    const float x = std::ldexp(1.f, -static_cast<int>(i % 149));
    return std::array{x, x * x, -x};
  };
  // All boxes but one in one place.
  const auto outlier = [](std::size_t i) { return std::array{i == 77 ? 1.f : -1.f, 0.f, 0.f}; };
  for (const std::size_t count : {1u, 2u, 8u, 9u, 32u, 33u, 100u, 5'000u, test::fewer_in_repeats(30'000u)})
    for (const auto& boxes :
         {boxes_at(count, somewhere, 0.01f), boxes_at(count, flat, 0.f), boxes_at(count, one_place, 0.1f),
          boxes_at(count, geometric, 1e-6f), boxes_at(count, outlier, 0.5f)})
      for (const BuildQuality quality : qualities) {
        INFO(count << " boxes, quality " << static_cast<int>(quality));
        const index::BuildControl control{.quality = quality};
        std::vector<SphereBox> one = boxes, two = boxes;
        const auto blocks = grouped(one, control, 1), same = grouped(two, control, 2);
        const auto leaves = leaf_blocks_of(blocks), same_leaf_blocks = leaf_blocks_of(same);
        check_partition(one, leaves);
        CHECK(std::ranges::equal(one, two, {}, &SphereBox::id, &SphereBox::id));
        CHECK(std::ranges::equal(leaves, same_leaf_blocks, {}, &SubtreeRef::first, &SubtreeRef::first));
      }
}

TEST_CASE("the spheres of a leaf block are near neighbors", "[index]") {
  // Clumps of eight boxes, far apart: a leaf block holds a clump or a part of one.
  std::mt19937_64 random(test::seed());
  std::uniform_real_distribution<float> uniform(-1, 1);
  constexpr std::size_t clumps = 2'000, of = index::leaf_block_size;
  std::vector<SphereBox> boxes;
  for (std::uint32_t i = 0; i < clumps; ++i) {
    const std::array<float, 3> c{uniform(random), uniform(random), uniform(random)};
    for (std::uint32_t j = 0; j < of; ++j) {
      const auto off = [&] { return 1e-4f * uniform(random); };
      boxes.push_back(box_of(i * of + j, {c[0] + off(), c[1] + off(), c[2] + off()}, 1e-4f));
    }
  }
  std::ranges::shuffle(boxes, random);
  constexpr double clump = 3 * 4e-4 * 4e-4;  // no clump has a box of larger half-area
  for (const BuildQuality quality : qualities) {
    std::vector<SphereBox> copy = boxes;
    const auto blocks = grouped(copy, {.quality = quality}, 0);
    const auto leaves = leaf_blocks_of(blocks);
    INFO("quality " << static_cast<int>(quality) << ", " << leaves.size() << " leaves");
    // Fast and compact builds may put boxes of two clumps into one leaf block; neighboring clumps are about
    // 0.06 apart.
    const double limit = quality == BuildQuality::balanced ? 1 : 100;
    CHECK(areas(copy, leaves) < limit * static_cast<double>(leaves.size()) * clump);
  }
}

TEST_CASE("leaf blocks are as small if the ids have the period of the sample from which cuts are chosen",
          "[index]") {
  // Every 64th of 2^16 in one clump: a sample of every 64th box, 1,024 of them, would see nothing else.
  std::mt19937_64 random(test::seed());
  std::uniform_real_distribution<float> uniform(-1, 1);
  const auto place = [&](std::size_t i) {
    return i % 64 == 0 ? std::array{0.5f, 0.5f, 0.5f}
                       : std::array{uniform(random), uniform(random), uniform(random)};
  };
  std::vector<SphereBox> in_phase = boxes_at(1 << 16, place, 1e-3f), shuffled = in_phase;
  std::ranges::shuffle(shuffled, random);
  const auto blocks = grouped(in_phase, {}, 0), others = grouped(shuffled, {}, 0);
  CHECK(areas(in_phase, leaf_blocks_of(blocks)) < 1.05 * areas(shuffled, leaf_blocks_of(others)));
}

TEST_CASE("the SAH builder reports progress and stops on request", "[index]") {
  std::vector<SphereBox> boxes =
      boxes_at(20'000, [](std::size_t i) { return std::array{static_cast<float>(i) / 2e4f, 0.f, 0.f}; }, 0);
  std::vector<double> shares;
  (void)grouped(boxes, {.progress = [&](double share) { shares.push_back(share); }}, 1);
  CHECK(shares.size() > 10);
  CHECK(std::ranges::is_sorted(shares));
  CHECK(shares.back() == 1);

  std::stop_source stop;
  int reports = 0;
  const index::BuildControl stopping{.stop = stop.get_token(), .progress = [&](double) {
                                       if (++reports == 3) stop.request_stop();
                                     }};
  REQUIRE_THROWS_AS(grouped(boxes, stopping, 1), Error);
  CHECK(reports < 10);
}

}  // namespace sphaera
