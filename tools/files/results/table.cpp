#include <algorithm>
#include <cmath>
#include <io/formats/csv_text.hpp>
#include <io/formats/json_text.hpp>
#include <io/formats/npy.hpp>
#include <io/formats/numbers.hpp>
#include <limits>
#include <numeric>
#include <sphaera/error.hpp>
#include <tools/files/results/table.hpp>
#include <tools/files/results/table_sums.hpp>

namespace sphaera::files {
namespace {

/// An NPY cell: the bytes of the value.
template <class T>
void append_raw(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// A type of NPY, and the bytes of its values.
struct NpyType {
  std::string_view name;
  std::size_t bytes;
};
constexpr NpyType npy_integer{"<i8", sizeof(std::int64_t)}, npy_number{"<f8", sizeof(double)},
    npy_byte{"|u1", sizeof(std::uint8_t)};

const NpyType& npy_type(Column::Kind kind) {
  switch (kind) {
    case Column::Kind::integer:
    case Column::Kind::sphere:
      return npy_integer;
    case Column::Kind::number:
    case Column::Kind::kept:
      return npy_number;
    case Column::Kind::flag:
    case Column::Kind::word:
      return npy_byte;
    case Column::Kind::text:
    case Column::Kind::sphere_name:
      break;
  }
  throw Error(ErrorCode::invalid_argument, "NPY holds no text; choose csv or jsonl for this result");
}

io::Output::Access access_of(TableFormat format) {
  return format == TableFormat::npy ? io::Output::Access::patched : io::Output::Access::sequential;
}

}  // namespace

/// Layout shared by all blocks of a table.
struct TableRows::Layout {
  TableFormat format;
  bool for_sums;                                // cells as in `raw`; NPY otherwise
  std::vector<Column> columns;                  // as rows give their cells
  std::size_t own;                              // number of columns before those kept
  std::vector<std::size_t> order;               // positions of the columns that are shown
  std::vector<bool> shown;                      // by column
  bool arranged;                                // the order is not that of the columns
  std::vector<std::string> before;              // text before the cell of each column
  std::vector<std::string> empty;               // an empty cell of each column, with the text before it
  std::vector<std::vector<std::string>> words;  // words of each column in their written form
  const Names* names = nullptr;                 // of spheres
  std::vector<std::string> time{};              // a number, perhaps a date: before what rows keep

