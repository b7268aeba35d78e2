#pragma once
/// \file Seconds that work takes in an arena of n threads.

#include <tbb/task_arena.h>

#include <chrono>
#include <cstdint>
#include <ctime>

namespace sphaera::bench {

enum class Clock : std::uint8_t {
  wall,  ///< elapsed time, as a user sees it
  cpu,   ///< processor time of the process ÷ threads: less disturbed by other users of the machine, but
         ///< ignores waiting threads
};

/// Seconds that the processors have spent on this process.
inline double processor_time() {
  std::timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

class TimedArena {
 public:
  explicit TimedArena(int threads, Clock clock = Clock::wall)
      : arena_(threads), threads_(threads), clock_(clock) {}

  /// Runs `work` in the arena and returns the seconds it took.
  template <class Work>
  double seconds_of(const Work& work) {
    const double start = now();
    arena_.execute(work);
    const double seconds = now() - start;
    return clock_ == Clock::cpu ? seconds / threads_ : seconds;
  }

 private:
  double now() const {
    if (clock_ == Clock::wall) {
      return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    }
    return processor_time();
  }

  tbb::task_arena arena_;
  int threads_;
  Clock clock_;
};

}  // namespace sphaera::bench
