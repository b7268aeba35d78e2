#pragma once
/// \file Output of `eclipse`: rows, counts of pairs without a contact or an answer, and a sample to verify.

#include <array>
#include <functional>
#include <io/formats/dates.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <tools/answers/ordered_rows.hpp>
#include <tools/answers/verification_sample.hpp>
#include <tools/files/results/table.hpp>
#include <tools/receivers/scene_over_time.hpp>
#include <tools/terminal/console.hpp>

namespace sphaera::tool {

/// Number of pairs of observer and star without a contact, by eclipse phase.
class QuietPairs {
 public:
  void count(EclipsePhase phase) { ++counts_[static_cast<std::size_t>(phase)]; }
  void count_pairs(std::uint64_t n) { pairs_ += n; }
  void add(const QuietPairs& other);

  /// "no contact in 2 of 8 pairs of observer and star: 2 lit"; empty if every pair has one.
  std::string text() const;

 private:
  std::array<std::uint64_t, 4> counts_{};  ///< in the order of EclipsePhase
  std::uint64_t pairs_ = 0;                ///< all pairs, with and without a contact
};

/// Pairs of observer and star without an answer: the star is not seen.
struct UnseenPairs {
  std::uint64_t count = 0;
  std::uint64_t observer = 0;  ///< of the first
  StarContact first{};

  void add(const UnseenPairs& others);
};

class ContactTable {
 public:
  struct Verify {
    std::uint64_t wanted = 0;  ///< number of observers to verify; 0: none
    std::uint64_t seed = 0;
  };

  /// Result for one observer.
  struct Found {
    OrderedRows rows;
    QuietPairs quiet{};
    UnseenPairs unseen{};
    std::vector<Sample<SceneObserver>::Entry> sampled{};
  };

  enum class Rows : std::uint8_t { contacts, intervals };

  ContactTable(const SceneOverTime& sky, const Wanted& wanted, const Verify& verify,
               files::TableWriter& table, Rows rows, const std::optional<io::Instant>& epoch = {});

  /// With columns of dates, for tables with an epoch, or without them.
  static std::vector<files::Column> columns(Rows rows, bool dates);
  static std::string columns_help(Rows rows);

  Found nothing() const { return {OrderedRows(table_)}; }
  /// May be called from any thread.
  void answer(std::uint64_t number, const SceneObserver& observer, Found& found, const Turn& turn) const;
  /// Writes the rows and adds the counts. To be called in the order of observers.
  void take(Found& found);
  /// Prints the numbers of pairs without a contact or an answer on stderr and verifies the sample. Throws
  /// Mismatch.
  void finish(const Console& console, const std::stop_token& stop);

 private:
  /// Calls full(rows) when the rows fill a block.
  void write(files::TableRows& rows, std::uint64_t number, const SceneObserver& observer,
             const std::vector<StarContact>& contacts,
             const std::function<void(files::TableRows&)>& full) const;
  void warn_of_unseen(const Console& console) const;
  std::string date_of(double time) const;
  RowsDigest digest_of(std::uint64_t number, const SceneObserver& observer,
                       const std::vector<StarContact>& contacts) const;
  std::uint64_t check(const Sample<SceneObserver>::Entry& entry) const;

  const SceneOverTime& sky_;
  Wanted wanted_;
  Verify verify_;
  files::TableWriter& table_;
  Rows kind_;
  std::optional<io::Instant> epoch_;
  Sample<SceneObserver> sample_;
  QuietPairs quiet_;
  UnseenPairs unseen_;
  std::uint64_t observers_ = 0;
};

}  // namespace sphaera::tool
