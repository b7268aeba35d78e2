#pragma once
/// \file Runs a verb that answers a file of queries. While a piece of the file is read, all threads
/// answer the piece before it and format its rows, which are written in order.
///
/// A Question defines the verb. Its members are
///   using Query                    type of a row of the file
///   option, columns                "--rays", and the help text of its columns
///   about, query_help, help        help texts above and below the options
///   declare(app)                   the verb's own options
///   Other                          optional: an alternative file of queries. Members: Row, option, columns
///                                  (help), what (label for the option's help), either (the error unless
///                                  exactly one file is given). It requires:
///   others(), queries_of(rows, scene)   that file, and the queries that its rows stand for
///   Own                            optional: queries that the scene itself gives, instead of a file.
///                                  Members: option, what (the option's help), either (as above). It
///                                  requires:
///   asks_own()                     reference to the flag that the option sets
///   own_count(scene), own_queries(scene, first, count)   their number, and a piece of them
///   prepare(prepared)              optional: takes what it needs of the scene file before it is indexed
///   horizon(prepared)              optional: the time interval in which spheres move; --time is then ignored
///   outputs(), open(answer)        optional: names of further outputs; opens them before any work
///   finish(run), commit()          optional: writes the further outputs after the last answer; publishes
///                                  them at the end
///   columns_out()                  columns of the result
///   answer(scene, queries, query_options)   answers[i] is that of query i
///   embree_answers                 optional: false where Search::embree does not support these queries
///   embree_answers_in(scene)       optional: whether Search::embree supports them in this scene, with the
///                                  verb's options
///   answer_bytes(scene)            optional: size of the answer to one query, if known before the search
///   write(rows, number, scene, query, answer)   appends the rows of a query
///
/// Memory is bounded for any number of rows: pieces are bounded (piece_size.hpp), are answered in slices
/// whose answers fit, and rows are written in blocks. Only the answer to a single query is held whole.

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <base/arena.hpp>
#include <chrono>
#include <io/queries/query_file.hpp>
#include <io/results/table.hpp>
#include <optional>
#include <random>
#include <sphaera/error.hpp>
#include <tools/answers/ordered_rows.hpp>
#include <tools/answers/piece_size.hpp>
#include <tools/answers/run_both.hpp>
#include <tools/answers/verification_sample.hpp>
#include <tools/options/verb.hpp>
#include <tools/scene/load.hpp>
#include <tools/shards/part_record.hpp>
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
concept HasOwnQueries = requires { typename Question::Own; };

