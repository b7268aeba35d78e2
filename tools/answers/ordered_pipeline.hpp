#pragma once
/// \file Processes a stream of pieces in parallel and consumes the results in order, in bounded memory.

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <tools/terminal/last_resort.hpp>
#include <vector>

namespace sphaera::tool {

/// Runs `work` on `threads` threads (0: all), or on fewer if the system refuses more: oneTBB fails if one of
/// its threads cannot start. The tool owns its process, so unlike in the library the number may exceed the
/// number of cores.
template <class Work>
void on_threads(int threads, const Work& work) {
  const int wanted = threads > 0 ? threads : tbb::this_task_arena::max_concurrency();
  const std::size_t possible = possible_threads(static_cast<std::size_t>(wanted));
  const auto whole = [&] {
    work();
    note_outputs_complete();
  };
  if (threads == 0 && possible == static_cast<std::size_t>(wanted)) return whole();
  // Never destroyed: if oneTBB runs out of memory, the destructor of a global_control waits for ever.
  static const auto* const limit =
      new tbb::global_control(tbb::global_control::max_allowed_parallelism, possible);
  static_cast<void>(limit);
  tbb::task_arena(static_cast<int>(possible)).execute(whole);
}

/// Number of threads that share the work of the calling thread.
inline std::size_t threads() { return static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()); }

/// The order in which pieces are consumed, and the bytes that wait for their turn.
class Turns {
 public:
  struct Failed {};  ///< thrown in waiting pieces if another piece has failed

  /// Limit of the bytes that all waiting pieces keep together.
  explicit Turns(std::uint64_t max_bytes) : max_bytes_(max_bytes) {}

  /// Returns true if the piece may write `bytes` now; false if they are kept (and counted). Waits while
  /// neither is possible. The piece whose turn it is never waits, so one piece always proceeds.
  bool may_write(std::uint64_t piece, std::uint64_t bytes) {
    std::unique_lock lock(mutex_);
    wait(lock, [&] { return turn_ == piece || kept_ + bytes <= max_bytes_; });
    if (turn_ == piece) return true;
    kept_ += bytes;
    return false;
  }
  /// Call after kept bytes are written.
  void release(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    kept_ -= bytes;
    changed_.notify_all();
  }

  /// Waits until fewer than `most` earlier pieces are unconsumed.
  void wait_for_place(std::uint64_t piece, std::uint64_t most) {
    std::unique_lock lock(mutex_);
    wait(lock, [&] { return piece < turn_ + most; });
  }
  /// Returns true if it is this piece's turn. Otherwise calls park() under the lock.
  template <class Park>
  bool is_turn(std::uint64_t piece, const Park& park) {
    const std::lock_guard lock(mutex_);
    if (turn_ == piece) return true;
    park();
    return false;
  }
  /// Gives the turn to the next piece. Returns take(its number), called under the lock.
  template <class Take>
  auto next(const Take& take) {
    const std::lock_guard lock(mutex_);
    ++turn_;
    changed_.notify_all();
    return take(turn_);
  }

  /// Records a failure; only the first one counts.
  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    changed_.notify_all();
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  template <class Condition>
  void wait(std::unique_lock<std::mutex>& lock, const Condition& condition) {
    changed_.wait(lock, [&] { return error_ || condition(); });
    if (error_) throw Failed{};
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t turn_ = 0, kept_ = 0;
  const std::uint64_t max_bytes_;
  std::exception_ptr error_;
};

/// Access of one piece to the Turns of its pipeline.
struct Turn {
  Turns& turns;
  std::uint64_t piece;
};

/// See in_order.
template <class Piece, class Produce, class Work, class Consume>
class InOrder {
 public:
  InOrder(const Produce& produce, const Work& work, const Consume& consume)
      : produce_(produce), work_(work), consume_(consume), parked_(2 * threads()), turns_(max_kept()) {}

  void run() {
    tbb::parallel_for(
        std::size_t{0}, threads(),
        // Isolated: a thread that waits within a piece must not start another piece on the same stack.
        [&](std::size_t) { tbb::this_task_arena::isolate([&] { work_on_pieces(); }); },
        tbb::simple_partitioner());
    turns_.rethrow();
  }

 private:
  static std::uint64_t max_kept() {
    constexpr std::uint64_t kept_bytes = std::uint64_t{64} << 20, kept_bytes_a_thread = 4 << 20;
    return kept_bytes + threads() * kept_bytes_a_thread;
  }

  void work_on_pieces() {
    try {
      for (std::uint64_t number = 0; std::unique_ptr<Piece> piece = next(number);) {
        work_(*piece, Turn{turns_, number});
        if (turns_.is_turn(number, [&] { park(number) = std::move(piece); })) consume_from(std::move(piece));
      }
    } catch (const Turns::Failed&) {
      // the other piece's error is reported
    } catch (...) {
      turns_.fail(std::current_exception());
    }
  }

  std::unique_ptr<Piece> next(std::uint64_t& number) {
    const std::lock_guard lock(source_);
    if (ended_) return nullptr;
    turns_.wait_for_place(produced_, parked_.size());
    std::unique_ptr<Piece> piece = produce_();
    ended_ = !piece;
    number = produced_++;
    return piece;
  }

  std::unique_ptr<Piece>& park(std::uint64_t number) { return parked_[number % parked_.size()]; }

  /// Consumes this piece and the parked pieces directly behind it.
  void consume_from(std::unique_ptr<Piece> piece) {
    while (piece) {
      consume_(*piece);
      piece = turns_.next([&](std::uint64_t number) { return std::move(park(number)); });
    }
  }

  const Produce& produce_;
  const Work& work_;
  const Consume& consume_;
  std::mutex source_;
  std::uint64_t produced_ = 0;
  bool ended_ = false;
  std::vector<std::unique_ptr<Piece>> parked_;  ///< finished pieces that wait for their turn
  Turns turns_;
};

/// produce() returns a std::unique_ptr<Piece>, null at the end, one call at a time. work(Piece&, Turn) runs
/// in parallel. consume(Piece&) runs in the order of production, one call at a time. At most two pieces per
/// thread exist at once; a piece requests memory beyond a few megabytes through its Turn. The first exception
/// stops the pipeline and is rethrown. (tbb::parallel_pipeline does not work here: the piece whose turn it is
/// may be queued behind a waiting piece on the same thread.)
template <class Piece, class Produce, class Work, class Consume>
void in_order(const Produce& produce, const Work& work, const Consume& consume) {
  InOrder<Piece, Produce, Work, Consume>(produce, work, consume).run();
}

}  // namespace sphaera::tool
