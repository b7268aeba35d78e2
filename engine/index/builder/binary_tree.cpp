#include <index/builder/binary_tree.hpp>
#include <utility>

namespace sphaera::index {

Subtree join(const Subtree& first, const Subtree& second, BinaryNode& binary_node) {
  Subtree whole{{&binary_node, 0, 0}, first.aabb, first.weight + second.weight, first.leaves + second.leaves};
  whole.aabb.add(second.aabb);
  constexpr std::uint32_t width = BvhNode::width;
  std::array<float, width> cost;  // [n − 1]: as n children from both halves; [0]: as one wide node
  std::array<std::uint32_t, width> nodes;
  for (std::uint32_t n = 2; n <= width; ++n) {
    std::uint32_t best = 1;  // the default also where areas are NaN
    for (std::uint32_t k = 2; k < n; ++k)
      if (first.cost[k - 1] + second.cost[n - k - 1] < first.cost[best - 1] + second.cost[n - best - 1])
        best = k;
    cost[n - 1] = first.cost[best - 1] + second.cost[n - best - 1];
    nodes[n - 1] = first.nodes[best - 1] + second.nodes[n - best - 1];
    binary_node.first_half[n - 2] = static_cast<std::uint8_t>(best);
  }
  cost[0] = whole.aabb.half_area() + cost[width - 1];
  nodes[0] = 1 + nodes[width - 1];
  for (std::uint32_t n = 1; n < width; ++n) {
    const bool closed = n == 1 || cost[0] <= cost[n - 1];
    whole.cost[n - 1] = cost[closed ? 0 : n - 1];
    whole.nodes[n - 1] = nodes[closed ? 0 : n - 1];
    if (closed && n > 1) binary_node.first_half[n - 2] = 0;
  }
  binary_node.children = {first.ref, second.ref};
  binary_node.opacities = {first.opacity(), second.opacity()};
  binary_node.nodes = whole.nodes[0], binary_node.leaves = whole.leaves;
  return whole;
}

base::HugeArray<BinaryNode> BinaryNodes::take(Subtree& root) const {
  base::HugeArray<BinaryNode> binary_nodes(size_);
  const auto move = [&](SubtreeRef& ref) {
    if (ref.binary_node) ref.binary_node = binary_nodes.data() + (ref.binary_node - binary_nodes_.data());
  };
  for (std::size_t i = 0; i < size_; ++i) {
    BinaryNode& binary_node = binary_nodes.data()[i] = binary_nodes_[i];
    for (SubtreeRef& child : binary_node.children) move(child);
  }
  move(root.ref);
  return binary_nodes;
}

WideNode::WideNode(const BinaryNode& binary_node) {
  open(binary_node, BvhNode::width);
  for (std::size_t i = 1; i < size_; ++i)
    for (std::size_t j = i; j > 0 && children_[j - 1].opacity < children_[j].opacity; --j)
      std::swap(children_[j - 1], children_[j]);
}

void WideNode::open(const BinaryNode& binary_node, std::uint32_t n) {
  const std::uint32_t half = binary_node.first_half[n - 2], places[] = {half, n - half};
  for (std::size_t i = 0; i < 2; ++i) {
    const BinaryNode* below = binary_node.children[i].binary_node;
    if (below && places[i] > 1 && below->first_half[places[i] - 2] > 0) {
      open(*below, places[i]);
    } else {
      children_[size_++] = {binary_node.children[i], binary_node.opacities[i]};
    }
  }
}

}  // namespace sphaera::index
