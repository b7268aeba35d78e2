#pragma once
/// \file Job threads, as engines have them: each takes its share of a frame's work.

#include <barrier>
#include <bench/engine_loop/heap_calls.hpp>
#include <thread>
#include <vector>

namespace sphaera::bench {

class Jobs {
 public:
  explicit Jobs(unsigned jobs) : jobs_(jobs), begin_(jobs), end_(jobs) {
    for (unsigned job = 1; job < jobs; ++job) threads_.emplace_back([this, job] { serve(job); });
  }
  ~Jobs() {
    work_ = nullptr;
    begin_.arrive_and_wait();
    for (std::thread& thread : threads_) thread.join();
  }
  Jobs(const Jobs&) = delete;

  unsigned size() const { return jobs_; }
  /// Calls work(job) on each thread, on the caller's with job 0, and waits for all.
  template <class Work>
  void run(const Work& work) {
    work_ = [](const void* self, unsigned job) { (*static_cast<const Work*>(self))(job); };
    self_ = &work;
    begin_.arrive_and_wait();
    work(0u);
    end_.arrive_and_wait();
  }

 private:
  void serve(unsigned job) {
    count_as_game();
    for (;;) {
      begin_.arrive_and_wait();
      if (!work_) return;
      work_(self_, job);
      end_.arrive_and_wait();
    }
  }

  unsigned jobs_;
  std::barrier<> begin_, end_;
  void (*work_)(const void*, unsigned) = nullptr;
  const void* self_ = nullptr;
  std::vector<std::thread> threads_;
};

}  // namespace sphaera::bench
