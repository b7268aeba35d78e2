#include <algorithm>
#include <io/streams/file_error.hpp>
#include <tools/options/column_options.hpp>
#include <tools/options/shared_options.hpp>
#include <tools/options/spelling_suggestion.hpp>
#include <tools/terminal/exit.hpp>

namespace sphaera::tool {

void ColumnOptions::declare(CLI::App& app) {
  add_callback(
      app, "--output-columns", [this](const std::string& text) { names = split(text); },
      "Columns of the result, in this order. Default: all. --verify compares all of them")
      .type_name("A,B");
}

std::vector<std::size_t> ColumnOptions::shown_of(const std::vector<files::Column>& columns) const {
  std::vector<std::string> known;
  known.reserve(columns.size());
  for (const files::Column& column : columns) known.push_back(column.name);
  std::vector<std::size_t> shown;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(known, name);
    if (found == known.end()) {
      const std::optional<std::string> nearest = nearest_word(name, known);
      throw UsageError(
          "--output-columns: there is no column " + io::shown(name) +
          (nearest ? "; did you mean " + *nearest + "?" : "; the result has " + io::listed(known)));
    }
    const auto position = static_cast<std::size_t>(found - known.begin());
    if (std::ranges::find(shown, position) != shown.end())
      throw UsageError("--output-columns: column " + io::shown(name) + " is given twice; give it once");
    shown.push_back(position);
  }
  return shown;
}

}  // namespace sphaera::tool
