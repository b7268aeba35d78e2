#include <query/batch/batch.hpp>
#include <query/batch/task_scratch.hpp>

namespace sphaera {

Scratch::Scratch()
    : state_(query::with_memory_errors([] { return std::make_unique<query::ScratchState>(); })) {
  state_->lasting = true;
}
Scratch::~Scratch() = default;
Scratch::Scratch(Scratch&&) noexcept = default;
Scratch& Scratch::operator=(Scratch&&) noexcept = default;

}  // namespace sphaera
