#include <index/edit/bvh_editor.hpp>

namespace sphaera::index {
namespace {

/// The box around a node's children; empty if none of them holds a sphere.
LocalBox box_of(const BvhNode& node) {
  LocalBox all = empty_box();
  for (std::size_t lane = 0; lane < node.size(); ++lane)
    if (const LocalBox box = node.box(lane); !is_point(box)) all = hull(all, box);
  return all;
}

float area(const LocalBox& box) { return is_empty(box) || is_point(box) ? 0 : half_area(box); }

}  // namespace

BvhEditor::BvhEditor(Bvh& bvh, std::size_t primitives)
    : bvh_(bvh), parents_(bvh.nodes_.size(), bvh.memory()), places_(primitives, bvh.memory()) {
  heap_.reserve(most_nodes * BvhNode::width + 1);
  std::ranges::fill(parents_.items(), no_lane);
  std::ranges::fill(places_.items(), no_lane);
  for (std::uint32_t n = 0; n < parents_.size(); ++n) {
    const BvhNode& node = bvh.nodes_.span()[n];
    for (std::uint32_t lane = 0; lane < node.size(); ++lane) {
      const BvhRef child = node.children[lane];
      (child.is_primitive() ? places_ : parents_).data()[child.index()] = BvhNode::width * n + lane;
    }
  }
}

void BvhEditor::copy(const BvhEditor& from) {
  heap_.reserve(from.heap_.capacity());
  base::copy(parents_, from.parents_), base::copy(places_, from.places_);
}

void BvhEditor::follow(const BvhEditor& from, const base::ChangedItems& changed) {
  if (changed.all()) return bvh_.copy(from.bvh_);
  if (changed.items().empty()) return;
  for (const std::uint32_t n : changed.items()) bvh_.nodes_.data()[n] = from.bvh_.nodes_.span()[n];
  bvh_.copy_top();
}

double BvhEditor::refit(std::uint32_t primitive, const LocalBox& box) {
  double growth = 0;
  LocalBox below = box;
  for (Lane at = places_.span()[primitive]; at != no_lane;) {
    BvhNode& node = bvh_.nodes_.data()[at / BvhNode::width];
    const std::size_t lane = at % BvhNode::width;
    const LocalBox before = node.box(lane);
    node.set(lane, is_empty(below) ? LocalBox{} : below);
    LocalBox all = box_of(node);
    if (is_empty(below)) node.set(lane, point_within(all));
    changed_.add(at / BvhNode::width);
    growth += static_cast<double>(area(below)) - static_cast<double>(area(before));
    below = all;
    at = parents_.span()[at / BvhNode::width];
  }
  bvh_.copy_top();
  return growth;
}

void BvhEditor::push_children(const BvhNode& node, float growth, const LocalBox& box) {
  for (std::size_t lane = 0; lane < node.size(); ++lane) {
    const LocalBox child = node.box(lane);
    const float more = is_point(child) ? half_area(box) : half_area(hull(child, box)) - half_area(child);
    if (!(more < std::numeric_limits<float>::infinity())) continue;  // too far away for floats
    heap_.push_back({growth + more, node.children[lane]});
    std::push_heap(heap_.begin(), heap_.end());
  }
}

}  // namespace sphaera::index
