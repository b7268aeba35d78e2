#pragma once
/// \file A build of an index in the background, in turns: the first builds the index from a copy of the
/// spheres, each later one takes a new copy and refits the index to it. If only single spheres change after
/// the last copy, taking the index over costs time in proportion to these changes.

#include <atomic>
#include <base/changed_items.hpp>
#include <memory>
#include <scene/cost.hpp>
#include <stop_token>

namespace sphaera::query {

struct SceneState;

class BackgroundBuild : public std::enable_shared_from_this<BackgroundBuild> {
 public:
  /// Copies the spheres and starts the first turn in the calling arena. Throws std::bad_alloc.
  static std::shared_ptr<BackgroundBuild> start(const SceneState& state);

  /// Notes what changes in the scene: a sphere, or all of them.
  void note_change(std::uint32_t id) noexcept { changed_.add(id); }
  void note_move() noexcept { moved_ = true, changed_.clear(spheres_.size()); }

  /// True if no turn is running; the last may have failed.
  bool is_done() const { return stage_.load(std::memory_order_acquire) == Stage::done; }
  /// True if since the last copy all spheres have not moved, and single changes are few enough to be listed.
  bool is_near() const { return !moved_ && !changed_.all(); }
  /// True if more single spheres have changed than are listed.
  bool is_left_by_edits() const { return changed_.all(); }
  bool has_turns() const { return turns_ < most_turns; }
  /// After the end of a turn: copies the spheres again and starts another; false if there is no index,
  /// or not enough memory.
  bool go_on(const SceneState& state) noexcept;
  /// Requests a stop and waits for the end.
  void cancel();

  /// After the end: the index, with the scene's spheres; null if memory ran out or the index has
  /// no free places. Without `fit` the caller must still refit its boxes.
  std::unique_ptr<index::SceneIndex> take_index(const SceneState& state, bool fit) noexcept;
  const Cost& cost() const { return cost_; }  ///< of the index when it was built

 private:
  enum class Stage : std::uint8_t { waiting, running, done };

  static constexpr int most_turns = 4;  // ../index/decisions.md

  void copy(const SceneState& state);
  void run_beside();
  void run() noexcept;
  void build();
  void follow();
  index::SphereSet sphere_set() const { return {spheres_.span(), velocities_.span(), from_, to_}; }

  base::HugeArray<Sphere> spheres_;
  base::HugeArray<Vec3> velocities_;
  double from_ = 0, to_ = 0;
  base::HugeArray<bool> enabled_;
  index::BuildControl control_;
  std::stop_source stop_;
  std::unique_ptr<index::SceneIndex> index_;
  Cost cost_;
  int turns_ = 0;
  bool moved_ = false;          // all spheres, since the last copy
  base::ChangedItems changed_;  // spheres, since then or since all have moved
  std::atomic<Stage> stage_{Stage::waiting};
};

}  // namespace sphaera::query
