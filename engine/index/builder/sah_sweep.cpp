#include <algorithm>
#include <bit>
#include <index/builder/sah_sweep.hpp>
#include <limits>

namespace sphaera::index {
namespace {

using BoxNumber = std::uint8_t;  // index into the given boxes
using Order = std::array<BoxNumber, max_to_sweep>;

/// An empty leaf block, to which `add` adds spheres.
Subtree no_spheres(std::uint32_t first) { return {{nullptr, first, 0}, Aabb::empty(), 0, 1}; }

void add(Subtree& leaf, const Aabb& sphere) {
  leaf.aabb.add(sphere);
  leaf.weight += sphere.half_area();
  ++leaf.ref.size;
}

struct Cut {
  float cost = std::numeric_limits<float>::infinity();
  std::size_t axis = 0, left = 0;
};

/// A few boxes, sorted by center along each axis. Divisions keep these orders.
class SahSweep {
 public:
  SahSweep(std::span<const SphereBox> boxes, Fill fill)
      : size_(boxes.size()), step_(fill == Fill::full ? leaf_block_size : 1) {
    for (const SphereBox& box : boxes) aabbs_[static_cast<std::size_t>(&box - boxes.data())] = Aabb(box);
    for (std::size_t axis = 0; axis < 3; ++axis) sort(boxes, axis);
  }

  Subtree divide(std::size_t begin, std::size_t end, std::uint32_t first, BinaryNodes& binary_nodes) {
    const Cut cut = begin + 1 < end ? best_cut(begin, end) : Cut{};
    if (cut.left == 0) return leaf(begin, end, first);
    apply(cut, begin, end);
    const Subtree left = divide(begin, begin + cut.left, first, binary_nodes),
                  right = divide(begin + cut.left, end, first, binary_nodes);
    return join(left, right, binary_nodes.add());
  }
  /// Numbers of the given boxes, leaf block by leaf block.
  std::span<const BoxNumber> order() const { return std::span(orders_[0]).first(size_); }

 private:
  /// Insertion sort of keys that hold a float as an ordered integer, then the box's number.
  void sort(std::span<const SphereBox> boxes, std::size_t axis) {
    std::array<std::uint64_t, max_to_sweep> keys;
    for (std::size_t i = 0; i < size_; ++i) {
      const auto bits = std::bit_cast<std::uint32_t>(boxes[i].lower[axis] - boxes[i].negated_upper[axis]);
      const std::uint32_t ordered = bits & 0x80000000 ? ~bits : bits | 0x80000000;
      const std::uint64_t key = std::uint64_t{ordered} << 8 | i;
      std::size_t j = i;
      for (; j > 0 && keys[j - 1] > key; --j) keys[j] = keys[j - 1];
      keys[j] = key;
    }
    for (std::size_t i = 0; i < size_; ++i) orders_[axis][i] = static_cast<BoxNumber>(keys[i]);
  }

  /// The cut with the least sum of area × leaf blocks; no cut (left = 0) where one leaf block costs less.
  Cut best_cut(std::size_t begin, std::size_t end) const {
    Cut best;
    float whole = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Cut cut = best_cut(std::span(orders_[axis]).subspan(begin, end - begin), axis, whole);
      if (cut.cost < best.cost) best = cut;
    }
    const std::size_t n = end - begin;
    if (n <= leaf_block_size && !(whole + leaf_cost * best.cost < leaf_cost * whole)) return {};
    return best.left > 0 ? best : Cut{0, 0, leaf_block_size};  // NaN areas: any cut is correct
  }
  Cut best_cut(std::span<const BoxNumber> order, std::size_t axis, float& whole) const {
    const std::size_t n = order.size();
    std::array<float, max_to_sweep> right;
    Aabb behind = aabbs_[order.back()];
    for (std::size_t i = n - 1; i > 0; --i) {
      behind.add(aabbs_[order[i]]);
      right[i] = behind.half_area() * static_cast<float>(leaf_blocks_for(n - i));
    }
    behind.add(aabbs_[order.front()]);
    whole = behind.half_area();
    Cut best;
    Aabb ahead = aabbs_[order.front()];
    for (std::size_t left = 1; left < n; ++left) {
      ahead.add(aabbs_[order[left - 1]]);
      if (left % step_ != 0) continue;
      const float cost = ahead.half_area() * static_cast<float>(leaf_blocks_for(left)) + right[left];
      if (cost < best.cost) best = {cost, axis, left};
    }
    return best;
  }

  Subtree leaf(std::size_t begin, std::size_t end, std::uint32_t first) const {
    Subtree subtree = no_spheres(first + static_cast<std::uint32_t>(begin));
    for (std::size_t i = begin; i < end; ++i) add(subtree, aabbs_[orders_[0][i]]);
    return subtree;
  }

  /// Moves the boxes left of the cut to the front of each order.
  void apply(const Cut& cut, std::size_t begin, std::size_t end) {
    std::uint32_t is_left = 0;
    for (std::size_t i = begin; i < begin + cut.left; ++i) is_left |= 1u << orders_[cut.axis][i];
    for (Order& order : orders_) {
      Order right;
      std::size_t left_end = begin, right_end = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const BoxNumber number = order[i];
        if (is_left >> number & 1) {
          order[left_end++] = number;
        } else {
          right[right_end++] = number;
        }
      }
      std::copy_n(right.begin(), right_end, order.begin() + static_cast<std::ptrdiff_t>(left_end));
    }
  }

  std::size_t size_, step_;
  std::array<Aabb, max_to_sweep> aabbs_;
  std::array<Order, 3> orders_;
};

}  // namespace

Subtree leaf(std::span<const SphereBox> boxes, std::uint32_t first) {
  Subtree subtree = no_spheres(first);
  for (const SphereBox& box : boxes) add(subtree, Aabb(box));
  return subtree;
}

Subtree sweep(std::span<SphereBox> boxes, std::uint32_t first, Fill fill, BinaryNodes& binary_nodes) {
  std::array<SphereBox, max_to_sweep> given;
  std::ranges::copy(boxes, given.begin());
  SahSweep sweep(boxes, fill);
  const Subtree whole = sweep.divide(0, boxes.size(), first, binary_nodes);
  std::ranges::transform(sweep.order(), boxes.begin(), [&](BoxNumber number) { return given[number]; });
  return whole;
}

}  // namespace sphaera::index
