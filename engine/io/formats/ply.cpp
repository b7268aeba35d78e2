#include <algorithm>
#include <array>
#include <charconv>
#include <io/formats/number_fault.hpp>
#include <io/formats/numbers.hpp>
#include <io/formats/ply.hpp>
#include <io/streams/file_error.hpp>

namespace sphaera::io {
namespace {

constexpr std::size_t max_properties = 1024;  // of an element; real files have about ten

constexpr std::array<std::pair<std::string_view, RawType>, 16> types{{
    {"char", RawType::i8},
    {"uchar", RawType::u8},
    {"short", RawType::i16},
    {"ushort", RawType::u16},
    {"int", RawType::i32},
    {"uint", RawType::u32},
    {"float", RawType::f32},
    {"double", RawType::f64},
    {"int8", RawType::i8},
    {"uint8", RawType::u8},
    {"int16", RawType::i16},
    {"uint16", RawType::u16},
    {"int32", RawType::i32},
    {"uint32", RawType::u32},
    {"float32", RawType::f32},
    {"float64", RawType::f64},
}};

bool type_named(std::string_view name, RawType& type) {
  const auto* found =
      std::find_if(types.begin(), types.end(), [&](const auto& t) { return t.first == name; });
  if (found == types.end()) return false;
  type = found->second;
  return true;
}

}  // namespace

PlyRows::PlyRows(ByteSource& source) : file_(source, "PLY") { read_header(); }

std::string_view PlyRows::take(std::size_t n) {
  if (!file_.ensure(n)) fail_row("the file ends inside this row; it is cut short");
  return file_.take(n);
}

void PlyRows::read_header() {
  std::string_view line;
  if (!file_.line(line) || line != "ply")
    fail(name(), 1, "this is not a PLY file; its first line is not 'ply'");
  for (;;) {
    if (!file_.line(line))
      fail(name(), file_.number(), "the header ends without 'end_header'; the file is cut short");
    if (line == "end_header") break;
    read_declaration(line);
  }
  if (!has_encoding_) fail(name(), file_.number(), "the header has no 'format' line");
}

void PlyRows::read_declaration(std::string_view line) {
  const std::string_view whole = line;
  const std::string_view kind = take_word(line);
  bool good = true;
  if (kind == "format") {
    const std::string_view encoding = take_word(line);
    encoding_ = encoding == "ascii"                  ? PlyEncoding::ascii
                : encoding == "binary_little_endian" ? PlyEncoding::little_endian
                                                     : PlyEncoding::big_endian;
    good =
        (encoding_ != PlyEncoding::big_endian || encoding == "binary_big_endian") && take_word(line) == "1.0";
    has_encoding_ = true;
  } else if (kind == "element") {
    PlyElement element{std::string(take_word(line)), 0, {}};
    const std::string_view count = take_word(line);
    const auto [stop, error] = std::from_chars(count.data(), count.data() + count.size(), element.count);
    good = error == std::errc{} && stop == count.data() + count.size() && !element.name.empty();
    elements_.push_back(std::move(element));
  } else if (kind == "property") {
    PlyProperty property;
    std::string_view type = take_word(line);
    property.is_list = type == "list";
    if (property.is_list) good = type_named(take_word(line), property.count_type), type = take_word(line);
    good = good && type_named(type, property.type) && !elements_.empty();
    property.name = take_word(line);
    good = good && !property.name.empty() && elements_.back().properties.size() < max_properties;
    if (good) elements_.back().properties.push_back(std::move(property));
  } else {
    good = kind == "comment" || kind == "obj_info";
    line = {};
  }
  if (!good || !take_word(line).empty())
    fail(name(), file_.number(), "the header line " + shown(whole) + " is malformed");
}

/// Names the row by its number where there are no lines.
void PlyRows::fail_row(const std::string& what) const {
  if (encoding_ == PlyEncoding::ascii) fail(name(), file_.number(), what);
  fail(name(), "row " + std::to_string(row_) + " of " + shown(element_->name) + ": " + what);
}

void PlyRows::next(const PlyElement& element, std::span<const PlyProperty* const> wanted,
                   std::span<double> values) {
  element_ = &element, wanted_ = wanted, values_ = values;
  encoding_ == PlyEncoding::ascii ? next_text(element) : next_binary(element);
}

/// Where the property's value belongs; null: nobody wants it.
double* PlyRows::value_of(const PlyProperty& property) const {
  const auto found = std::ranges::find(wanted_, &property);
  return found == wanted_.end() ? nullptr : &values_[static_cast<std::size_t>(found - wanted_.begin())];
}

double PlyRows::number(const PlyProperty& property, std::string_view text) const {
  double value = 0;
  const Parse parsed = parse_number(text, value);
  if (parsed == Parse::ok) return value;
  fail_row("property " + shown(property.name) + ": " + shown(text) + ' ' + number_fault(parsed));
}

/// Text is read as doubles, independent of the type in the header.
void PlyRows::next_text(const PlyElement& element) {
  std::string_view line;
  do {
    if (!file_.line(line)) fail_row("the file ends before its last " + element.name + "; it is cut short");
  } while (trimmed(line).empty());
  const auto word = [&] {
    const std::string_view text = take_word(line);
    if (text.empty()) fail_row("the row is shorter than the header says");
    return text;
  };
  for (const PlyProperty& property : element.properties) {
    const std::string_view text = word();
    if (double* const value = value_of(property)) *value = number(property, text);
    if (!property.is_list) continue;
    for (std::int64_t left = list_length(property, number(property, text)); left > 0; --left) word();
  }
  if (!take_word(line).empty()) fail_row("the row is longer than the header says");
}

void PlyRows::next_binary(const PlyElement& element) {
  ++row_;
  for (const PlyProperty& property : element.properties) {
    if (property.is_list) {
      for (std::int64_t left = list_length(property, scalar(property.count_type)); left > 0; --left)
        take(size_of(property.type));
    } else if (double* const value = value_of(property)) {
      *value = scalar(property.type);
    } else {
      take(size_of(property.type));
    }
  }
}

std::int64_t PlyRows::list_length(const PlyProperty& property, double number) const {
  std::int64_t length = 0;
  if (to_integer(number, length) && length >= 0) return length;
  std::string text;
  append_number(text, number);
  fail_row("the length of list " + shown(property.name) + " is " + text +
           "; it must be a whole number from 0");
}

double PlyRows::scalar(RawType type) {
  return raw_number(type, take(size_of(type)).data(), encoding_ == PlyEncoding::big_endian);
}

void PlyRows::skip(const PlyElement& element) {
  // Rows without properties take no bytes; a huge count of them in a hostile file must take no time.
  if (element.properties.empty()) return;
  for (std::uint64_t i = 0; i < element.count; ++i) next(element, {}, {});
  row_ = 0;
}

void PlyRows::expect_end() {
  std::string_view line;
  if (encoding_ != PlyEncoding::ascii) {
    if (file_.ensure(1)) fail(name(), row_, "bytes follow the last row that the header promises");
    return;
  }
  while (file_.line(line)) {
    if (!trimmed(line).empty())
      fail(name(), file_.number(), "a line follows the last row that the header promises");
  }
}

std::uint64_t PlyRows::rows_possible(const PlyElement& element) const {
  const std::optional<std::uint64_t> left = file_.remaining();
  if (!left) return UINT64_MAX;
  std::uint64_t row = 0;
  for (const PlyProperty& p : element.properties)
    row += encoding_ == PlyEncoding::ascii ? 2 : size_of(p.is_list ? p.count_type : p.type);
  const bool ascii = encoding_ == PlyEncoding::ascii;  // its last line may lack the newline: + 1
  return (*left + (ascii ? 1 : 0)) / std::max<std::uint64_t>(row, 1);
}

}  // namespace sphaera::io
