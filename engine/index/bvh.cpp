#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <geometry/fail.hpp>
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

  static void* on_node(RTCThreadLocalAllocator allocator, unsigned, void*) {
    return new (rtcThreadLocalAlloc(allocator, sizeof(Draft), 16)) Draft;
  }
  static void* on_leaf(RTCThreadLocalAllocator, const RTCBuildPrimitive* primitives, std::size_t, void*) {
    return disguised(primitives[0].primID);
  }
  static void on_children(void* node, void** children, unsigned count, void* self) {
    auto& draft = *static_cast<Draft*>(node);
    draft.children_count = count;
    for (unsigned i = 0; i < count; ++i) {
      draft.children[i] = children[i];
      draft.weight += static_cast<const Drafting*>(self)->weight_of(children[i]);
      if (!is_primitive(children[i])) draft.nodes += static_cast<const Draft*>(children[i])->nodes;
    }
  }
  static void on_bounds(void* node, const RTCBounds** bounds, unsigned count, void*) {
    for (unsigned i = 0; i < count; ++i) {
      const RTCBounds& b = *bounds[i];
      static_cast<Draft*>(node)->boxes[i] = {{b.lower_x, b.lower_y, b.lower_z},
                                             {b.upper_x, b.upper_y, b.upper_z}};
    }
  }
  static bool on_progress(void* self, double share) {
    return BuildPhase::report(&static_cast<Drafting*>(self)->phase, share);
  }
};

/// Lays a draft's subtree out from nodes[first] on, each node before those below it.
void lay_out(const Drafting& drafting, const Draft& draft, std::span<BvhNode> nodes, std::uint32_t first) {
  std::array<std::pair<float, std::uint32_t>, BvhNode::width> order;
  for (std::uint32_t i = 0; i < draft.children_count; ++i)
    order[i] = {-drafting.weight_of(draft.children[i]) / half_area(draft.boxes[i]), i};
  std::make_heap(order.begin(), order.begin() + draft.children_count);
  std::sort_heap(order.begin(), order.begin() + draft.children_count);

  BvhNode& node = *new (&nodes[first]) BvhNode;
  std::uint32_t next = first + 1;
  tbb::task_group tasks;
  for (std::uint32_t lane = 0; lane < draft.children_count; ++lane) {
    const std::uint32_t i = order[lane].second;
    node.set(lane, draft.boxes[i]);
    if (is_primitive(draft.children[i])) {
      node.children[lane] = BvhRef::primitive(primitive_of(draft.children[i]));
      continue;
    }
    const Draft& child = *static_cast<const Draft*>(draft.children[i]);
    node.children[lane] = BvhRef::node(next);
    constexpr std::uint32_t nodes_a_task = 4096;
    if (child.nodes > nodes_a_task) {
      tasks.run([&drafting, &child, nodes, next] { lay_out(drafting, child, nodes, next); });
    } else {
      lay_out(drafting, child, nodes, next);
    }
    next += child.nodes;
  }
  tasks.wait();
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
  a.createNode = Drafting::on_node;
  a.setNodeChildren = Drafting::on_children;
  a.setNodeBounds = Drafting::on_bounds;
  a.createLeaf = Drafting::on_leaf;
  a.buildProgress = Drafting::on_progress;
  a.userPtr = &drafting;
  const auto* root = static_cast<const Draft*>(rtcBuildBVH(&a));
  device.check();
  device.reserve(root->nodes * sizeof(BvhNode));
  nodes_ = HugeArray<BvhNode>(root->nodes);
  lay_out(drafting, *root, nodes_.items(), 0);
  root_ = BvhRef::node(0);
}

}  // namespace sphaera::index
