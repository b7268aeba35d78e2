#include <algorithm>
#include <base/arena.hpp>
#include <base/changed_items.hpp>
#include <index/tree/bvh.hpp>
#include <new>

namespace sphaera::index {
namespace {

/// Lays out a binary tree as wide nodes, each before its descendants, and its leaf blocks in their order.
struct Layout {
  std::span<BvhNode> nodes;
  std::span<LeafIds> leaves;
  std::span<const std::uint32_t> order;

  BvhRef primitive(const SubtreeRef& ref, std::uint32_t& leaf) const {
    if (ref.size == 0) return BvhRef::primitive(static_cast<std::uint32_t>(leaves.size()) + ref.first);
    leaves[leaf].fill(no_sphere);
    std::ranges::copy(order.subspan(ref.first, ref.size), leaves[leaf].begin());
    return BvhRef::primitive(leaf++);
  }

  /// Lays out the subtree, whose nodes and leaf blocks are numbered from `first` and `leaf` on.
  void lay_out(const BinaryNode& binary_node, std::uint32_t first, std::uint32_t leaf) const {
    struct Below {
      const BinaryNode* binary_node;
      std::uint32_t first, leaf;
    };
    std::array<Below, BvhNode::width> below;
    std::size_t below_count = 0;
    BvhNode& node = *new (&nodes[first]) BvhNode;
    const WideNode opened(binary_node);
    std::uint32_t lane = 0, next = first + 1;
    for (const WideNode::Child& child : opened.children()) {
      node.set(lane, {});  // marks the lane as used
      BvhRef& ref = node.children[lane++];
      if (child.ref.binary_node == nullptr) {
        ref = primitive(child.ref, leaf);
        continue;
      }
      ref = BvhRef::node(next);
      below[below_count++] = {child.ref.binary_node, next, 0};
      next += child.ref.binary_node->nodes;
    }
    for (std::size_t i = 0; i < below_count; ++i) {
      below[i].leaf = leaf;
      leaf += below[i].binary_node->leaves;
    }
    const auto lay_out_child = [&](std::size_t i, std::size_t) {
      lay_out(*below[i].binary_node, below[i].first, below[i].leaf);
    };
    constexpr std::uint32_t nodes_per_task = 1024;
    if (binary_node.nodes > nodes_per_task) return base::parallel_pieces(below_count, 1, lay_out_child);
    for (std::size_t i = 0; i < below_count; ++i) lay_out_child(i, i + 1);
  }
};

}  // namespace

Bvh::Bvh(Device& device, const Subtree& root, std::span<const std::uint32_t> order,
         std::span<LeafIds> leaves) {
  const BinaryNode* const binary_node = root.ref.binary_node;
  Layout layout{{}, leaves, order};
  if (!binary_node) {
    std::uint32_t leaf = 0;
    root_ = layout.primitive(root.ref, leaf);
    return;
  }
  device.reserve(binary_node->nodes * sizeof(BvhNode));
  nodes_ = base::HugeArray<BvhNode>(binary_node->nodes, device.memory());
  layout.nodes = nodes_.items();
  layout.lay_out(*binary_node, 0, 0);
  root_ = BvhRef::node(0);
  const BvhNode& first = node(root_);
  const std::span<const BvhRef> below(first.children.data(), first.size());
  if (std::ranges::any_of(below, &BvhRef::is_primitive)) return;
  device.reserve(below.size() * sizeof(BvhNode));
  top_ = base::HugeArray<BvhNode>(below.size(), device.memory());
}

double Bvh::areas() const {
  double sum = 0;
  for (const BvhNode& node : nodes_.span())
    for (std::size_t lane = 0; lane < node.size(); ++lane)
      sum += static_cast<double>(half_area(node.box(lane)));
  return sum;
}

void Bvh::convert(float factor, const std::array<float, 3>& shift) {
  for (BvhNode& node : nodes_.items()) {
    const std::size_t count = node.size();
    for (std::size_t lane = 0; lane < count; ++lane) {
      LocalBox box = node.box(lane);
      for (std::size_t i = 0; i < 3; ++i)
        for (float* const at : {&box.lower[i], &box.upper[i]}) *at = factor * *at + shift[i];
      node.set(lane, bounded(box));
    }
  }
}

void Bvh::copy(const Bvh& from) {
  each_array([](auto& to, const auto& array) { base::copy(to, array); }, *this, from);
  root_ = from.root_, has_stacks_ = from.has_stacks_, has_equal_boxes_ = from.has_equal_boxes_;
}

void Bvh::make_room_for_stacks(std::pmr::memory_resource* memory) {
  stacks_ = base::HugeArray<std::uint32_t>(nodes_.size(), memory);
}

void Bvh::copy_top() {
  for (std::size_t i = 0; i < top_.size(); ++i) top_.data()[i] = node(node(root_).children[i]);
}

}  // namespace sphaera::index
