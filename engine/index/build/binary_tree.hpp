#pragma once
/// \file Binary trees over spheres, and which of their branches become nodes of eight children.
///
/// A node opens branches below it until it has eight children. Which, is chosen so that the areas of all
/// nodes sum up to the least, by dynamic programming: the best for a subtree as n of a node's children comes
/// from the best for its halves as k and n − k (Ylitie, Karras, Laine, "Efficient Incoherent Ray Traversal on
/// GPUs Through Compressed Wide BVHs", HPG 2017). What it gains: decisions.md.

#include <array>
#include <cstdint>
#include <index/build/aabb.hpp>
#include <index/layout/bvh.hpp>
#include <span>

namespace sphaera::index {

struct Branch;

/// Where a branch leads: to another, to a packet, or to a frame.
struct BranchRef {
  const Branch* branch;  ///< null: one of the others
  std::uint32_t first;   ///< of a packet: where its spheres' places begin; of a frame: its number
  std::uint32_t size;    ///< of a packet; 0: a frame
};

/// Two subtrees side by side.
struct Branch {
  std::array<BranchRef, 2> children;
  std::array<float, 2> opacities;        ///< of each: the share of its hull's area that spheres fill
  std::uint32_t nodes = 0, packets = 0;  ///< of the subtree, this a node
  /// [n − 2]: as n of a node's children, how many the first half is; 0: the branch remains a node.
  std::array<std::uint8_t, BvhNode::width - 1> first_half;
};

/// A subtree to what lies above it.
struct Part {
  BranchRef ref;
  Hull hull;
  float weight;           ///< half-areas of its spheres' boxes, summed
  std::uint32_t packets;  ///< how many
  /// [n − 1]: of the nodes in it, where it is n of a node's children or fewer: their half-areas, summed, and
  /// how many they are.
  std::array<float, BvhNode::width - 1> cost{};
  std::array<std::uint32_t, BvhNode::width - 1> nodes{};

  float opacity() const {
    const float area = hull.area();
    return area > 0 ? weight / area : 0;
  }
};

/// Both, side by side in `branch`, which must not move while the result is in use.
Part join(const Part& first, const Part& second, Branch& branch);

/// As many spheres as may be joined one by one, by one thread.
inline constexpr std::size_t block_size = 512;

/// The branches of a block while it is made.
class BranchList {
 public:
  Branch& add() { return branches_[size_++]; }
  /// Moves them to an array of their size, and the part's root with them.
  base::HugeArray<Branch> take(Part& root) const;

 private:
  std::array<Branch, block_size - 1> branches_;
  std::size_t size_ = 0;
};

/// A branch's children as a node.
class Opened {
 public:
  explicit Opened(const Branch& branch);
  struct Child {
    BranchRef ref;
    float opacity;
  };
  /// In descending order of opacity.
  std::span<const Child> children() const { return {children_.data(), size_}; }

 private:
  void open(const Branch& branch, std::uint32_t n);

  std::array<Child, BvhNode::width> children_;
  std::size_t size_ = 0;
};

}  // namespace sphaera::index
