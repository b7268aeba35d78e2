/// \file Binary trees become trees of nodes with up to eight children: no other choice of nodes has a smaller
/// sum of areas.

#include <algorithm>
#include <index/builder/binary_tree.hpp>
#include <limits>
#include <map>
#include <vector>

#include <tests/catch.hpp>
#include <tests/seed.hpp>

namespace sphaera {
namespace {

using index::Aabb;
using index::BinaryNode;
using index::BvhNode;
using index::Subtree;
using index::SubtreeRef;

constexpr std::uint32_t width = BvhNode::width;

Subtree leaf(std::uint32_t place, std::mt19937_64& random) {
  std::uniform_real_distribution<float> at(-1, 1), size(0, 0.3f);
  const float x = at(random), y = at(random), z = at(random), r = size(random);
  const Aabb aabb({{x - r, y - r, z - r}, place, {-x - r, -y - r, -z - r}, 0});
  return {{nullptr, place, 1}, aabb, aabb.half_area(), 1};
}

/// A random tree of `count` leaf blocks, balanced or not. Appends its inner nodes to `binary_nodes` and
/// their boxes, in the same order, to `aabbs`.
Subtree tree(std::uint32_t first, std::uint32_t count, std::vector<BinaryNode>& binary_nodes,
             std::vector<Aabb>& aabbs, std::mt19937_64& random) {
  if (count == 1) return leaf(first, random);
  const std::uint32_t left = 1 + static_cast<std::uint32_t>(random() % (count - 1));
  const Subtree a = tree(first, left, binary_nodes, aabbs, random),
                b = tree(first + left, count - left, binary_nodes, aabbs, random);
  binary_nodes.emplace_back();
  const Subtree whole = join(a, b, binary_nodes.back());
  aabbs.push_back(whole.aabb);
  return whole;
}

struct Forest {
  const std::vector<BinaryNode>& binary_nodes;
  const std::vector<Aabb>& aabbs;

  double area(const BinaryNode* binary_node) const {
    return static_cast<double>(
        aabbs[static_cast<std::size_t>(binary_node - binary_nodes.data())].half_area());
  }
  /// The least sum of the nodes' areas if this subtree becomes at most n children of a node.
  double least(const SubtreeRef& ref, std::uint32_t n) const {
    if (!ref.binary_node) return 0;
    const double closed = area(ref.binary_node) + least_opened(*ref.binary_node, width);
    return n == 1 ? closed : std::min(closed, least_opened(*ref.binary_node, n));
  }
  double least_opened(const BinaryNode& binary_node, std::uint32_t n) const {
    const auto [known, is_new] = known_.try_emplace({&binary_node, n});
    if (is_new) known->second = find_least_opened(binary_node, n);
    return known->second;
  }
  double find_least_opened(const BinaryNode& binary_node, std::uint32_t n) const {
    double least_sum = std::numeric_limits<double>::infinity();
    for (std::uint32_t k = 1; k < n; ++k)
      least_sum =
          std::min(least_sum, least(binary_node.children[0], k) + least(binary_node.children[1], n - k));
    return least_sum;
  }
  /// The sum of the areas of the nodes that WideNode makes. Adds their number to `nodes` and counts each leaf
  /// block in `leaves`.
  double laid_out(const BinaryNode& binary_node, std::uint32_t& nodes, std::vector<int>& leaves) const {
    double sum = area(&binary_node);
    ++nodes;
    const index::WideNode opened(binary_node);
    CHECK(opened.children().size() >= 2);
    CHECK(opened.children().size() <= width);
    CHECK(std::ranges::is_sorted(opened.children(), std::greater{}, &index::WideNode::Child::opacity));
    for (const auto& child : opened.children()) {
      if (child.ref.binary_node) {
        sum += laid_out(*child.ref.binary_node, nodes, leaves);
      } else {
        ++leaves.at(child.ref.first);
      }
    }
    return sum;
  }

  mutable std::map<std::pair<const BinaryNode*, std::uint32_t>, double> known_{};
};

}  // namespace

TEST_CASE("binary nodes become the nodes with the least sum of areas", "[index]") {
  std::mt19937_64 random(test::seed());
  for (int round = 0; round < 300; ++round) {
    const auto count = 2 + static_cast<std::uint32_t>(random() % 17);
    std::vector<BinaryNode> binary_nodes;
    std::vector<Aabb> aabbs;
    binary_nodes.reserve(count);
    const Subtree root = tree(0, count, binary_nodes, aabbs, random);
    const Forest forest{binary_nodes, aabbs};
    std::uint32_t nodes = 0;
    std::vector<int> leaves(count);
    const double sum = forest.laid_out(*root.ref.binary_node, nodes, leaves);
    INFO(count << " leaves");
    CHECK(sum == Approx(forest.least(root.ref, 1)).epsilon(1e-5));
    CHECK(static_cast<double>(root.cost[0]) == Approx(sum).epsilon(1e-5));
    CHECK(nodes == root.nodes[0]);
    CHECK(nodes == root.ref.binary_node->nodes);
    CHECK(std::ranges::count(leaves, 1) == static_cast<std::ptrdiff_t>(count));
  }
}

TEST_CASE("binary nodes are laid out whatever their areas are", "[index]") {
  // Areas that are infinite or no number decide nothing, but every leaf block keeps its place.
  constexpr float infinite = std::numeric_limits<float>::infinity();
  for (const float r : {0.f, 1e30f, infinite, std::numeric_limits<float>::quiet_NaN()}) {
    std::array<BinaryNode, 20> binary_nodes;
    const auto at = [&](std::uint32_t place) {
      const Aabb aabb({{-r, -r, -r}, place, {-r, -r, -r}, 0});
      return Subtree{{nullptr, place, 1}, aabb, aabb.half_area(), 1};
    };
    Subtree part = at(0);
    for (std::uint32_t i = 0; i < binary_nodes.size(); ++i) part = join(part, at(i + 1), binary_nodes[i]);
    std::vector<const BinaryNode*> open{part.ref.binary_node};
    std::uint32_t leaves = 0, nodes = 0;
    while (!open.empty()) {
      const index::WideNode opened(*open.back());
      open.pop_back(), ++nodes;
      for (const auto& child : opened.children()) {
        if (child.ref.binary_node) {
          open.push_back(child.ref.binary_node);
        } else {
          ++leaves;
        }
      }
    }
    CHECK(leaves == binary_nodes.size() + 1);
    CHECK(nodes == part.nodes[0]);
  }
}

}  // namespace sphaera
