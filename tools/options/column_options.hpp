#pragma once
/// \file Options that say which columns a result has: `--output-columns`.

#include <string>
#include <tools/files/results/table.hpp>
#include <tools/options/declare.hpp>
#include <vector>

namespace sphaera::tool {

struct ColumnOptions {
  std::vector<std::string> names{};  ///< of the columns to show, in order; empty: all

  void declare(CLI::App& app);
  /// Positions of the named columns in `columns`. Throws UsageError for a name that is not there or is given
  /// twice.
  std::vector<std::size_t> shown_of(const std::vector<files::Column>& columns) const;
};

}  // namespace sphaera::tool
