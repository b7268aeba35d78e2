#pragma once
/// \file Binary trees over spheres, and which of their binary nodes become nodes of eight children.
///
/// A node opens binary nodes below it until it has eight children. Which, is chosen so that the areas of all
/// nodes sum up to the least, by dynamic programming: the best for a subtree as n of a node's children comes
/// from the best for its halves as k and n − k (Ylitie, Karras, Laine, "Efficient Incoherent Ray Traversal on
/// GPUs Through Compressed Wide BVHs", HPG 2017). What it gains: decisions.md.

#include <array>
#include <cstdint>
#include <index/build/aabb.hpp>
#include <index/layout/bvh.hpp>
#include <span>

namespace sphaera::index {

struct BinaryNode;

/// Where a binary node leads: to another, to a leaf block, or to a frame.
struct SubtreeRef {
  const BinaryNode* binary_node;  ///< null: one of the others
  std::uint32_t first;  ///< of a leaf block: where its spheres' places begin; of a frame: its number
  std::uint32_t size;   ///< of a leaf block; 0: a frame
};

/// Two subtrees side by side.
struct BinaryNode {
  std::array<SubtreeRef, 2> children;
  std::array<float, 2> opacities;       ///< of each: the share of its box's area that spheres fill
  std::uint32_t nodes = 0, leaves = 0;  ///< of the subtree, this a node
  /// [n − 2]: as n of a node's children, how many the first half is; 0: the binary node remains a node.
  std::array<std::uint8_t, BvhNode::width - 1> first_half;
};

/// A subtree to what lies above it.
struct Subtree {
  SubtreeRef ref;
  Aabb aabb;
  float weight;          ///< half-areas of its spheres' boxes, summed
  std::uint32_t leaves;  ///< how many
  /// [n − 1]: of the nodes in it, where it is n of a node's children or fewer: their half-areas, summed, and
  /// how many they are.
  std::array<float, BvhNode::width - 1> cost{};
  std::array<std::uint32_t, BvhNode::width - 1> nodes{};

  float opacity() const {
    const float area = aabb.area();
    return area > 0 ? weight / area : 0;
  }
};

/// Both, side by side in `binary node`, which must not move while the result is in use.
Subtree join(const Subtree& first, const Subtree& second, BinaryNode& binary_node);

/// As many spheres as may be joined one by one, by one thread.
inline constexpr std::size_t block_size = 512;

/// The binary nodes of a block while it is made.
class BinaryNodes {
 public:
  BinaryNode& add() { return binary_nodes_[size_++]; }
  /// Moves them to an array of their size, and the part's root with them.
  base::HugeArray<BinaryNode> take(Subtree& root) const;

 private:
  std::array<BinaryNode, block_size - 1> binary_nodes_;
  std::size_t size_ = 0;
};

/// A binary node's children as a node.
class WideNode {
 public:
  explicit WideNode(const BinaryNode& binary_node);
  struct Child {
    SubtreeRef ref;
    float opacity;
  };
  /// In descending order of opacity.
  std::span<const Child> children() const { return {children_.data(), size_}; }

 private:
  void open(const BinaryNode& binary_node, std::uint32_t n);

  std::array<Child, BvhNode::width> children_;
  std::size_t size_ = 0;
};

}  // namespace sphaera::index
