#pragma once
/// \file Reads a result row by row: CSV with any columns, or NPY with named fields.

#include <cstdint>
#include <filesystem>
#include <io/streams/byte_reader.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::tool {

/// A result with more columns is refused, as is an NPY array.
inline constexpr std::size_t max_table_columns = 64;

class TableFile {
 public:
  virtual ~TableFile() = default;
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;

  const std::vector<std::string>& columns() const { return columns_; }
  virtual bool next() = 0;  ///< moves to the next row; false at the end. Throws Error bad_file, cancelled.
  /// A cell of the row; empty: it is empty, a NaN, or a text.
  virtual std::optional<double> number(std::size_t column) const = 0;
  /// The cell as a text, valid until the next call of any function.
  virtual std::string_view text(std::size_t column) const = 0;
  virtual std::uint64_t line() const = 0;  ///< for messages; in NPY the number of the row, from 1
  const std::string& name() const { return source_->name(); }

 protected:
  explicit TableFile(std::unique_ptr<io::ByteSource> source) : source_(std::move(source)) {}
  void name_columns(std::vector<std::string> names);

  std::unique_ptr<io::ByteSource> source_;

 private:
  std::vector<std::string> columns_;
};

/// Opens a result and reads its header; the extension tells the format. Throws Error bad_file.
std::unique_ptr<TableFile> open_table(const std::filesystem::path& path, const io::ReadControl& control);

}  // namespace sphaera::tool
