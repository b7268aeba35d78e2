#pragma once
/// \file Runs a verb that answers a file of queries: reads chunks, answers and formats them in parallel,
/// writes in order.
///
/// A Question defines the verb. Its members are
///   using Query                    type of a row of the file
///   option, columns                "--rays", and the help text of its columns
///   about, query_help, help        help texts above and below the options
///   declare(app)                   the verb's own options
///   Other                          optional: rows of another form in a file that may be given instead: Row,
///                                  option, columns, `what` they are, `either`: the error unless one file is
///                                  given; with
///   others(), queries_of(rows, scene)   that file, and queries made of its rows
///   prepare(prepared)              optional: takes what it needs of the scene file before it is indexed
///   horizon(prepared)              optional: when spheres move by their velocities; --time then moves none
///   outputs(), open(answer)        optional: names of further outputs; opens them before any work
///   finish(run), commit()          optional: writes them when all is answered; publishes them at the end
///   columns_out()                  of the result
///   answer(scene, queries, query_options)   answers[i] is that of query i
///   answer_bytes(scene)            optional: what the answer to a query takes, where that is known
///   write(rows, number, scene, query, answer)   appends the rows of a query
///
/// Memory is bounded for any number of rows: queries are answered in slices whose answers fit, and rows are
/// written in blocks. Only the answer to a single query is held whole.

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <io/queries/query_file.hpp>
#include <io/results/table.hpp>
#include <optional>
#include <random>
#include <sphaera/error.hpp>
#include <tools/answers/ordered_rows.hpp>
#include <tools/answers/part_record.hpp>
#include <tools/answers/sample.hpp>
#include <tools/options/verb.hpp>
#include <tools/scene/load.hpp>
#include <tools/terminal/exit.hpp>
#include <tools/terminal/progress.hpp>

namespace sphaera::tool {

/// A scene after reading, before its spheres move to the index.
struct Prepared {
  const io::SceneFile& file;
  const SceneOptions& options;
  const AnswerOptions& answer;
  LayerMask layers;
  const Console& console;
  const std::stop_token& stop;
};

/// Data of one run that does not depend on the question.
struct AnswerRun {
  const Scene& scene;
  LayerMask layers;
  const AnswerOptions& options;
  io::TableFormat format;
  const Console& console;
  std::stop_token stop;
  std::optional<Horizon> horizon;  ///< time interval of moving spheres; empty: all at rest
  PartRecord& part;

  QueryOptions query_options(Search search, std::span<const std::int64_t> ignore) const {
    return {.layers = layers, .ignore = ignore, .search = search, .stop = stop};
  }
};

template <class Question>
concept HasOtherRows = requires { typename Question::Other; };

template <class Question>
class Answering {
 public:
  using Query = typename Question::Query;
  using Entry = typename Sample<Query>::Entry;

  Answering(const Question& question, const AnswerRun& run, io::TableWriter& table)
      : question_(question),
        run_(run),
        table_(table),
        seed_(run.options.seed ? *run.options.seed : std::random_device{}()),
        sample_(run.options.verify, seed_) {}

  void run() {
    if constexpr (HasOtherRows<Question>) {
      if (const auto& others = question_.others(); !others.empty())
        answer_file<typename Question::Other::Row>(others, Question::Other::option);
    }
    if (!run_.options.queries.empty()) answer_file<Query>(run_.options.queries, Question::option);
    if (run_.options.verify > 0) verify();
  }

 private:
  struct Piece {
    explicit Piece(io::TableWriter& table) : rows(table) {}
    io::QueryChunk<Query> chunk;
    OrderedRows rows;
    std::vector<Entry> sampled;
  };

  template <class Row>
  void answer_file(const std::filesystem::path& path, const char* option) {
    Progress progress(run_.console, option + 2);
    io::QueryReader<Row> reader(
        path, {.spheres = run_.scene.spheres().size(),
               .grounds = run_.scene.spheres(),
               .earliest = run_.horizon ? run_.horizon->from : -infinity,
               .shard = run_.options.shard,
               .control = {run_.stop, [&](double done) { progress.share(done); }, run_.part.query_files()}});
    progress.clear();
    for (const std::string& warning : reader.warnings()) run_.console.warn(warning);
    in_order<Piece>(
        [&]() -> std::unique_ptr<Piece> {
          auto piece = std::make_unique<Piece>(table_);
          return read(reader, piece->chunk) ? std::move(piece) : nullptr;
        },
        [&](Piece& piece, const Turn& turn) { answer(piece, turn); },
        [&](Piece& piece) {
          piece.rows.write();
          sample_.offer(piece.sampled);
          progress.add(piece.chunk.queries.size());
        });
    run_.part.answered(reader.read_so_far());
  }

