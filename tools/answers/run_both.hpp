#pragma once
/// \file Reads the next piece of a file while all threads answer the current one.

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <exception>

namespace sphaera::tool {

/// Runs aside() on another thread while the calling thread runs work(). The other threads run tasks of
/// work(), too; the thread of aside() joins them after aside(). If no thread is free, aside() runs after
/// work(). Returns when both have ended. An exception of work() takes precedence over one of aside().
template <class Work, class Aside>
void run_both(const Work& work, const Aside& aside) {
  std::exception_ptr work_error, aside_error;
  const auto caught = [](const auto& function, std::exception_ptr& error) {
    try {
      function();
    } catch (...) {
      error = std::current_exception();
    }
  };
  tbb::task_group group;
  group.run([&] { caught(aside, aside_error); });
  // Isolated: a thread that waits within work() must not start aside(), which may wait for a pipe.
  tbb::this_task_arena::isolate([&] { caught(work, work_error); });
  group.wait();
  if (work_error) std::rethrow_exception(work_error);
  if (aside_error) std::rethrow_exception(aside_error);
}

}  // namespace sphaera::tool
