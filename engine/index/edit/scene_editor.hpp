#pragma once
/// \file Single changes to the index of a scene: spheres come, go, jump. The editor knows in which leaf
/// block each sphere is.
///
/// A newcomer takes an empty lane of the leaf block whose boxes grow the least, so no node is made or moved
/// (../decisions.md). A `balanced` index has lanes for about a sixth more spheres.

#include <index/edit/frame_editor.hpp>
#include <index/layout/outlier_list.hpp>

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
  /// Puts a sphere that the outermost frame holds into the index; false if there is no empty lane.
  bool insert(std::uint32_t id);
  void erase(std::uint32_t id);
  /// Fits the index to a sphere that has changed, and moves it to another leaf block if it has moved far.
  /// Precondition: the outermost frame holds the sphere.
  void refit(std::uint32_t id);
  /// Moves spheres that have left the others of their leaf blocks to other leaf blocks. Throws
  /// std::bad_alloc, and then nothing has changed.
  void move_outliers(OutlierList& outliers);

  /// Has a sphere left a child frame that had to keep it? Then all frames must be refitted before the next
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
  bool find(std::size_t frame, std::uint32_t id, Place& place);
  bool find_anywhere(Place& place);
  void put(const Place& place, std::uint32_t id);

  std::vector<FrameEditor> frames_;
  std::vector<std::uint32_t> first_leaf_;        // of each frame; leaf blocks are numbered through all frames
  std::vector<std::vector<std::size_t>> below_;  // numbers of each frame's child frames
  base::HugeArray<std::uint32_t> leaf_of_;       // by id
  bool outgrown_ = false;
  std::uint32_t scanned_ = 0;         // the leaf block at which find_anywhere ended
  std::vector<std::uint32_t> moved_;  // working memory of move_outliers
  base::ChangedItems changed_ids_;
};

}  // namespace sphaera::index
