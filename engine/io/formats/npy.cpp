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

constexpr std::string_view structured =
    "structured";  // a list of fields: a valid NPY type that this reader does not support

struct Header {
  std::string_view type;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

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

bool parse_entry(HeaderText& text, Header& header) {
  std::string_view key;
  if (!text.quoted(key) || !text.take(':')) return false;
  if (key == "descr") {
    if (!text.take('[')) return text.quoted(header.type);
    header.type = structured;
    return true;
  }
  if (key == "fortran_order") {
    header.fortran_order = text.word("True");
    return header.fortran_order || text.word("False");
  }
  return key == "shape" && parse_shape(text, header.shape);
}

/// Returns false if malformed; `fault` is then the text from the malformed entry on. A structured type ends
/// the parse, because it is an error anyway.
bool parse(HeaderText text, Header& header, std::string_view& fault) {
  fault = text.rest();
  if (!text.take('{')) return false;
  while (fault = text.rest(), !text.take('}')) {
    if (!parse_entry(text, header)) return false;
    if (header.type == structured) return true;
    fault = text.rest();
    if (!text.take(',')) return text.take('}') && text.at_end();
  }
  return text.at_end();
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

  Header header;
  std::string_view fault;
  if (!parse(HeaderText(text), header, fault))
    fail(name(), "the NPY header is malformed at " + shown(fault) + "; write the file with numpy.save");
  if (header.type == structured) {
    fail(name(),
         "the NPY array is a structured one, with named fields; save "
         "numpy.lib.recfunctions.structured_to_unstructured(array, '<f8') (after import "
         "numpy.lib.recfunctions), or of some of its fields: array[['x', 'y']]");
  }
  const std::optional<NpyType> type = number_type(header.type);
  if (!type) fail(name(), "the NPY type is " + shown(header.type) + "; convert it with array.astype('<f8')");
  type_ = *type, fortran_order_ = header.fortran_order;
  if (header.shape.size() != 2) {
    fail(name(), "the NPY array has " + std::to_string(header.shape.size()) + " dimensions; give it two");
  }
  if (header.shape[1] == 0 || header.shape[1] > max_columns) {
    fail(name(), "the NPY array has " + std::to_string(header.shape[1]) +
                     " columns; no scene or query has that many");
  }
  rows_ = header.shape[0];
  columns_ = static_cast<std::size_t>(header.shape[1]);
  check_length();
}

/// Checks a file of known length before memory is reserved for its rows.
void NpyRows::check_length() const {
  const std::optional<std::uint64_t> there = source_.remaining();
  if (!there) return;
  if (rows_ > *there / row_bytes()) fail_cut_short(*there / row_bytes());
  const std::uint64_t extra = *there - rows_ * row_bytes();
  if (extra > 0) fail_too_long(std::to_string(extra) + (extra == 1 ? " byte follows" : " bytes follow"));
}

void NpyRows::fail_cut_short(std::uint64_t whole_rows) const {
  fail(name(), "the NPY header promises " + std::to_string(rows_) + " rows of " + std::to_string(columns_) +
                   " columns, the file ends after " + std::to_string(whole_rows) +
                   "; it is cut short or damaged: write it again");
}

void NpyRows::fail_too_long(const std::string& what_follows) const {
  fail(name(), what_follows + " the " + std::to_string(rows_) + " rows of " + std::to_string(columns_) +
                   " columns that the NPY header promises; write the file again with numpy.save");
}

/// The element that these bytes are. Throws bad_file for an integer that is no double.
double NpyRows::value(const char* bytes) const {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < type_.size; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[type_.is_big_endian ? type_.size - 1 - i : i]);
    bits |= std::uint64_t{byte} << (8 * i);
  }
  if (type_.kind == 'f')
    return type_.size == 8 ? std::bit_cast<double>(bits)
                           : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  const bool is_signed = type_.kind == 'i';
  const std::size_t spare = 64 - 8 * type_.size;
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
  const std::uint64_t left = rows_ - row_;
  const std::size_t want =
      columns_ * static_cast<std::size_t>(std::min<std::uint64_t>(left, chunk_bytes / 8 / columns_));
  buffer_.resize(want);
  if (type_.is_double()) {
    const std::size_t got = source_.read_fully(std::span(reinterpret_cast<char*>(buffer_.data()), want * 8));
    buffered_ = got / 8 / columns_ * columns_;
  } else {
    raw_.resize(want * type_.size);
    buffered_ = source_.read_fully(raw_) / row_bytes() * columns_;
    for (std::size_t i = 0; i < buffered_; ++i) buffer_[i] = value(&raw_[i * type_.size]);
  }
  if (buffered_ == 0) fail_cut_short(row_);
}

/// Reads all rows, which lie column by column. Memory grows with the bytes that are there.
void NpyRows::fill_by_columns() {
  std::uint64_t all = 0;
  if (__builtin_mul_overflow(rows_, row_bytes(), &all)) fail_cut_short(0);
  raw_.clear();
  while (raw_.size() < all) {
    const std::size_t had = raw_.size(), more = std::max(chunk_bytes, had);
    raw_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(all, had + more)));
    const std::size_t got = source_.read_fully(std::span(raw_).subspan(had));
    if (had + got < raw_.size()) fail_cut_short((had + got) / row_bytes());
  }
  const auto rows = static_cast<std::size_t>(rows_);
  buffer_.resize(buffered_ = rows * columns_);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns_; ++column)
      buffer_[row * columns_ + column] = value(&raw_[(column * rows + row) * type_.size]);
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
  next_ += columns_;
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
