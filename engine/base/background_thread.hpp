#pragma once
/// \file A thread of its own for work that takes longer than a frame, such as building an index.

#include <pthread.h>
#include <sys/types.h>

#include <atomic>

namespace sphaera::base {

/// Runs one kind of work on request, with low priority. It takes little time from the threads of the caller
/// and of oneTBB, but still makes progress while they keep all processors busy. The caller can pause it.
class BackgroundThread {
 public:
  using Work = void (*)(void* self);

  /// Starts the thread; it sleeps until `start`. It calls work(self), which may not throw. Throws
  /// std::bad_alloc if there is no memory or no thread, and in a child process (fork) of one that had such a
  /// thread: oneTBB still lists the work of the parent's, and a thread in its place could crash.
  BackgroundThread(Work work, void* self);
  /// Waits for the work to end.
  ~BackgroundThread();
  BackgroundThread(const BackgroundThread&) = delete;

  /// True in a child process made by fork(), which has no copy of the thread. The work may have stopped
  /// anywhere, so what it writes must not be touched any more, and this object must not be destroyed.
  bool is_lost() const;

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

  static void* run(void* self);
  void give(int order);
  void serve();

  Work work_;
  void* self_;
  pid_t process_;  // in which the thread runs
  std::atomic<int> state_{idle};
  std::atomic<bool> paused_{false};
  pthread_t thread_;  // it reads the other members
};

/// Waits while the calling thread is a BackgroundThread that is paused. Work calls this function at least
/// every 0.2 ms, but never while it holds something that the pausing thread may wait for, such as a lock.
void pause_point();

}  // namespace sphaera::base
