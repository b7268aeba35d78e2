#pragma once
/// \file Single changes to the index of a scene: spheres come, go, jump. The editor knows in which leaf
/// block each sphere is.
///
/// Newcomers take empty lanes of the leaf blocks whose boxes grow the least, so no node is made or moved
/// (../decisions.md). Those that come close together take them as a group. A `balanced` index has lanes for
/// about a sixth more spheres.

#include <index/edit/frame_editor.hpp>
#include <index/tree/outlier_list.hpp>

namespace sphaera::index {

class SceneEditor {
 public:
  /// Throws std::bad_alloc. The outermost frame must outlive the editor.
  SceneEditor(FrameBvh& top, std::size_t spheres);
  SceneEditor() = default;  ///< for `copy`
  /// Makes this an editor of a copy of the other's frames, in its own memory where that is large enough.
  /// Throws std::bad_alloc; this editor can then be copied to again, or destroyed.
  void copy(FrameBvh& top, const SceneEditor& from);

  /// What has changed by single edits: ids that have got or lost their places, and what is in the frames.
  struct Changes {
    base::ChangedItems ids;
    std::vector<FrameEditor::Changes> frames;
  };
  void clear_changes();
  /// Writes the changes recorded since `clear_changes` to `changes` and clears the record. If it throws
  /// std::bad_alloc, the record stays.
  void take_changes(Changes& changes);
  /// Throws std::bad_alloc.
  void add_changes_to(Changes& changes) const;
  /// Copies these changes from `from`. This editor's index is an older copy of the index of `from`.
  void copy_changes(const SceneEditor& from, const Changes& changes);

  /// Makes room for ids below `spheres`. Throws std::bad_alloc, and then nothing has changed.
  void reserve(std::size_t spheres);

  /// Is the sphere in the index?
  bool contains(std::uint32_t id) const { return id < leaf_of_.size() && leaf_of_.span()[id] != no_leaf; }
  /// Makes the outermost frame large enough for spheres that come or have moved.
  void widen(std::span<const std::uint32_t> ids) { frames_[0].widen(ids); }
  /// Puts spheres that the outermost frame holds into the index, those that lie close together and follow
  /// one another in the list as a group. Returns how many were put, from the first on: fewer than all if
  /// there are too few empty lanes.
  std::size_t insert(std::span<const std::uint32_t> ids);
  void sort_by_leaf(std::span<std::uint32_t> ids) const;
  /// Takes spheres out, at once those of a leaf block that follow one another in the list.
  void erase(std::span<const std::uint32_t> ids);
  /// Takes spheres out and fits no box: all frames must be refitted before the next query. For spheres among
  /// others that have moved since the boxes were fitted: a box of those that have jumped would hide that.
  void drop(std::span<const std::uint32_t> ids);
  /// Fits the index to spheres that have changed, and moves those that have left their leaf blocks to others.
  /// Makes the outermost frame large enough. Precondition: there are at most as many as leaf blocks.
  void refit(std::span<const std::uint32_t> ids);
  /// Moves spheres that have left the others of their leaf blocks to other leaf blocks. Throws
  /// std::bad_alloc, and then nothing has changed.
  void move_outliers(OutlierList& outliers);

  /// Is a sphere in a child frame that does not hold it? Then all frames must be refitted before the next
  /// query.
  bool outgrown() const { return outgrown_; }
  void set_fitted() { outgrown_ = false; }
  std::uint64_t bytes() const;

 private:
  static constexpr std::uint32_t no_leaf = 0xffffffff;

  struct Place {
    FrameEditor* frame = nullptr;
    std::uint32_t leaf = 0;
  };
  void list(FrameBvh& frame);
  void reserve_moved();
  std::size_t copy_from(FrameBvh& frame, std::size_t number, const SceneEditor& from);
  Place place_of(std::uint32_t leaf);
  std::size_t group_at_front(std::span<const std::uint32_t> ids) const;
  std::size_t put_near(std::size_t frame, std::span<const std::uint32_t> group);
  bool put_anywhere(std::uint32_t id);
  void put(FrameEditor& frame, std::uint32_t leaf, std::span<const std::uint32_t> ids);
  void take_out(const Place& place, std::span<const std::uint32_t> ids);

  std::vector<FrameEditor> frames_;
  std::vector<std::uint32_t> first_leaf_;        // of each frame; leaf blocks are numbered through all frames
  std::vector<std::vector<std::size_t>> below_;  // numbers of each frame's child frames
  base::HugeArray<std::uint32_t> leaf_of_;       // by id
  bool outgrown_ = false;
  std::uint32_t scanned_ = 0;         // the leaf block at which put_anywhere ended
  std::vector<std::uint32_t> moved_;  // working memory of move_outliers and refit
  base::ChangedItems changed_ids_;
};

}  // namespace sphaera::index
