#pragma once
/// \file Working memory of queries: that of the caller's Scratch, or else memory of the call itself.

#include <array>
#include <atomic>
#include <base/arena.hpp>
#include <base/errors.hpp>
#include <caps/uncovered_part.hpp>
#include <cstddef>
#include <exact/predicates/in_motion.hpp>
#include <index/tree/path_group.hpp>
#include <memory>
#include <optional>
#include <query/batch/ray_order.hpp>
#include <query/flight/curved_candidate.hpp>
#include <query/flight/passed_spheres.hpp>
#include <query/neighbors/nearby_spheres.hpp>
#include <query/neighbors/reach.hpp>
#include <query/path/candidate.hpp>
#include <sphaera/bullet.hpp>
#include <sphaera/scene.hpp>
#include <star_light/star_view.hpp>
#include <tuple>
#include <vector>

namespace sphaera::query {

/// A sphere and bounds of its signed distance.
struct NeighborCandidate {
  std::uint32_t sphere;
  double low, high;
};

/// The memory of a WalkGroup: paths or flights (`Member`) that walk together.
template <class Group, class Member>
struct GroupScratch {
  static constexpr std::size_t most = Group::most, query_bytes = 512;

  Group walks;
  std::array<Member, most> members;
  std::array<std::size_t, most> numbers;  ///< of the queries
  struct alignas(64) Slot {
    std::array<std::byte, query_bytes> bytes;
  };
  std::array<Slot, most> queries;
};

struct FallingScratch;     // query/flight/falling_bullets.hpp
struct TrajectoryScratch;  // query/flight/trajectories.hpp
struct SkyScratch;         // query/sky/sky_query.hpp

/// The working memory of one piece of a batch, or of a single query.
struct TaskScratch {
  TaskScratch();
  ~TaskScratch();

  std::atomic_flag taken;
  std::vector<Candidate> candidates;
  std::vector<NeighborCandidate> neighbors;
  std::vector<std::int64_t> ids;
  std::vector<Neighbor> listed;
  std::vector<Impact> impacts;
  PassedSpheres passed;
  CurvedScratch curved;
  caps::UncoveredPart uncovered;
  std::unique_ptr<star_light::StarViewScratch> star;  ///< null until needed
  std::unique_ptr<NearbySpheres> nearby;              ///< null until needed

  /// Throws std::bad_alloc.
  template <class Group, class Member>
  GroupScratch<Group, Member>& group() {
    auto& memory = std::get<std::unique_ptr<GroupScratch<Group, Member>>>(groups_);
    if (!memory) memory = std::make_unique_for_overwrite<GroupScratch<Group, Member>>();
    return *memory;
  }
  /// Throws std::bad_alloc.
  FallingScratch& falling_bullets();
  TrajectoryScratch& trajectories();
  SkyScratch& sky();
  /// Makes all memory at least as large as that of `other`. Throws std::bad_alloc.
  void grow_to(const TaskScratch& other);

 private:
  std::unique_ptr<FallingScratch> falling_;
  std::unique_ptr<TrajectoryScratch> trajectories_;
  std::unique_ptr<SkyScratch> sky_;
  std::tuple<std::unique_ptr<GroupScratch<index::PathGroup, exact::Path>>,
             std::unique_ptr<GroupScratch<index::PathGroup, exact::Flight>>,
             std::unique_ptr<GroupScratch<index::FlightGroup, exact::Flight>>>
      groups_;
};

/// The lines of sight of a call of `visibility` that are answered together, each with what it ignores.
struct SightScratch {
  std::vector<Segment> segments;
  std::vector<std::int64_t> ignore, also_ignore, ignore_owners, also_ignore_owners;
  std::vector<LayerMask> layers_each;
  std::vector<double> times;
  std::vector<std::uint8_t> blocked;
  std::vector<std::uint32_t> order;  ///< of the points that follow each other
};

struct ScratchState {
  OrderScratch order;
  SightScratch sight;
  std::vector<Reach> reaches;  ///< of queries about a scene's own spheres
  std::vector<std::unique_ptr<TaskScratch>> tasks;
  base::LastingArena arena;  ///< for batches with several threads
  bool lasting = false;      ///< of a caller's Scratch: its memory is kept between calls

  /// Ensures that there are at least `n` tasks. Throws std::bad_alloc.
  void make_tasks(std::size_t n) {
    tasks.reserve(n);
    while (tasks.size() < n) tasks.push_back(std::make_unique<TaskScratch>());
  }
  /// Makes all tasks as large as the largest, if their memory lasts: whichever thread takes a piece then has
  /// what another needed for it in an earlier batch. Throws std::bad_alloc.
  void level_tasks() {
    if (!lasting || tasks.size() < 2) return;
    for (std::size_t i = 1; i < tasks.size(); ++i) tasks[0]->grow_to(*tasks[i]);
    for (std::size_t i = 1; i < tasks.size(); ++i) tasks[i]->grow_to(*tasks[0]);
  }

  /// The lists of a batch's pieces.
  template <class Item>
  std::vector<std::vector<Item>>& lists() {
    return std::get<std::vector<std::vector<Item>>>(lists_);
  }

 private:
  std::tuple<std::vector<std::vector<Hit>>, std::vector<std::vector<std::int64_t>>,
             std::vector<std::vector<Neighbor>>, std::vector<std::vector<Impact>>>
      lists_;
};

/// The working memory of one piece. No other piece uses it at the same time. There can be more pieces in
/// progress than `tasks`: a thread may start a second piece while its call of `accept` waits, and an arena
/// can have more threads than it reports. If all `tasks` are taken, this object allocates its own memory.
class PieceScratch {
 public:
  /// `first`: where to look first. Throws std::bad_alloc.
  PieceScratch(std::span<const std::unique_ptr<TaskScratch>> tasks, std::size_t first) {
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      task_ = tasks[(first + i) % tasks.size()].get();
      if (!task_->taken.test_and_set(std::memory_order_acquire)) return;
    }
    own_ = std::make_unique<TaskScratch>();
    task_ = own_.get();
  }
  ~PieceScratch() { task_->taken.clear(std::memory_order_release); }
  PieceScratch(const PieceScratch&) = delete;

  TaskScratch& operator*() { return *task_; }

 private:
  TaskScratch* task_ = nullptr;
  std::unique_ptr<TaskScratch> own_;  ///< null unless all `tasks` were taken
};

/// The working memory of one batch.
class BatchScratch {
 public:
  explicit BatchScratch(const QueryOptions& options)
      : state_(options.scratch ? options.scratch->state() : own_) {}
  BatchScratch(const BatchScratch&) = delete;

  ScratchState& operator*() { return state_; }

 private:
  ScratchState own_;  ///< used if the caller gives no Scratch
  ScratchState& state_;
};

/// The working memory of one single query.
class SingleScratch {
 public:
  /// Throws Error(out_of_memory).
  explicit SingleScratch(const QueryOptions& options)
      : task_(options.scratch ? first_of(*options.scratch) : own_) {}
  SingleScratch(const SingleScratch&) = delete;

  TaskScratch& operator*() { return task_; }

 private:
  static TaskScratch& first_of(Scratch& scratch) {
    base::with_memory_errors([&] { scratch.state().make_tasks(1); });
    return *scratch.state().tasks[0];
  }

  TaskScratch own_;  ///< used if the caller gives no Scratch
  TaskScratch& task_;
};

}  // namespace sphaera::query
