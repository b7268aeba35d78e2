#pragma once
/// \file A build of an index beside the caller's work. It takes two turns: the first builds the index for the
/// spheres as they are then, the second fits it to what has changed meanwhile, so that taking it
/// over is cheap.

#include <atomic>
#include <base/huge_array.hpp>
#include <memory>
#include <query/batch/cost.hpp>
#include <stop_token>

namespace sphaera::query {

struct SceneState;

class BackgroundBuild : public std::enable_shared_from_this<BackgroundBuild> {
 public:
  /// Copies the spheres and starts the first turn in the calling arena. Throws std::bad_alloc.
  static std::shared_ptr<BackgroundBuild> start(const SceneState& state);

  /// Has a turn ended? It may have failed.
  bool is_done() const { return stage_.load(std::memory_order_acquire) == Stage::done; }
  /// After the end of a turn: copies the spheres again and starts the second turn; false if that was the
  /// second turn.
  bool go_on(const SceneState& state);
  /// Ends it soon and waits until it has ended.
  void cancel();

  /// After the end: the index, null if there was no memory or room; its spheres are the copies.
  std::unique_ptr<index::SceneIndex> take_index() { return std::move(index_); }
  const Cost& cost() const { return cost_; }  ///< of the index when it was built
  /// Does the index hold the sphere?
  bool holds(std::size_t id) const { return id < enabled_.size() && enabled_.span()[id]; }

 private:
  enum class Stage : std::uint8_t { waiting, running, done };

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
  bool built_ = false, followed_ = false;
  std::atomic<Stage> stage_{Stage::waiting};
};

}  // namespace sphaera::query
