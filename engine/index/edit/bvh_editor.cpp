#include <bit>
#include <cstring>
#include <index/edit/bvh_editor.hpp>
#include <limits>

namespace sphaera::index {
namespace {

float area(const LocalBox& box) { return is_empty(box) || is_point(box) ? 0 : half_area(box); }

}  // namespace

BvhEditor::BvhEditor(Bvh& bvh, std::size_t primitives)
    : bvh_(bvh), parents_(0, bvh.memory()), places_(0, bvh.memory()) {
  make_room();
  parents_.resize(bvh.nodes_.size()), places_.resize(primitives);  // with room for copies of later indexes
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
  make_room();
  base::copy(parents_, from.parents_), base::copy(places_, from.places_);
}

void BvhEditor::copy_changes(const BvhEditor& from, const base::ChangedItems& changed) {
  if (changed.all()) return bvh_.copy(from.bvh_);
  if (changed.items().empty()) return;
  for (const std::uint32_t n : changed.items()) bvh_.nodes_.data()[n] = from.bvh_.nodes_.span()[n];
  if (bvh_.has_stacks())
    for (const std::uint32_t n : changed.items()) bvh_.stacks_.data()[n] = from.bvh_.stacks_.span()[n];
  bvh_.copy_top();
}

/// The nodes above a primitive that has changed are stacks no more: its spheres may differ from the others.
/// Above a node that is no stack there is none.
void BvhEditor::forget_stacks(std::uint32_t primitive) {
  for (Lane at = places_.span()[primitive]; at != no_lane; at = parents_.span()[at / BvhNode::width]) {
    std::uint32_t& stack = bvh_.stacks_.data()[at / BvhNode::width];
    if (stack == no_sphere) return;
    stack = no_sphere;
    changed_.add(at / BvhNode::width);
  }
}

double BvhEditor::refit(std::uint32_t primitive, const LocalBox& box) {
  if (bvh_.has_stacks()) forget_stacks(primitive);
  double growth = 0;
  bool is_top = false;  // the last node is the root or a child of it
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
    const Lane above = parents_.span()[at / BvhNode::width];
    is_top = above == no_lane || parents_.span()[above / BvhNode::width] == no_lane;
    // The boxes above depend only on this box: if it is unchanged, so are they.
    if (const LocalBox now = node.box(lane); now.lower == before.lower && now.upper == before.upper) break;
    at = above;
  }
  if (is_top) bvh_.copy_top();
  return growth;
}

void BvhEditor::make_room() { open_.reserve(max_nodes), heap_.reserve(max_nodes); }

/// Finds by how much the half-areas down to each child grow.
void BvhEditor::open(std::uint32_t number, float growth, const LocalBox& box) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  const BvhNode& node = bvh_.nodes_.span()[number];
  LeafLanes size[3], grown[3];
  LeafMask is_point = LeafMask{} - 1;
  for (std::size_t i = 0; i < 3; ++i) {
    const LeafLanes &low = lanes(node.planes[i][0]), &high = lanes(node.planes[i][1]),
                    lower = LeafLanes{} + box.lower[i], upper = LeafLanes{} + box.upper[i];
    size[i] = high - low;
    grown[i] = (high > upper ? high : upper) - (low < lower ? low : lower);
    is_point &= low == high;
  }
  const auto half_areas = [](const LeafLanes(&s)[3], LeafLanes& to) {
    to = s[0] * s[1] + s[1] * s[2] + s[2] * s[0];
  };
  LeafLanes before, after;
  half_areas(size, before), half_areas(grown, after);
  const LeafLanes more = is_point ? LeafLanes{} + half_area(box) : after - before, all = more + growth;
  Open& opened = open_.emplace_back();
  opened.node = number;
  // Without children whose growth overflows float.
  opened.lanes = lanes_of<exact::Plain>(more < infinite) & ((1u << node.size()) - 1);
  std::memcpy(&opened.growths, &all, sizeof all);
  push_best(static_cast<std::uint32_t>(open_.size() - 1));
}

/// Puts the open node's best child on the heap, if one is left.
void BvhEditor::push_best(std::uint32_t number) {
  Open& open = open_[number];
  if (open.lanes == 0) return;
  auto best = static_cast<std::uint32_t>(std::countr_zero(open.lanes));
  for (LaneSet rest = open.lanes & (open.lanes - 1); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (open.growths[lane] < open.growths[best]) best = lane;
  }
  open.lanes &= ~(1u << best);
  heap_.push_back({open.growths[best], number, best});
  std::push_heap(heap_.begin(), heap_.end());
}

}  // namespace sphaera::index
