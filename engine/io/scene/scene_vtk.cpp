#include <algorithm>
#include <array>
#include <charconv>
#include <io/formats/numbers.hpp>
#include <io/formats/raw_numbers.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/scene/vtk_points.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/line_reader.hpp>

namespace sphaera::io {
namespace {

enum class ValueKind : std::uint8_t { number, bit, string };

struct LegacyType {
  std::string_view name;
  RawType raw;
  ValueKind type = ValueKind::number;
};

// Of 64-bit systems; an id is written as an int.
constexpr std::array legacy_types{
    LegacyType{"unsigned_char", RawType::u8},
    LegacyType{"char", RawType::i8},
    LegacyType{"unsigned_short", RawType::u16},
    LegacyType{"short", RawType::i16},
    LegacyType{"unsigned_int", RawType::u32},
    LegacyType{"int", RawType::i32},
    LegacyType{"unsigned_long", RawType::u64},
    LegacyType{"long", RawType::i64},
    LegacyType{"vtktypeuint64", RawType::u64},
    LegacyType{"vtktypeint64", RawType::i64},
    LegacyType{"vtkidtype", RawType::i32},
    LegacyType{"float", RawType::f32},
    LegacyType{"double", RawType::f64},
    LegacyType{"bit", RawType::u8, ValueKind::bit},
    LegacyType{"string", RawType::u8, ValueKind::string},
};

/// A legacy file: lines of keywords, each followed by numbers, in text or big-endian.
class LegacyVtk {
 public:
  LegacyVtk(ByteSource& source, VtkPoints& points) : file_(source, "VTK"), points_(points) {}

  VtkPiece read();

 private:
  void read_header();
  bool next_line();
  void need_line();
  std::string_view word();
  std::uint64_t count(std::string_view what);
  std::uint64_t count_or(std::string_view what, std::uint64_t otherwise);
  LegacyType type();
  void read_keyword();
  bool read_cells(const std::string& keyword);
  bool read_attribute(const std::string& keyword);
  void read_fields();
  void skip_metadata();
  void read_array(std::string_view name, std::uint64_t components, std::uint64_t tuples,
                  const LegacyType& type);
  void read_values(const LegacyType& type, std::uint64_t count, VtkArray* array);
  void read_text_values(const LegacyType& type, std::uint64_t count, VtkArray* array);
  void read_raw_values(const LegacyType& type, std::uint64_t count, VtkArray* array);
  std::string_view bytes(std::size_t n);
  void skip_string();
  [[noreturn]] void refuse(const std::string& what) const {
    fail(file_.name(), std::max<std::uint64_t>(file_.number(), 1), what);
  }

