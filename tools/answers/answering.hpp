#pragma once
/// \file Answers the queries of a run. While a piece of the file is read, all threads answer the piece before
/// it and format its rows, which are written in order.
///
/// Memory is bounded for any number of rows: pieces are bounded (piece_size.hpp), are answered in slices
/// whose answers fit, and rows are written in blocks. Only the answer to a single query is held whole.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string>
#include <tools/answers/answer_slices.hpp>
#include <tools/answers/open_queries.hpp>
#include <tools/answers/piece_size.hpp>
#include <tools/answers/question.hpp>
#include <tools/answers/row_blocks.hpp>
#include <tools/answers/run_both.hpp>
#include <tools/answers/verification.hpp>
#include <tools/files/queries/query_file.hpp>
#include <tools/files/results/table.hpp>
#include <tools/terminal/progress.hpp>
#include <utility>

namespace sphaera::tool {

template <class Question>
class Answering {
 public:
  using Query = typename Question::Query;

  Answering(Question& question, const AnswerRun& run, files::TableWriter& table)
      : question_(question),
        run_(run),
        slices_(question, run),
        verification_(question, run, slices_, table),
        rows_(question, run, table, verification_.sample()) {}

  void run() {
    if constexpr (HasAlternativeFile<Question>) {
      if (const auto& path = question_.alternative_file(); !path.empty())
        answer_file<typename Question::AlternativeFile::Row>(path, Question::AlternativeFile::option);
    }
    if constexpr (HasSceneQueries<Question>) {
      if (question_.asks_scene()) answer_scene_queries();
    }
    if constexpr (HasQueryFile<Question>)
      if (!run_.options.queries.empty()) answer_file<Query>(run_.options.queries, Question::option);
    verification_.finish(answered_);
  }

 private:
  using Chunk = files::QueryChunk<Query>;

  files::PlaceRule place_rule() {
    if constexpr (requires { question_.place_rule(run_.scene); }) return question_.place_rule(run_.scene);
    return {};
  }

  struct Piece {
    Chunk chunk;
    std::optional<double> end;  ///< the fraction of all queries up to its last one; empty if unknown
  };

  template <class Row>
  void answer_file(const std::filesystem::path& path, const char* option) {
    auto reader = open_queries<Row>(path,
                                    {.spheres = run_.scene.spheres().size(),
                                     .grounds = run_.scene.spheres(),
                                     .rows = run_.rows,
                                     .place_rule = place_rule(),
                                     .earliest = run_.horizon ? run_.horizon->from : -infinity,
                                     .time = run_.time,
                                     .no_times = run_.no_times,
                                     .shard = run_.options.shard,
                                     .passes = &run_.passes,
                                     .control = {run_.stop, {}, run_.part.query_files()}},
                                    run_.console);
    Progress progress(run_.console, without_dashes(option));
    const auto warn = [&] {
      progress.clear();
      for (const std::string& warning : reader.take_warnings()) run_.console.warn(warning);
    };
    warn();
    answer_pieces(progress, sizeof(Query), [&](std::size_t limit, Piece& piece) {
      read(reader, limit, piece.chunk);
      piece.end = reader.fraction();
    });
    warn();
    if (const std::string skipped = reader.skipped(); !skipped.empty()) run_.console.note(skipped);
    run_.part.answered(reader.read_so_far());
  }

  /// Answers the queries that the scene itself gives, or a shard of them.
  void answer_scene_queries() {
    Progress progress(run_.console, without_dashes(Question::SceneQueries::option));
    const std::uint64_t total = question_.scene_query_count(run_.scene);
    const auto& [index, count] = run_.options.shard;
    const std::uint64_t begin = files::shard_begin(total, index - 1, count),
                        end = files::shard_begin(total, index, count);
    std::uint64_t next = begin;
    answer_pieces(progress, sizeof(Query) + sizeof(std::int64_t), [&](std::size_t limit, Piece& piece) {
      do {
        const std::uint64_t first = next;
        next += std::min<std::uint64_t>(limit, end - next);
        piece.chunk = scene_queries(first, static_cast<std::size_t>(next - first));
      } while (piece.chunk.queries.empty() && next < end);
      piece.end = static_cast<double>(next - begin) / static_cast<double>(end - begin);
    });
    run_.part.answered({begin, end - begin, total});
  }

