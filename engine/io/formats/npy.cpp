#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <io/formats/matrix_format.hpp>
#include <io/formats/npy.hpp>
#include <io/streams/file_error.hpp>
#include <limits>
#include <optional>

namespace sphaera::io {
namespace {

static_assert(std::endian::native == std::endian::little, "NPY doubles are copied as they lie in memory");

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t longest_header = std::size_t{1} << 16;
constexpr std::size_t max_columns = 64;  // more than any format of Sphaera has
constexpr std::size_t longest_row = std::size_t{1} << 20;
constexpr std::size_t chunk_bytes = std::size_t{1} << 18;

/// Reads the literal dictionary of a header: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }.
class HeaderText {
 public:
  explicit HeaderText(std::string_view text) : text_(text) {}

  bool take(char c) {
    skip_spaces();
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  bool word(std::string_view expected) {
    skip_spaces();
    if (!text_.starts_with(expected)) return false;
    text_.remove_prefix(expected.size());
    return true;
  }

  bool quoted(std::string_view& value) {
    const char quote = take('\'') ? '\'' : take('"') ? '"' : '\0';
    const std::size_t end = quote ? text_.find(quote) : std::string_view::npos;
    if (end == std::string_view::npos) return false;
    value = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return true;
  }

  bool integer(std::uint64_t& value) {
    skip_spaces();
    const auto [stop, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc{}) return false;
    text_.remove_prefix(static_cast<std::size_t>(stop - text_.data()));
    if (text_.starts_with('L')) text_.remove_prefix(1);  // as Python 2 wrote them
    return true;
  }

  bool at_end() {
    skip_spaces();
    return text_.empty();
  }

  std::string_view rest() {
    skip_spaces();
    return text_.substr(0, text_.find_last_not_of(" \n") + 1);
  }

 private:
  void skip_spaces() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n' || text_[0] == '\t'))
      text_.remove_prefix(1);
  }