  LineReader file_;
  VtkPoints& points_;
  bool binary_ = false, has_offsets_ = false;
  std::string_view rest_;  // of the line that is read
  enum class Section : std::uint8_t { none, points, cells } section_ = Section::none;
  std::uint64_t tuples_ = 0;  // of the section
  VtkPiece piece_;
};

bool LegacyVtk::next_line() {
  do {
    if (!file_.line(rest_)) return false;
  } while (trimmed(rest_).empty());
  return true;
}

void LegacyVtk::need_line() {
  if (!next_line()) refuse("the file ends early; it is cut short");
}

/// The next word, of this line or the lines after it.
std::string_view LegacyVtk::word() {
  std::string_view text = take_word(rest_);
  while (text.empty()) need_line(), text = take_word(rest_);
  return text;
}

/// The next word of this line as a count.
std::uint64_t LegacyVtk::count(std::string_view what) {
  const std::string_view text = take_word(rest_);
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || stop != text.data() + text.size())
    refuse("the number of " + std::string(what) + " is " + shown(text) +
           "; it must be a whole number from 0");
  return number;
}

std::uint64_t LegacyVtk::count_or(std::string_view what, std::uint64_t otherwise) {
  return trimmed(rest_).empty() ? otherwise : count(what);
}

LegacyType LegacyVtk::type() {
  const std::string_view text = take_word(rest_);
  const auto found = std::ranges::find(legacy_types, lower_case(text), &LegacyType::name);
  if (found == legacy_types.end()) refuse("the type " + shown(text) + " is unknown");
  return *found;
}

void LegacyVtk::read_header() {
  constexpr std::string_view first = "# vtk DataFile Version ";
  if (!file_.line(rest_) || !rest_.starts_with(first))
    refuse("this is not a VTK file; its first line is not '# vtk DataFile Version …'");
  has_offsets_ = rest_.size() > first.size() && rest_[first.size()] >= '5';
  if (!file_.line(rest_)) refuse("the file ends inside its header");  // the title
  need_line();
  const std::string encoding = lower_case(word());
  binary_ = encoding == "binary";
  if (!binary_ && encoding != "ascii") refuse("the encoding is " + shown(encoding) + ", not ASCII or BINARY");
}

VtkPiece LegacyVtk::read() {
  read_header();
  while (next_line()) read_keyword();
  return std::move(piece_);
}

void LegacyVtk::read_keyword() {
  const std::string keyword = lower_case(take_word(rest_));
  if (keyword == "dataset") {
    const std::string kind = lower_case(take_word(rest_));
    if (kind != "polydata" && kind != "unstructured_grid" && kind != "structured_grid")
      refuse("the data set is " + shown(kind) + "; save its points as POLYDATA");
  } else if (keyword == "points") {
    piece_.count = count("points");
    read_values(type(), piece_.count > UINT64_MAX / 3 ? UINT64_MAX : 3 * piece_.count, &piece_.points);
  } else if (keyword == "point_data" || keyword == "cell_data") {
    section_ = keyword == "point_data" ? Section::points : Section::cells;
    tuples_ = count(keyword == "point_data" ? "points" : "cells");
  } else if (keyword == "field") {
    read_fields();
  } else if (keyword == "metadata") {
    skip_metadata();
  } else if (!read_cells(keyword) && !read_attribute(keyword) && keyword != "dimensions") {
    refuse("the keyword " + shown(keyword) + " is unknown; is the file cut short before it?");
  }
}

/// Reads over cells. Those of version 5 are two arrays, of offsets and of ids of points.
bool LegacyVtk::read_cells(const std::string& keyword) {
  constexpr std::array<std::string_view, 5> kinds{"vertices", "lines", "polygons", "triangle_strips",
                                                  "cells"};
  if (keyword == "cell_types") {
    read_values({"int", RawType::i32}, count("cells"), nullptr);
    return true;
  }
  if (std::ranges::find(kinds, keyword) == kinds.end()) return false;
  const std::uint64_t offsets = count("cells"), size = count("ids");
  if (!has_offsets_) {
    read_values({"int", RawType::i32}, size, nullptr);
    return true;
  }
  for (const std::uint64_t length : {offsets, size}) {
    need_line();
    take_word(rest_);  // OFFSETS or CONNECTIVITY
    read_values(type(), length, nullptr);
  }
  return true;
}

bool LegacyVtk::read_attribute(const std::string& keyword) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 8> widths{{{"vectors", 3},
                                                                              {"normals", 3},
                                                                              {"tensors", 9},
                                                                              {"tensors6", 6},
                                                                              {"global_ids", 1},
                                                                              {"pedigree_ids", 1},
                                                                              {"edge_flags", 1},
                                                                              {"texture_coordinates", 0}}};
  const std::string name(take_word(rest_));
  if (keyword == "scalars") {
    const LegacyType numbers = type();
    const std::uint64_t components = count_or("components", 1);
    need_line();
    if (lower_case(take_word(rest_)) != "lookup_table")
      refuse("'LOOKUP_TABLE default' is missing behind SCALARS");
    read_array(name, components, tuples_, numbers);
  } else if (keyword == "color_scalars" || keyword == "lookup_table") {
    const std::uint64_t number = count("components");
    const bool table = keyword == "lookup_table";
    read_array("", table ? 4 : number, table ? number : tuples_, {"unsigned_char", RawType::u8});
  } else {
    const auto found = std::ranges::find(widths, keyword, &std::pair<std::string_view, std::uint64_t>::first);
    if (found == widths.end()) return false;
    const std::uint64_t components = found->second ? found->second : count("components");
    read_array(name, components, tuples_, type());
  }
  return true;
}

