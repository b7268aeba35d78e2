#pragma once
/// \file Blocks and frames as the leaves of one binary tree, which Embree builds (rtcBuildBVH, binned SAH
/// over all of them).
///
/// Blocks of up to 512 spheres: with Embree down to 32 rays visit 3 to 7 % more nodes of belts, since its
/// cuts go through what was put together; with none of Embree as many.
///
/// Embree gives up where its cuts lie deeper than the limit: of 56 that each take one part away, 256 may be
/// left. Then parts are joined by halves as they come: neighbours lie side by side (grouping.hpp).

#include <index/branch.hpp>
#include <index/device.hpp>
#include <memory>

namespace sphaera::index {

class UpperTree {
 public:
  /// In the calling arena. Of one part at least; they must stay where they are.
  UpperTree(Device& device, std::span<const Part> parts, const BuildPhase& phase);

  const Part& root() const { return root_; }

 private:
  void build(Device& device, std::span<const Part> parts, const BuildPhase& phase);

  BvhHandle bvh_;  // where Embree keeps the branches
  std::unique_ptr<Reservation> reserved_;
  HugeArray<Branch> halves_;  // or they are here
  Part root_;
};

}  // namespace sphaera::index