  std::string_view text_;
};

}  // namespace

struct NpyHeader {
  std::string_view type;         // of a matrix
  std::vector<NpyField> fields;  // of a structured array
  std::size_t row_bytes = 0;     // of a structured array; at most longest_row + 1
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

namespace {

bool parse_shape(HeaderText& text, std::vector<std::uint64_t>& shape) {
  if (!text.take('(')) return false;
  while (!text.take(')')) {
    std::uint64_t extent = 0;
    if (!text.integer(extent)) return false;
    shape.push_back(extent);
    if (!text.take(',')) return text.take(')');
  }
  return true;
}

/// The type that numpy calls so: "<f8"; empty if it is not one of numbers.
std::optional<NpyType> number_type(std::string_view text) {
  if (text.size() != 3 || std::string_view("<>|=").find(text[0]) == std::string_view::npos)
    return std::nullopt;
  const NpyType type{text[1], static_cast<std::size_t>(text[2] - '0'), text[0] == '>'};
  const bool is_power = type.size == 1 || type.size == 2 || type.size == 4 || type.size == 8;
  const bool known = type.kind == 'f'   ? type.size == 4 || type.size == 8
                     : type.kind == 'b' ? type.size == 1
                                        : (type.kind == 'i' || type.kind == 'u') && is_power;
  return known ? std::optional(type) : std::nullopt;
}

/// Bytes of an element of any type without objects, such as "<f8", "|S10", "<U5" or "<M8[ns]"; 0: unknown.
std::size_t size_of(std::string_view type) {
  if (type.size() < 3 || std::string_view("<>|=").find(type[0]) == std::string_view::npos) return 0;
  std::size_t size = 0;
  const auto [stop, error] = std::from_chars(type.data() + 2, type.data() + type.size(), size);
  const std::string_view unit(stop, static_cast<std::size_t>(type.data() + type.size() - stop));
  if (error != std::errc{} || (!unit.empty() && !(unit.starts_with('[') && unit.ends_with(']')))) return 0;
  return type[1] == 'U' ? 4 * std::min(size, longest_row) : std::min(size, longest_row + 1);
}

/// Reads a field, "('x', '<f8')" or, of an array in each row, "('pos', '<f8', (3,))": the three numbers are
/// fields pos_x, pos_y and pos_z.
bool parse_field(HeaderText& text, NpyHeader& header) {
  std::string_view name, type;
  std::vector<std::uint64_t> shape;
  if (!text.take('(') || !text.quoted(name) || !text.take(',') || !text.quoted(type)) return false;
  const bool is_array = text.take(',');
  if ((is_array && !parse_shape(text, shape)) || !text.take(')')) return false;
  std::uint64_t size = size_of(type);
  if (size == 0 && type != "|V0" && type != "|S0" && type != "<U0") return false;
  for (const std::uint64_t extent : shape)
    if (__builtin_mul_overflow(size, extent, &size)) size = longest_row + 1;
  const std::optional<NpyType> number = number_type(type);
  if (number && shape.size() == 1 && shape[0] == 3) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      header.fields.push_back(
          {std::string(name) + '_' + "xyz"[axis], number, header.row_bytes + axis * number->size});
  } else {
    header.fields.push_back({std::string(name), is_array ? std::nullopt : number, header.row_bytes});
  }
  header.row_bytes =
      static_cast<std::size_t>(std::min<std::uint64_t>(header.row_bytes + size, longest_row + 1));
  return true;
}

bool parse_fields(HeaderText& text, NpyHeader& header) {
  while (!text.take(']')) {
    if (!parse_field(text, header)) return false;
    if (!text.take(',')) return text.take(']');
  }
  return true;
}

bool parse_entry(HeaderText& text, NpyHeader& header) {
  std::string_view key;
  if (!text.quoted(key) || !text.take(':')) return false;
  if (key == "descr") {
    return text.take('[') ? parse_fields(text, header) : text.quoted(header.type);
  }
  if (key == "fortran_order") {
    header.fortran_order = text.word("True");
    return header.fortran_order || text.word("False");
  }
  return key == "shape" && parse_shape(text, header.shape);
}

/// Returns false if malformed; `fault` is then the text from the malformed entry on.
bool parse(HeaderText text, NpyHeader& header, std::string_view& fault) {
  fault = text.rest();
  if (!text.take('{')) return false;
  while (fault = text.rest(), !text.take('}')) {
    if (!parse_entry(text, header)) return false;
    fault = text.rest();
    if (!text.take(',')) return text.take('}') && text.at_end();
  }
  return text.at_end();
}

}  // namespace

NpyRows::NpyRows(ByteSource& source) : source_(source) { read_header(); }

void NpyRows::read_header() {
  std::array<char, 12> start{};
  const std::size_t got = source_.read_fully(std::span(start).first(10));
  if (got < 10 || !std::string_view(start.data(), got).starts_with(magic)) {
    fail(name(), "this is not an NPY file, or it is cut short; write it with numpy.save");
  }
  const auto byte = [&](std::size_t i) { return std::size_t{static_cast<unsigned char>(start[i])}; };
  const std::size_t version = byte(6);
  if (version < 1 || version > 3) fail(name(), "the NPY version is not 1, 2 or 3; write it with numpy.save");
  std::size_t length = byte(8) | byte(9) << 8;
  if (version > 1) {
    if (source_.read_fully(std::span(start).subspan(10)) < 2) fail(name(), "the NPY header is cut short");
    length |= byte(10) << 16 | byte(11) << 24;
  }
  if (length > longest_header) fail(name(), "the NPY header is longer than 64 KiB; the file is damaged");
  std::string text(length, '\0');
  if (source_.read_fully(text) < length) fail(name(), "the NPY header is cut short");

  NpyHeader header;
  std::string_view fault;
  if (!parse(HeaderText(text), header, fault))
    fail(name(), "the NPY header is malformed at " + shown(fault) + "; write the file with numpy.save");
  rows_ = header.shape.empty() ? 0 : header.shape[0];
  header.fields.empty() ? take_matrix(header) : take_fields(header);
  check_length();
}

void NpyRows::take_matrix(const NpyHeader& header) {
  const std::optional<NpyType> type = number_type(header.type);
  if (!type) fail(name(), "the NPY type is " + shown(header.type) + "; convert it with array.astype('<f8')");
  if (header.shape.size() != 2) {
    fail(name(), "the NPY array has " + std::to_string(header.shape.size()) + " dimensions; give it two");
  }
  if (header.shape[1] == 0 || header.shape[1] > max_columns) {
    fail(name(), "the NPY array has " + std::to_string(header.shape[1]) +
                     " columns; no scene or query has that many");
  }
  for (std::size_t i = 0; i < header.shape[1]; ++i) columns_.push_back({{}, type, i * type->size});
  row_bytes_ = columns_.size() * type->size;
  holds_doubles_ = type->is_double(), fortran_order_ = header.fortran_order;
}

void NpyRows::take_fields(NpyHeader& header) {
  if (header.shape.size() != 1) {
    fail(name(), "the structured NPY array has " + std::to_string(header.shape.size()) +
                     " dimensions; give it one: array.ravel()");
  }
  if (header.row_bytes == 0 || header.row_bytes > longest_row)
    fail(name(), "a row of the structured NPY array has no bytes, or more than 1 MiB; leave out some fields");
  fields_ = std::move(header.fields), row_bytes_ = header.row_bytes;
}

std::vector<std::string_view> NpyRows::field_names() const {
  std::vector<std::string_view> names;
  names.reserve(fields_.size());
  for (const NpyField& field : fields_) names.emplace_back(field.name);
  return names;
}

void NpyRows::choose(std::span<const std::size_t> fields) {
  columns_.clear();
  for (const std::size_t i : fields) {
    if (!fields_[i].type)
      fail(name(),
           "field " + shown(fields_[i].name) + " of the NPY array is no number; convert it, or leave it out");
    columns_.push_back(fields_[i]);
  }
}

/// Checks a file of known length before memory is reserved for its rows.
void NpyRows::check_length() const {
  const std::optional<std::uint64_t> there = source_.remaining();
  if (!there) return;
  if (rows_ > *there / row_bytes_) fail_cut_short(*there / row_bytes_);
  const std::uint64_t extra = *there - rows_ * row_bytes_;
  if (extra > 0) fail_too_long(std::to_string(extra) + (extra == 1 ? " byte follows" : " bytes follow"));
}

std::string NpyRows::shape_text() const {
  return std::to_string(rows_) + " rows of " +
         (fields_.empty() ? std::to_string(columns_.size()) + " columns"
                          : std::to_string(row_bytes_) + " bytes");
}

void NpyRows::fail_cut_short(std::uint64_t whole_rows) const {
  fail(name(), "the NPY header promises " + shape_text() + ", the file ends after " +
                   std::to_string(whole_rows) + "; it is cut short or damaged: write it again");
}

void NpyRows::fail_too_long(const std::string& what_follows) const {
  fail(name(), what_follows + " the " + shape_text() +
                   " that the NPY header promises; write the file again with numpy.save");
}

/// The element that these bytes are. Throws bad_file for an integer that is no double.
double NpyRows::value(const char* bytes, const NpyType& type) const {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < type.size; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[type.is_big_endian ? type.size - 1 - i : i]);
    bits |= std::uint64_t{byte} << (8 * i);
  }
  if (type.kind == 'f')
    return type.size == 8 ? std::bit_cast<double>(bits)
                          : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  const bool is_signed = type.kind == 'i';
  const std::size_t spare = 64 - 8 * type.size;
  const std::int64_t number = static_cast<std::int64_t>(bits << spare) >> spare;  // the sign repeated
  const double result = is_signed ? static_cast<double>(number) : static_cast<double>(bits);
  if (std::fabs(result) > 0x1p53)
    fail(name(), "an integer of the NPY array is beyond 2^53, so that doubles do not hold it; give doubles");
  return result;
}

