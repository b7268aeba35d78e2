#pragma once
/// \file The top of the binary tree: blocks of up to 512 spheres (../decisions.md) and child frames are its
/// leaves, and Embree builds it (rtcBuildBVH, binned SAH over all of them).
///
/// Embree gives up where cuts lie deeper than its limit of 64: where more than 256 leaves are left below 56
/// cuts, for example cuts that each take one leaf away. Then leaves are joined by halves in their given
/// order: neighbors lie side by side (sah_builder.hpp).

#include <index/builder/binary_tree.hpp>
#include <index/device/device.hpp>
#include <memory>

namespace sphaera::index {

class UpperTree {
 public:
  /// Builds in the calling arena. There is at least one subtree; the subtrees must not move.
  UpperTree(Device& device, std::span<const Subtree> subtrees, const ProgressRange& progress);

  const Subtree& root() const { return root_; }

 private:
  void build(Device& device, std::span<const Subtree> subtrees, const ProgressRange& progress);

  BvhHandle bvh_;  // owns Embree's binary nodes
  std::unique_ptr<Reservation> reserved_;
  base::HugeArray<BinaryNode> halves_;  // binary nodes if Embree gave up
  Subtree root_;
};

}  // namespace sphaera::index
