#pragma once
/// \file The scene index: nested frames with their BVHs. It finds candidates and decides nothing. A query
/// passes a `visit` function, which is called for at least every leaf block with a sphere that the path, ball
/// or cone touches.

#include <index/edit/scene_editor.hpp>
#include <index/tree/frame_ball.hpp>
#include <memory>

namespace sphaera::index {

class SceneIndex {
 public:
  /// Builds in the calling arena. The arrays that `sphere_set` refers to must outlive the index. The set has
  /// at least one sphere and fewer than 2^32 − 1.
  SceneIndex(const SphereSet& sphere_set, const FramePlan& plan, const BuildControl& control)
      : SceneIndex(Device(control), sphere_set, plan, control) {}
  SceneIndex() = default;  ///< for `copy`
  SceneIndex(const SceneIndex&) = delete;

  /// Visits leaf blocks in no particular order until a visit returns stop. `Walk`: PathWalk or FlightWalk.
  template <class Walk>
  void any(Walk& walk) const {
    if (const FrameBall* const ball = frame_ball_of(walk)) return ball->any(walk);
    top_.any(walk);
  }
  /// Visits leaf blocks, nearer boxes first, as long as their spheres can be entered by t_limit.
  template <class Walk>
  void nearest_first(Walk& walk) const {
    if (const FrameBall* const ball = frame_ball_of(walk)) return ball->nearest_first(walk);
    top_.nearest_first(walk);
  }
  /// The frame ball in which the walk along a path begins; null: the walk begins in the outermost frame.
  /// `margin`: of a flight; `prepared`: the path as set up by `prepare`, or none.
  const FrameBall* start_of(const exact::Path& path, double margin, PreparedRay prepared) const {
    if (frame_balls_.empty()) return nullptr;
    const auto [paths, i] = prepared;
    return paths ? paths->frame_ball(i) : frame_balls_.of(path, margin);
  }
  /// Can any paths walk this index together?
  bool takes_groups() const { return top_.takes_groups() || !frame_balls_.empty(); }
  /// Adds a walk that begins at `start` to a group whose walks all begin there.
  template <class Group, class Walk>
  SPHAERA_INLINE void add_to(Group& group, Walk& walk, const FrameBall* start) const {
    const FrameBvh& bvh = bvh_of(start);
    if (bvh.takes_groups())
      group.add(bvh.frame(), walk);
    else
      group.add_alone(walk);
  }
  /// Runs the walks of a group, which all begin at `start`. Finds the same as separate walks.
  void any(PathGroup& group, const FrameBall* start) const;
  void nearest_first(PathGroup& group, const FrameBall* start) const;
  void nearest_first(FlightGroup& group, const FrameBall* start) const;
  /// Visits leaf blocks within the search radius, nearer boxes first.
  void around(PointWalk& walk) const { top_.around(walk); }
  /// See FrameBvh; in the frame of `top`.
  bool can_gather() const { return frame_balls_.empty() && top_.can_gather(); }
  bool gather(const Vec3& point, double search_radius, GatheredSpheres& found) const {
    return top_.gather(point, search_radius, found);
  }
  /// Visits leaf blocks in no particular order until a visit returns stop.
  void in_cone(ConeWalk& walk) const { top_.in_cone(walk); }

  /// Prepares paths for walks, each in the smallest frame whose frame ball contains it and its margin.
  /// `margins`: of flights; null: none.
  void prepare(const PreparedRays::Paths& paths, const PreparedRays::Margins* margins,
               PreparedRays& prepared) const {
    if (frame_balls_.empty()) return prepared.make(top_.frame(), paths, margins);
    prepare_in_frame_balls(paths, margins, prepared);
  }

  /// When does a refit move jumped spheres to other leaf blocks? `few`: only if at most an eighth of the leaf
  /// blocks have any; `many`: always.
  enum class Jumps : std::uint8_t { few, many };
  /// Fits the index to spheres that have moved: see FrameBvh::refit.
  void refit(const BoundsAbout* known = nullptr, Jumps jumps = Jumps::few);
  /// Builds the nested frames anew whose degradation is beyond `most`, if they have at most `leaves` leaf
  /// blocks, in the calling arena. Returns false if there is none. Throws as the constructor, and then
  /// nothing has changed. Call `reserve` before the next change of single spheres.
  bool rebuild_nested(double most, std::size_t leaves, const BuildControl& control);

