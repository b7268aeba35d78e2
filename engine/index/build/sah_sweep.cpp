#include <algorithm>
#include <bit>
#include <index/build/sah_sweep.hpp>
#include <limits>

namespace sphaera::index {
namespace {

using Number = std::uint8_t;  // of a box
using Order = std::array<Number, most_to_sweep>;

/// A packet to be.
Part no_spheres(std::uint32_t first) { return {{nullptr, first, 0}, Hull::empty(), 0, 1}; }

void add(Part& packet, const Hull& sphere) {
  packet.hull.add(sphere);
  packet.weight += sphere.area();
  ++packet.ref.size;
}

struct Cut {
  float cost = std::numeric_limits<float>::infinity();
  std::size_t axis = 0, left = 0;
};

/// A few boxes, and the order of their centers along each axis, which is kept as they are divided.
class Sweep {
 public:
  Sweep(std::span<const GroupedBox> boxes, Fill fill)
      : size_(boxes.size()), step_(fill == Fill::full ? packet_size : 1) {
    for (const GroupedBox& box : boxes) hulls_[static_cast<std::size_t>(&box - boxes.data())] = Hull(box);
    for (std::size_t axis = 0; axis < 3; ++axis) sort(boxes, axis);
  }

  Part divide(std::size_t begin, std::size_t end, std::uint32_t first, BranchList& branches) {
    const Cut cut = begin + 1 < end ? best_cut(begin, end) : Cut{};
    if (cut.left == 0) return packet(begin, end, first);
    apply(cut, begin, end);
    const Part left = divide(begin, begin + cut.left, first, branches),
               right = divide(begin + cut.left, end, first, branches);
    return join(left, right, branches.add());
  }
  /// Of the boxes that were given, packet by packet.
  std::span<const Number> order() const { return std::span(orders_[0]).first(size_); }

 private:
  /// By insertion, of keys that hold a float as an ordered integer, and the number.
  void sort(std::span<const GroupedBox> boxes, std::size_t axis) {
    std::array<std::uint64_t, most_to_sweep> keys;
    for (std::size_t i = 0; i < size_; ++i) {
      const auto bits = std::bit_cast<std::uint32_t>(boxes[i].lower[axis] - boxes[i].negated_upper[axis]);
      const std::uint32_t ordered = bits & 0x80000000 ? ~bits : bits | 0x80000000;
      const std::uint64_t key = std::uint64_t{ordered} << 8 | i;
      std::size_t j = i;
      for (; j > 0 && keys[j - 1] > key; --j) keys[j] = keys[j - 1];
      keys[j] = key;
    }
    for (std::size_t i = 0; i < size_; ++i) orders_[axis][i] = static_cast<Number>(keys[i]);
  }

  /// The best of all cuts, area × packets on either side; none (left = 0) where one packet is better.
  Cut best_cut(std::size_t begin, std::size_t end) const {
    Cut best;
    float whole = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Cut cut = best_cut(std::span(orders_[axis]).subspan(begin, end - begin), axis, whole);
      if (cut.cost < best.cost) best = cut;
    }
    const std::size_t n = end - begin;
    if (n <= packet_size && !(whole + packet_cost * best.cost < packet_cost * whole)) return {};
    return best.left > 0 ? best : Cut{0, 0, packet_size};  // areas that are no numbers: any cut will do
  }
  Cut best_cut(std::span<const Number> order, std::size_t axis, float& whole) const {
    const std::size_t n = order.size();
    std::array<float, most_to_sweep> right;
    Hull behind = hulls_[order.back()];
    for (std::size_t i = n - 1; i > 0; --i) {
      behind.add(hulls_[order[i]]);
      right[i] = behind.area() * static_cast<float>(packets_for(n - i));
    }
    behind.add(hulls_[order.front()]);
    whole = behind.area();
    Cut best;
    Hull ahead = hulls_[order.front()];
    for (std::size_t left = 1; left < n; ++left) {
      ahead.add(hulls_[order[left - 1]]);
      if (left % step_ != 0) continue;
      const float cost = ahead.area() * static_cast<float>(packets_for(left)) + right[left];
      if (cost < best.cost) best = {cost, axis, left};
    }
    return best;
  }

  Part packet(std::size_t begin, std::size_t end, std::uint32_t first) const {
    Part part = no_spheres(first + static_cast<std::uint32_t>(begin));
    for (std::size_t i = begin; i < end; ++i) add(part, hulls_[orders_[0][i]]);
    return part;
  }

  /// Brings the left ones to the front of each order.
  void apply(const Cut& cut, std::size_t begin, std::size_t end) {
    std::uint32_t is_left = 0;
    for (std::size_t i = begin; i < begin + cut.left; ++i) is_left |= 1u << orders_[cut.axis][i];
    for (Order& order : orders_) {
      Order right;
      std::size_t left_end = begin, right_end = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const Number number = order[i];
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
  std::array<Hull, most_to_sweep> hulls_;
  std::array<Order, 3> orders_;
};

}  // namespace

Part packet(std::span<const GroupedBox> boxes, std::uint32_t first) {
  Part part = no_spheres(first);
  for (const GroupedBox& box : boxes) add(part, Hull(box));
  return part;
}

Part sweep(std::span<GroupedBox> boxes, std::uint32_t first, Fill fill, BranchList& branches) {
  std::array<GroupedBox, most_to_sweep> given;
  std::ranges::copy(boxes, given.begin());
  Sweep sweep(boxes, fill);
  const Part whole = sweep.divide(0, boxes.size(), first, branches);
  std::ranges::transform(sweep.order(), boxes.begin(), [&](Number number) { return given[number]; });
  return whole;
}

}  // namespace sphaera::index
