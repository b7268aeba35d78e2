#include <algorithm>
#include <atomic>
#include <geometry/fail.hpp>
#include <index/builder.hpp>
#include <index/bvh.hpp>
#include <index/parallel.hpp>
#include <limits>
#include <new>

namespace sphaera::index {
namespace {

/// A node while Embree builds, in Embree's memory: the number of nodes below is not known before.
struct Draft {
  std::uint32_t children_count = 0;
  std::uint32_t nodes = 1;  ///< in this subtree
  float weight = 0;
  std::array<void*, BvhNode::width> children{};
  std::array<LocalBox, BvhNode::width> boxes;
};

/// What rtcBuildBVH hands around for a child: a draft, or a primitive in the disguise of an odd address.
void* disguised(std::uint32_t primitive) {
  return reinterpret_cast<void*>(std::uintptr_t{primitive} << 1 | 1);  // NOLINT(performance-no-int-to-ptr)
}
bool is_primitive(const void* child) { return reinterpret_cast<std::uintptr_t>(child) & 1; }
std::uint32_t primitive_of(const void* child) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(child) >> 1);
}

struct Drafting {
  const Bvh::Input& input;
  BuildPhase phase;

  float weight_of(const void* child) const {
    return is_primitive(child) ? input.weight(input.self, primitive_of(child))
                               : static_cast<const Draft*>(child)->weight;
  }

  void* on_node(RTCThreadLocalAllocator allocator) const {
    auto* const draft = new (rtcThreadLocalAlloc(allocator, sizeof(Draft), 16)) Draft;
    release(draft);
    return draft;
  }
  void* on_leaf(std::span<const RTCBuildPrimitive> primitives) const {
    return disguised(primitives[0].primID);
  }
  void on_children(void* node, std::span<void* const> children) const {
    const Turn turn(node);
    auto& draft = *static_cast<Draft*>(node);
    draft.children_count = static_cast<std::uint32_t>(children.size());
    for (std::size_t i = 0; i < children.size(); ++i) {
      acquire(children[i]);
      draft.children[i] = children[i];
      draft.weight += weight_of(children[i]);
      if (!is_primitive(children[i])) draft.nodes += static_cast<const Draft*>(children[i])->nodes;
    }
  }
  void on_bounds(void* node, std::span<const RTCBounds* const> bounds) const {
    const Turn turn(node);
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      const RTCBounds& b = *bounds[i];
      static_cast<Draft*>(node)->boxes[i] = {{b.lower_x, b.lower_y, b.lower_z},
                                             {b.upper_x, b.upper_y, b.upper_z}};
    }
  }
};

/// Lays a draft's subtree out from nodes[first] on, each node before those below it.
void lay_out(const Drafting& drafting, const Draft& draft, std::span<BvhNode> nodes, std::uint32_t first) {
  std::array<std::pair<float, std::uint32_t>, BvhNode::width> order;
  for (std::uint32_t i = 0; i < draft.children_count; ++i)
    order[i] = {-drafting.weight_of(draft.children[i]) / half_area(draft.boxes[i]), i};
  std::make_heap(order.begin(), order.begin() + draft.children_count);
  std::sort_heap(order.begin(), order.begin() + draft.children_count);

  struct Below {
    const Draft* draft;
    std::uint32_t first;
  };
  std::array<Below, BvhNode::width> below;
  std::size_t below_count = 0;
  BvhNode& node = *new (&nodes[first]) BvhNode;
  std::uint32_t next = first + 1;
  for (std::uint32_t lane = 0; lane < draft.children_count; ++lane) {
    const std::uint32_t i = order[lane].second;
    node.set(lane, draft.boxes[i]);
    if (is_primitive(draft.children[i])) {
      node.children[lane] = BvhRef::primitive(primitive_of(draft.children[i]));
      continue;
    }
    const Draft& child = *static_cast<const Draft*>(draft.children[i]);
    node.children[lane] = BvhRef::node(next);
    below[below_count++] = {&child, next};
    next += child.nodes;
  }
  const auto go_on = [&](std::size_t i, std::size_t) {
    lay_out(drafting, *below[i].draft, nodes, below[i].first);
  };
  constexpr std::uint32_t nodes_a_task = 4096;
  if (draft.nodes > nodes_a_task) return parallel_pieces(below_count, 1, go_on);
  for (std::size_t i = 0; i < below_count; ++i) go_on(i, i + 1);
}