  /// Prepares the index for `insert`, `erase` and `refit` of single spheres with ids below `spheres`. Throws
  /// std::bad_alloc, and then nothing has changed.
  void reserve(std::size_t spheres);
  /// Call this after the sphere arrays have moved or got more spheres.
  void point_to(const SphereSet& sphere_set) { top_.point_to(sphere_set); }
  /// Inserts spheres that are not in the index, in the calling arena. If there is no empty lane for one of
  /// them, inserts none and returns false.
  bool insert(std::span<const std::uint32_t> ids);
  /// Sorts the ids by their leaf blocks.
  void erase(std::span<std::uint32_t> ids);
  /// Takes spheres out of an index that is refitted to all spheres before the next query (SceneEditor::drop).
  void drop(std::span<const std::uint32_t> ids) { editor_->drop(ids); }
  /// Number of spheres for which there are lanes.
  std::size_t lanes() const { return top_.leaves_below() * leaf_block_size; }
  /// Fits the index to these spheres, which have changed.
  void refit(std::span<const std::uint32_t> ids);

  /// What has changed in an index.
  struct Changes {
    bool fitted = false;  ///< true: all that a refit writes has changed
    SceneEditor::Changes edits;

    void clear();
    void add(const Changes& others);
  };
  /// What a copy is for: to be queried, or to be refitted to all spheres first, which overwrites most of it.
  enum class Purpose : std::uint8_t { queries, refit };
  /// Makes this index a copy of `from`, in its own memory where that is large enough. `sphere_set`: a copy of
  /// the spheres of `from`. Throws std::bad_alloc; this index can then be copied to again, or destroyed.
  void copy(const SceneIndex& from, const SphereSet& sphere_set, Purpose purpose);
  /// The same for an index that differs from a copy of `from` only by these changes.
  void copy_changes(const SceneIndex& from, const SphereSet& sphere_set, const Changes& changes,
                    Purpose purpose);
  /// A copy with room for a few more leaf blocks and nodes, so that it can become a copy of another index of
  /// these spheres in its own memory. Throws std::bad_alloc.
  std::unique_ptr<SceneIndex> with_room() const;
  /// Starts to record changes. With `Purpose::refit`, all that a refit writes counts as changed already.
  void note_changes(Purpose purpose);
  /// Writes the recorded changes to `changes` and starts a new record. If it throws std::bad_alloc, the
  /// record stays.
  void take_changes(Changes& changes);
  /// Adds the recorded changes to `changes`. Throws std::bad_alloc.
  void add_changes_to(Changes& changes) const;

  /// Is the sphere in the index? Precondition: `reserve` has been called.
  bool contains(std::uint32_t id) const { return editor_->contains(id); }

  /// An index whose frames are to be opened (saved_index.hpp); `bytes` as `bytes()`.
  explicit SceneIndex(std::uint64_t bytes) : bytes_(bytes), peak_bytes_(bytes) {}
  FrameBvh& opened_top() { return top_; }
  /// Call this once the opened frames are known to be sound.
  void finish_opening() { find_frame_balls(); }

  const FrameBvh& top() const { return top_; }
  const FrameBalls& frame_balls() const { return frame_balls_; }
  std::uint64_t bytes() const {
    return bytes_ + (editor_ ? editor_->bytes() : 0) + (outliers_ ? outliers_->bytes() : 0);
  }
  std::uint64_t peak_bytes() const { return peak_bytes_; }

 private:
  SceneIndex(Device&& device, const SphereSet& sphere_set, const FramePlan& plan, const BuildControl& control)
      : top_(device, sphere_set, plan, {&control}), bytes_(device.bytes()), peak_bytes_(device.peak_bytes()) {
    find_frame_balls();
  }

  const FrameBvh& bvh_of(const FrameBall* start) const { return start ? start->bvh() : top_; }
  static double margin_of(const PathWalk&) { return 0; }
  static double margin_of(const FlightWalk& walk) { return walk.margin; }
  template <class Walk>
  const FrameBall* frame_ball_of(const Walk& walk) const {
    return start_of(walk.path, margin_of(walk), walk.prepared);
  }

  void prepare_in_frame_balls(const PreparedRays::Paths& paths, const PreparedRays::Margins* margins,
                              PreparedRays& prepared) const;
  void clear_outliers(Jumps jumps);
  void move_outliers();
  void find_frame_balls();
  void find_copied_frame_balls(const SceneIndex& from, Purpose purpose);
  void finish_edit(std::span<const std::uint32_t> ids);

  FrameBalls frame_balls_;
  FrameBvh top_;
  std::uint64_t bytes_ = 0, peak_bytes_ = 0;  // of what was built
  double greatest_drift_ = 0;
  std::unique_ptr<SceneEditor> editor_;    // once spheres come, go or jump
  std::unique_ptr<OutlierList> outliers_;  // once all have moved
  bool fitted_ = false;                    // since note_changes
};

}  // namespace sphaera::index
