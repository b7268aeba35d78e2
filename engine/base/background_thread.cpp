#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <base/background_thread.hpp>
#include <base/strict_math.hpp>
#include <new>
#include <system_error>

namespace sphaera::base {
namespace {

/// The nice value of the thread. If other threads keep the processor busy, it still gets a tenth of the time
/// that one of them gets. With no time at all its work would never end (../index/decisions.md).
constexpr int niceness = 10;

/// Makes the system prefer other threads. When the calling thread wakes, it does not interrupt them. A
/// failure only costs speed.
void give_way() {
  const sched_param none{};
  pthread_setschedparam(pthread_self(), SCHED_BATCH, &none);
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), niceness);  // on Linux: of this thread alone
  pthread_setname_np(pthread_self(), "sphaera-build");
}

/// The pause flag of the BackgroundThread that runs on this thread; null on other threads.
thread_local const std::atomic<bool>* paused = nullptr;

}  // namespace

BackgroundThread::BackgroundThread(Work work, void* self) : work_(work), self_(self) {
  try {
    thread_ = std::thread([this] { serve(); });
  } catch (const std::system_error&) {
    throw std::bad_alloc();
  }
}

BackgroundThread::~BackgroundThread() {
  wait();
  give(ended);
  thread_.join();
}

void BackgroundThread::wait() {
  resume();
  state_.wait(working, std::memory_order_acquire);
}

void BackgroundThread::resume() {
  paused_.store(false, std::memory_order_relaxed);
  paused_.notify_all();
}

void BackgroundThread::give(int order) {
  state_.store(order, std::memory_order_release);
  state_.notify_all();
}

void BackgroundThread::serve() {
  give_way();
  paused = &paused_;
  for (;;) {
    state_.wait(idle, std::memory_order_acquire);
    if (state_.load(std::memory_order_acquire) == ended) return;
    work_(self_);
    give(idle);
  }
}

void pause_point() {
  if (paused) paused->wait(true, std::memory_order_relaxed);
}

}  // namespace sphaera::base
