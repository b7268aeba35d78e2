#include <algorithm>
#include <atomic>
#include <base/arena.hpp>
#include <base/background_thread.hpp>
#include <index/builder/binned_cut.hpp>
#include <index/builder/parallel_partition.hpp>
#include <index/builder/sah_builder.hpp>
#include <iterator>

namespace sphaera::index {
namespace {

/// Moves the boxes on one side of the best cut to the front. Returns their number, or half of all if no cut
/// separates them. Precondition: at least two boxes.
std::size_t cut(std::span<SphereBox> boxes, std::size_t sample) {
  const std::optional<BeforeCut> before = best_cut(boxes, stride_for(boxes.size(), sample));
  const std::size_t first = before ? partition(boxes, *before) : 0;
  return first > 0 && first < boxes.size() ? first : boxes.size() / 2;
}

class SahBuilder {
 public:
  SahBuilder(std::span<SphereBox> boxes, std::uint32_t first, const ProgressRange& progress)
      : all_(boxes), first_(first), progress_(progress) {}

  std::vector<LeafBlockTree> divide(std::span<SphereBox> boxes, unsigned depth) {
    if (stopped_) return {};
    std::array<std::vector<LeafBlockTree>, 2> blocks;
    if (boxes.size() <= block_size) {
      blocks[0].push_back(block(boxes));
      report(boxes.size());
      return std::move(blocks[0]);
    }
    const std::size_t middle = middle_of(boxes, depth, max_cuts);
    const auto half = [&](std::size_t i, std::size_t) {
      blocks[i] = divide(i == 0 ? boxes.first(middle) : boxes.subspan(middle), depth + 1);
    };
    if (boxes.size() > boxes_per_task) {
      base::parallel_pieces(2, 1, half);
    } else {
      half(0, 1), half(1, 2);
    }
    std::ranges::move(blocks[1], std::back_inserter(blocks[0]));
    return std::move(blocks[0]);
  }

 private:
  static constexpr std::size_t boxes_per_task = 2048;
  /// Cuts in sequence on one path from the root. Beyond the limit boxes are halved in their order, so that no
  /// scene makes the recursion, or the tree of a block, deep.
  static constexpr unsigned max_cuts = 100, max_cuts_of_block = max_depth_of_block - 32 - 6;

  bool fast() const { return progress_.control->quality == BuildQuality::fast; }
  /// Cuts end at this many boxes: one leaf block in fast builds, else a group for the full sweep.
  std::size_t leaf_size() const { return fast() ? leaf_block_size : max_to_sweep; }
  std::size_t sample() const { return fast() ? 64 : sampled_boxes; }

  /// The number of boxes in the first half.
  std::size_t middle_of(std::span<SphereBox> boxes, unsigned depth, unsigned most) const {
    return depth < most ? cut(boxes, sample()) : boxes.size() / 2;
  }

  LeafBlockTree block(std::span<SphereBox> boxes) {
    BinaryNodes binary_nodes;
    LeafBlockTree block{subtree(boxes, binary_nodes, 0), {}};
    block.binary_nodes = binary_nodes.take(block.subtree);
    return block;
  }

  Subtree subtree(std::span<SphereBox> boxes, BinaryNodes& binary_nodes, unsigned depth) {
    if (boxes.size() <= leaf_size()) return leaf_or_sweep(boxes, binary_nodes);
    const std::size_t middle = middle_of(boxes, depth, max_cuts_of_block);
    const Subtree left = subtree(boxes.first(middle), binary_nodes, depth + 1),
                  right = subtree(boxes.subspan(middle), binary_nodes, depth + 1);
    return join(left, right, binary_nodes.add());
  }

  Subtree leaf_or_sweep(std::span<SphereBox> boxes, BinaryNodes& binary_nodes) const {
    const auto first = first_ + static_cast<std::uint32_t>(boxes.data() - all_.data());
    if (fast()) return leaf(boxes, first);
    const bool compact = progress_.control->quality == BuildQuality::compact;
    return sweep(boxes, first, compact ? Fill::full : Fill::best, binary_nodes);
  }

  void report(std::size_t more) {
    base::pause_point();
    const std::size_t done = done_.fetch_add(more, std::memory_order_relaxed) + more;
    if (!ProgressRange::report(&progress_, static_cast<double>(done) / static_cast<double>(all_.size())))
      stopped_ = true;
  }

  std::span<SphereBox> all_;
  std::uint32_t first_;
  ProgressRange progress_;
  std::atomic<std::size_t> done_{0};
  std::atomic<bool> stopped_{false};
};

}  // namespace

std::uint64_t bytes_of(std::span<const LeafBlockTree> blocks) {
  std::uint64_t bytes = blocks.size() * (sizeof(LeafBlockTree) + sizeof(Subtree));
  for (const LeafBlockTree& block : blocks) bytes += block.binary_nodes.bytes();
  return bytes;
}

std::vector<LeafBlockTree> group(std::span<SphereBox> boxes, const ProgressRange& progress,
                                 std::uint32_t first) {
  std::vector<LeafBlockTree> blocks;
  if (!boxes.empty()) blocks = SahBuilder(boxes, first, progress).divide(boxes, 0);
  progress.finish();
  return blocks;
}

}  // namespace sphaera::index
