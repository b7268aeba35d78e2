#include <io/formats/csv_text.hpp>
#include <io/formats/matrix_format.hpp>
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

std::string csv_matrix_header(std::span<const std::string_view> columns, std::uint64_t) {
  std::string line;
  for (const std::string_view column : columns) (line += line.empty() ? "" : ",") += column;
  return line + '\n';
}

void append_csv_rows(std::string& bytes, std::span<const double> numbers, std::size_t columns) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    append_number(bytes, numbers[i]);
    bytes += (i + 1) % columns == 0 ? '\n' : ',';
  }
}

}  // namespace sphaera::io
