#pragma once
/// \file Reads a result of the tool row by row, for `merge`.

#include <cstdint>
#include <filesystem>
#include <io/streams/byte_reader.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <tools/files/results/table.hpp>

namespace sphaera::tool {

/// Rows of a CSV, JSON Lines or NPY result. All functions throw Error bad_file if the tool cannot have
/// written the file, in particular if it is truncated.
class ResultPart {
 public:
  virtual ~ResultPart() = default;
  ResultPart(const ResultPart&) = delete;
  ResultPart& operator=(const ResultPart&) = delete;

  /// Value that is equal in all parts of one result: CSV's header, NPY's type, or the first key of JSON
  /// Lines. Empty for JSON Lines without a row.
  virtual std::string_view layout() const = 0;
  virtual bool next() = 0;                   ///< moves to the next row; false at the end
  virtual std::string_view row() const = 0;  ///< the row's bytes, as written
  virtual std::int64_t query() const = 0;    ///< number of the row's query; −1: its columns do not tell
  virtual std::uint64_t line()
      const = 0;  ///< position for messages: the line, or in NPY the row number from 1

 protected:
  ResultPart() = default;
};

/// What the first column of a result is.
enum class FirstColumn : std::uint8_t { query_number, any };

std::unique_ptr<ResultPart> open_part(io::ByteSource& source, files::TableFormat format, FirstColumn first);

/// Text before the rows of a whole result.
std::string result_header(std::string_view layout, files::TableFormat format, std::uint64_t rows);

}  // namespace sphaera::tool