/// Reads the next whole rows into the buffer.
void NpyRows::fill() {
  next_ = 0;
  if (fortran_order_) return fill_by_columns();
  const std::size_t held = std::max(row_bytes_, columns_.size() * sizeof(double));
  const auto rows = static_cast<std::size_t>(
      std::min<std::uint64_t>(rows_ - row_, std::max<std::size_t>(1, chunk_bytes / held)));
  buffer_.resize(rows * columns_.size());
  if (holds_doubles_) {
    const std::size_t got = source_.read_fully(
        std::span(reinterpret_cast<char*>(buffer_.data()), buffer_.size() * sizeof(double)));
    buffered_ = got / row_bytes_ * columns_.size();
  } else {
    raw_.resize(rows * row_bytes_);
    const std::size_t whole = source_.read_fully(raw_) / row_bytes_;
    buffered_ = 0;
    for (std::size_t row = 0; row < whole; ++row)
      for (const NpyField& column : columns_)
        buffer_[buffered_++] = value(&raw_[row * row_bytes_ + column.offset], *column.type);
  }
  if (buffered_ == 0) fail_cut_short(row_);
}

/// Reads all rows, which lie column by column. Memory grows with the bytes that are there.
void NpyRows::fill_by_columns() {
  std::uint64_t all = 0;
  if (__builtin_mul_overflow(rows_, row_bytes_, &all)) fail_cut_short(0);
  raw_.clear();
  while (raw_.size() < all) {
    const std::size_t had = raw_.size(), more = std::max(chunk_bytes, had);
    raw_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(all, had + more)));
    const std::size_t got = source_.read_fully(std::span(raw_).subspan(had));
    if (had + got < raw_.size()) fail_cut_short((had + got) / row_bytes_);
  }
  const auto rows = static_cast<std::size_t>(rows_);
  const NpyType& type = *columns_.front().type;
  buffer_.resize(buffered_ = rows * columns());
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns(); ++column)
      buffer_[row * columns() + column] = value(&raw_[(column * rows + row) * type.size], type);
  raw_ = {};
}

