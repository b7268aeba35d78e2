#include <io/formats/csv_text.hpp>
#include <io/formats/numbers.hpp>

namespace sphaera::io {

void append_csv(std::string& csv, std::string_view text) {
  // Readers, including CsvTable, drop blanks at the ends of an unquoted field.
  if (text.find_first_of(",\"\r\n") == std::string_view::npos && trimmed(text) == text) {
    csv += text;
    return;
  }
  csv += '"';
  for (const char c : text) csv.append(c == '"' ? 2 : 1, c);
  csv += '"';
}

}  // namespace sphaera::io
