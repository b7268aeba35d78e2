#pragma once
/// \file Formats the rows of answers in parallel and writes them in order.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <tools/answers/ordered_rows.hpp>
#include <tools/answers/question.hpp>
#include <tools/answers/verification_sample.hpp>
#include <tools/files/queries/query_file.hpp>
#include <tools/files/results/table.hpp>
#include <tools/terminal/interrupt.hpp>
#include <vector>

namespace sphaera::tool {

/// Writes to a table, and offers the queries with their rows to a sample.
template <class Question>
class RowBlocks {
 public:
  using Query = typename Question::Query;
  using Chunk = files::QueryChunk<Query>;
  using Answers = AnswersOf<Question>;

  RowBlocks(const Question& question, const AnswerRun& run, files::TableWriter& table, Sample<Query>& sample)
      : question_(question), run_(run), table_(table), sample_(sample) {}

  /// Formats the rows of a slice, queries begin … begin + count − 1 of a chunk, in parallel; writes them in
  /// order. Calls written(from, to) for the queries from … to − 1 whose rows are written.
  template <class Written>
  void write(const Chunk& chunk, std::size_t begin, std::size_t count, const Answers& answers,
             const Written& written) {
    constexpr std::size_t max_queries = 4096, blocks_per_thread = 4;
    const std::size_t size = std::clamp<std::size_t>(count / (blocks_per_thread * threads()), 1, max_queries);
    std::size_t next = begin;
    const std::size_t end = begin + count;
    in_order<Block>(
        [&]() -> std::unique_ptr<Block> {
          if (next == end) return nullptr;
          throw_if_interrupted(run_.stop);
          auto block = std::make_unique<Block>(table_, next, std::min(next + size, end));
          next = block->end;
          return block;
        },
        [&](Block& block, const Turn& turn) {
          format(chunk, block, turn, [&](std::size_t i) -> decltype(auto) { return answers[i - begin]; });
        },
        [&](Block& block) {
          block.rows.write();
          sample_.offer(block.sampled);
          written(block.begin, block.end);
        });
  }

 private:
  using Entry = typename Sample<Query>::Entry;

  /// Consecutive queries whose rows one thread formats.
  struct Block {
    Block(files::TableWriter& table, std::size_t block_begin, std::size_t block_end)
        : begin(block_begin), end(block_end), rows(table) {}
    std::size_t begin, end;
    OrderedRows rows;
    std::vector<Entry> sampled;
  };

  /// Appends the rows of a block's queries; answer_of(i) is that of query i of the chunk.
  template <class AnswerOf>
  void format(const Chunk& chunk, Block& block, const Turn& turn, const AnswerOf& answer_of) {
    files::TableRows& rows = block.rows.rows();
    rows.when_full(OrderedRows::block_bytes, [&](const files::TableRows&) {
      throw_if_interrupted(run_.stop);
      block.rows.leave(turn);
    });
    for (std::size_t i = block.begin; i < block.end; ++i) {
      const std::uint64_t number = chunk.number(i);
      if (!chunk.kept.empty()) rows.keep(chunk.kept, i * run_.rows.kept.size());
      question_.write(rows, number, run_.scene, chunk.queries[i], answer_of(i));
      const std::uint64_t hash = sample_.hash(number);
      if (!sample_.may_take(hash)) continue;
      Entry& entry = block.sampled.emplace_back(Entry{hash, number, chunk.queries[i]});
      if (!chunk.ignore.empty()) entry.ignore = chunk.ignore[i];
      if (!chunk.times.empty()) entry.time = chunk.times[i];
      if (!chunk.layers_each.empty()) entry.layers = chunk.layers_each[i];
      if (!chunk.ignore_owners.empty()) entry.ignore_owner = chunk.ignore_owners[i];
      entry.rows = digest_of(question_, run_, table_, entry, answer_of(i));
    }
    rows.when_full(SIZE_MAX, {});
  }

  const Question& question_;
  const AnswerRun& run_;
  files::TableWriter& table_;
  Sample<Query>& sample_;
};

}  // namespace sphaera::tool