const double* NpyRows::next() {
  if (row_ == rows_) {
    char extra = 0;
    if (source_.read(std::span(&extra, 1)) != 0) fail_too_long("bytes follow");
    return nullptr;
  }
  if (next_ == buffered_) fill();
  const double* row = buffer_.data() + next_;
  next_ += columns();
  ++row_;
  return row;
}

std::string npy_header(std::string_view descr, std::uint64_t rows, std::size_t columns) {
  const auto dictionary = [&](std::uint64_t n) {
    return "{'descr': " + std::string(descr) + ", 'fortran_order': False, 'shape': (" + std::to_string(n) +
           ',' + (columns > 0 ? ' ' + std::to_string(columns) : "") + "), }";
  };
  constexpr std::size_t prefix = 10, alignment = 64;
  const std::size_t longest = dictionary(std::numeric_limits<std::uint64_t>::max()).size() + 1;
  const std::size_t total = (prefix + longest + alignment - 1) / alignment * alignment;
  std::string text = dictionary(rows);
  text.append(total - prefix - 1 - text.size(), ' ').push_back('\n');
  std::string header(magic);
  header += {'\1', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return header + text;
}

std::string npy_matrix_header(std::span<const std::string_view> columns, std::uint64_t rows) {
  return npy_header("'<f8'", rows, columns.size());
}

void append_npy_rows(std::string& bytes, std::span<const double> numbers, std::size_t) {
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
}

}  // namespace sphaera::io
