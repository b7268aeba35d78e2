/// \file The thread for long work: it works when it is asked to, and gives way to all others.

#include <base/background_thread.hpp>

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <tests/catch.hpp>
#include <thread>

namespace sphaera {
namespace {

struct Works {
  int times = 0, policy = -1, niceness = 0;
  std::thread::id on;

  static void run(void* self) {
    auto& works = *static_cast<Works*>(self);
    ++works.times;
    works.policy = sched_getscheduler(0);
    works.niceness = getpriority(PRIO_PROCESS, static_cast<id_t>(gettid()));
    works.on = std::this_thread::get_id();
  }
};

}  // namespace

TEST_CASE("a background thread works each time it is asked to, and its end waits for it", "[base]") {
  Works works;
  {
    base::BackgroundThread thread(Works::run, &works);
    CHECK(thread.is_idle());
    for (int i = 1; i <= 100; ++i) {
      thread.start();
      thread.wait();
      REQUIRE(thread.is_idle());
      REQUIRE(works.times == i);
    }
    CHECK(works.on != std::this_thread::get_id());
    thread.start();
  }
  CHECK(works.times == 101);
  base::BackgroundThread(Works::run, &works);  // without work
  CHECK(works.times == 101);
}

TEST_CASE("a background thread gives way to all others, whose priority stays", "[base]") {
  const auto niceness = [] { return getpriority(PRIO_PROCESS, static_cast<id_t>(gettid())); };
  const int policy_before = sched_getscheduler(0), before = niceness();
  Works works;
  base::BackgroundThread thread(Works::run, &works);
  thread.start();
  thread.wait();
  CHECK(works.policy == SCHED_BATCH);
  CHECK(works.niceness >= std::min(before + 1, 10));
  CHECK(sched_getscheduler(0) == policy_before);
  CHECK(niceness() == before);
}

namespace {

/// Counts until it is stopped, with a pause point in each step.
struct Counts {
  std::atomic<std::uint64_t> steps{0};
  std::atomic<bool> stop{false};

  static void run(void* self) {
    auto& counts = *static_cast<Counts*>(self);
    for (; !counts.stop; ++counts.steps) base::pause_point();
  }
  /// Waits for further steps.
  void go_on() const {
    for (const std::uint64_t before = steps; steps < before + 10;) std::this_thread::yield();
  }
};

}  // namespace

TEST_CASE("a background thread that is paused waits at its next pause point", "[base]") {
  Counts counts;
  base::BackgroundThread thread(Counts::run, &counts);
  thread.start();
  for (int i = 0; i < 20; ++i) {
    counts.go_on();
    thread.pause();
    std::uint64_t before = counts.steps;
    // The step that is under way ends; the system may run the thread late.
    for (int calm = 0; calm < 20; before = counts.steps) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      calm = counts.steps == before ? calm + 1 : 0;
    }
    CHECK_FALSE(thread.is_idle());
    thread.resume();
  }
  counts.go_on();
  thread.pause();
  counts.stop = true;
  thread.wait();  // ends the pause
  CHECK(thread.is_idle());
  base::pause_point();  // in a thread that cannot be paused: returns at once
}

}  // namespace sphaera
