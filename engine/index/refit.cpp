/// \file Fitting an index to spheres that have moved: the same packets and nodes, new floats and boxes.
///
/// One sweep from the leaves up, subtree by subtree: packets lie about as their nodes do, so that a subtree's
/// memory is passed through once. Spheres are gathered; what is to be gathered is asked for a node ahead.

#include <tbb/task_group.h>

#include <exact/floating_point_environment.hpp>
#include <index/level.hpp>
#include <index/parallel.hpp>

namespace sphaera::index {
namespace {

/// Of a subtree: around it, and the half-areas of its boxes, summed in the nodes' order.
struct Swept {
  LocalBox box;
  double areas;
};

constexpr std::uint32_t nodes_a_task = 1024;

class Sweep {
 public:
  Sweep(std::span<BvhNode> nodes, const Bvh::Moved& moved) : nodes_(nodes), moved_(moved) {}

  /// The subtree whose nodes are first … end − 1.
  Swept run(std::uint32_t first, std::uint32_t end) const {
    BvhNode& node = nodes_[first];
    std::array<Swept, BvhNode::width> swept;
    const std::size_t count = size(node);
    for (std::size_t i = 0; i < count; ++i)
      if (node.children[i].is_primitive()) moved_.expect(moved_.self, node.children[i].index());
    if (end - first > nodes_a_task) {
      divide(node, count, end, swept);
    } else {
      each_below(node, count, end,
                 [&](std::size_t i, std::uint32_t from, std::uint32_t to) { swept[i] = run(from, to); });
    }
    for (std::size_t i = 0; i < count; ++i)
      if (node.children[i].is_primitive()) swept[i] = {moved_.box(moved_.self, node.children[i].index()), 0};
    return closed(node, std::span(swept).first(count));
  }

 private:
  static std::size_t size(const BvhNode& node) {
    std::size_t n = 0;
    while (n < BvhNode::width && !node.empty(n)) ++n;
    return n;
  }

  /// visit(lane, first, end) for each node below one whose subtree ends at `end`: a child's ends where the
  /// next begins.
  template <class Visit>
  static void each_below(const BvhNode& node, std::size_t count, std::uint32_t end, const Visit& visit) {
    for (std::size_t i = count; i-- > 0;) {
      if (node.children[i].is_primitive()) continue;
      const std::uint32_t first = node.children[i].index();
      visit(i, first, end);
      end = first;
    }
  }

  void divide(const BvhNode& node, std::size_t count, std::uint32_t end, std::span<Swept> swept) const {
    tbb::task_group tasks;
    each_below(node, count, end, [&](std::size_t i, std::uint32_t from, std::uint32_t to) {
      tasks.run([this, from, to, &out = swept[i]] {
        const exact::FloatingPointEnvironment mode;
        out = run(from, to);
      });
    });
    tasks.wait();
  }

  static Swept closed(BvhNode& node, std::span<const Swept> children) {
    Swept all{children[0].box, 0};
    for (std::size_t lane = 0; lane < children.size(); ++lane) {
      const LocalBox& box = children[lane].box;
      node.set(lane, box);
      all.areas += static_cast<double>(half_area(box)) + children[lane].areas;
      for (std::size_t i = 0; i < 3; ++i) {
        all.box.lower[i] = std::min(all.box.lower[i], box.lower[i]);
        all.box.upper[i] = std::max(all.box.upper[i], box.upper[i]);
      }
    }
    return all;
  }

  std::span<BvhNode> nodes_;
  const Bvh::Moved& moved_;
};

}  // namespace

double Bvh::refit(const Moved& moved) {
  if (root_.is_primitive()) {
    moved.box(moved.self, root_.index());
    return 0;
  }
  return Sweep(nodes_.items(), moved).run(0, static_cast<std::uint32_t>(nodes_.size())).areas;
}

double Bvh::areas() const {
  double sum = 0;
  for (const BvhNode& node : nodes_.span())
    for (std::size_t lane = 0; lane < BvhNode::width && !node.empty(lane); ++lane)
      sum += static_cast<double>(half_area(node.box(lane)));
  return sum;
}

void Packets::expect(std::size_t packet, std::span<const Sphere> spheres) const {
  if (floats_.size() > 0) {
    const auto* floats = reinterpret_cast<const char*>(&floats_.span()[packet]);
    for (std::size_t line = 0; line < sizeof(PacketFloats); line += 64) __builtin_prefetch(floats + line, 1);
  }
  for (std::uint32_t lane = 0; lane < packet_size && ids(packet)[lane] != no_sphere; ++lane)
    __builtin_prefetch(&spheres[ids(packet)[lane]]);
}

void Level::refit(const Reach* reach_known) {
  const exact::FloatingPointEnvironment mode;
  parallel_pieces(children_.size(), 1, [&](std::size_t i, std::size_t) { children_[i]->refit(); });
  frame_ = refitted(frame_, reach_known ? *reach_known : reach(frame_.center()),
                    [this](const Vec3& about) { return reach(about); });
  const auto box_of = [](void* self, std::size_t i) { return static_cast<Level*>(self)->refitted_box(i); };
  const auto expect = [](const void* self, std::size_t i) {
    const Level& level = *static_cast<const Level*>(self);
    if (!level.child(i)) level.packets_.expect(i, level.spheres_);
  };
  areas_ = bvh_.refit({this, box_of, expect});
}

LocalBox Level::refitted_box(std::size_t primitive) {
  if (!child(primitive)) packets_.refit(primitive, spheres_, frame_);
  return box(primitive);
}

/// Of the packets' spheres and the frames below, which stick out of their spheres a little.
Reach Level::reach(const Vec3& about) const {
  const Reach own = parallel_fold(
      packets_.size(), Reach{},
      [&](std::size_t begin, std::size_t end, const Reach& start) {
        const exact::FloatingPointEnvironment mode;
        ReachSum sum(about);
        for (std::size_t packet = begin; packet < end; ++packet)
          for (const std::uint32_t id : packets_.ids(packet))
            if (id != no_sphere) sum.add(spheres_[id].center, spheres_[id].radius);
        return joined(start, sum.reach());
      },
      joined);
  ReachSum below(about);
  for (const auto& child : children_) below.add(child->frame_);
  return joined(own, below.reach());
}

double Level::areas() const {
  double sum = areas_ / frame_.scale() / frame_.scale();
  for (const auto& child : children_) sum += child->areas();
  return sum;
}

}  // namespace sphaera::index
