#pragma once
/// \file Working memory of queries. A call without a Scratch of the caller's has one of its own.

#include <memory>
#include <optional>
#include <query/batch/candidate.hpp>
#include <query/batch/curved_candidate.hpp>
#include <query/batch/passing.hpp>
#include <query/batch/ray_order.hpp>
#include <sphaera/bullet.hpp>
#include <sphaera/scene.hpp>
#include <starlight/star_view.hpp>
#include <tuple>
#include <vector>

namespace sphaera::query {

/// A sphere and bounds of its signed distance.
struct Nearby {
  std::uint32_t sphere;
  double low, high;
};

/// What one task at a time works in.
struct TaskScratch {
  std::vector<Candidate> candidates;
  std::vector<Nearby> neighbors;
  std::vector<std::int64_t> ids;
  std::vector<Impact> impacts;
  Passing passing;
  CurvedScratch curved;
  std::unique_ptr<geometry::StarViewScratch> star;  ///< once needed
};

struct ScratchState {
  OrderScratch order;
  std::vector<TaskScratch> tasks;  ///< by thread number
  bool lasting = false;            ///< the caller's: memory is kept

  /// The lists of a batch's pieces.
  template <class Item>
  std::vector<std::vector<Item>>& lists() {
    return std::get<std::vector<std::vector<Item>>>(lists_);
  }

 private:
  std::tuple<std::vector<std::vector<Hit>>, std::vector<std::vector<std::int64_t>>,
             std::vector<std::vector<Impact>>>
      lists_;
};

/// The working memory of one batch.
class BatchScratch {
 public:
  explicit BatchScratch(const QueryOptions& options)
      : state_(options.scratch ? options.scratch->state() : own_) {}
  BatchScratch(const BatchScratch&) = delete;

  ScratchState& operator*() { return state_; }

 private:
  ScratchState own_;
  ScratchState& state_;
};

/// The working memory of one single query.
class SingleScratch {
 public:
  explicit SingleScratch(const QueryOptions& options)
      : task_(options.scratch ? first_of(*options.scratch) : own_) {}
  SingleScratch(const SingleScratch&) = delete;

  TaskScratch& operator*() { return task_; }

 private:
  static TaskScratch& first_of(Scratch& scratch) {
    std::vector<TaskScratch>& tasks = scratch.state().tasks;
    if (tasks.empty()) tasks.resize(1);
    return tasks[0];
  }

  TaskScratch own_;
  TaskScratch& task_;
};

}  // namespace sphaera::query
