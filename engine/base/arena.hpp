#pragma once
/// \file The only use of oneTBB: runs work in the caller's arena or in an arena of n threads, isolated.

#include <algorithm>
#include <array>
#include <base/happens_before.hpp>
#include <cstddef>
#include <memory>

namespace sphaera::base {

/// A type-erased callable. oneTBB's templates are compiled once, in arena.cpp, without ThreadSanitizer, which
/// does not see the synchronization inside the oneTBB library.
struct Call {
  const void* self;
  void (*run)(const void* self, std::size_t i);
};

void run_in_arena(int threads, const Call& call);  ///< i = 0
void run_detached(const Call& call);               ///< i = 0; returns at once
/// Calls with i = 0 … n − 1, in parallel, and waits for all. Throws if other work of the same task group has
/// thrown, because oneTBB may then have skipped calls.
void run_in_parallel(std::size_t n, const Call& call);

/// While a Serial exists, run_in_parallel of its thread runs on that thread alone, in order, without
/// oneTBB. This does not apply to parallel work that Embree starts.
class Serial {
 public:
  Serial();
  ~Serial();
  Serial(const Serial&) = delete;

 private:
  bool outer_;
};

/// The index of the calling thread among the threads that work in its arena, and the usual number of these
/// threads.
std::size_t thread_number();
std::size_t thread_numbers();

/// A callable work(i) that other threads call while this thread waits.
template <class Work>
class Forked {
 public:
  explicit Forked(const Work& work) : work_(work) {}
  Call call() const { return {this, run}; }

 private:
  static void run(const void* self, std::size_t i) {
    const auto& forked = *static_cast<const Forked*>(self);
    const Fork::Part part(forked.fork_);
    forked.work_(i);
  }

  const Work& work_;
  Fork fork_;  // the last member: it is constructed after the others
};

/// Runs `work` in the caller's arena, or in an arena of `threads` threads if that is positive. Isolated from
/// the caller's tasks and from their cancellation. On every thread it runs in the floating-point mode that
/// the proofs assume.
template <class Work>
void in_arena(int threads, const Work& work) {
  const auto once = [&](std::size_t) { work(); };
  const Forked forked(once);
  run_in_arena(threads, forked.call());
}

/// An arena that lasts from call to call. oneTBB calls the heap 19 times to make one.
class LastingArena {
 public:
  LastingArena();
  ~LastingArena();
  LastingArena(LastingArena&&) noexcept;
  LastingArena& operator=(LastingArena&&) noexcept;

  /// The same as in_arena(threads, work) with threads ≥ 1. Makes the arena if it is the first call, or if the
  /// number of threads has changed. Precondition: only one call runs at a time. Throws std::bad_alloc.
  template <class Work>
  void run(int threads, const Work& work) {
    const auto once = [&](std::size_t) { work(); };
    const Forked forked(once);
    run(threads, forked.call());
  }

 private:
  void run(int threads, const Call& call);

  struct Arena;
  std::unique_ptr<Arena> arena_;
};

/// Runs work(), which may not throw, on another thread of the caller's arena while the caller goes on. Throws
/// std::bad_alloc.
template <class Work>
void run_detached(Work work) {
  struct Task {
    Work work;
    static void run(const void* self, std::size_t) {
      acquire(self);
      const std::unique_ptr<const Task> task(static_cast<const Task*>(self));
      task->work();
    }
  };
  auto task = std::make_unique<const Task>(Task{std::move(work)});
  release(task.get());
  run_detached(Call{task.get(), Task::run});
  static_cast<void>(task.release());
}

/// A task context that outlives the RTCScene that is built in it. Embree 3 binds the tasks of an RTCScene to
/// the context of the first commit, and keeps a pointer to that context. If the context lived for a single
/// call only, the pointer would dangle, and the next exception in oneTBB would follow it. `run` runs work in
/// the calling arena, in the floating-point mode of the thread that called the constructor.
class LastingContext {
 public:
  LastingContext();
  ~LastingContext();
  LastingContext(const LastingContext&) = delete;

  template <class Work>
  void run(const Work& work) const {
    const auto once = [&](std::size_t) { work(); };
    const Forked forked(once);
    run(forked.call());
  }

 private:
  void run(const Call& call) const;

  struct Context;
  std::unique_ptr<Context> context_;
};

/// Items per piece if an item takes a few nanoseconds: enough to hide the cost of a task (1 µs).
inline constexpr std::size_t cheap_items_per_piece = 1 << 14;

/// Calls body(begin, end) for the pieces with borders 0, grain, 2·grain … n, in parallel.
template <class Body>
void parallel_pieces(std::size_t n, std::size_t grain, const Body& body) {
  const auto piece = [&](std::size_t i) { body(i * grain, std::min(n, (i + 1) * grain)); };
  const Forked forked(piece);
  run_in_parallel((n + grain - 1) / grain, forked.call());
}

/// Folds 0 … n − 1: body(begin, end, start) → value for each piece, joined in order by `join`; `start` is the
/// neutral element. The pieces depend on n alone. Allocates nothing.
template <class Value, class Body, class Join>
Value parallel_fold(std::size_t n, const Value& start, const Body& body, const Join& join) {
  constexpr std::size_t max_pieces = 256;
  const std::size_t grain = std::max(cheap_items_per_piece, (n + max_pieces - 1) / max_pieces);
  if (n <= grain) return body(0, n, start);
  std::array<Value, max_pieces> values;
  parallel_pieces(
      n, grain, [&](std::size_t begin, std::size_t end) { values[begin / grain] = body(begin, end, start); });
  Value all = start;
  for (std::size_t begin = 0; begin < n; begin += grain) all = join(all, values[begin / grain]);
  return all;
}

}  // namespace sphaera::base
