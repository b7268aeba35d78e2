#include <query/batch/batch.hpp>
#include <query/batch/task_scratch.hpp>
#include <query/flight/trajectories.hpp>

namespace sphaera {
namespace query {

TaskScratch::TaskScratch() = default;
TaskScratch::~TaskScratch() = default;

FallingScratch& TaskScratch::falling_bullets() {
  if (!falling_) falling_ = std::make_unique<FallingScratch>();
  return *falling_;
}
TrajectoryScratch& TaskScratch::trajectories() {
  if (!trajectories_) trajectories_ = std::make_unique<TrajectoryScratch>();
  return *trajectories_;
}

}  // namespace query

Scratch::Scratch()
    : state_(query::with_memory_errors([] { return std::make_unique<query::ScratchState>(); })) {
  state_->lasting = true;
}
Scratch::~Scratch() = default;
Scratch::Scratch(Scratch&&) noexcept = default;
Scratch& Scratch::operator=(Scratch&&) noexcept = default;

}  // namespace sphaera
