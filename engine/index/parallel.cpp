#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <index/parallel.hpp>

namespace sphaera::index {

void run_in_arena(int threads, const Call& call) {
  const auto isolated = [&] { tbb::this_task_arena::isolate([&] { call.run(call.self, 0); }); };
  if (threads <= 0) return isolated();
  const auto limit = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  tbb::task_arena(static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(threads), limit)))
      .execute(isolated);
}

void run_in_parallel(std::size_t n, const Call& call) {
  tbb::parallel_for(std::size_t{0}, n, [&](std::size_t i) { call.run(call.self, i); });
}

}  // namespace sphaera::index