void LegacyVtk::read_fields() {
  take_word(rest_);  // the field's name
  for (std::uint64_t left = count("arrays"); left > 0; --left) {
    need_line();
    std::string name(take_word(rest_));
    while (name == "METADATA") skip_metadata(), need_line(), name = take_word(rest_);
    const std::uint64_t components = count("components"), tuples = count("tuples");
    read_array(name, components, tuples, type());
  }
}

/// Metadata end with a blank line.
void LegacyVtk::skip_metadata() {
  while (file_.line(rest_) && !trimmed(rest_).empty()) {
  }
}

void LegacyVtk::read_array(std::string_view name, std::uint64_t components, std::uint64_t tuples,
                           const LegacyType& type) {
  const std::uint64_t values =
      components > 0 && tuples > UINT64_MAX / components ? UINT64_MAX : components * tuples;
  const bool at_points = section_ == Section::points && !name.empty();
  if (at_points && type.type == ValueKind::number && points_.wants(name, components)) {
    piece_.arrays.push_back({std::string(name), components, {}});
    read_values(type, values, &piece_.arrays.back());
    return;
  }
  if (at_points) piece_.ignored.push_back(shown(name));
  read_values(type, values, nullptr);
}

void LegacyVtk::read_values(const LegacyType& type, std::uint64_t count, VtkArray* array) {
  rest_ = {};
  binary_ ? read_raw_values(type, count, array) : read_text_values(type, count, array);
}

/// A string has a line, a number a word.
void LegacyVtk::read_text_values(const LegacyType& type, std::uint64_t count, VtkArray* array) {
  for (; count > 0; --count) {
    if (type.type == ValueKind::string) {
      if (!file_.line(rest_)) refuse("the file ends early; it is cut short");
      continue;
    }
    const std::string_view text = word();
    double value = 0;
    if (!array) continue;
    if (parse_number(text, value) != Parse::ok) refuse(shown(text) + " is not a number");
    array->push_back(value, file_.name());
  }
  rest_ = {};
}

std::string_view LegacyVtk::bytes(std::size_t n) {
  if (!file_.ensure(n)) refuse("the file ends early; it is cut short");
  return file_.take(n);
}

void LegacyVtk::read_raw_values(const LegacyType& type, std::uint64_t count, VtkArray* array) {
  if (type.type == ValueKind::bit) count = count / 8 + (count % 8 != 0);
  for (; count > 0; --count) {
    if (type.type == ValueKind::string) {
      skip_string();
      continue;
    }
    const std::string_view raw = bytes(size_of(type.raw));
    if (array) array->push_back(raw_number(type.raw, raw.data(), true), file_.name());
  }
}

/// The two highest bits say how many bytes the length has: 11 one, 10 two, 01 four, 00 eight.
void LegacyVtk::skip_string() {
  const auto first = static_cast<unsigned char>(bytes(1)[0]);
  std::uint64_t length = first & 0x3FU;
  const int more = first >> 6 == 3 ? 0 : first >> 6 == 2 ? 1 : first >> 6 == 1 ? 3 : 7;
  for (int i = 0; i < more; ++i) length = length << 8 | static_cast<unsigned char>(bytes(1)[0]);
  for (; length > 0; --length) bytes(1);
}

}  // namespace

void read_vtk_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder) {
  VtkPoints points(source.name(), input, builder);
  points.add(LegacyVtk(source, points).read());
}

}  // namespace sphaera::io
