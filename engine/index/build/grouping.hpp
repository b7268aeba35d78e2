#pragma once
/// \file The spheres of a frame, in the order of their leaf blocks.

#include <index/build/sah_builder.hpp>
#include <index/frames/frame.hpp>
#include <index/frames/sphere_set.hpp>

namespace sphaera::index {

/// Boxes that exist at once, 1 GiB of them. More spheres are first cut into parts, which are grouped one
/// after the other: only their ids are in memory together.
inline constexpr std::size_t most_boxes = std::size_t{1} << 25;

class Grouping {
 public:
  /// Runs in the calling arena; the result is the same for any number of threads. Throws if `phase` is
  /// stopped or the device's memory limit is reached.
  Grouping(Device& device, const SphereSubset& members, const Frame& frame, const BuildPhase& phase,
           std::size_t boxes_at_once = most_boxes);
  ~Grouping() { device_.release(reserved_); }
  Grouping(const Grouping&) = delete;

  /// Ids of the spheres. Leaf blocks are runs of them.
  std::span<const std::uint32_t> order() const { return order_.span(); }
  std::span<const LeafBlockTree> blocks() const { return blocks_; }

 private:
  void reserve(std::uint64_t bytes);
  GroupedBox box(std::uint32_t id) const;
  void divide(std::span<std::uint32_t> ids, std::span<GroupedBox> boxes, unsigned depth);
  std::size_t middle_of(std::span<std::uint32_t> ids) const;
  void group_part(std::span<std::uint32_t> ids, std::span<GroupedBox> boxes);

  Device& device_;
  const SphereSet& sphere_set_;
  const Frame& frame_;
  BuildPhase phase_;
  std::uint64_t reserved_ = 0;
  base::HugeArray<std::uint32_t> order_;
  std::vector<LeafBlockTree> blocks_;
};

}  // namespace sphaera::index
