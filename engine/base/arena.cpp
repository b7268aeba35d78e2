#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <base/arena.hpp>
#include <base/floating_point_environment.hpp>

namespace sphaera::base {
namespace {

/// Hands the mode of this thread on to all tasks below, Embree's too, where a worker has the one in which the
/// host made the arena: rounding down, an assertion of Embree's ends the process. Isolated from the host's
/// tasks, since with theirs ours would be cancelled silently.
void run_in_this_mode(const Call& call) {
  using Context = tbb::task_group_context;
  Context context(Context::isolated, Context::default_traits | Context::fp_settings);
  tbb::parallel_for(0, 1, [&](int) { call.run(call.self, 0); }, context);
}

}  // namespace

void run_in_arena(int threads, const Call& call) {
  const base::FloatingPointEnvironment mode;
  const auto isolated = [&] { tbb::this_task_arena::isolate([&] { run_in_this_mode(call); }); };
  if (threads <= 0) return isolated();
  const auto limit = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  tbb::task_arena(static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(threads), limit)))
      .execute(isolated);
}

void run_in_parallel(std::size_t n, const Call& call) {
  tbb::parallel_for(std::size_t{0}, n, [&](std::size_t i) { call.run(call.self, i); });
}

}  // namespace sphaera::base