/// Does Search::embree answer the question, for some scenes and options?
template <class Question>
constexpr bool embree_answers() {
  if constexpr (requires { Question::embree_answers; }) return Question::embree_answers;
  return true;
}

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
        verifier_(run.options.verifier(embree_answers_here())),
        sample_(verifies_all() ? 0 : run.options.verify, seed_) {}

  void run() {
    if constexpr (HasOtherRows<Question>) {
      if (const auto& others = question_.others(); !others.empty())
        answer_file<typename Question::Other::Row>(others, Question::Other::option);
    }
    if constexpr (HasOwnQueries<Question>) {
      if (question_.asks_own()) answer_own();
    }
    if (!run_.options.queries.empty()) answer_file<Query>(run_.options.queries, Question::option);
    if (verifies_all()) return note_verified(answered_);
    if (run_.options.verify > 0) verify();
  }

 private:
  using Chunk = io::QueryChunk<Query>;
  using Answers = decltype(std::declval<const Question&>().answer(
      std::declval<const Scene&>(), std::span<const Query>(), std::declval<const QueryOptions&>()));

  bool embree_answers_here() const {
    if constexpr (requires { question_.embree_answers_in(run_.scene); })
      return question_.embree_answers_in(run_.scene);
    return embree_answers<Question>();
  }
  bool verifies_all() const { return run_.options.verify == verify_all; }

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
    answer_pieces(progress, sizeof(Query),
                  [&](std::size_t limit, Chunk& chunk) { read(reader, limit, chunk); });
    run_.part.answered(reader.read_so_far());
  }

  /// Answers the queries that the scene itself gives, or a shard of them.
  void answer_own() {
    Progress progress(run_.console, Question::Own::option + 2);
    const std::uint64_t total = question_.own_count(run_.scene);
    const auto& [index, count] = run_.options.shard;
    const std::uint64_t begin = io::shard_begin(total, index - 1, count),
                        end = io::shard_begin(total, index, count);
    std::uint64_t next = begin;
    answer_pieces(progress, sizeof(Query) + sizeof(std::int64_t), [&](std::size_t limit, Chunk& chunk) {
      chunk = question_.own_queries(run_.scene, next, std::min<std::uint64_t>(limit, end - next));
      next += chunk.queries.size();
      progress.share(end == begin ? 1 : static_cast<double>(next - begin) / static_cast<double>(end - begin));
    });
    run_.part.answered({begin, end - begin, total});
  }

  /// Answers pieces until read_next(limit, chunk) reads no more queries.
  template <class ReadNext>
  void answer_pieces(Progress& progress, std::size_t query_bytes, const ReadNext& read_next) {
    PieceSize size(query_bytes);
    Chunk chunk, next;
    for (read_next(size.next(), chunk); !chunk.queries.empty(); std::swap(chunk, next)) {
      double reading = 0, answering = 0;
      std::uint64_t answer_bytes = 0;
      run_both([&] { answering = seconds_of([&] { answer_bytes = answer(chunk, progress); }); },
               [&] { reading = seconds_of([&] { read_next(size.next(), next); }); });
      if (!next.queries.empty()) size.read(next.queries.size(), reading);
      size.answered(chunk.queries.size(), answer_bytes, answering);
    }
  }

  template <class Work>
  static double seconds_of(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  /// Reads at most `limit` queries; none at the end of the file.
  void read(io::QueryReader<Query>& reader, std::size_t limit, Chunk& chunk) const {
    reader.next(chunk, limit);
  }
  template <class Row>
  void read(io::QueryReader<Row>& reader, std::size_t limit, Chunk& chunk) const {
    io::QueryChunk<Row> rows;
    reader.next(rows, limit);
    chunk = question_.queries_of(rows, run_.scene);
  }

  /// Answers a piece and writes its rows. Returns the size of the answers.
  std::uint64_t answer(const Chunk& chunk, Progress& progress) {
    std::uint64_t bytes = 0;
    ask(chunk.queries, chunk.ignore, run_.options.search,
        [&](std::size_t begin, std::size_t count, const Answers& answers) {
          bytes += bytes_of(answers);
          write(chunk, begin, count, answers, progress);
          if (verifies_all()) verify_slice(chunk, begin, count, answers);
        });
    answered_ += chunk.queries.size();
    return bytes;
  }

  template <class Items>
  static std::uint64_t bytes_of(const Items& items) {
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

  /// Consecutive queries whose rows one thread formats.
  struct Block {
    Block(io::TableWriter& table, std::size_t block_begin, std::size_t block_end)
        : begin(block_begin), end(block_end), rows(table) {}
    std::size_t begin, end;
    OrderedRows rows;
    std::vector<Entry> sampled;
  };

  /// Formats the rows of a slice, queries begin … begin + count − 1 of a chunk, in parallel; writes them in
  /// order.
  void write(const Chunk& chunk, std::size_t begin, std::size_t count, const Answers& answers,
             Progress& progress) {
    constexpr std::size_t max_queries = 4096, blocks_per_thread = 4;
    const std::size_t size = std::clamp<std::size_t>(count / (blocks_per_thread * threads()), 1, max_queries);
    std::size_t next = begin;
    const std::size_t end = begin + count;
    in_order<Block>(
        [&]() -> std::unique_ptr<Block> {
          if (next == end) return nullptr;
          if (run_.stop.stop_requested()) throw Error(ErrorCode::cancelled, "interrupted");
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
          progress.add(block.end - block.begin);
        });
  }

  /// Appends the rows of a block's queries; answer_of(i) is that of query i of the chunk.
  template <class AnswerOf>
  void format(const Chunk& chunk, Block& block, const Turn& turn, const AnswerOf& answer_of) {
    io::TableRows& rows = block.rows.rows();
    Entry* sampled = nullptr;  // sample entry that gets the rows of the current query
    std::size_t begin = 0;     // begin of these rows in the buffer
    const auto sample_rows = [&] {
      if (sampled) sampled->rows.add(rows.bytes().substr(begin));
    };
    rows.when_full(OrderedRows::block_bytes, [&](const io::TableRows&) {
      if (run_.stop.stop_requested()) throw Error(ErrorCode::cancelled, "interrupted");
      sample_rows();
      block.rows.leave(turn);
      begin = 0;
    });
    for (std::size_t i = block.begin; i < block.end; ++i) {
      const std::uint64_t number = chunk.first + i;
      begin = rows.bytes().size();
      sampled = nullptr;
      if (const std::uint64_t hash = sample_.hash(number); sample_.may_take(hash))
        sampled = &block.sampled.emplace_back(
            Entry{hash, number, chunk.queries[i], {}, chunk.ignore.empty() ? -1 : chunk.ignore[i]});
      question_.write(rows, number, run_.scene, chunk.queries[i], answer_of(i));
      sample_rows();
    }
    rows.when_full(SIZE_MAX, {});
  }

  /// Calls take(begin, count, answers) for slices of the queries, in order. A slice whose answers are too
  /// large is split in two.
  template <class Take>
  void ask(std::span<const Query> queries, std::span<const std::int64_t> ignore, Search search,
           const Take& take) const {
    std::size_t slice = max_at_once();
    for (std::size_t begin = 0; begin < queries.size();) {
      const std::size_t count = std::min(slice, queries.size() - begin);
      const auto answers = answers_of(queries.subspan(begin, count),
                                      ignore.empty() ? ignore : ignore.subspan(begin, count), search);
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

  /// Empty if the answers take too much memory and fewer queries may take less.
  std::optional<Answers> answers_of(std::span<const Query> queries, std::span<const std::int64_t> ignore,
                                    Search search) const {
    QueryOptions options = run_.query_options(search, ignore);
    options.check_inputs = HasOtherRows<Question>;  // rows read directly are valid, converted ones may not be
    if (queries.size() > 1) options.memory_limit = PieceSize::max_bytes;
    // Few queries, which may be slow, are spread over all threads.
    constexpr std::size_t tasks_per_thread = 8, usual_grain = 256;
    if (search != Search::brute_force)
      options.grain =
          std::clamp<std::size_t>(queries.size() / (tasks_per_thread * threads()), 1, usual_grain);
    try {
      return question_.answer(run_.scene, queries, options);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::out_of_memory || queries.size() == 1) throw;
      return std::nullopt;
    }
  }

  std::size_t max_at_once() const {
    if constexpr (requires { question_.answer_bytes(run_.scene); })
      return std::max<std::uint64_t>(1, PieceSize::max_bytes / question_.answer_bytes(run_.scene));
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
    note_verified(entries.size());
  }

  void note_verified(std::uint64_t verified) const {
    const std::string chosen = verifies_all() ? "" : fmt::format(" (seed {})", seed_);
    run_.console.note(fmt::format("{} of {} queries answered again by {}: the same rows{}", verified,
                                  answered_, name_of(verifier_), chosen));
  }

  /// Answers all queries of a slice again; their rows must be the same.
  void verify_slice(const Chunk& chunk, std::size_t begin, std::size_t count, const Answers& answers) const {
    constexpr std::size_t piece = 512;
    const auto queries = std::span<const Query>(chunk.queries).subspan(begin, count);
    const std::span<const std::int64_t> ignore = chunk.ignore.empty()
                                                     ? std::span<const std::int64_t>()
                                                     : std::span(chunk.ignore).subspan(begin, count);
    ask(queries, ignore, verifier_, [&](std::size_t first, std::size_t size, const Answers& again) {
      std::atomic<std::size_t> first_mismatch{size};
      base::parallel_pieces(size, piece, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to && i < first_mismatch; ++i) {
          const Entry entry = entry_of(chunk, begin + first + i);
          if (digest_of(entry, answers[first + i]) == digest_of(entry, again[i])) continue;
          std::size_t known = first_mismatch;
          while (i < known && !first_mismatch.compare_exchange_weak(known, i)) {
          }
        }
      });
      if (first_mismatch == size) return;
      Entry entry = entry_of(chunk, begin + first + first_mismatch);
      entry.rows = digest_of(entry, answers[first + first_mismatch]);
      throw_mismatch(entry, digest_of(entry, again[first_mismatch]));
    });
  }

  static Entry entry_of(const Chunk& chunk, std::size_t i) { return {0, chunk.first + i, chunk.queries[i]}; }

  void verify(std::span<const Entry> entries) const {
    std::vector<Query> queries;
    std::vector<std::int64_t> ignore;
    for (const Entry& entry : entries) {
      queries.push_back(entry.query);
      ignore.push_back(entry.ignore);
    }
    ask(queries, ignore, verifier_, [&](std::size_t begin, std::size_t count, const Answers& answers) {
      for (std::size_t i = 0; i < count; ++i) {
        const Entry& entry = entries[begin + i];
        const RowsDigest again = digest_of(entry, answers[i]);
        if (again != entry.rows) throw_mismatch(entry, again);
      }
    });
  }

  /// Digest of the rows that this answer to a sampled query has.
  template <class Found>
  RowsDigest digest_of(const Entry& entry, const Found& found) const {
    RowsDigest digest;
    io::TableRows rows = table_.rows();
    rows.when_full(OrderedRows::block_bytes, [&](io::TableRows& full) {
      digest.add(full.bytes());
      full.clear();
    });
    question_.write(rows, entry.number, run_.scene, entry.query, found);
    digest.add(rows.bytes());
    return digest;
  }

  [[noreturn]] void throw_mismatch(const Entry& entry, const RowsDigest& again) const {
    std::string text = fmt::format("query {}: {} differ (seed {}); please report this scene and query",
                                   entry.number, both_of(run_.options.search, verifier_), seed_);
    if (run_.format != io::TableFormat::npy)
      text += fmt::format("\n{}against\n{}", entry.rows.text(), again.text());
    if (text.ends_with('\n')) text.pop_back();
    throw Mismatch(text);
  }

  const Question& question_;
  const AnswerRun& run_;
  io::TableWriter& table_;
  const std::uint64_t seed_;
  const Search verifier_;
  Sample<Query> sample_;
  std::uint64_t answered_ = 0;
};