  /// Those of `count` spheres from the id `first` on that are on the layers of the queries.
  Chunk scene_queries(std::uint64_t first, std::size_t count) const {
    Chunk chunk = question_.scene_queries(run_.scene, first, count);
    if (const std::vector<std::uint32_t>& owners = run_.file.owners.of_spheres; !owners.empty()) {
      const auto first_owner = owners.begin() + static_cast<std::ptrdiff_t>(first);
      chunk.ignore_owners.assign(first_owner, first_owner + static_cast<std::ptrdiff_t>(count));
    }
    if (run_.of_layers == all_layers) return chunk;
    const auto keep = [&](auto& items) {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < items.size(); ++i)
        if (on_layers(run_.file, run_.of_layers, first + i)) items[kept++] = items[i];
      items.resize(kept);
    };
    chunk.numbers.resize(count);
    std::iota(chunk.numbers.begin(), chunk.numbers.end(), first);
    keep(chunk.queries), keep(chunk.ignore), keep(chunk.ignore_owners), keep(chunk.numbers);
    return chunk;
  }

  /// Answers pieces until read_next(limit, piece) reads no more queries.
  template <class ReadNext>
  void answer_pieces(Progress& progress, std::size_t query_bytes, const ReadNext& read_next) {
    PieceSize size(query_bytes);
    Piece piece, next;
    double before = 0;  // the fraction of all queries before the piece
    for (read_next(size.next(), piece); !piece.chunk.queries.empty(); std::swap(piece, next)) {
      double reading = 0, answering = 0;
      std::uint64_t answer_bytes = 0;
      run_both([&] { answering = seconds_of([&] { answer_bytes = answer(piece, before, progress); }); },
               [&] { reading = seconds_of([&] { read_next(size.next(), next); }); });
      if (!next.chunk.queries.empty()) size.record_reading(next.chunk.queries.size(), reading);
      size.record_answering(piece.chunk.queries.size(), answer_bytes, answering);
      before = piece.end.value_or(0);
    }
  }

  template <class Work>
  static double seconds_of(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  /// Reads at most `limit` queries; none at the end of the file.
  void read(files::QueryReader<Query>& reader, std::size_t limit, Chunk& chunk) const {
    reader.next(chunk, limit);
  }
  template <class Row>
  void read(files::QueryReader<Row>& reader, std::size_t limit, Chunk& chunk) const {
    files::QueryChunk<Row> rows;
    reader.next(rows, limit);
    chunk = question_.queries_of(rows, run_.scene);
    chunk.kept = std::move(rows.kept), chunk.numbers = std::move(rows.numbers);
    chunk.ignore = std::move(rows.ignore), chunk.times = std::move(rows.times);
    chunk.layers_each = std::move(rows.layers_each), chunk.ignore_owners = std::move(rows.ignore_owners);
  }

  /// Answers a piece and writes its rows. Returns the size of the answers in bytes.
  std::uint64_t answer(const Piece& piece, double before, Progress& progress) {
    const Chunk& chunk = piece.chunk;
    const auto written = [&](std::size_t from, std::size_t to) {
      const double of_piece = static_cast<double>(to) / static_cast<double>(chunk.queries.size());
      progress.add(to - from,
                   piece.end ? std::optional(std::lerp(before, *piece.end, of_piece)) : std::nullopt);
    };
    std::uint64_t bytes = 0;
    slices_.for_each(chunk.queries, chunk.own(), run_.options.search,
                     [&](std::size_t begin, std::size_t count, const AnswersOf<Question>& answers) {
                       bytes += bytes_of(answers);
                       rows_.write(chunk, begin, count, answers, written);
                       if constexpr (requires { question_.look(run_, std::span(chunk.queries), answers); })
                         question_.look(run_, std::span(chunk.queries).subspan(begin, count), answers);
                       verification_.verify_slice(chunk, begin, count, answers);
                     });
    answered_ += chunk.queries.size();
    return bytes;
  }

  Question& question_;
  const AnswerRun& run_;
  AnswerSlices<Question> slices_;
  Verification<Question> verification_;
  RowBlocks<Question> rows_;
  std::uint64_t answered_ = 0;
};

}  // namespace sphaera::tool
