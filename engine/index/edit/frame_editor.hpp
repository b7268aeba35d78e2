#pragma once
/// \file Single spheres put into a frame, taken out of it, or moved within it.

#include <index/edit/bvh_editor.hpp>
#include <index/layout/frame_bvh.hpp>

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
  std::size_t leaves() const { return bvh_.leaves_.size(); }
  const LeafIds& ids(std::size_t leaf) const { return bvh_.leaves_.ids(leaf); }
  bool has_room(std::uint32_t leaf) const { return bvh_.leaves_.count(leaf) < leaf_block_size; }
  std::uint64_t bytes() const { return boxes_.bytes(); }

  /// Makes the frame large enough for these spheres, with room to spare.
  void widen(std::span<const std::uint32_t> ids);
  /// Does the sphere lie within the frame, at all its times?
  bool holds(std::uint32_t id) const;
  /// The sphere's box in the frame's units, rounded to nearest and not inflated. The box may reach beyond the
  /// frame.
  LocalBox box(std::uint32_t id) const;

  /// Puts a sphere into a leaf block with an empty lane, or takes one out, and fits the boxes.
  void add(std::uint32_t leaf, std::uint32_t id);
  void remove(std::uint32_t leaf, std::uint32_t id);
  /// Fits the boxes to a sphere of the leaf block that has changed. True if the box of the leaf block has
  /// moved far.
  bool refit(std::uint32_t leaf);

  /// Finds nodes of equal spheres as a refit does, which edits since may have changed.
  void find_stacks() { bvh_.find_stacks(); }

  /// The sphere without which the leaf block is much smaller; no_sphere if there is none.
  std::uint32_t outlier(std::uint32_t leaf) const;

  /// Calls leaf(number) or child(number) for the leaf blocks with an empty lane, and for the child frames,
  /// that are nearest to a box, until one returns true; false if none does.
  template <class Leaf, class Child>
  bool each_near(const LocalBox& box, const Leaf& leaf, const Child& child) {
    return boxes_.each_near(box, [&](std::uint32_t primitive) {
      if (primitive >= leaves()) return child(primitive - leaves());
      return has_room(primitive) && leaf(primitive);
    });
  }

 private:
  /// The largest distance of the sphere's points from the frame's center along each axis.
  Vec3 extent(std::uint32_t id) const;

  FrameBvh& bvh_;
  BvhEditor boxes_;
  base::ChangedItems changed_leaves_;
};

}  // namespace sphaera::index
