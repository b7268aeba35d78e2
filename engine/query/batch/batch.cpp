#include <query/batch/lists.hpp>
#include <string>

namespace sphaera::query {

void throw_cancelled() { throw Error(ErrorCode::cancelled, "the query was cancelled"); }

void throw_lists_too_long(std::uint64_t memory_limit) {
  throw Error(ErrorCode::out_of_memory, "the lists of this batch take more than its memory_limit, " +
                                            std::to_string(memory_limit) +
                                            " bytes; ask fewer queries at once");
}

}  // namespace sphaera::query
