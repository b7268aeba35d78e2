#pragma once
/// \file Working memory that lasts from call to call.

#include <sphaera/requirements.hpp>

#include <memory>
#include <sphaera/export.hpp>

namespace sphaera {

namespace query {
struct ScratchState;  // opaque
}

/// Working memory for queries: calls that are given the same object (QueryOptions::scratch) use its memory
/// again. Once it has grown to what the largest of them needs, batches and single queries with `threads = 1`
/// call no heap, if their answers go to storage of the caller's, too. One call at a time may use it. It holds
/// up to 20 bytes a query of the largest batch, and the lists of the batch.
class SPHAERA_API Scratch {
 public:
  Scratch();  ///< throws Error(out_of_memory)
  ~Scratch();
  Scratch(Scratch&&) noexcept;  ///< the other can only be destroyed or assigned to
  Scratch& operator=(Scratch&&) noexcept;

  query::ScratchState& state() { return *state_; }

 private:
  std::unique_ptr<query::ScratchState> state_;
};

}  // namespace sphaera
