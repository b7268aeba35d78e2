#include <fmt/core.h>

#include <cmath>
#include <io/formats/csv_header.hpp>
#include <io/formats/csv_records.hpp>
#include <io/formats/npy.hpp>
#include <io/formats/numbers.hpp>
#include <io/streams/file_error.hpp>
#include <numeric>
#include <tools/files/queries/query_rows.hpp>
#include <tools/report/table_file.hpp>

namespace sphaera::tool {
namespace {

class CsvTable : public TableFile {
 public:
  explicit CsvTable(std::unique_ptr<io::ByteSource> source)
      : TableFile(std::move(source)), records_(*source_) {
    std::optional<io::CsvRecords::Header> header = records_.header();
    if (!header) io::fail(name(), "this file is empty; a result begins with the names of its columns");
    char separator = header->separator;
    io::CsvFields fields;
    if (const char* const fault = io::divide_header(header->record, {}, {}, separator, fields))
      io::fail(name(), records_.line(), fault);
    records_.separate_by(separator);
    std::vector<std::string> names;
    for (const std::string_view field : fields.fields()) names.emplace_back(io::trimmed(field));
    name_columns(std::move(names));
  }

  bool next() override {
    if (!records_.next()) return false;
    if (records_.fields().size() != columns().size()) {
      io::fail(name(), line(),
               fmt::format("this row has {} fields and the header {}; is the file cut short?",
                           records_.fields().size(), columns().size()));
    }
    return true;
  }

  std::optional<double> number(std::size_t column) const override {
    double value = 0;
    if (io::parse_number(text(column), value) != io::Parse::ok || std::isnan(value)) return std::nullopt;
    return value;
  }
  std::string_view text(std::size_t column) const override { return io::trimmed(records_.fields()[column]); }
  std::uint64_t line() const override { return records_.line(); }

 private:
  io::CsvRecords records_;
};

class NpyTable : public TableFile {
 public:
  explicit NpyTable(std::unique_ptr<io::ByteSource> source) : TableFile(std::move(source)), rows_(*source_) {
    std::vector<std::string> names;
    for (const std::string_view field : rows_.field_names()) names.emplace_back(field);
    if (names.empty())
      io::fail(name(),
               "its columns have no names; a result in NPY has fields, as --output FILE.npy writes it");
    std::vector<std::size_t> all(names.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    rows_.choose(all);
    name_columns(std::move(names));
  }

  bool next() override { return (row_ = rows_.next()) != nullptr; }
  std::optional<double> number(std::size_t column) const override {
    return std::isnan(row_[column]) ? std::nullopt : std::optional(row_[column]);
  }
  std::string_view text(std::size_t column) const override {
    text_.clear();
    if (!std::isnan(row_[column])) io::append_number(text_, row_[column]);
    return text_;
  }
  std::uint64_t line() const override { return rows_.row(); }

 private:
  io::NpyRows rows_;
  const double* row_ = nullptr;
  mutable std::string text_;
};

}  // namespace

void TableFile::name_columns(std::vector<std::string> names) {
  if (names.size() > max_table_columns) {
    io::fail(name(),
             fmt::format("it has {} columns; a report sums up at most {}", names.size(), max_table_columns));
  }
  columns_ = std::move(names);
}

std::unique_ptr<TableFile> open_table(const std::filesystem::path& path, const io::ReadControl& control) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (path == "-" || std::filesystem::is_fifo(status) || std::filesystem::is_character_file(status))
    io::fail(path.string(), "a result is read twice; give a plain file");
  std::unique_ptr<io::ByteSource> source = io::open_source(path, control);
  const std::filesystem::path plain = path.extension() == ".gz" ? path.stem() : path;
  if (plain.extension() == ".jsonl")
    io::fail(source->name(), "a report sums up CSV and NPY; give the result as one of these");
  if (&files::query_format(path.string()) == &files::npy_queries)
    return std::make_unique<NpyTable>(std::move(source));
  return std::make_unique<CsvTable>(std::move(source));
}

}  // namespace sphaera::tool
