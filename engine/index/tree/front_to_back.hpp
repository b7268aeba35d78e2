#pragma once
/// \file A walk over the spheres of a scene in the order of their distance from a point. It leaves out boxes
/// of spheres that nearer spheres hide.

#include <algorithm>
#include <index/tree/frame_bvh.hpp>
#include <vector>

namespace sphaera::index {

/// The memory of a walk.
struct FrontToBackMemory {
  /// A sphere, or a box of a node. Spheres of one distance come in the order of their ids, after boxes.
  struct Entry {
    double distance;  ///< of a box: at most those of its spheres
    bool is_sphere;
    std::uint32_t number;       ///< of the sphere, or of the node in the frame's BVH
    std::uint32_t frame, lane;  ///< of a box

    friend bool operator>(const Entry& a, const Entry& b) {
      if (a.distance != b.distance) return a.distance > b.distance;
      return a.is_sphere != b.is_sphere ? a.is_sphere : a.number > b.number;
    }
  };
  struct FrameAbout {
    const FrameBvh* bvh;
    LocalPoint point;
  };

  std::vector<Entry> entries;  ///< a heap, the nearest on top
  std::vector<FrameAbout> frames;
};

/// `View` has
/// - distance(id): |X − C| − r, computed as it likes, or ∞ for a sphere that does not count
/// - limit(): what is farther does not count
/// - hides(lower, upper): do spheres passed to `take` hide the box with these corners? They are relative to
///   the point, in any unit. If it hides a box it must hide all boxes inside.
/// - take(id, distance): the next sphere; false ends the walk
///
/// So `take` gets every sphere that counts, in the same order for any index and without one, but for some
/// that `hides` would leave out by then.
template <class View>
class FrontToBack {
 public:
  FrontToBack(const Vec3& point, View& view, FrontToBackMemory& memory)
      : point_(point), view_(view), memory_(memory) {
    memory.entries.clear(), memory.frames.clear();
  }

  /// Throws std::bad_alloc, as all functions here.
  void walk(const FrameBvh& top) {
    enter(top);
    run();
  }
  /// By brute force: all spheres with ids 0 … n − 1 for which exists(id) is true.
  template <class Exists>
  void walk_all(std::size_t n, const Exists& exists) {
    for (std::uint32_t id = 0; id < n; ++id)
      if (exists(id)) add_sphere(id);
    run();
  }

 private:
  using Entry = FrontToBackMemory::Entry;

  void run() {
    std::vector<Entry>& entries = memory_.entries;
    while (!entries.empty()) {
      std::ranges::pop_heap(entries, std::greater<>());
      const Entry next = entries.back();
      entries.pop_back();
      if (!next.is_sphere)
        open(next);
      else if (!view_.take(next.number, next.distance))
        return;
    }
  }

  void add(const Entry& entry) {
    if (!(entry.distance <= view_.limit())) return;
    memory_.entries.push_back(entry);
    std::ranges::push_heap(memory_.entries, std::greater<>());
  }
  void add_sphere(std::uint32_t id) {
    if (const double distance = view_.distance(id); distance < infinity) add({distance, true, id, 0, 0});
  }

  void enter(const FrameBvh& bvh) {
    const std::optional<LocalPoint> local = bvh.frame().local(point_);
    if (!local) return add_all(bvh);  // too far away for float
    memory_.frames.push_back({&bvh, *local});
    expand(static_cast<std::uint32_t>(memory_.frames.size() - 1), bvh.bvh_.root());
  }
  void add_all(const FrameBvh& bvh) {
    for (std::size_t i = 0; i < bvh.leaves_.size(); ++i) add_leaf(bvh.leaves_.ids(i));
    for (const auto& child : bvh.children_) add_all(*child);
  }
  void add_leaf(const LeafIds& ids) {
    for (const std::uint32_t id : ids)
      if (id != no_sphere) add_sphere(id);
  }

  void open(const Entry& box) {
    const auto [bvh, local] = memory_.frames[box.frame];
    const BvhNode& node = bvh->bvh_.node(BvhRef::node(box.number));
    const LocalBox b = node.box(box.lane);
    std::array<double, 3> lower, upper;
    for (std::size_t i = 0; i < 3; ++i) {
      lower[i] = static_cast<double>(b.lower[i]) - static_cast<double>(local.position[i]) - local.margin;
      upper[i] = static_cast<double>(b.upper[i]) - static_cast<double>(local.position[i]) + local.margin;
    }
    if (!view_.hides(lower, upper)) expand(box.frame, node.children[box.lane]);
  }
  void expand(std::uint32_t frame, BvhRef ref) {
    const FrameBvh& bvh = *memory_.frames[frame].bvh;
    if (!ref.is_primitive()) return add_boxes(frame, ref.index());
    if (const FrameBvh* below = bvh.child(ref.index())) return enter(*below);
    add_leaf(bvh.leaves_.ids(ref.index()));
  }

  /// The distance is at least √square (1 − 4w), of a place that is off by `margin` (../proofs.md, section 2).
  void add_boxes(std::uint32_t frame, std::uint32_t node_number) {
    const auto [bvh, local] = memory_.frames[frame];
    const BvhNode& node = bvh->bvh_.node(BvhRef::node(node_number));
    LeafLanes squares;
    const LaneSet lanes =
        within<exact::Plain>(node, local.position, std::numeric_limits<float>::max(), squares);
    for (std::uint32_t lane = 0; lane < BvhNode::width; ++lane) {
      if (!(lanes >> lane & 1)) continue;
      const double far = std::sqrt(static_cast<double>(squares[lane])) * (1 - 0x1p-21) - local.margin;
      add({std::max(far, 0.0) / local.scale, false, node_number, frame, lane});
    }
  }

  Vec3 point_;
  View& view_;
  FrontToBackMemory& memory_;
};

}  // namespace sphaera::index
