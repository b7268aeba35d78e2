#pragma once
/// \file Single spheres put into a frame, taken out of it, or moved within it.

#include <index/edit/bvh_editor.hpp>
#include <index/tree/frame_bvh.hpp>

namespace sphaera::index {

class FrameEditor {
 public:
  /// Throws std::bad_alloc. The frame must outlive the editor.
  explicit FrameEditor(FrameBvh& frame);
  /// An editor of a copy of the other's frame. Throws std::bad_alloc.
  FrameEditor(FrameBvh& frame, const FrameEditor& from);
  /// Makes this an editor of a copy of the other's frame. Throws std::bad_alloc; `copy` may then be called
  /// again.
  void copy(const FrameEditor& from) { boxes_.copy(from.boxes_); }

  /// What has changed by single edits: leaf blocks, nodes.
  struct Changes {
    base::ChangedItems leaves, nodes;

    void add(const Changes& others) { leaves.add(others.leaves), nodes.add(others.nodes); }
  };
  void clear_changes();
  void list_changes(Changes& changes) const;
  void add_changes_to(Changes& changes) const;
  /// Copies changed leaf blocks and nodes of another editor's frame. Precondition: apart from these and its
  /// counts, that frame is equal.
  void copy_changes(const FrameEditor& from, const Changes& changes);

  FrameBvh& frame() { return bvh_; }
  const FrameBvh& frame() const { return bvh_; }
  std::size_t leaves() const { return bvh_.leaves_.size(); }
  const LeafIds& ids(std::size_t leaf) const { return bvh_.leaves_.ids(leaf); }
  /// The box of a leaf block; a point if it holds no sphere, or is all that the frame holds.
  LocalBox leaf_box(std::uint32_t leaf) const { return boxes_.box(leaf); }
  /// Number of empty lanes of a leaf block.
  std::uint32_t room(std::uint32_t leaf) const { return leaf_block_size - bvh_.leaves_.count(leaf); }
  std::uint64_t bytes() const { return boxes_.bytes(); }

  /// Makes the frame large enough for these spheres, with room to spare.
  void widen(std::span<const std::uint32_t> ids);
  /// Does the sphere lie within the frame, at all its times?
  bool holds(std::uint32_t id) const { return lies_within(id, 1); }
  /// Would it, if the frame were a little larger?
  bool nearly_holds(std::uint32_t id) const { return lies_within(id, FrameBvh::room); }
  /// The box of a sphere, or of some, in the frame's units, rounded to nearest and not inflated. The box may
  /// reach beyond the frame.
  LocalBox box(std::uint32_t id) const;
  LocalBox box(std::span<const std::uint32_t> ids) const;

  /// Puts spheres into a leaf block that has room for them, or takes some out, and fits the boxes.
  void add(std::uint32_t leaf, std::span<const std::uint32_t> ids);
  void remove(std::uint32_t leaf, std::span<const std::uint32_t> ids);
  /// Takes a sphere out and fits no box: the frame must be refitted before the next query.
  void drop(std::uint32_t leaf, std::uint32_t id) { bvh_.leaves_.remove(leaf, id); }
  /// Fits the boxes to spheres of a leaf block that have changed.
  void refit(std::uint32_t leaf);

  /// Finds nodes of equal spheres as a refit does, which edits since may have changed.
  void find_stacks() { bvh_.find_stacks(); }

  /// Has a sphere of a leaf block left the box that the leaf block had, or would it make it much larger?
  bool has_left(std::uint32_t id, const LocalBox& before) const;
  /// Members of a leaf block.
  struct Members {
    LeafIds ids;
    std::uint32_t count = 0;

    void add(std::uint32_t id) { ids[count++] = id; }
    std::span<const std::uint32_t> span() const { return std::span(ids).first(count); }
  };
  /// The spheres of a leaf block that have left the box that it had, alone or in company: those without a
  /// point in it. Of the others, as long as there is one, that without which the rest is much smaller.
  Members leavers(std::uint32_t leaf, const LocalBox& before) const;

  /// Calls leaf(number) or child(number) for the leaf blocks with an empty lane, and for the child frames,
  /// that are nearest to a box, until one returns true; false if none does.
  template <class Leaf, class Child>
  bool each_near(const LocalBox& box, const Leaf& leaf, const Child& child) {
    return boxes_.each_near(box, [&](std::uint32_t primitive) {
      if (primitive >= leaves()) return child(primitive - leaves());
      return room(primitive) > 0 && leaf(primitive);
    });
  }

 private:
  /// The largest distance of the sphere's points from the frame's center along each axis.
  Vec3 extent(std::uint32_t id) const;
  bool lies_within(std::uint32_t id, double share) const;

  FrameBvh& bvh_;
  BvhEditor boxes_;
  base::ChangedItems changed_leaves_;
};

}  // namespace sphaera::index
