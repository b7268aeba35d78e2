/// \file The upper tree holds every part and is not too deep for a walk, wherever the parts lie.

#include <algorithm>
#include <base/arena.hpp>
#include <cmath>
#include <index/builder/upper_tree.hpp>
#include <sphaera/error.hpp>
#include <vector>

#include <tests/catch.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using index::Subtree;

Subtree part_at(std::uint32_t place, const std::array<float, 3>& c, float r) {
  const index::Aabb aabb({{c[0] - r, c[1] - r, c[2] - r}, place, {-c[0] - r, -c[1] - r, -c[2] - r}, 0});
  return {{nullptr, place, 1}, aabb, aabb.half_area(), 1};
}

/// Counts each leaf in `leaves`, and returns the depth of the tree.
unsigned depth_of(const index::SubtreeRef& ref, std::vector<int>& leaves) {
  if (!ref.binary_node) {
    ++leaves.at(ref.first);
    return 0;
  }
  const unsigned first = depth_of(ref.binary_node->children[0], leaves),
                 second = depth_of(ref.binary_node->children[1], leaves);
  return 1 + std::max(first, second);
}

void check(const std::vector<Subtree>& parts) {
  const index::BuildControl control;
  index::Device device(control);
  base::in_arena(2, [&] {
    const index::UpperTree tree(device, parts, {&control});
    std::vector<int> leaves(parts.size());
    CHECK(depth_of(tree.root().ref, leaves) <= index::max_depth_of_upper_tree);
    CHECK(std::ranges::count(leaves, 1) == static_cast<std::ptrdiff_t>(parts.size()));
    CHECK(tree.root().leaves == parts.size());
    CHECK(device.bytes() <= device.peak_bytes());
  });
}

}  // namespace

TEST_CASE("an upper tree holds every part once and is not too deep", "[index]") {
  std::mt19937_64 random(test::seed());
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (const std::uint32_t count : {1u, 2u, 3u, 300u, 5'000u}) {
    std::vector<Subtree> strewn, together;
    for (std::uint32_t i = 0; i < count; ++i) {
      strewn.push_back(part_at(i, {uniform(random), uniform(random), uniform(random)}, 0.01f));
      together.push_back(part_at(i, {0.5f, -0.5f, 0}, 0.1f));
    }
    check(strewn);
    check(together);
  }
}

TEST_CASE("an upper tree is not too deep if cuts take away one part after the other", "[index]") {
  // On each half-axis parts at 2^-1, 2^-2 …, and 300 at 0: more than Embree's builder has levels for.
  std::vector<Subtree> parts;
  for (int axis = 0; axis < 3; ++axis)
    for (const float sign : {-1.f, 1.f})
      for (int k = 1; k <= 100; ++k) {
        std::array<float, 3> place{};
        place[static_cast<std::size_t>(axis)] = std::ldexp(sign, -k);
        parts.push_back(part_at(static_cast<std::uint32_t>(parts.size()), place, 1e-30f));
      }
  for (int i = 0; i < 300; ++i)
    parts.push_back(part_at(static_cast<std::uint32_t>(parts.size()), {0, 0, 0}, 1e-30f));
  check(parts);
}

TEST_CASE("an upper tree joins by halves where Embree goes too deep, and for no other error", "[index]") {
  const std::vector<Subtree> parts{part_at(0, {0, 0, 0}, 0.1f), part_at(1, {0.5f, 0, 0}, 0.1f)};
  const index::BuildControl control;
  index::Device device(control);
  rtcSetDeviceProperty(device.get(), RTC_DEVICE_PROPERTY_VERSION, 1);  // invalid: leaves a pending error
  const auto build = [&] { const index::UpperTree tree(device, parts, {&control}); };
  CHECK_THROWS_AS(build(), Error);
  build();
}

}  // namespace sphaera
