#pragma once
/// \file Options that say which columns a result has: `--output-columns`, `--names`, `--keep`,
/// `--by`.

#include <filesystem>
#include <string>
#include <tools/files/queries/query_file.hpp>
#include <tools/files/results/table.hpp>
#include <tools/files/results/table_sums.hpp>
#include <tools/options/declare.hpp>
#include <tools/terminal/console.hpp>
#include <vector>

namespace sphaera::tool {

struct ColumnOptions {
  std::vector<std::string> shown{};  ///< names of the columns to show, in order; empty: all
  bool names = false;                ///< names of spheres beside their ids
  /// Columns of the file of queries that rows carry, by their names in the file and in the result.
  std::vector<std::string> kept_fields{}, kept_columns{};
  std::vector<std::string> by{};  ///< columns whose values tell groups of rows apart, perhaps with "/WIDTH"

  void declare(CLI::App& app);        ///< `--output-columns`
  void declare_names(CLI::App& app);  ///< `--names`
  void declare_keep(CLI::App& app);   ///< `--keep`
  void declare_by(CLI::App& app);     ///< `--by`
  /// Throws UsageError for sums of a part of the rows.
  void check_by(const files::Shard& shard) const;

  /// Opens the table of a verb with these columns, and with those that the options add. Throws Error io, and
  /// UsageError for a column that is not there, comes twice, or is not possible in this format. Columns of
  /// `--by` that the result lacks become kept ones if there is a query file. Warns of columns that
  /// `--output-columns` leaves out and another option asks for.
  files::TableWriter open(const std::filesystem::path& output, files::TableFormat format,
                          std::vector<files::Column> columns, const Console& console, bool query_file = true);

  /// Positions in `columns` of those to show. Throws UsageError.
  std::vector<std::size_t> shown_of(const std::vector<files::Column>& columns) const;

 private:
  void warn_of_hidden(const std::vector<files::Column>& columns, const std::vector<std::size_t>& chosen,
                      const Console& console) const;
  void add_kept(const std::string& text);
  void add_kept_columns(std::vector<files::Column>& columns) const;
  std::vector<files::SumKey> find_keys(std::vector<files::Column>& columns, bool query_file);
};

}  // namespace sphaera::tool
