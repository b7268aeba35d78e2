#include <algorithm>
#include <atomic>
#include <base/arena.hpp>
#include <index/build/sah_builder.hpp>
#include <iterator>

namespace sphaera::index {
namespace {

/// Calls take(box) for one of every `stride` boxes, each time at another position. A fixed position would
/// pick a single column from a grid whose rows have `stride` boxes.
template <class Take>
SPHAERA_INLINE void each_sample(std::span<const GroupedBox> boxes, std::size_t stride, const Take& take) {
  constexpr std::uint32_t golden = 0x9e3779b9;  // its multiples modulo 2^32 are evenly distributed
  std::uint32_t share = 0;
  for (std::size_t begin = 0; begin < boxes.size(); begin += stride, share += golden)
    take(boxes[std::min(begin + (std::uint64_t{share} * stride >> 32), boxes.size() - 1)]);
}

/// Boxes counted by their centers in bins along each axis.
class Bins {
 public:
  /// Bins a sample, one of every `stride` boxes.
  Bins(std::span<const GroupedBox> boxes, std::size_t stride)
      : bins_(std::min(most_bins, 4 + boxes.size() / 20)) {
    Aabb centers = Aabb::empty();
    each_sample(boxes, stride, [&](const GroupedBox& box) {
      const Lanes center = center_of(box);
      Aabb at;
      at.lower = center, at.upper = -center;
      centers.add(at);
    });
    lower_ = centers.lower, size_ = centers.size();
    const float just_below = 0.99f * static_cast<float>(bins_);
    per_unit_ = size_ > Lanes{} ? just_below / size_ : Lanes{};
    for (auto& axis : aabbs_) std::fill_n(axis.begin(), bins_, Aabb::empty());
    each_sample(boxes, stride, [&](const GroupedBox& box) {
      const Aabb aabb(box);
      const Numbers bin = bins_of(box);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto b = static_cast<std::size_t>(bin[axis]);
        aabbs_[axis][b].add(aabb);
        ++counts_[axis][b];
      }
    });
  }

  /// Finds the cut between bins with the least sum of area × boxes; false if all centers are equal.
  bool find_cut() {
    float least = std::numeric_limits<float>::infinity();
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (size_[axis] > 0) find_cut(axis, least);
    return cut_ > 0;
  }

  /// Moves the boxes before the cut to the front; returns their number. There is no branch on the side: it
  /// would be mispredicted half the time.
  std::size_t divide(std::span<GroupedBox> boxes) const {
    const float lower = lower_[axis_], per_unit = per_unit_[axis_], last = static_cast<float>(cut_);
    std::size_t first = 0;
    for (GroupedBox& box : boxes) {
      const GroupedBox here = box;
      const bool before = (here.lower[axis_] - here.negated_upper[axis_] - lower) * per_unit < last;
      box = boxes[first];
      boxes[first] = here;
      first += before;
    }
    return first;
  }

 private:
  static constexpr std::size_t most_bins = 32;
  using Lanes = Aabb::Lanes;
  using Numbers = std::int32_t __attribute__((vector_size(16)));

  /// Twice the center.
  SPHAERA_INLINE static Lanes center_of(const GroupedBox& box) {
    const Aabb aabb(box);
    return aabb.lower - aabb.upper;
  }
  SPHAERA_INLINE Numbers bins_of(const GroupedBox& box) const {
    Lanes at = (center_of(box) - lower_) * per_unit_;
    const auto last = static_cast<float>(bins_ - 1);  // a box outside the sample may lie outside the bins
    at = at > Lanes{} ? at : Lanes{};
    at = at < Lanes{} + last ? at : Lanes{} + last;
    return __builtin_convertvector(at, Numbers);
  }

  void find_cut(std::size_t axis, float& least) {
    std::array<float, most_bins> behind;
    Aabb aabb = Aabb::empty();
    std::uint32_t count = 0;
    for (std::size_t b = bins_ - 1; b > 0; --b) {
      aabb.add(aabbs_[axis][b]), count += counts_[axis][b];
      behind[b] = count > 0 ? aabb.area() * static_cast<float>(count) : 0;
    }
    const std::uint32_t all = count + counts_[axis][0];
    aabb = Aabb::empty(), count = 0;
    for (std::size_t b = 1; b < bins_; ++b) {
      aabb.add(aabbs_[axis][b - 1]), count += counts_[axis][b - 1];
      if (count == 0 || count == all) continue;
      const float cost = aabb.area() * static_cast<float>(count) + behind[b];
      if (cost < least) least = cost, axis_ = axis, cut_ = static_cast<std::int32_t>(b);
    }
  }