template <class Question>
class QueryVerb : public Verb {
 public:
  void declare(CLI::App& app) override {
    if constexpr (HasOtherRows<Question>) {
      add_query_file(app, Question::option, answer_.queries, "Queries", Question::columns);
      add_query_file(app, Question::Other::option, question_.others(), Question::Other::what,
                     Question::Other::columns);
      answer_.declare_search(app, embree_answers<Question>());
    } else if constexpr (HasOwnQueries<Question>) {
      add_query_file(app, Question::option, answer_.queries, "Queries", Question::columns);
      add_flag(app, Question::Own::option, question_.asks_own(), Question::Own::what);
      answer_.declare_search(app, embree_answers<Question>());
    } else {
      answer_.declare(app, Question::option, Question::columns, embree_answers<Question>());
    }
    question_.declare(app);
    layers_.declare(app);
    in_motion ? scene_.declare_without_time(app) : scene_.declare(app);
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
      common_.protect_files_of(file);
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
    const auto protect = [&](const char* option, const std::filesystem::path& file) {
      common_.protect("the file of " + std::string(option + 2), file);
    };
    common_.protect("the scene", scene_.path);
    protect(Question::option, answer_.queries);
    if constexpr (HasOtherRows<Question>) {
      if (answer_.queries.empty() == question_.others().empty()) throw UsageError(Question::Other::either);
      protect(Question::Other::option, question_.others());
    }
    if constexpr (HasOwnQueries<Question>) {
      if (answer_.queries.empty() != question_.asks_own()) throw UsageError(Question::Own::either);
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