HugeArray<RTCBuildPrimitive> primitives_of(const Bvh::Input& input) {
  HugeArray<RTCBuildPrimitive> primitives(input.size);
  parallel_pieces(input.size, 1 << 12, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const LocalBox b = input.box(input.self, i);
      primitives.data()[i] = {b.lower[0], b.lower[1], b.lower[2], 0,
                              b.upper[0], b.upper[1], b.upper[2], static_cast<unsigned>(i)};
    }
  });
  return primitives;
}

}  // namespace

BvhNode::BvhNode() {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (auto& [lower, upper] : planes) lower.fill(infinity), upper.fill(-infinity);
  children.fill(BvhRef::primitive(0));
}

void BvhNode::set(std::size_t lane, const LocalBox& box) {
  for (std::size_t i = 0; i < 3; ++i) planes[i][0][lane] = box.lower[i], planes[i][1][lane] = box.upper[i];
}

LocalBox BvhNode::box(std::size_t lane) const {
  LocalBox box;
  for (std::size_t i = 0; i < 3; ++i) box.lower[i] = planes[i][0][lane], box.upper[i] = planes[i][1][lane];
  return box;
}

HugeArray<std::uint32_t> Bvh::renumbered(std::uint32_t n) {
  HugeArray<std::uint32_t> old(n);
  std::uint32_t next = 0;
  const auto renumber = [&](BvhRef& ref) {
    if (!ref.is_primitive() || ref.index() >= n) return;
    old.data()[next] = ref.index();
    ref = BvhRef::primitive(next++);
  };
  if (root_.is_primitive()) renumber(root_);
  for (BvhNode& node : nodes_.items())
    for (std::size_t lane = 0; lane < node.size(); ++lane) renumber(node.children[lane]);
  copy_top();
  return old;
}

Bvh::Bvh(Device& device, const Input& input, const BuildPhase& phase) {
  if (input.size >= BvhRef::most) geometry::throw_out_of_memory();
  if (input.size == 1) return;
  const Reservation reserved(device, input.size * sizeof(RTCBuildPrimitive));
  HugeArray<RTCBuildPrimitive> primitives = primitives_of(input);
  const BvhHandle bvh(rtcNewBVH(device.get()));
  device.check();
  Drafting drafting{input, phase};
  RTCBuildArguments a = rtcDefaultBuildArguments();
  a.buildQuality =
      phase.control->quality == BuildQuality::fast ? RTC_BUILD_QUALITY_LOW : RTC_BUILD_QUALITY_MEDIUM;
  a.maxBranchingFactor = BvhNode::width;
  a.maxDepth = max_depth;
  a.sahBlockSize = 1;
  a.minLeafSize = a.maxLeafSize = 1;
  a.bvh = bvh.get();
  a.primitives = primitives.data();
  a.primitiveCount = a.primitiveArrayCapacity = input.size;
  const auto* root = static_cast<const Draft*>(Builder<Drafting>::run(device, a, drafting));
  device.reserve(root->nodes * sizeof(BvhNode));
  nodes_ = HugeArray<BvhNode>(root->nodes);
  lay_out(drafting, *root, nodes_.items(), 0);
  root_ = BvhRef::node(0);
  const BvhNode& first = node(root_);
  const std::span<const BvhRef> below(first.children.data(), first.size());
  if (std::ranges::any_of(below, &BvhRef::is_primitive)) return;
  device.reserve(below.size() * sizeof(BvhNode));
  top_ = HugeArray<BvhNode>(below.size());
  copy_top();
}

void Bvh::copy_top() {
  for (std::size_t i = 0; i < top_.size(); ++i) top_.data()[i] = node(node(root_).children[i]);
}

}  // namespace sphaera::index
