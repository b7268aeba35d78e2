#pragma once
/// \file Blocks and frames as the leaves of one binary tree, which Embree builds (rtcBuildBVH, binned SAH
/// over all of them).
///
/// Blocks of up to 512 spheres: decisions.md says why.
///
/// Embree gives up where its cuts lie deeper than the limit: of 56 that each take one part away, 256 may be
/// left. Then parts are joined by halves as they come: neighbours lie side by side (sah_builder.hpp).

#include <index/build/binary_tree.hpp>
#include <index/build/device.hpp>
#include <memory>

namespace sphaera::index {

class UpperTree {
 public:
  /// In the calling arena. Of one part at least; they must stay where they are.
  UpperTree(Device& device, std::span<const Subtree> subtrees, const BuildPhase& phase);

  const Subtree& root() const { return root_; }

 private:
  void build(Device& device, std::span<const Subtree> subtrees, const BuildPhase& phase);

  BvhHandle bvh_;  // where Embree keeps the binary nodes
  std::unique_ptr<Reservation> reserved_;
  base::HugeArray<BinaryNode> halves_;  // or they are here
  Subtree root_;
};

}  // namespace sphaera::index
