#pragma once
/// \file Sums over the rows of a table that have the same values in chosen columns, for `--by`.

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tools/files/results/table.hpp>
#include <unordered_map>
#include <vector>

namespace sphaera::files {

/// A column whose values tell groups apart.
struct SumKey {
  std::size_t column;
  double bin = 0;  ///< > 0: of a number, intervals of this width, named by their lower end
};

/// Takes rows in their order, so that sums are the same for any number of threads. Result: a row a group with
/// the keys, `rows`, `share` of all rows; of each other column of numbers mean, least and greatest value, of
/// flags the share of those set, and of spheres the share of rows that have one. Empty cells do not count.
/// Groups are ordered by bins, then by their number of rows, most first, then by their first row.
class TableSums {
 public:
  static constexpr std::size_t most_groups = 1'000'000;

  /// `columns` are those of the rows; the first is the number of the query, of which there are no sums.
  TableSums(std::vector<Column> columns, std::vector<SumKey> by);

  std::vector<Column> columns(TableFormat format) const;  ///< of the result
  /// Leaves out the sums of other columns of the result than these, by their positions; empty: keeps all.
  void keep_only(const std::vector<std::size_t>& shown, TableFormat format);
  /// Adds rows of a layout for sums (TableRows). Throws Error out_of_memory beyond `most_groups`.
  void add(std::string_view rows);
  void write(TableRows& rows, TableFormat format) const;

 private:
  struct Sum {
    std::uint64_t count = 0;
    double sum = 0, least = std::numeric_limits<double>::infinity(), greatest = -least;
  };
  struct Group {
    const std::string* key = nullptr;
    std::uint64_t rows = 0;
    std::size_t number = 0;  ///< in the order of first rows
  };
  /// A column of which there are sums.
  struct Summed {
    std::size_t column;
    std::size_t place;  ///< among the sums of a group, if it is kept
    bool kept = true;
  };

  void add_row(const char*& next);
  void write_key(TableRows& rows, const Group& group, TableFormat format) const;
  void write_sums(TableRows& rows, const Group& group) const;
  std::vector<const Group*> ordered() const;
  Group& group_of_row();
  std::span<const double> bins_of(const Group& group) const {
    return std::span(bins_).subspan(group.number * row_bins_.size(), row_bins_.size());
  }

  std::vector<Column> columns_;
  std::vector<SumKey> keys_;
  std::vector<Summed> summed_;
  std::size_t kept_sums_ = 0;
  std::unordered_map<std::string, std::size_t> positions_;
  std::vector<Group> groups_;
  std::vector<Sum> sums_;     ///< kept_sums_ a group
  std::vector<double> bins_;  ///< of each group the lower ends; −∞ for an empty cell
  std::uint64_t rows_ = 0;

  // Of the row being read:
  std::string key_;
  std::vector<double> row_bins_;
  std::vector<std::string_view> cells_;  ///< by column
};

/// The cells of a row for sums. An integer or number has eight bytes, a flag or word one, a text four of its
/// length before it.
namespace raw {
inline constexpr std::int64_t no_integer = std::numeric_limits<std::int64_t>::min();
inline constexpr std::uint8_t no_word = 255;
inline constexpr std::int64_t no_sphere = -1;
using Length = std::uint32_t;
}  // namespace raw

}  // namespace sphaera::files
