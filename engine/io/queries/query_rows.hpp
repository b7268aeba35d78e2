#pragma once
/// \file The rows of a query file as numbers, whatever its format.

#include <cstdint>
#include <io/streams/bytes.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::io {

inline constexpr std::size_t most_query_columns = 10;

/// The columns of one kind of query: first those that must be there, then the optional ones, then perhaps the
/// column of ids.
struct QueryColumns {
  std::span<const std::string_view> required;
  std::span<const std::string_view> optional;  ///< the last one is that of ids, if there is one
  std::span<const double> defaults;            ///< of the optional ones that are no ids
  bool has_ids;
  std::span<const std::size_t> npy_widths;  ///< the numbers of columns that an NPY array may have, ascending
  std::string_view kind;                    ///< "rays", for messages
  std::span<const std::string_view> header{};  ///< if the ids are required, too: those that must be there
};

/// A row: the required numbers, the optional ones, and the id.
struct QueryRow {
  double values[most_query_columns];
  std::int64_t id;
};

class QueryRows {
 public:
  virtual ~QueryRows() = default;

  virtual bool next(QueryRow& row) = 0;    ///< false at the end
  virtual bool skip() = 0;                 ///< passes by a row without looking at its numbers
  virtual bool has_ids() const = 0;        ///< the file has a column of ids
  virtual std::uint64_t line() const = 0;  ///< of the last row
  virtual const std::string& name() const = 0;
  virtual std::vector<std::string> warnings() const = 0;
};

/// `npy`: by the extension of the source's name.
std::unique_ptr<QueryRows> open_query_rows(std::unique_ptr<ByteSource> source, const QueryColumns& columns);

}  // namespace sphaera::io
