#pragma once
/// \file Working memory that lasts from call to call.

#include <sphaera/config/requirements.hpp>

#include <memory>
#include <sphaera/config/export.hpp>

namespace sphaera::query {
struct ScratchState;  // opaque
}  // namespace sphaera::query

namespace sphaera::inline SPHAERA_ABI {

/// Working memory for queries. Calls that get the same object (QueryOptions::scratch) reuse it. Precondition,
/// not checked: only one call uses it at a time; a query within `accept` is another call. Once it is large
/// enough, single queries and batches with `threads` ≥ 1 do not touch the heap if their answers go to the
/// caller's storage: a batch leaves every thread of the next ones the memory that any of them has needed. It
/// holds up to 20 bytes per query of the largest batch, the lists of the batch, and the arena of the last
/// batch with several threads (oneTBB's own threads may still call the heap when they start).
class SPHAERA_API Scratch {
 public:
  Scratch();  ///< throws Error(out_of_memory)
  ~Scratch();
  Scratch(Scratch&&) noexcept;  ///< the other can only be destroyed or assigned to
  Scratch& operator=(Scratch&&) noexcept;

  query::ScratchState& state() { return *state_; }  ///< for Sphaera's own functions

 private:
  std::unique_ptr<query::ScratchState> state_;
};

}  // namespace sphaera::inline SPHAERA_ABI
