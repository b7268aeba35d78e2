#include <query/batch/batch.hpp>
#include <query/batch/task_scratch.hpp>
#include <query/flight/falling_bullets.hpp>

namespace sphaera {
namespace query {

TaskScratch::TaskScratch() = default;
TaskScratch::~TaskScratch() = default;

FallingScratch& TaskScratch::falling_bullets() {
  if (!falling_) falling_ = std::make_unique<FallingScratch>();
  return *falling_;
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
