#pragma once
/// \file A BVH of eight-wide nodes over the primitives of one frame: its leaf blocks and its child frames. It
/// is made from a binary tree whose top Embree builds (../builder/upper_tree.hpp); the traversal is our own.
///
/// ../decisions.md says why, and lists other layouts that were measured.

#include <base/huge_array.hpp>
#include <cstdint>
#include <index/boxes/bvh_node.hpp>
#include <index/builder/binary_tree.hpp>
#include <index/device/device.hpp>

namespace sphaera::index {

class OutlierList;

/// How walks of single paths and points go through a BVH.
enum class WalkKind : std::uint8_t {
  plain,
  prefetching,  ///< nodes and leaf blocks are prefetched when their parent is tested
  stacked,      ///< of the stacks that the BVH has, one sphere each may be visited
};

class Bvh {
 public:
  Bvh() = default;
  /// Lays out the tree below `root`, in the calling arena. Leaf blocks are numbered in the order of the
  /// nodes, as walks and refits reach them, then child frames. Each leaf block gets its spheres' ids:
  /// order[i] is the id at place i. Nodes count as the device's memory. `refit` fits the boxes afterwards.
  Bvh(Device& device, const Subtree& root, std::span<const std::uint32_t> order, std::span<LeafIds> leaves);

  BvhRef root() const { return root_; }
  /// Copies of the root's child nodes, side by side; empty if the root or any child of it is a primitive. A
  /// walk tests all of them in a row, which saves branch mispredictions (../decisions.md).
  std::span<const BvhNode> top() const { return top_.span(); }
  const BvhNode& node(BvhRef ref) const { return nodes_.span()[ref.index()]; }
  SPHAERA_INLINE void prefetch(BvhRef ref) const {
    const char* const bytes = reinterpret_cast<const char*>(&node(ref));
    for (std::size_t at = 0; at < sizeof(BvhNode); at += cache_line) __builtin_prefetch(bytes + at);
  }
  /// Single walks gain by prefetching from fewer nodes on than groups of walks do (../decisions.md).
  WalkKind walk_kind() const {
    constexpr std::size_t core_cache = 1 << 11;
    if (has_stacks_) return WalkKind::stacked;
    return nodes_.size() < core_cache ? WalkKind::plain : WalkKind::prefetching;
  }
  bool groups_prefetch() const { return nodes_.size() >= std::size_t{1} << 16; }

  /// Stacks: nodes all of whose spheres are equal. Are there any, as find_stacks() has found? Most scenes
  /// have none.
  bool has_stacks() const { return has_stacks_; }
  /// The lowest id of a stack's spheres; no_sphere for other nodes. Precondition: has_stacks().
  std::uint32_t stack(BvhRef node) const {
    const std::uint32_t id = stacks_.span()[node.index()];
    return id == empty ? no_sphere : id;
  }
  /// In place of a lowest id: there is no sphere. (There are fewer ids.)
  static constexpr std::uint32_t empty = no_sphere - 1;
  /// Finds the stacks after a refit. lowest_of(primitive) is the lowest id of a primitive's spheres if all of
  /// them are equal, else no_sphere, or `empty`; are_equal(a, b) compares the spheres with two ids.
  /// Precondition: make_room_for_stacks() has been called.
  template <class LowestOf, class AreEqual>
  void find_stacks(const LowestOf& lowest_of, const AreEqual& are_equal);
  /// Null: the system's memory. Throws std::bad_alloc.
  void make_room_for_stacks(std::pmr::memory_resource* memory = nullptr);

  /// Callback that writes the boxes of one node's primitives, or of a root that is a primitive. A refit
  /// passes each primitive once, from any thread.
  struct Moved {
    void* self;
    void (*boxes)(void* self, std::span<const std::uint32_t> primitives, LocalBox* boxes);
  };
  /// Fits the nodes to primitives that are new or have changed, in the calling arena. Children keep their
  /// places and order. Returns the sum of the half-areas of all boxes, with which the cost of walks grows.
  /// Adds primitives whose boxes have moved far to `outliers`, unless it is null.
  double refit(const Moved& moved, OutlierList* outliers = nullptr);
  /// The same sum for the boxes as they are.
  double areas() const;
  /// Moves all boxes to other units: multiplies by `factor`, then adds `shift`.
  void convert(float factor, const std::array<float, 3>& shift);
  /// Calls visit(array, …) for each array that files have, of several objects at once.
  template <class Visit, class... Bvhs>
  static void each_saved_array(const Visit& visit, Bvhs&... bvhs) {
    visit(bvhs.nodes_...), visit(bvhs.top_...);
  }
  /// The same for each array: copies, counts of bytes.
  template <class Visit, class... Bvhs>
  static void each_array(const Visit& visit, Bvhs&... bvhs) {
    each_saved_array(visit, bvhs...), visit(bvhs.stacks_...);
  }
  std::span<const BvhNode> nodes() const { return nodes_.span(); }
  bool has_equal_boxes() const { return has_equal_boxes_; }
  /// What is in no array of a BVH from a file.
  void set_opened(bool has_nodes, bool has_equal_boxes) {
    root_ = has_nodes ? BvhRef::node(0) : BvhRef::primitive(0);
    has_stacks_ = false, has_equal_boxes_ = has_equal_boxes;
  }
  /// Of its arrays; null: the system's.
  std::pmr::memory_resource* memory() const { return nodes_.memory(); }
  /// Makes this BVH a copy of another one. Throws std::bad_alloc.
  void copy(const Bvh& from);

  /// Most refs on a traversal stack: those of the top, then all but one of each node.
  static constexpr std::size_t max_stack =
      BvhNode::width * BvhNode::width +
      (max_depth_of_upper_tree + max_depth_of_block) * (BvhNode::width - 1) + BvhNode::width;

 private:
  friend class BvhEditor;
  static constexpr std::size_t cache_line = 64;

  /// Copies the top nodes again after nodes have changed.
  void copy_top();

  base::HugeArray<BvhNode> nodes_, top_;
  base::HugeArray<std::uint32_t> stacks_;  // by node: as stack(), or `empty`
  BvhRef root_ = BvhRef::primitive(0);
  bool has_stacks_ = false;
  bool has_equal_boxes_ = false;  // of two children of a node, at the last refit: those of a stack are equal
};

}  // namespace sphaera::index
