#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <base/arena.hpp>
#include <base/background_thread.hpp>
#include <base/floating_point_environment.hpp>
#include <stdexcept>

namespace sphaera::base {
namespace {

/// Passes the floating-point mode of this thread to all tasks below, including Embree's. A worker otherwise
/// has the mode in which the host created the arena; if that rounds down, an assertion in Embree ends the
/// process. Isolated from the host's tasks: otherwise a cancellation of theirs would silently cancel ours.
void run_in_this_mode(const Call& call) {
  using Context = tbb::task_group_context;
  Context context(Context::isolated, Context::default_traits | Context::fp_settings);
  tbb::parallel_for(0, 1, [&](int) { call.run(call.self, 0); }, context);
}

void run_isolated(const Call& call) {
  tbb::this_task_arena::isolate([&] { run_in_this_mode(call); });
}

/// The number of threads that an arena gets for `threads`: no more than oneTBB allows.
int allowed(int threads) {
  const auto limit = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(threads), limit));
}

thread_local bool serial = false;

}  // namespace

Serial::Serial() : outer_(serial) { serial = true; }
Serial::~Serial() { serial = outer_; }

std::size_t thread_number() {
  return serial ? 0 : static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
}
std::size_t thread_numbers() {
  return serial ? 1 : static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
}

void run_in_arena(int threads, const Call& call) {
  const base::FloatingPointEnvironment mode;
  if (threads <= 0) return run_isolated(call);
  tbb::task_arena(allowed(threads)).execute([&] { run_isolated(call); });
}

struct LastingArena::Arena {
  explicit Arena(int threads) : tasks(threads) {}
  tbb::task_arena tasks;
};

LastingArena::LastingArena() = default;
LastingArena::~LastingArena() = default;
LastingArena::LastingArena(LastingArena&&) noexcept = default;
LastingArena& LastingArena::operator=(LastingArena&&) noexcept = default;

void LastingArena::run(int threads, const Call& call) {
  const base::FloatingPointEnvironment mode;
  const int wanted = allowed(threads);
  if (!arena_ || arena_->tasks.max_concurrency() != wanted) arena_ = std::make_unique<Arena>(wanted);
  arena_->tasks.execute([&] { run_isolated(call); });
}

void run_detached(const Call& call) {
  tbb::task_arena(tbb::task_arena::attach()).enqueue([call] {
    const base::FloatingPointEnvironment mode;
    tbb::this_task_arena::isolate([&] { run_in_this_mode(call); });
  });
}

struct LastingContext::Context {
  using Group = tbb::task_group_context;
  mutable Group group{Group::isolated, Group::default_traits | Group::fp_settings};
};

LastingContext::LastingContext() : context_(std::make_unique<Context>()) {}
LastingContext::~LastingContext() = default;

void LastingContext::run(const Call& call) const {
  tbb::parallel_for(0, 1, [&](int) { call.run(call.self, 0); }, context_->group);
}

void run_in_parallel(std::size_t n, const Call& call) {
  if (serial) {
    for (std::size_t i = 0; i < n; ++i) call.run(call.self, i);
    return;
  }
  tbb::parallel_for(std::size_t{0}, n, [&](std::size_t i) {
    pause_point();
    call.run(call.self, i);
  });
  // Cancelled: other work of the same task group has thrown, so oneTBB may have skipped calls of this loop.
  // The caller gets the exception of that work, not this one.
  if (tbb::is_current_task_group_canceling()) throw std::runtime_error("cancelled by work beside this");
}

}  // namespace sphaera::base
