#pragma once
/// \file A result that the tool wrote, row by row: what `merge` joins.

#include <cstdint>
#include <filesystem>
#include <io/results/table.hpp>
#include <io/streams/bytes.hpp>
#include <memory>
#include <string>
#include <string_view>

namespace sphaera::tool {

/// Rows of a CSV, JSON Lines or NPY result. All functions throw Error bad_file for what the tool cannot have
/// written, a file that was cut short above all.
class ResultPart {
 public:
  virtual ~ResultPart() = default;
  ResultPart(const ResultPart&) = delete;
  ResultPart& operator=(const ResultPart&) = delete;

  /// Equal in all parts of one result: CSV's header, NPY's type, the first key of JSON Lines. Empty:
  /// JSON Lines without a row.
  virtual std::string_view layout() const = 0;
  virtual bool next() = 0;                   ///< steps to the next row; false at the end
  virtual std::string_view row() const = 0;  ///< its bytes, as written
  virtual std::int64_t query() const = 0;    ///< its first column, the number of the query
  virtual std::uint64_t line() const = 0;    ///< where messages point: its line, or its number from 1 in NPY

 protected:
  ResultPart() = default;
};

std::unique_ptr<ResultPart> open_part(io::ByteSource& source, io::TableFormat format);

/// What comes before the rows of a whole result.
std::string result_header(std::string_view layout, io::TableFormat format, std::uint64_t rows);

}  // namespace sphaera::tool
