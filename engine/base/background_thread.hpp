#pragma once
/// \file A thread of its own for work that takes longer than a frame, such as building an index.

#include <atomic>
#include <thread>

namespace sphaera::base {

/// Runs one kind of work on request, with low priority. It takes little time from the threads of the caller
/// and of oneTBB, but still makes progress while they keep all processors busy. The caller can pause it.
class BackgroundThread {
 public:
  using Work = void (*)(void* self);

  /// Starts the thread; it sleeps until `start`. It calls work(self), which may not throw. Throws
  /// std::bad_alloc if there is no memory or no thread.
  BackgroundThread(Work work, void* self);
  /// Waits for the work to end.
  ~BackgroundThread();
  BackgroundThread(const BackgroundThread&) = delete;

  /// Starts the work once and returns. All that the calling thread has done so far happens before the work.
  /// Precondition: the previous work has ended. Allocates nothing.
  void start() { give(working); }
  /// What the work did happens before a call that returns true.
  bool is_idle() const { return state_.load(std::memory_order_acquire) == idle; }
  /// Waits for the end of the work; ends a pause.
  void wait();

  /// From now on the work waits where it calls `pause_point`, until `resume` or `wait`.
  void pause() { paused_.store(true, std::memory_order_relaxed); }
  void resume();

 private:
  static constexpr int idle = 0, working = 1, ended = 2;

  void give(int order);
  void serve();

  Work work_;
  void* self_;
  std::atomic<int> state_{idle};
  std::atomic<bool> paused_{false};
  std::thread thread_;  // the last member: it reads the others
};

/// Waits while the calling thread is a BackgroundThread that is paused. Work calls this function at least
/// every 0.2 ms, but never while it holds something that the pausing thread may wait for, such as a lock.
void pause_point();

}  // namespace sphaera::base
