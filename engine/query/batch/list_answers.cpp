#include <query/batch/list_answers.hpp>
#include <string>

namespace sphaera::query {

void throw_lists_too_long(std::uint64_t memory_limit) {
  throw Error(ErrorCode::out_of_memory,
              "the lists of this query take more than its memory_limit, " + std::to_string(memory_limit) +
                  " bytes; ask fewer queries at once, or queries with fewer answers");
}

}  // namespace sphaera::query
