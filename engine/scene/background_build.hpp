#pragma once
/// \file A build of an index beside the caller's work. It takes turns: the first builds the index for the
/// spheres as they are then, each further one fits it to what has changed meanwhile. A turn begins with a
/// copy of the spheres. If only single ones change from then until the index is taken over, that costs as
/// much as these changes.

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

  /// Has a turn ended? It may have failed.
  bool is_done() const { return stage_.load(std::memory_order_acquire) == Stage::done; }
  /// Have few spheres changed since the last copy?
  bool is_near() const { return !moved_ && !changed_.all(); }
  /// Have single changes made it far?
  bool is_left_by_edits() const { return changed_.all(); }
  bool has_turns() const { return turns_ < most_turns; }
  /// After the end of a turn: copies the spheres again and starts another; false if there is no index or
  /// memory to go on with.
  bool go_on(const SceneState& state) noexcept;
  /// Ends it soon and waits until it has ended.
  void cancel();

  /// After the end: the index, with the scene's spheres; null if there was no memory or room. Unless `fit`,
  /// its boxes are yet to be fitted to them.
  std::unique_ptr<index::SceneIndex> take_index(const SceneState& state, bool fit) noexcept;
  const Cost& cost() const { return cost_; }  ///< of the index when it was built

 private:
  enum class Stage : std::uint8_t { waiting, running, done };

  static constexpr int most_turns = 4;  // ../../index/decisions.md

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
