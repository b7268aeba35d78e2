/// \file The thread for long work: it works when it is asked to, and gives way to all others.

#include <base/background_thread.hpp>

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <tests/catch.hpp>

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

}  // namespace sphaera