  std::size_t bins_;
  Lanes lower_, size_, per_unit_;  // of twice the centers
  std::array<std::array<Aabb, most_bins>, 3> aabbs_;
  std::array<std::array<std::uint32_t, most_bins>, 3> counts_{};
  std::size_t axis_ = 0;
  std::int32_t cut_ = 0;
};

/// Moves the boxes on one side of the best cut to the front; returns their number. Precondition: at least two
/// boxes.
std::size_t cut(std::span<GroupedBox> boxes, std::size_t sample) {
  Bins bins(boxes, (boxes.size() + sample - 1) / sample);
  const std::size_t first = bins.find_cut() ? bins.divide(boxes) : 0;
  return first > 0 && first < boxes.size() ? first : boxes.size() / 2;
}

class SahBuilder {
 public:
  SahBuilder(std::span<GroupedBox> boxes, const BuildPhase& phase) : all_(boxes), phase_(phase) {}

  std::vector<Block> divide(std::span<GroupedBox> boxes, unsigned depth) {
    if (stopped_) return {};
    std::array<std::vector<Block>, 2> blocks;
    if (boxes.size() <= block_size) {
      blocks[0].push_back(block(boxes));
      report(boxes.size());
      return std::move(blocks[0]);
    }
    const std::size_t middle = middle_of(boxes, depth, most_cuts);
    const auto half = [&](std::size_t i, std::size_t) {
      blocks[i] = divide(i == 0 ? boxes.first(middle) : boxes.subspan(middle), depth + 1);
    };
    if (boxes.size() > boxes_a_task) {
      base::parallel_pieces(2, 1, half);
    } else {
      half(0, 1), half(1, 2);
    }
    std::ranges::move(blocks[1], std::back_inserter(blocks[0]));
    return std::move(blocks[0]);
  }

 private:
  static constexpr std::size_t boxes_a_task = 2048;
  /// Cuts in sequence on one path from the root. Beyond the limit boxes are halved in their order, so that no
  /// scene makes the recursion, or a block's share of a walk, deep.
  static constexpr unsigned most_cuts = 100, most_cuts_of_block = Bvh::max_depth_of_block - 32 - 6;

  bool fast() const { return phase_.control->quality == BuildQuality::fast; }
  /// Fast builds use each leaf as a leaf block.
  std::size_t leaf_size() const { return fast() ? leaf_block_size : most_to_sweep; }
  /// Boxes sampled to find a cut. All boxes would cost half the build and save 2 % of the nodes on belts
  /// (../decisions.md).
  std::size_t sample() const { return fast() ? 64 : 1024; }

  /// The number of boxes in the first half.
  std::size_t middle_of(std::span<GroupedBox> boxes, unsigned depth, unsigned most) const {
    return depth < most ? cut(boxes, sample()) : boxes.size() / 2;
  }

  Block block(std::span<GroupedBox> boxes) {
    BinaryNodes binary_nodes;
    Block block{subtree(boxes, binary_nodes, 0), {}};
    block.binary_nodes = binary_nodes.take(block.subtree);
    return block;
  }

  Subtree subtree(std::span<GroupedBox> boxes, BinaryNodes& binary_nodes, unsigned depth) {
    if (boxes.size() <= leaf_size()) return leaf_or_sweep(boxes, binary_nodes);
    const std::size_t middle = middle_of(boxes, depth, most_cuts_of_block);
    const Subtree left = subtree(boxes.first(middle), binary_nodes, depth + 1),
                  right = subtree(boxes.subspan(middle), binary_nodes, depth + 1);
    return join(left, right, binary_nodes.add());
  }

  Subtree leaf_or_sweep(std::span<GroupedBox> boxes, BinaryNodes& binary_nodes) const {
    const auto first = static_cast<std::uint32_t>(boxes.data() - all_.data());
    if (fast()) return leaf(boxes, first);
    const bool compact = phase_.control->quality == BuildQuality::compact;
    return sweep(boxes, first, compact ? Fill::full : Fill::best, binary_nodes);
  }

  void report(std::size_t more) {
    const std::size_t done = done_.fetch_add(more, std::memory_order_relaxed) + more;
    if (!BuildPhase::report(&phase_, static_cast<double>(done) / static_cast<double>(all_.size())))
      stopped_ = true;
  }

  std::span<GroupedBox> all_;
  BuildPhase phase_;
  std::atomic<std::size_t> done_{0};
  std::atomic<bool> stopped_{false};
};

}  // namespace

std::vector<Block> group(std::span<GroupedBox> boxes, const BuildPhase& phase) {
  std::vector<Block> blocks;
  if (!boxes.empty()) blocks = SahBuilder(boxes, phase).divide(boxes, 0);
  phase.finish();
  return blocks;
}

}  // namespace sphaera::index
