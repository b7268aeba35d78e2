#pragma once
/// \file The rows of a query file as numbers, and the table of formats of such files.

#include <array>
#include <cstdint>
#include <io/formats/dates.hpp>
#include <io/formats/matrix_format.hpp>
#include <io/streams/byte_reader.hpp>
#include <memory>
#include <optional>
#include <span>
#include <sphaera/scene_file.hpp>
#include <sphaera/scene_options.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sphaera::files {

inline constexpr std::size_t max_query_columns = 10;

/// Columns of rays, points and balls by name alone: the time of the scene that a row sees, and the layers.
inline constexpr std::array<std::string_view, 2> own_view_columns{"t", "layers"};
/// A column by name alone of all kinds that have a column `ignore`.
inline constexpr std::string_view owner_column = "ignore_owner";

/// Columns of one kind of query: the required ones, then the optional ones. One of them is the column of ids:
/// the last required or the last optional one.
struct QueryColumns {
  enum class Ids : std::uint8_t { optional, required };
  /// May a file have own_view_columns?
  enum class OwnView : bool { no, yes };

  std::span<const std::string_view> required;
  std::span<const std::string_view> optional;
  std::span<const double> defaults;  ///< default values of the optional columns except the ids
  Ids ids;
  std::span<const std::size_t> npy_widths;  ///< permitted numbers of columns of an NPY array, ascending
  std::string_view kind;                    ///< "rays", for messages
  OwnView own_view = OwnView::no;

  /// The number of numbers of a row without its id, and of those that are required.
  std::size_t numbers() const { return required_numbers() + defaults.size(); }
  std::size_t required_numbers() const { return required.size() - (ids == Ids::required); }
  /// The place of a number, and of the id, among the columns.
  std::size_t column(std::size_t number) const { return number + (number >= id_column()); }
  std::size_t id_column() const { return ids == Ids::required ? required.size() - 1 : numbers(); }
  std::string_view id_name() const { return ids == Ids::required ? required.back() : optional.back(); }
  constexpr bool may_ignore() const { return ids == Ids::optional && optional.back() == "ignore"; }
  /// The names of the first `width` columns, one of npy_widths.
  std::vector<std::string_view> names(std::size_t width) const;
  /// "x,y,z[,ignore] and perhaps t,layers,ignore_owner": the columns, with brackets around those that a file
  /// may lack.
  std::string text() const;
};

/// A row: the required numbers, the optional ones, and the id; `t` (NaN: none), `layers` and `ignore_owner`.
struct QueryRow {
  double values[max_query_columns];
  std::int64_t id;
  double time;
  LayerMask layers;
  std::int64_t owner;  ///< its number; −1: none
};

class QueryRows {
 public:
  virtual ~QueryRows() = default;

  virtual bool next() = 0;  ///< moves to the next row; false at the end
  /// With RowOptions::skip_misses: a required column is empty or not a number (NaN), or the column `sphere`
  /// is -1.
  virtual bool is_miss() const = 0;
  virtual void read(QueryRow& row) = 0;  ///< its numbers
  virtual bool in_row() const = 0;       ///< the fault of a call lies in this row: the next may be good
  virtual void keep(Names& fields) = 0;  ///< appends its fields of RowOptions::kept
  virtual void read_to_end() = 0;        ///< reads the rows left as mere bytes
  /// The number of rows, where the header of a plain file says it.
  virtual std::optional<std::uint64_t> stated() const { return std::nullopt; }
  /// Fraction of the rows passed by `next`, 0 … 1, by their bytes where their number is unknown;
  /// empty if that is unknown, too.
  virtual std::optional<double> fraction() const = 0;
  virtual bool has_ids() const = 0;                     ///< the file has a column of ids
  virtual bool has_times() const = 0;                   ///< the file has the column `t`
  virtual bool has_layers() const = 0;                  ///< the file has the column `layers`
  virtual bool has_owners() const = 0;                  ///< the file has the column `ignore_owner`
  virtual bool has(std::string_view column) const = 0;  ///< the file has that column, perhaps by another name
  virtual std::uint64_t line() const = 0;               ///< line of the last row
  virtual const std::string& name() const = 0;
  virtual std::vector<std::string> take_warnings() = 0;  ///< those since the last call
};

/// How rows are read.
struct RowOptions {
  const Names* names = nullptr;  ///< a text may give one of these in place of an id; null: it must not
  std::span<const std::string> layer_names{};  ///< those that the column `layers` may name
  /// Owners of spheres that the column `ignore_owner` may name; null or empty: the scene has none.
  const std::unordered_map<std::string, std::int64_t>* owners = nullptr;
  std::optional<io::Instant> epoch{};  ///< the date of time 0, if `t` may hold dates
  CsvOptions csv{};
  /// The file may lack the optional columns that `csv` renames: another file has them.
  std::vector<std::string> elsewhere{};
  std::vector<std::string> kept{};  ///< columns whose fields are kept, by their names in the file
  bool keeps_numbers = false;       ///< a kept field that is no number is an error
  bool skip_bad = false;            ///< bad rows are no error but skipped
  bool skip_misses = false;         ///< rows of a result that is used as queries, see QueryRows::is_miss
};

/// A format of query files.
struct QueryFormat {
  std::string_view name;           ///< the extension without its point
  bool names_lines;                ///< every error in a file names its line
  bool is_text;                    ///< it is also written compressed
  const io::MatrixFormat* matrix;  ///< writes rows
  std::unique_ptr<QueryRows> (*open)(std::unique_ptr<io::ByteSource> source, const QueryColumns& columns,
                                     const RowOptions& options);

  std::string extension() const { return '.' + std::string(name); }
};

std::unique_ptr<QueryRows> open_csv_rows(std::unique_ptr<io::ByteSource> source, const QueryColumns& columns,
                                         const RowOptions& options);
std::unique_ptr<QueryRows> open_npy_rows(std::unique_ptr<io::ByteSource> source, const QueryColumns& columns,
                                         const RowOptions& options);

inline constexpr QueryFormat csv_queries{"csv", true, true, &io::csv_matrix, open_csv_rows};
inline constexpr QueryFormat npy_queries{"npy", false, false, &io::npy_matrix, open_npy_rows};
/// The first is that of files whose names end in no extension of these.
inline constexpr std::array query_formats{&csv_queries, &npy_queries};

/// Format given by a file's extension, with or without `.gz`.
const QueryFormat& query_format(std::string_view name);

/// Opens the rows of a source in the format of its name; without an extension, in that of its first bytes.
std::unique_ptr<QueryRows> open_query_rows(std::unique_ptr<io::ByteSource> source,
                                           const QueryColumns& columns, const RowOptions& options = {});

}  // namespace sphaera::files
