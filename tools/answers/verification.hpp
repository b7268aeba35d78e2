#pragma once
/// \file --verify: answers queries again by another search and compares the rows.

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <base/arena.hpp>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <tools/answers/answer_slices.hpp>
#include <tools/answers/question.hpp>
#include <tools/answers/verification_sample.hpp>
#include <tools/files/queries/query_file.hpp>
#include <tools/files/results/table.hpp>
#include <tools/terminal/exit.hpp>
#include <tools/terminal/progress.hpp>
#include <vector>

namespace sphaera::tool {

/// Verifies all queries, or those of a sample. Differences throw Mismatch.
template <class Question>
class Verification {
 public:
  using Query = typename Question::Query;
  using Chunk = files::QueryChunk<Query>;
  using Answers = AnswersOf<Question>;

  Verification(const Question& question, const AnswerRun& run, const AnswerSlices<Question>& slices,
               const files::TableWriter& table)
      : question_(question),
        run_(run),
        slices_(slices),
        table_(table),
        seed_(run.options.seed ? *run.options.seed : std::random_device{}()),
        verifier_(run.options.verifier(embree_answers_here())),
        sample_(verifies_all() ? 0 : run.options.verify, seed_) {}

  Sample<Query>& sample() { return sample_; }

  /// If all queries are verified, answers those of a slice again: queries begin … begin + count − 1 of a
  /// chunk. Their rows must be the same.
  void verify_slice(const Chunk& chunk, std::size_t begin, std::size_t count, const Answers& answers) const {
    if (!verifies_all()) return;
    constexpr std::size_t piece = 512;
    const auto queries = std::span<const Query>(chunk.queries).subspan(begin, count);
    slices_.for_each(queries, chunk.own().part(begin, count), verifier_,
                     [&](std::size_t first, std::size_t size, const Answers& again) {
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

  /// Verifies the sample. Notes the number of verified queries, of those answered.
  void finish(std::uint64_t answered) {
    if (verifies_all()) return note_verified(answered, answered);
    if (run_.options.verify > 0) verify_sample(answered);
  }

 private:
  using Entry = typename Sample<Query>::Entry;

  EmbreeAnswers embree_answers_here() const {
    // Search::embree knows spheres at rest alone.
    if (!run_.scene.velocities().empty()) return EmbreeAnswers::no;
    if constexpr (requires { question_.embree_answers_in(run_.scene); })
      return EmbreeAnswers{question_.embree_answers_in(run_.scene)};
    return embree_answers<Question>();
  }
  bool verifies_all() const { return run_.options.verify == verify_all; }

  void verify_sample(std::uint64_t answered) {
    Progress progress(run_.console, "verifying");
    const std::vector<Entry> entries = sample_.take();
    // Brute force over a large scene is slow. Small pieces keep progress and cancellation responsive.
    constexpr std::size_t piece = 64;
    for (std::size_t begin = 0; begin < entries.size(); begin += piece) {
      const std::size_t count = std::min(piece, entries.size() - begin);
      verify(std::span(entries).subspan(begin, count));
      progress.set_fraction(static_cast<double>(begin + count) / static_cast<double>(entries.size()));
    }
    progress.clear();
    note_verified(entries.size(), answered);
  }

  void note_verified(std::uint64_t verified, std::uint64_t answered) const {
    run_.console.note(fmt::format("{} of {} queries answered again by {}: the same rows{}", verified,
                                  answered, name_of(verifier_), run_.options.seed_note(seed_)));
  }

  static Entry entry_of(const Chunk& chunk, std::size_t i) { return {0, chunk.number(i), chunk.queries[i]}; }

  void verify(std::span<const Entry> entries) const {
    std::vector<Query> queries;
    std::vector<std::int64_t> ignore, ignore_owners;
    std::vector<double> times;
    std::vector<LayerMask> layers;
    for (const Entry& entry : entries) {
      queries.push_back(entry.query);
      ignore.push_back(entry.ignore), ignore_owners.push_back(entry.ignore_owner);
      if (entry.time) times.push_back(*entry.time);
      if (entry.layers) layers.push_back(*entry.layers);
    }
    slices_.for_each(queries, {ignore, times, layers, ignore_owners}, verifier_,
                     [&](std::size_t begin, std::size_t count, const Answers& answers) {
                       for (std::size_t i = 0; i < count; ++i) {
                         const Entry& entry = entries[begin + i];
                         const RowsDigest again = digest_of(entry, answers[i]);
                         if (again != entry.rows) throw_mismatch(entry, again);
                       }
                     });
  }

  template <class Found>
  RowsDigest digest_of(const Entry& entry, const Found& found) const {
    return tool::digest_of(question_, run_, table_, entry, found);
  }

  [[noreturn]] void throw_mismatch(const Entry& entry, const RowsDigest& again) const {
    std::string text = fmt::format("query {}: {} differ{}; please report this scene and query", entry.number,
                                   both_of(run_.options.search, verifier_), run_.options.seed_note(seed_));
    if (run_.format != files::TableFormat::npy)
      text += fmt::format("\n{}against\n{}", entry.rows.text(), again.text());
    if (text.ends_with('\n')) text.pop_back();
    throw Mismatch(text);
  }

  const Question& question_;
  const AnswerRun& run_;
  const AnswerSlices<Question>& slices_;
  const files::TableWriter& table_;
  const std::uint64_t seed_;
  const Search verifier_;
  Sample<Query> sample_;
};

}  // namespace sphaera::tool