  bool read(io::QueryReader<Query>& reader, io::QueryChunk<Query>& chunk) const {
    return reader.next(chunk, next_chunk());
  }
  template <class Row>
  bool read(io::QueryReader<Row>& reader, io::QueryChunk<Query>& chunk) const {
    io::QueryChunk<Row> rows;
    if (!reader.next(rows, next_chunk())) return false;
    chunk = question_.queries_of(rows, run_.scene);
    return true;
  }

  /// Number of queries in the next piece. A ray can hit every sphere, so sizes start at 1 and grow while the
  /// answers have few rows.
  std::size_t next_chunk() const {
    constexpr std::uint64_t most_queries = 1 << 14, most_rows = 1 << 16;  // a few megabytes per piece
    const std::uint64_t answered = answered_, rows = std::max<std::uint64_t>(1, rows_);
    return std::clamp<std::uint64_t>(std::min(answered, most_rows * answered / rows), 1, most_queries);
  }

  void answer(Piece& piece, const Turn& turn) {
    // Separate names, because clang 14 cannot capture structured bindings.
    const std::uint64_t first = piece.chunk.first;
    const std::vector<Query>& queries = piece.chunk.queries;
    const std::vector<std::int64_t>& ignore = piece.chunk.ignore;
    Entry* sampled = nullptr;  // sample entry that gets the rows of the current query
    std::size_t begin = 0;     // begin of these rows in the block
    const auto sample_rows = [&](const io::TableRows& rows) {
      if (sampled) sampled->rows.add(rows.bytes().substr(begin));
    };
    piece.rows.rows().when_full(OrderedRows::block_bytes, [&](const io::TableRows& rows) {
      if (run_.stop.stop_requested()) throw Error(ErrorCode::cancelled, "interrupted");
      sample_rows(rows);
      piece.rows.leave(turn);
      begin = 0;
    });
    const std::uint64_t rows_before = piece.rows.size();
    ask(queries, ignore, run_.options.search, [&](std::size_t i, const auto& found) {
      io::TableRows& rows = piece.rows.rows();
      begin = rows.bytes().size();
      sampled = nullptr;
      if (const std::uint64_t hash = sample_.hash(first + i); sample_.may_take(hash))
        sampled = &piece.sampled.emplace_back(
            Entry{hash, first + i, queries[i], {}, ignore.empty() ? -1 : ignore[i]});
      question_.write(rows, first + i, run_.scene, queries[i], found);
      sample_rows(rows);
    });
    piece.rows.rows().when_full(SIZE_MAX, {});
    rows_ += piece.rows.size() - rows_before;
    answered_ += queries.size();
  }

  /// Calls take(i, answer) for every query. A slice whose answers are too large is split in two.
  template <class Take>
  void ask(std::span<const Query> queries, std::span<const std::int64_t> ignore, Search search,
           const Take& take) const {
    std::size_t slice = most_at_once();
    for (std::size_t begin = 0; begin < queries.size();) {
      const std::size_t count = std::min(slice, queries.size() - begin);
      const auto part = queries.subspan(begin, count);
      const auto answers = answers_of(part, ignore.empty() ? ignore : ignore.subspan(begin, count), search);
      if (answers) {
        for (std::size_t i = 0; i < count; ++i) take(begin + i, (*answers)[i]);
        begin += count;
      }
      slice = answers ? std::min(2 * count, most_at_once()) : count / 2;
    }
  }

  using Answers = decltype(std::declval<const Question&>().answer(
      std::declval<const Scene&>(), std::span<const Query>(), std::declval<const QueryOptions&>()));

  /// Empty if the answers take too much memory and fewer queries may take less.
  std::optional<Answers> answers_of(std::span<const Query> queries, std::span<const std::int64_t> ignore,
                                    Search search) const {
    QueryOptions options = run_.query_options(search, ignore);
    if (queries.size() > 1) options.memory_limit = most_answer_bytes;
    try {
      return question_.answer(run_.scene, queries, options);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::out_of_memory || queries.size() == 1) throw;
      return std::nullopt;
    }
  }

  static constexpr std::uint64_t most_answer_bytes = 16 << 20;  // per thread

  std::size_t most_at_once() const {
    if constexpr (requires { question_.answer_bytes(run_.scene); })
      return std::max<std::uint64_t>(1, most_answer_bytes / question_.answer_bytes(run_.scene));
    return SIZE_MAX / 2;
  }

  void verify() {
    Progress progress(run_.console, "verifying");
    const std::vector<Entry> entries = sample_.take();
    // Brute force over a large scene is slow. Small pieces keep progress and cancellation responsive.
    constexpr std::size_t piece = 64;
    for (std::size_t begin = 0; begin < entries.size(); begin += piece) {
      verify(std::span(entries).subspan(begin, std::min(piece, entries.size() - begin)));
      progress.share(static_cast<double>(begin) / static_cast<double>(entries.size()));
    }
    progress.clear();
    const char* other = run_.options.search == Search::index ? "brute force" : "the index";
    run_.console.note(fmt::format("{} of {} queries answered again by {}: the same rows (seed {})",
                                  entries.size(), answered_.load(), other, seed_));
  }

