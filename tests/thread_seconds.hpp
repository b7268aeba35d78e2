#pragma once
/// \file Processor time of a thread: other work on the machine adds nothing to it.

#include <algorithm>
#include <ctime>
#include <limits>

namespace sphaera::test {

/// Processor time of the calling thread so far.
inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Processor time of work().
template <class Work>
double thread_seconds_of(const Work& work) {
  const double start = thread_seconds();
  work();
  return thread_seconds() - start;
}

/// The least processor times of two kinds of work, done in turn so that both meet the same machine.
struct LeastSeconds {
  double one = std::numeric_limits<double>::infinity(), other = one;
};
template <class One, class Other>
LeastSeconds least_seconds(int turns, const One& one, const Other& other) {
  LeastSeconds least;
  for (int i = 0; i < turns; ++i) {
    least.one = std::min(least.one, thread_seconds_of(one));
    least.other = std::min(least.other, thread_seconds_of(other));
  }
  return least;
}

}  // namespace sphaera::test
