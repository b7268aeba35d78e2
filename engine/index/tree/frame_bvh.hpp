#pragma once
/// \file One frame with its BVH. Its primitives are leaf blocks of spheres and, where frames nest, child
/// BVHs. A walk enters a child BVH with the path recomputed in the child's frame.

#include <index/boxes/relative_bounds.hpp>
#include <index/builder/binary_tree.hpp>
#include <index/builder/nesting.hpp>
#include <index/tree/leaf_blocks.hpp>
#include <index/tree/saved_frame.hpp>
#include <index/tree/walk.hpp>
#include <index/tree/walk_cost.hpp>
#include <memory>
#include <vector>

namespace sphaera::index {

struct GatheredSpheres;
template <class View>
class FrontToBack;

class FrameBvh {
 public:
  /// Builds in the calling arena. The arrays that `sphere_set` refers to must outlive the BVH.
  FrameBvh(Device& device, const SphereSet& sphere_set, const FramePlan& plan, const ProgressRange& progress);
  FrameBvh() = default;  ///< for `copy`
  FrameBvh(const FrameBvh&) = delete;

  /// Visits leaf blocks in no particular order; false if a visit returned stop.
  bool any(PathWalk& walk) const;
  bool any(FlightWalk& walk) const;
  /// Visits leaf blocks, nearer boxes first, as long as their spheres can be entered by t_limit.
  void nearest_first(PathWalk& walk) const;
  void nearest_first(FlightWalk& walk) const;
  /// Can paths walk this BVH together? Not where frames nest, or where it has no nodes.
  bool takes_groups() const { return children_.empty() && !bvh_.root().is_primitive(); }
  /// Runs the walks of a group. Finds the same as separate walks. Precondition: takes_groups().
  void any(PathGroup& group) const;
  void nearest_first(PathGroup& group) const;
  void nearest_first(FlightGroup& group) const;
  /// Visits leaf blocks within the search radius, nearer boxes first.
  void around(PointWalk& walk) const;
  /// Can `gather` find anything? Not where frames nest, where there are no floats, or no nodes.
  bool can_gather() const { return takes_groups() && leaves_.floats(0); }
  /// Replaces `found` by all spheres within the search radius of a point, and possibly others. False if the
  /// point is too far away for float or if the spheres are too many. Precondition: can_gather().
  bool gather(const Vec3& point, double search_radius, GatheredSpheres& found) const;
  /// Visits leaf blocks in no particular order; false if a visit returned stop.
  bool in_cone(ConeWalk& walk) const;

