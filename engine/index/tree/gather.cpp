/// \file The walk that gathers the spheres near one place. It tests a list of nodes, then a list of leaf
/// blocks; no branch depends on the result of one test.

#include <bit>
#include <exact/numbers/instruction_sets.hpp>
#include <index/boxes/lanes.hpp>
#include <index/tree/frame_bvh.hpp>
#include <index/tree/gathered_spheres.hpp>
#include <limits>

SPHAERA_SET_BEGIN
namespace sphaera::index::inline SPHAERA_SET {
namespace {

using exact::Arithmetic;

using RefLanes = std::int32_t __attribute__((vector_size(sizeof(LeafLanes)), may_alias));

/// Leaf blocks are prefetched this many steps ahead.
constexpr std::size_t leaves_ahead = 4;

/// The leaf blocks within a radius of a point.
class LeavesNear {
 public:
  /// False if there are too many.
  bool find(const Bvh& bvh, const std::array<float, 3>& point, float max_square) {
    std::array<BvhRef, most_nodes + BvhNode::width> nodes;
    std::size_t pending = 1;
    nodes[0] = bvh.root();
    while (pending > 0) {
      const BvhNode& node = bvh.node(nodes[--pending]);
      LeafLanes squares, refs;
      const LaneSet near = within<Arithmetic>(node, point, max_square, squares);
      RefLanes children;
      std::memcpy(&children, &node.children, sizeof children);
      std::memcpy(&refs, &node.children, sizeof refs);
      const LaneSet primitives = lanes_of<Arithmetic>(children < RefLanes{});
      const LaneSet inner = near & ~primitives, leaves = near & primitives;
      write_lanes<Arithmetic>(&nodes[pending], refs, lane_lists.ascending[inner]);
      write_lanes<Arithmetic>(&leaves_[size_], refs, lane_lists.ascending[leaves]);
      pending += static_cast<std::size_t>(std::popcount(inner));
      size_ += static_cast<std::size_t>(std::popcount(leaves));
      if (pending > most_nodes || size_ > most_leaves) return false;
    }
    return true;
  }
  std::span<const BvhRef> span() const { return std::span(leaves_).first(size_); }

 private:
  static constexpr std::size_t most_nodes = 128, most_leaves = 256;

  std::size_t size_ = 0;
  std::array<BvhRef, most_leaves + BvhNode::width> leaves_;
};

/// Appends the spheres of a leaf block that may lie within `radius` of the point.
void append(const LeafBlock& leaf, const LeafIds& ids, const std::array<float, 3>& point, float radius,
            GatheredSpheres& found) {
  LeafLanes squares, id_lanes;
  const LaneSet lanes_near = reached<Arithmetic>(leaf, point, radius, squares);
  const LaneLists::Lanes& list = lane_lists.ascending[lanes_near];
  std::memcpy(&id_lanes, &ids, sizeof id_lanes);
  write_lanes<Arithmetic>(&found.ids[found.size], id_lanes, list);
  write_lanes<Arithmetic>(&found.x[found.size], lanes(leaf.x), list);
  write_lanes<Arithmetic>(&found.y[found.size], lanes(leaf.y), list);
  write_lanes<Arithmetic>(&found.z[found.size], lanes(leaf.z), list);
  write_lanes<Arithmetic>(&found.radius[found.size], lanes(leaf.radius), list);
  found.size += static_cast<std::uint32_t>(std::popcount(lanes_near));
}

}  // namespace

bool gather_near(const Bvh& bvh, const LeafBlocks& leaves, const LocalPoint& local, double search_radius,
                 GatheredSpheres& found) {
  const float radius = local.local_radius(search_radius);
  const float max_square = std::min(radius * radius, std::numeric_limits<float>::max());
  LeavesNear near;
  if (!near.find(bvh, local.position, max_square)) return false;
  const std::span<const BvhRef> refs = near.span();
  for (std::size_t i = 0; i < refs.size(); ++i) {
    const std::uint32_t leaf = refs[i].index();
    leaves.prefetch(refs[std::min(i + leaves_ahead, refs.size() - 1)].index());
    append(*leaves.floats(leaf), leaves.ids(leaf), local.position, radius, found);
    if (found.size > GatheredSpheres::most) return false;
  }
  return true;
}

}  // namespace sphaera::index::inline SPHAERA_SET
SPHAERA_SET_END

#if SPHAERA_ONCE
namespace sphaera::index {

SPHAERA_IN_BOTH_SETS(bool gather_near(const Bvh& bvh, const LeafBlocks& leaves, const LocalPoint& local,
                                      double search_radius, GatheredSpheres& found);)

bool FrameBvh::gather(const Vec3& point, double search_radius, GatheredSpheres& found) const {
  found.size = 0;
  const std::optional<LocalPoint> local = frame_.local(point);
  return local && SPHAERA_CHOSEN(gather_near(bvh_, leaves_, *local, search_radius, found));
}

}  // namespace sphaera::index
#endif
