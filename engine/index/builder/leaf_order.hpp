#pragma once
/// \file Sorts the spheres of a frame so that the ids of each leaf block lie side by side.

#include <index/boxes/frame.hpp>
#include <index/boxes/sphere_set.hpp>
#include <index/builder/sah_builder.hpp>

namespace sphaera::index {

/// Limit of boxes in memory at once: 1 GiB. If there are more spheres, their ids are split into parts. The
/// boxes of one part at a time are made and grouped.
inline constexpr std::size_t max_boxes = std::size_t{1} << 25;

class LeafOrder {
 public:
  /// Runs in the calling arena; the result is the same for any number of threads. Throws if a stop is
  /// requested or the device's memory limit is reached.
  LeafOrder(Device& device, const SphereSubset& members, const Frame& frame, const ProgressRange& progress,
            std::size_t boxes_at_once = max_boxes);
  ~LeafOrder() { device_.release(reserved_); }
  LeafOrder(const LeafOrder&) = delete;

  /// Ids of the spheres; the ids of each leaf block are contiguous.
  std::span<const std::uint32_t> order() const { return order_.span(); }
  /// Trees, each of neighboring leaf blocks.
  std::span<const LeafBlockTree> blocks() const { return blocks_; }

 private:
  void reserve(std::uint64_t bytes);
  SphereBox box(std::uint32_t id) const;
  void divide(std::span<std::uint32_t> ids, std::span<SphereBox> boxes, unsigned depth);
  std::size_t middle_of(std::span<std::uint32_t> ids) const;
  void group_part(std::span<std::uint32_t> ids, std::span<SphereBox> boxes);

  Device& device_;
  const SphereSet& sphere_set_;
  const Frame& frame_;
  ProgressRange progress_;
  std::uint64_t reserved_ = 0;
  base::HugeArray<std::uint32_t> order_;
  std::vector<LeafBlockTree> blocks_;
};

}  // namespace sphaera::index