  /// Fits the floats and boxes of this BVH and its child BVHs to spheres that have moved, in the calling
  /// arena, in the floating-point mode that the proofs assume. `known`: bounds of the spheres about the
  /// frame's center, if already known; only for a BVH that holds all spheres: its frame is fitted, too. Call
  /// `fit_frames` afterwards. Allocates no memory. Adds leaf blocks and child frames that have moved far to
  /// `outliers`, unless it is null.
  void refit(const BoundsAbout* known = nullptr, OutlierList* outliers = nullptr);
  /// Fits the frames that no longer hold their spheres, or are much too large, and then the floats and boxes
  /// within them. True if this frame has changed.
  bool fit_frames();
  /// A frame is fitted with that much room, so that it is fitted rarely. At `greatest_room` it is fitted
  /// again.
  static constexpr double room = 1.0625, greatest_room = 1.25;
  /// What `copy` takes over of a BVH, besides frames and counts.
  enum class Copied : std::uint8_t {
    all,
    all_to_refit,  ///< all but the floats, which a refit writes; it finds outliers by the old boxes
    fit,           ///< what a refit has changed
    fit_to_refit,  ///< what a refit has changed and the next one needs: the boxes
    counts,        ///< only the frames and counts
  };
  /// Makes this BVH and its child BVHs a copy of `from`. If `copied` is neither all nor all_to_refit, this
  /// BVH must already have the same child frames. Call `point_to` afterwards. Throws std::bad_alloc.
  void copy(const FrameBvh& from, Copied copied);
  /// Call this after the sphere arrays have moved or got more spheres.
  void point_to(const SphereSet& sphere_set);
  /// Of this BVH and its child BVHs, in the scene's unit squared.
  WalkCost cost() const { return WalkCost::of(areas(), frame_.half_size()); }
  /// Cost divided by its value at build time: that of the BVH, of this one and its child BVHs, where it is
  /// the greatest. Each is seen by itself, as most walks stay in one frame.
  double degradation() const;
  /// Child BVHs in their places.
  using Places = std::vector<std::unique_ptr<FrameBvh>*>;
  /// Adds the child BVHs whose own degradation is beyond `most`, and that have at most `leaves` leaf blocks;
  /// of nested ones only the outer one. Throws std::bad_alloc.
  void list_degraded(double most, std::size_t leaves, Places& places);
  /// A new BVH of the spheres of this one and its child BVHs. In the calling arena. Throws as the
  /// constructor.
  std::unique_ptr<FrameBvh> built_anew(Device& device, const ProgressRange& progress) const;
  /// Fits BVHs to child BVHs that have been built anew.
  void fit_to_children();
  std::uint64_t bytes() const;  ///< of the arrays of this BVH and its child BVHs
  /// Calls visit(array, …) for each array of this frame alone that a file has, in the order of base::Section
  /// from leaf_ids on.
  template <class Visit, class... Frames>
  static void each_saved_array(const Visit& visit, Frames&... frames) {
    LeafBlocks::each_array(visit, frames.leaves_...);
    Bvh::each_saved_array(visit, frames.bvh_...);
  }
  /// The same for each array.
  template <class Visit, class... Frames>
  static void each_array(const Visit& visit, Frames&... frames) {
    LeafBlocks::each_array(visit, frames.leaves_...);
    Bvh::each_array(visit, frames.bvh_...);
  }
  /// For a frame from a file, which has no stacks. Throws std::bad_alloc.
  void make_room_for_stacks() { bvh_.make_room_for_stacks(); }
  /// What a file has of this frame besides its arrays.
  SavedFrame saved() const;
  /// Makes this the frame that a file has, without its arrays, and with empty child BVHs. False if no build
  /// makes such a frame.
  bool open(const SavedFrame& saved, const SphereSet& sphere_set);

  const SphereSet& sphere_set() const { return sphere_set_; }
  const Frame& frame() const { return frame_; }
  std::size_t spheres() const { return leaves_.spheres(); }
  std::pmr::memory_resource* memory() const { return leaves_.memory(); }  ///< of its arrays
  /// Leaf blocks of this frame and its child frames.
  std::size_t leaves_below() const;
  /// Appends the ids of the spheres of this frame and its child frames, one leaf block after the other: those
  /// that are close in the list are close in space. Throws std::bad_alloc.
  void append_ids(std::vector<std::uint32_t>& ids) const;
  /// Do this frame and its child frames hold no sphere?
  bool is_empty() const;
  std::span<const std::unique_ptr<FrameBvh>> children() const { return children_; }
  const LeafBlocks& leaves() const { return leaves_; }
  const Bvh& bvh() const { return bvh_; }

 private:
  friend class FrameEditor;
  template <class View>
  friend class FrontToBack;

