#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <base/background_thread.hpp>
#include <base/strict_math.hpp>
#include <new>

namespace sphaera::base {
namespace {

/// The nice value of the thread. If other threads keep the processor busy, it still gets a tenth of the time
/// that one of them gets. With no time at all its work would never end (../index/decisions.md).
constexpr int niceness = 10;

/// At least what a call may need (scene.hpp); a process with little stack gives its threads as little.
constexpr std::size_t stack_bytes = std::size_t{512} << 10;

/// Makes the system prefer other threads. When the calling thread wakes, it does not interrupt them. A
/// failure only costs speed.
void give_way() {
  const sched_param none{};
  pthread_setschedparam(pthread_self(), SCHED_BATCH, &none);
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), niceness);  // on Linux: of this thread alone
  pthread_setname_np(pthread_self(), "sphaera-build");
}

/// Is this the process in which the first BackgroundThread was started, not a child of it?
bool is_first_process() {
  static const pid_t first = getpid();
  return getpid() == first;
}

/// The pause flag of the BackgroundThread that runs on this thread; null on other threads.
thread_local const std::atomic<bool>* paused = nullptr;

}  // namespace

BackgroundThread::BackgroundThread(Work work, void* self) : work_(work), self_(self), process_(getpid()) {
  if (!is_first_process()) throw std::bad_alloc();
  pthread_attr_t attributes;
  std::size_t size = 0;
  pthread_attr_init(&attributes);
  pthread_attr_getstacksize(&attributes, &size);
  pthread_attr_setstacksize(&attributes, std::max(size, stack_bytes));
  const int error = pthread_create(&thread_, &attributes, run, this);
  pthread_attr_destroy(&attributes);
  if (error != 0) throw std::bad_alloc();
}

BackgroundThread::~BackgroundThread() {
  wait();
  give(ended);
  pthread_join(thread_, nullptr);
}

bool BackgroundThread::is_lost() const { return getpid() != process_; }

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

void* BackgroundThread::run(void* self) {
  static_cast<BackgroundThread*>(self)->serve();
  return nullptr;
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
