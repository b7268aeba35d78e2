#include <index/build/binary_tree.hpp>
#include <utility>

namespace sphaera::index {

Part join(const Part& first, const Part& second, Branch& branch) {
  Part whole{{&branch, 0, 0}, first.hull, first.weight + second.weight, first.packets + second.packets};
  whole.hull.add(second.hull);
  constexpr std::uint32_t width = BvhNode::width;
  std::array<float, width> cost;  // [n − 1], opened
  std::array<std::uint32_t, width> nodes;
  for (std::uint32_t n = 2; n <= width; ++n) {
    std::uint32_t best = 1;  // whatever the areas are, numbers or not
    for (std::uint32_t k = 2; k < n; ++k)
      if (first.cost[k - 1] + second.cost[n - k - 1] < first.cost[best - 1] + second.cost[n - best - 1])
        best = k;
    cost[n - 1] = first.cost[best - 1] + second.cost[n - best - 1];
    nodes[n - 1] = first.nodes[best - 1] + second.nodes[n - best - 1];
    branch.first_half[n - 2] = static_cast<std::uint8_t>(best);
  }
  cost[0] = whole.hull.area() + cost[width - 1];
  nodes[0] = 1 + nodes[width - 1];
  for (std::uint32_t n = 1; n < width; ++n) {
    const bool closed = n == 1 || cost[0] <= cost[n - 1];
    whole.cost[n - 1] = cost[closed ? 0 : n - 1];
    whole.nodes[n - 1] = nodes[closed ? 0 : n - 1];
    if (closed && n > 1) branch.first_half[n - 2] = 0;
  }
  branch.children = {first.ref, second.ref};
  branch.opacities = {first.opacity(), second.opacity()};
  branch.nodes = whole.nodes[0], branch.packets = whole.packets;
  return whole;
}

base::HugeArray<Branch> BranchList::take(Part& root) const {
  base::HugeArray<Branch> branches(size_);
  const auto move = [&](BranchRef& ref) {
    if (ref.branch) ref.branch = branches.data() + (ref.branch - branches_.data());
  };
  for (std::size_t i = 0; i < size_; ++i) {
    Branch& branch = branches.data()[i] = branches_[i];
    for (BranchRef& child : branch.children) move(child);
  }
  move(root.ref);
  return branches;
}

Opened::Opened(const Branch& branch) {
  open(branch, BvhNode::width);
  for (std::size_t i = 1; i < size_; ++i)
    for (std::size_t j = i; j > 0 && children_[j - 1].opacity < children_[j].opacity; --j)
      std::swap(children_[j - 1], children_[j]);
}

void Opened::open(const Branch& branch, std::uint32_t n) {
  const std::uint32_t half = branch.first_half[n - 2], places[] = {half, n - half};
  for (std::size_t i = 0; i < 2; ++i) {
    const Branch* below = branch.children[i].branch;
    if (below && places[i] > 1 && below->first_half[places[i] - 2] > 0) {
      open(*below, places[i]);
    } else {
      children_[size_++] = {branch.children[i], branch.opacities[i]};
    }
  }
}

}  // namespace sphaera::index