  /// The child BVH that a primitive stands for; null for a leaf block.
  const FrameBvh* child(std::size_t primitive) const {
    return primitive < leaves_.size() ? nullptr : children_[primitive - leaves_.size()].get();
  }
  template <class View, class Walk>
  bool walk_any(Walk& walk) const;
  template <class View, class Walk>
  void walk_nearest_first(Walk& walk) const;
  /// The same walks with one arithmetic.
  template <class View, WalkKind kind, class Walk>
  SPHAERA_TARGET_FMA bool walk_any(exact::Fused, Walk& walk) const;
  template <class View, WalkKind kind, class Walk>
  bool walk_any(exact::Plain, Walk& walk) const;
  template <class View, WalkKind kind, class Walk>
  SPHAERA_TARGET_FMA void walk_nearest_first(exact::Fused, Walk& walk) const;
  template <class View, WalkKind kind, class Walk>
  void walk_nearest_first(exact::Plain, Walk& walk) const;
  template <class View, WalkKind kind, class Arithmetic, class Walk>
  bool any_loop(Walk& walk) const;
  template <class View, WalkKind kind, class Arithmetic, class Walk>
  void nearest_first_loop(Walk& walk) const;
  /// Prefetches a node or leaf block.
  SPHAERA_INLINE void prefetch(BvhRef ref) const {
    if (!ref.is_primitive())
      bvh_.prefetch(ref);
    else if (ref.index() < leaves_.size())
      leaves_.prefetch(ref.index());
  }
  /// Prefetches what walks of this kind may visit next: these lanes of a node, or of the top nodes.
  template <WalkKind kind, class Nodes, class Lanes>
  SPHAERA_INLINE void prefetch(const Nodes& nodes, Lanes lanes) const {
    if constexpr (kind == WalkKind::prefetching)
      each_ref(nodes, lanes, [this](BvhRef ref) SPHAERA_INLINE_LAMBDA { prefetch(ref); });
  }
  template <WalkKind kind>
  void walk_around(PointWalk& walk, const LocalPoint& local) const;
  /// Visits all leaf blocks; false if a visit returned stop.
  template <class Walk>
  bool visit_all(Walk& walk) const;
  /// The sphere that stands for all those of a node in a walk; no_sphere if none does. Precondition:
  /// bvh_.has_stacks().
  template <class Walk>
  std::uint32_t stand_in(const Walk& walk, BvhRef node) const {
    const std::uint32_t id = walk.stands_for_equals ? bvh_.stack(node) : no_sphere;
    return id != no_sphere && walk.stands_for_equals(walk, id) ? id : no_sphere;
  }

  void build_children(Device& device, std::span<const FramePlan> plans, const ProgressRange& progress);
  /// Makes the nodes; returns the ids of the leaf blocks.
  base::HugeArray<LeafIds> build(Device& device, const SphereSubset& members, const ProgressRange& progress);
  Subtree subtree(std::size_t child) const;
  BoundsAbout bounds_about(const Vec3& about) const;
  bool has_good_frame();
  /// Of this BVH without its child BVHs.
  WalkCost own_cost() const {
    return WalkCost::of(areas_ / frame_.scale() / frame_.scale(), frame_.half_size());
  }
  /// Sum of the half-areas of all boxes of this BVH and its child BVHs, in the scene's unit squared.
  double areas() const;
  /// Computes floats and boxes.
  void fit(OutlierList* outliers = nullptr);
  void fit(std::span<const std::uint32_t> primitives, LocalBox* boxes);
  void fit_all(std::span<const std::uint32_t> primitives, LocalBox* boxes);
  /// Finds the nodes all of whose spheres are equal.
  void find_stacks();
  void sort_stacks();
  void sort_stacks(BvhRef ref);
  void sort_stack(BvhRef ref);
  bool are_equal(std::uint32_t a, std::uint32_t b) const;
  /// As Bvh::find_stacks has it.
  std::uint32_t lowest_of_equals(std::uint32_t primitive) const;

  SphereSet sphere_set_;
  Frame frame_;
  LeafBlocks leaves_;
  std::vector<std::unique_ptr<FrameBvh>> children_;
  Bvh bvh_;
  double areas_ = 0;           // of this BVH, in scaled units
  WalkCost built_;             // own_cost() when it was built
  bool is_unsure_ = false;     // whether the frame holds the spheres: they have moved
  bool has_outgrown_ = false;  // at the last refit, the boxes reached beyond the frame
};

}  // namespace sphaera::index