  void verify(std::span<const Entry> entries) const {
    std::vector<Query> queries;
    std::vector<std::int64_t> ignore;
    for (const Entry& entry : entries) {
      queries.push_back(entry.query);
      ignore.push_back(entry.ignore);
    }
    const Search other = run_.options.search == Search::index ? Search::brute_force : Search::index;
    ask(queries, ignore, other, [&](std::size_t i, const auto& found) {
      RowsDigest again;
      io::TableRows rows = table_.rows();
      rows.when_full(OrderedRows::block_bytes, [&](io::TableRows& full) {
        again.add(full.bytes());
        full.clear();
      });
      question_.write(rows, entries[i].number, run_.scene, queries[i], found);
      again.add(rows.bytes());
      if (again != entries[i].rows) throw_mismatch(entries[i], again);
    });
  }

  [[noreturn]] void throw_mismatch(const Entry& entry, const RowsDigest& again) const {
    std::string text =
        fmt::format("query {}: index and brute force differ (seed {}); please report this scene and query",
                    entry.number, seed_);
    if (run_.format != io::TableFormat::npy)
      text += fmt::format("\n{}against\n{}", entry.rows.text(), again.text());
    if (text.ends_with('\n')) text.pop_back();
    throw Mismatch(text);
  }

  const Question& question_;
  const AnswerRun& run_;
  io::TableWriter& table_;
  const std::uint64_t seed_;
  Sample<Query> sample_;
  std::atomic<std::uint64_t> answered_{0}, rows_{0};
};

template <class Question>
class QueryVerb : public Verb {
 public:
  void declare(CLI::App& app) override {
    if constexpr (HasOtherRows<Question>) {
      add_query_file(app, Question::option, answer_.queries, "Queries", Question::columns);
      add_query_file(app, Question::Other::option, question_.others(), Question::Other::what,
                     Question::Other::columns);
      answer_.declare_search(app);
    } else {
      answer_.declare(app, Question::option, Question::columns);
    }
    question_.declare(app);
    layers_.declare(app);
    in_motion ? scene_.declare_still(app) : scene_.declare(app);
    index_.declare(app);
    table_.declare(app);
    common_.declare(app);
    part_.declare(app);
    describe(app, Question::about, std::string(Question::query_help) + Question::help);
  }

  void run(const std::stop_token& stop) override {
    on_threads(common_.threads, [&] {
      const Console console = common_.console();
      check_files();
      const io::TableFormat format = table_.format_for(common_.output);
      check_packing(common_.output, format);
      if constexpr (requires { question_.open(answer_); }) question_.open(answer_);
      io::TableWriter table(common_.output, format, question_.columns_out());
      part_.open(common_, answer_.shard, format);
      io::SceneFile file =
          load_scene(in_motion ? SceneOptions{scene_.path} : scene_, console, stop, part_.scene_files());
      common_.spare_files_of(file);
      const LayerMask mask = layers_.mask(file);
      const Prepared prepared{file, scene_, answer_, mask, console, stop};
      if constexpr (requires { question_.prepare(prepared); }) question_.prepare(prepared);
      std::optional<Horizon> horizon;
      if constexpr (in_motion) horizon = question_.horizon(prepared);
      const Scene scene = index_scene(file, index_.quality, console, stop, horizon);
      const AnswerRun run{scene, mask, answer_, format, console, stop, horizon, part_};
      Answering<Question>(question_, run, table).run();
      if constexpr (requires { question_.finish(run); }) question_.finish(run);
      part_.commit(table.finish());
      if constexpr (requires { question_.commit(); }) question_.commit();
    });
  }

 private:
  void check_files() {
    if constexpr (requires { question_.outputs(); }) common_.more_outputs = question_.outputs();
    common_.check_outputs();
    const auto spare = [&](const char* option, const std::filesystem::path& file) {
      common_.spare("the file of " + std::string(option + 2), file);
    };
    common_.spare("the scene", scene_.path);
    spare(Question::option, answer_.queries);
    if constexpr (HasOtherRows<Question>) {
      if (answer_.queries.empty() == question_.others().empty()) throw UsageError(Question::Other::either);
      spare(Question::Other::option, question_.others());
    }
  }

  static constexpr bool in_motion =
      requires(const Question& question, const Prepared& prepared) { question.horizon(prepared); };

  CommonOptions common_;
  SceneOptions scene_;
  LayerOptions layers_;
  TableOptions table_;
  AnswerOptions answer_;
  IndexOptions index_;
  PartRecord part_;
  Question question_;
};

}  // namespace sphaera::tool
