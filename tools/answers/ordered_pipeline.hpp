#pragma once
/// \file Work on a stream of pieces in parallel, its results taken in order, in bounded memory.

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

/// Runs `work` on `threads` threads (0: all), or on as many as the system lets run: oneTBB does not survive
/// it when one of its own cannot start. Unlike the library the tool owns its process, so the number holds
/// even beyond that of the cores.
template <class Work>
void on_threads(int threads, const Work& work) {
  const int wanted = threads > 0 ? threads : tbb::this_task_arena::max_concurrency();
  const std::size_t possible = possible_threads(static_cast<std::size_t>(wanted));
  const auto whole = [&] {
    work();
    note_outputs_complete();
  };
  if (threads == 0 && possible == static_cast<std::size_t>(wanted)) return whole();
  // Never ends: where memory fails within oneTBB, the end of a global_control waits for ever.
  static const auto* const limit =
      new tbb::global_control(tbb::global_control::max_allowed_parallelism, possible);
  static_cast<void>(limit);
  tbb::task_arena(static_cast<int>(possible)).execute(whole);
}

/// The turns in which pieces are consumed, and the bytes that wait for theirs.
class Turns {
 public:
  struct Failed {};  ///< thrown in waiting pieces when another piece has failed

  /// Waiting pieces may keep this many bytes, all together.
  explicit Turns(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

  /// May the piece write `bytes` now? Else they count as kept. Waits while neither is possible. The piece
  /// whose turn it is never waits, so one always goes on.
  bool may_write(std::uint64_t piece, std::uint64_t bytes) {
    std::unique_lock lock(mutex_);
    wait(lock, [&] { return turn_ == piece || kept_ + bytes <= most_bytes_; });
    if (turn_ == piece) return true;
    kept_ += bytes;
    return false;
  }
  /// Kept bytes were written.
  void release(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    kept_ -= bytes;
    changed_.notify_all();
  }

  /// Waits until fewer than `most` pieces before this one are not yet consumed.
  void wait_for_place(std::uint64_t piece, std::uint64_t most) {
    std::unique_lock lock(mutex_);
    wait(lock, [&] { return piece < turn_ + most; });
  }
  /// Is it the turn of this piece? Else park() is called, with other threads locked out.
  template <class Park>
  bool is_turn(std::uint64_t piece, const Park& park) {
    const std::lock_guard lock(mutex_);
    if (turn_ == piece) return true;
    park();
    return false;
  }
  /// The next piece has its turn. Returns take(its number), called with other threads locked out.
  template <class Take>
  auto next(const Take& take) {
    const std::lock_guard lock(mutex_);
    ++turn_;
    changed_.notify_all();
    return take(turn_);
  }

  /// The first failure counts.
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
  const std::uint64_t most_bytes_;
  std::exception_ptr error_;
};

/// The turn of one piece.
struct Turn {
  Turns& turns;
  std::uint64_t piece;
};

/// See in_order.
template <class Piece, class Produce, class Work, class Consume>
class InOrder {
 public:
  InOrder(const Produce& produce, const Work& work, const Consume& consume)
      : produce_(produce), work_(work), consume_(consume), parked_(2 * threads()), turns_(most_kept()) {}

  void run() {
    tbb::parallel_for(
        std::size_t{0}, threads(),
        // Isolated: a thread that waits within a piece must not begin another one on top of it.
        [&](std::size_t) { tbb::this_task_arena::isolate([&] { work_on_pieces(); }); },
        tbb::simple_partitioner());
    turns_.rethrow();
  }

 private:
  static std::size_t threads() { return static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()); }
  static std::uint64_t most_kept() {
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
      // the other piece's error ends all
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

  /// This piece and those behind it that are parked.
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
  std::vector<std::unique_ptr<Piece>> parked_;  ///< done, waiting for their turn
  Turns turns_;
};

/// produce() → std::unique_ptr<Piece>, null at the end, one call at a time; work(Piece&, Turn), in parallel;
/// consume(Piece&), in the order of production, one call at a time. At most two pieces a thread exist at
/// once; what a piece holds beyond a few megabytes it asks for by its turn. The first exception ends all and
/// is thrown on. (Not tbb::parallel_pipeline: there the piece whose turn it is may lie behind one that
/// waits, on the same thread.)
template <class Piece, class Produce, class Work, class Consume>
void in_order(const Produce& produce, const Work& work, const Consume& consume) {
  InOrder<Piece, Produce, Work, Consume>(produce, work, consume).run();
}

}  // namespace sphaera::tool
