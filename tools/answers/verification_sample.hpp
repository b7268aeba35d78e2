#pragma once
/// \file A random sample of a stream of queries with their rows, for --verify.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tools/answers/ordered_rows.hpp>
#include <tools/answers/question.hpp>
#include <tools/files/results/table.hpp>
#include <tools/terminal/interrupt.hpp>
#include <tools/workload/random.hpp>
#include <vector>

namespace sphaera::tool {

/// Digest of a query's rows: their hash, and the text of the first ones.
class RowsDigest {
 public:
  void add(std::string_view rows) {
    for (const char c : rows) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * fnv_prime;
    bytes_ += rows.size();
    text_ += rows.substr(0, max_text - std::min(max_text, text_.size()));
  }
  std::string_view text() const { return text_; }
  friend bool operator==(const RowsDigest&, const RowsDigest&) = default;

 private:
  static constexpr std::uint64_t fnv_offset = 0xcbf29ce484222325, fnv_prime = 0x100000001b3;  // FNV-1a
  static constexpr std::size_t max_text = 4096;

  std::uint64_t hash_ = fnv_offset, bytes_ = 0;
  std::string text_;
};

/// Keeps the n queries whose numbers have the smallest hashes: a uniform sample that depends only on the
/// seed, not on the order in which threads offer queries.
template <class Query>
class Sample {
 public:
  struct Entry {
    std::uint64_t hash;
    std::uint64_t number;
    Query query;
    RowsDigest rows{};  ///< of its rows
    // As in files::OwnOptions:
    std::int64_t ignore = -1, ignore_owner = -1;
    std::optional<double> time{};
    std::optional<LayerMask> layers{};
  };

  Sample(std::uint64_t size, std::uint64_t seed) : size_(size), seed_(seed), limit_(size == 0 ? 0 : all) {}

  std::uint64_t hash(std::uint64_t number) const { return workload::mix(workload::mix(seed_) + number) >> 1; }

  /// Returns false if the query is not in the sample. May be called from any thread.
  bool may_take(std::uint64_t hash) const { return hash < limit_; }

  /// Not thread-safe: one call at a time.
  void offer(std::vector<Entry>& entries) {
    for (Entry& entry : entries) {
      if (!may_take(entry.hash)) continue;
      entries_.push_back(std::move(entry));
      std::push_heap(entries_.begin(), entries_.end(), by_hash);
      if (entries_.size() <= size_) continue;
      std::pop_heap(entries_.begin(), entries_.end(), by_hash);
      entries_.pop_back();
      limit_ = entries_.front().hash;
    }
  }

  /// The sample, sorted by query number.
  std::vector<Entry> take() {
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return a.number < b.number; });
    return std::move(entries_);
  }

 private:
  static constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  static bool by_hash(const Entry& a, const Entry& b) { return a.hash < b.hash; }

  std::uint64_t size_, seed_;
  std::atomic<std::uint64_t> limit_;  // largest hash in a full sample; a new query needs a smaller one
  std::vector<Entry> entries_;        // a heap with the largest hash in front
};

/// Digest of all cells of the rows that this answer to a query has, also of those that the table does not
/// show.
template <class Question, class Entry, class Found>
RowsDigest digest_of(const Question& question, const AnswerRun& run, const files::TableWriter& table,
                     const Entry& entry, const Found& found) {
  RowsDigest digest;
  files::TableRows rows = table.whole_rows();
  rows.when_full(OrderedRows::block_bytes, [&](files::TableRows& full) {
    throw_if_interrupted(run.stop);
    digest.add(full.bytes());
    full.clear();
  });
  question.write(rows, entry.number, run.scene, entry.query, found);
  digest.add(rows.bytes());
  return digest;
}

}  // namespace sphaera::tool
