#pragma once
/// \file Binary trees over spheres, and the choice of the binary nodes that become wide nodes of eight
/// children.
///
/// A wide node absorbs binary nodes below it until it has eight children. Dynamic programming minimizes the
/// sum of the areas of all wide nodes: the best cost of a subtree as n children of a node follows from the
/// best costs of its halves as k and n − k children (Ylitie, Karras, Laine, "Efficient Incoherent Ray
/// Traversal on GPUs Through Compressed Wide BVHs", HPG 2017). Gain: ../decisions.md.

#include <array>
#include <base/huge_array.hpp>
#include <cstdint>
#include <index/boxes/aabb.hpp>
#include <index/boxes/bvh_node.hpp>
#include <span>

namespace sphaera::index {

/// Greatest depths, in binary nodes and therefore in wide nodes: of Embree's part of the tree (Embree fails
/// with an error beyond it), and of a block, which has 26 cuts, 6 halvings and a sweep of 32 spheres.
inline constexpr unsigned max_depth_of_upper_tree = 64, max_depth_of_block = 64;

struct BinaryNode;

/// The root of a subtree: a binary node, a leaf block or a frame.
struct SubtreeRef {
  const BinaryNode* binary_node;  ///< null: a leaf block or a frame
  std::uint32_t first;            ///< of a leaf block: the first place of its spheres; of a frame: its number
  std::uint32_t size;             ///< spheres of a leaf block; 0: a frame
};

/// Two subtrees side by side.
struct BinaryNode {
  std::array<SubtreeRef, 2> children;
  std::array<float, 2> opacities;       ///< per child: the share of its box's area that spheres fill
  std::uint32_t nodes = 0, leaves = 0;  ///< of the subtree, if this becomes a wide node
  /// [n − 2]: if the binary node becomes n children of a wide node, the number of children from its first
  /// half; 0: it becomes a wide node itself.
  std::array<std::uint8_t, BvhNode::width - 1> first_half;
};

/// A subtree, as its parent sees it.
struct Subtree {
  SubtreeRef ref;
  Aabb aabb;
  float weight;          ///< sum of the half-areas of its spheres' boxes
  std::uint32_t leaves;  ///< number of leaf blocks
  /// [n − 1]: if the subtree becomes at most n children of a wide node: the sum of the half-areas of the wide
  /// nodes in it, and their number.
  std::array<float, BvhNode::width - 1> cost{};
  std::array<std::uint32_t, BvhNode::width - 1> nodes{};

  float opacity() const {
    const float area = aabb.half_area();
    return area > 0 ? weight / area : 0;
  }
};

/// Joins two subtrees in `binary_node`, which must not move while the result is in use.
Subtree join(const Subtree& first, const Subtree& second, BinaryNode& binary_node);

/// The most spheres of a block: a subtree below Embree's part of the tree, built by one thread.
inline constexpr std::size_t block_size = 512;

/// The binary nodes of a block during its construction.
class BinaryNodes {
 public:
  BinaryNode& add() { return binary_nodes_[size_++]; }
  /// Copies the binary nodes to an array of exact size; refs in them and in the block's root point to the
  /// copies.
  base::HugeArray<BinaryNode> take(Subtree& root) const;

 private:
  std::array<BinaryNode, block_size - 1> binary_nodes_;
  std::size_t size_ = 0;
};

/// The children of the wide node that a binary node becomes.
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
