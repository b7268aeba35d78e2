#pragma once
/// \file Answers queries in slices, so that the answers of a slice fit in memory.

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <sphaera/error.hpp>
#include <tools/answers/ordered_pipeline.hpp>
#include <tools/answers/piece_size.hpp>
#include <tools/answers/question.hpp>

namespace sphaera::tool {

/// Size of the answers to a slice of queries, in bytes.
template <class Items>
std::uint64_t bytes_of(const Items& items) {
  if constexpr (requires { items.bytes(); }) {
    return items.bytes();
  } else if constexpr (requires { items.impacts; }) {
    return bytes_of(items.impacts);
  } else if constexpr (requires { items.items; }) {
    return bytes_of(items.items);
  } else {
    return std::span(items).size_bytes();
  }
}

/// How to ask for less, if the verb has an option for it: " (a smaller --k)".
template <class Question>
constexpr const char* less() {
  if constexpr (requires { Question::less; }) return Question::less;
  return "";
}

template <class Question>
class AnswerSlices {
 public:
  using Query = typename Question::Query;
  using Answers = AnswersOf<Question>;

  AnswerSlices(const Question& question, const AnswerRun& run) : question_(question), run_(run) {}

  /// Calls take(begin, count, answers) for slices of the queries, in order. A slice whose answers are too
  /// large is split in two.
  template <class Take>
  void for_each(std::span<const Query> queries, const files::OwnOptions& own, Search search,
                const Take& take) const {
    std::size_t slice = max_at_once();
    for (std::size_t begin = 0; begin < queries.size();) {
      const std::size_t count = std::min(slice, queries.size() - begin);
      const auto answers = answers_of(queries.subspan(begin, count), own.part(begin, count), search);
      if (!answers) {
        slice = count / 2;
        continue;
      }
      // Double the slice only if twice these answers fit: a slice that overflows is traversed for nothing.
      slice = 2 * bytes_of(*answers) <= PieceSize::max_bytes ? std::min(2 * count, max_at_once()) : count;
      take(begin, count, *answers);
      begin += count;
    }
  }

 private:
  /// Empty if the answers take too much memory and fewer queries may take less.
  std::optional<Answers> answers_of(std::span<const Query> queries, const files::OwnOptions& own,
                                    Search search) const {
    QueryOptions options = run_.query_options(search, own);
    options.check_inputs =
        HasAlternativeFile<Question>;  // rows read directly are valid, converted ones may not be
    if (queries.size() > 1) options.memory_limit = PieceSize::max_bytes;
    // Few queries, which may be slow, are spread over all threads.
    constexpr std::size_t tasks_per_thread = 8, usual_grain = 256;
    if (search != Search::brute_force)
      options.grain =
          std::clamp<std::size_t>(queries.size() / (tasks_per_thread * threads()), 1, usual_grain);
    try {
      return question_.answer(run_.scene, queries, options);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::out_of_memory) throw;
      if (queries.size() > 1) return std::nullopt;
      throw Error(error.code(), fmt::format("the answer to one query does not fit in the {} MiB that are "
                                            "there for answers; free memory, or ask for less{}",
                                            run_.answer_bytes >> 20, less<Question>()));
    }
  }

  std::size_t max_at_once() const {
    if constexpr (requires { question_.answer_bytes(run_.scene); })
      return std::max<std::uint64_t>(1, PieceSize::max_bytes / question_.answer_bytes(run_.scene));
    return SIZE_MAX / 2;
  }

  const Question& question_;
  const AnswerRun& run_;
};

}  // namespace sphaera::tool