  Layout(TableFormat table_format, std::vector<Column> table_columns, std::vector<std::size_t> chosen,
         bool is_for_sums = false)
      : format(table_format),
        for_sums(is_for_sums),
        columns(std::move(table_columns)),
        own(static_cast<std::size_t>(std::ranges::find(columns, Column::Kind::kept, &Column::kind) -
                                     columns.begin())),
        order(std::move(chosen)),
        shown(columns.size()),
        before(columns.size()),
        empty(columns.size()),
        words(columns.size()) {
    if (order.empty()) {
      order.resize(columns.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
    }
    arranged = !std::ranges::is_sorted(order);
    for (const std::size_t c : order) {
      const Column& column = columns[c];
      shown[c] = true;
      if (format == TableFormat::csv && c != order.front()) before[c] += ',';
      if (format == TableFormat::jsonl) {
        before[c] += c == order.front() ? '{' : ',';
        io::append_json(before[c], column.name);
        before[c] += ':';
      }
      empty[c] = before[c] + empty_cell(column.kind);
      for (const std::string& word : column.words) append_text(words[c].emplace_back(), word);
    }
  }

  std::string empty_cell(Column::Kind kind) const {
    if (format != TableFormat::npy) return format == TableFormat::jsonl ? "null" : "";
    std::string bytes;
    switch (kind) {
      case Column::Kind::integer:
        append_raw(bytes, for_sums ? raw::no_integer : std::int64_t{-1});
        break;
      case Column::Kind::sphere:
        append_raw(bytes, raw::no_sphere);
        break;
      case Column::Kind::flag:
      case Column::Kind::word:
        append_raw(bytes, for_sums ? raw::no_word : std::uint8_t{0});
        break;
      default:
        if (has_text(kind)) {
          append_text(bytes, {});
        } else {
          append_raw(bytes, std::numeric_limits<double>::quiet_NaN());
        }
        break;
    }
    return bytes;
  }

  /// Is a cell of this kind a text in this table?
  bool has_text(Column::Kind kind) const {
    return kind == Column::Kind::text || kind == Column::Kind::sphere_name ||
           (kind == Column::Kind::kept && (for_sums || format != TableFormat::npy));
  }

  void append_text(std::string& bytes, std::string_view text) const {
    if (format == TableFormat::npy) {
      append_raw(bytes, static_cast<raw::Length>(text.size()));
      bytes += text;
      return;
    }
    format == TableFormat::jsonl ? io::append_json(bytes, text) : io::append_csv(bytes, text);
  }

  std::string header(std::uint64_t rows) const {
    if (format == TableFormat::jsonl) return {};
    std::string text;
    for (const std::size_t c : order) {
      const Column& column = columns[c];
      if (!text.empty()) text += format == TableFormat::csv ? "," : ", ";
      if (format == TableFormat::csv) {
        io::append_csv(text, column.name);
      } else {
        text.append("('" + column.name + "', '").append(npy_type(column.kind).name).append("')");
      }
    }
    return format == TableFormat::csv ? text + '\n' : io::npy_header('[' + text + ']', rows);
  }
};

std::size_t npy_row_size(std::string_view layout) {
  std::size_t size = 0;
  for (const NpyType& type : {npy_integer, npy_number, npy_byte}) {
    const std::string end = "'" + std::string(type.name) + "')";
    for (std::size_t at = layout.find(end); at != std::string_view::npos; at = layout.find(end, at + 1))
      size += type.bytes;
  }
  return size;
}

TableRows::TableRows(std::shared_ptr<const Layout> layout) : layout_(std::move(layout)) {}

/// Moves to the next cell. False if it is not shown.
bool TableRows::next_cell() {
  const std::size_t column = column_++;
  if (layout_->arranged) cells_.push_back(bytes_.size());
  return layout_->shown[column];
}

/// Begins the next cell, which must be of this kind. Null if it is not shown.
const Column* TableRows::begin_cell(Column::Kind kind) {
  if (column_ >= layout_->columns.size() || layout_->columns[column_].kind != kind) {
    throw Error(ErrorCode::internal, "a cell of a result table does not fit its column");
  }
  if (!next_cell()) return nullptr;
  bytes_ += layout_->before[column_ - 1];
  return &layout_->columns[column_ - 1];
}

void TableRows::integer_cell(std::int64_t value) {
  layout_->format == TableFormat::npy ? append_raw(bytes_, value) : io::append_integer(bytes_, value);
}

TableRows& TableRows::integer(std::int64_t value) {
  if (begin_cell(Column::Kind::integer)) integer_cell(value);
  return *this;
}

TableRows& TableRows::sphere(std::int64_t id) {
  if (begin_cell(Column::Kind::sphere)) integer_cell(id);
  name_sphere(id);
  return *this;
}

/// Writes the name of the sphere if the column that follows wants it.
void TableRows::name_sphere(std::int64_t id) {
  const std::vector<Column>& columns = layout_->columns;
  if (column_ == columns.size() || columns[column_].kind != Column::Kind::sphere_name) return;
  const Names* const names = layout_->names;
  const std::string_view name =
      id >= 0 && names && !names->empty() ? (*names)[static_cast<std::size_t>(id)] : std::string_view{};
  if (name.empty()) {
    empty();
  } else if (begin_cell(Column::Kind::sphere_name)) {
    layout_->append_text(bytes_, name);
  }
}

/// Writes the time of the rows and the fields of the query file at the end of the row.
void TableRows::kept_cells() {
  const std::vector<std::string>& time = layout_->time;
  for (std::size_t field = 0; column_ < layout_->columns.size(); ++field) {
    const bool is_time = field < time.size();
    std::string_view text;
    if (is_time) {
      text = time[field];
    } else if (kept_) {
      text = (*kept_)[first_kept_ + field - time.size()];
    }
    if (text.empty()) {
      empty();
    } else if (!begin_cell(Column::Kind::kept)) {
      continue;
    } else if (is_time && field == 0 && layout_->format == TableFormat::jsonl) {
      bytes_ += text;
    } else {
      kept_cell(text);
    }
  }
}

void TableRows::kept_cell(std::string_view text) {
  if (layout_->has_text(Column::Kind::kept)) return layout_->append_text(bytes_, text);
  double value = 0;
  if (io::parse_number(io::trimmed(text), value) != io::Parse::ok)
    throw Error(ErrorCode::internal, "a kept field is not a number");
  append_raw(bytes_, value);
}

TableRows& TableRows::number(double value) {
  if (std::isnan(value)) return empty();
  if (!begin_cell(Column::Kind::number)) return *this;
  switch (layout_->format) {
    case TableFormat::csv:
      io::append_number(bytes_, value);
      break;
    case TableFormat::jsonl:
      io::append_json(bytes_, value);
      break;
    case TableFormat::npy:
      append_raw(bytes_, value);
      break;
  }
  return *this;
}

TableRows& TableRows::flag(bool value) {
  if (!begin_cell(Column::Kind::flag)) return *this;
  if (layout_->format == TableFormat::npy) {
    append_raw(bytes_, std::uint8_t{value});
  } else {
    bytes_ += value ? '1' : '0';
  }
  return *this;
}

TableRows& TableRows::word(std::uint8_t value) {
  const Column* const column = begin_cell(Column::Kind::word);
  if (!column) return *this;
  if (value >= column->words.size())
    throw Error(ErrorCode::internal, "column " + column->name + " has no such word");
  if (layout_->format == TableFormat::npy) {
    append_raw(bytes_, value);
  } else {
    bytes_ += layout_->words[column_ - 1][value];
  }
  return *this;
}

TableRows& TableRows::text(std::string_view value) {
  if (begin_cell(Column::Kind::text)) layout_->append_text(bytes_, value);
  return *this;
}

TableRows& TableRows::empty() {
  if (column_ >= layout_->columns.size())
    throw Error(ErrorCode::internal, "a row of a result table is too long");
  const bool is_sphere = layout_->columns[column_].kind == Column::Kind::sphere;
  if (next_cell()) bytes_ += layout_->empty[column_ - 1];
  if (is_sphere) name_sphere(-1);
  return *this;
}

/// Puts the cells of the row in their order.
void TableRows::arrange_row() {
  cells_.push_back(bytes_.size());
  row_.assign(bytes_, row_begin_);
  bytes_.resize(row_begin_);
  for (const std::size_t c : layout_->order)
    bytes_.append(row_, cells_[c] - row_begin_, cells_[c + 1] - cells_[c]);
  cells_.clear();
}

void TableRows::end_row() {
  if (column_ < layout_->own) throw Error(ErrorCode::internal, "a row of a result table is too short");
  kept_cells();
  if (layout_->arranged) arrange_row();
  if (layout_->format == TableFormat::csv && bytes_.size() == row_begin_) bytes_ += "\"\"";
  if (layout_->format == TableFormat::jsonl) bytes_ += '}';
  if (layout_->format != TableFormat::npy) bytes_ += '\n';
  column_ = 0;
  row_begin_ = bytes_.size();
  ++rows_;
  if (bytes_.size() >= max_bytes_) full_(*this);
}

void TableRows::when_full(std::size_t bytes, std::function<void(TableRows&)> full) {
  max_bytes_ = bytes;
  full_ = std::move(full);
}

void TableRows::clear() {
  bytes_.clear();
  cells_.clear();
  column_ = row_begin_ = 0;
  rows_ = 0;
}

TableRows TableRows::take() {
  TableRows taken(layout_);
  taken.bytes_ = std::move(bytes_);
  taken.rows_ = rows_;
  clear();
  return taken;
}

TableWriter::TableWriter(const std::filesystem::path& target, TableFormat format, std::vector<Column> columns,
                         std::vector<std::size_t> shown)
    : layout_(std::make_shared<TableRows::Layout>(format, columns, shown)),
      whole_(shown.empty() ? layout_
                           : std::make_shared<TableRows::Layout>(format, std::move(columns),
                                                                 std::vector<std::size_t>{})),
      result_(layout_),
      header_(result_->header(0)),
      output_(target, access_of(format)) {}

TableWriter::TableWriter(const std::filesystem::path& target, TableFormat format, std::vector<Column> columns,
                         TableSums sums, std::vector<std::size_t> shown)
    : layout_(std::make_shared<TableRows::Layout>(TableFormat::npy, std::move(columns),
                                                  std::vector<std::size_t>{}, true)),
      whole_(layout_),
      result_(std::make_shared<TableRows::Layout>(format, sums.columns(format), std::move(shown))),
      sums_(std::make_unique<TableSums>(std::move(sums))),
      header_(result_->header(0)),
      output_(target, access_of(format)) {}

TableWriter::~TableWriter() = default;
TableWriter::TableWriter(TableWriter&&) noexcept = default;
TableWriter& TableWriter::operator=(TableWriter&&) noexcept = default;

TableRows TableWriter::rows() const { return TableRows(layout_); }

void TableWriter::set_time(std::string number, std::optional<std::string> date) {
  layout_->time = {std::move(number)};
  if (date) layout_->time.push_back(std::move(*date));
  whole_->time = layout_->time;
}

void TableWriter::name_spheres(const Names* names) {
  layout_->names = whole_->names = result_->names = names;
}

TableRows TableWriter::whole_rows() const { return TableRows(whole_); }

/// The header is written with the first rows, so an error before them leaves standard output empty.
void TableWriter::write_header() {
  output_.write(header_);
  header_.clear();
}

void TableWriter::write(const TableRows& rows) {
  if (rows.column_ != 0) throw Error(ErrorCode::internal, "a row of a result table was not ended");
  sums_ ? sums_->add(rows.bytes_) : write_rows(rows);
}

void TableWriter::write_rows(const TableRows& rows) {
  write_header();
  output_.write(rows.bytes_);
  rows_ += rows.rows_;
}

void TableWriter::flush() { output_.flush(); }

io::Output& TableWriter::finish() {
  if (sums_) {
    TableRows rows(result_);
    sums_->write(rows, result_->format);
    write_rows(rows);
  }
  write_header();
  if (result_->format == TableFormat::npy) output_.patch(0, result_->header(rows_));
  output_.finish();
  return output_;
}

void TableWriter::commit() { finish().commit(); }

}  // namespace sphaera::files
