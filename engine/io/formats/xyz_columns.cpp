#include <algorithm>
#include <array>
#include <io/formats/numbers.hpp>
#include <io/formats/xyz_columns.hpp>
#include <io/streams/file_error.hpp>

namespace sphaera::io {
namespace {

using Column = XyzColumns::Column;

struct Property {
  std::string_view name;
  std::size_t width;
  Column first;
};
constexpr std::array properties{
    Property{"species", 1, Column::species}, Property{"Z", 1, Column::species},
    Property{"pos", 3, Column::x},           Property{"velo", 3, Column::vx},
    Property{"vel", 3, Column::vx},          Property{"velocity", 3, Column::vx},
    Property{"velocities", 3, Column::vx},   Property{"radius", 1, Column::radius},
};
constexpr std::size_t most_columns = 1000;

/// Takes what stands before a separator, and the separator.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

/// Takes a value: in quotes or brackets, or up to the next blank.
std::string_view take_value(std::string_view& text) {
  for (const std::string_view pair : {"\"\"", "{}", "[]"}) {
    if (!text.starts_with(pair[0])) continue;
    text.remove_prefix(1);
    return take_until(text, pair[1]);
  }
  return take_until(text, ' ');
}

}  // namespace

XyzColumns::XyzColumns(std::string_view comment, const LineReader& lines) {
  std::string_view edges, periods, origin;
  while (!comment.empty()) {
    const std::size_t key_end = std::min(comment.find_first_of("= \t"), comment.size());
    const std::string_view key = comment.substr(0, key_end);
    const bool has_value = comment.substr(key_end).starts_with('=');
    comment.remove_prefix(std::min(key_end + 1, comment.size()));
    if (!has_value) continue;
    const std::string_view value = take_value(comment);
    if (key == "Lattice") edges = value, has_lattice_ = true;
    if (key == "pbc") periods = value;
    if (key == "Origin") origin = value;
    if (key == "Properties" || key == "properties") read_properties(value, lines);
  }
  box_ = lattice_of_xyz(edges, periods), box_corner_ = lattice_origin_of_xyz(origin);
  if (!is_extended_) columns_ = {Column::species, Column::x, Column::y, Column::z};
  if (std::ranges::find(columns_, Column::x) == columns_.end())
    fail(lines.name(), lines.number(), "the properties lack the position; a scene needs pos:R:3");
}

void XyzColumns::read_properties(std::string_view text, const LineReader& lines) {
  if (is_extended_) fail(lines.name(), lines.number(), "the key Properties comes twice");
  is_extended_ = true;
  while (!text.empty()) {
    const std::string_view name = take_until(text, ':'), type = take_until(text, ':');
    const std::string_view width_text = take_until(text, ':');
    std::int64_t width = 0;
    const bool valid = type.size() == 1 && std::string_view("SRIL").find(type[0]) != std::string_view::npos &&
                       parse_integer(width_text, width) == Parse::ok && width > 0;
    if (!valid || static_cast<std::uint64_t>(width) > most_columns - columns_.size())
      fail(lines.name(), lines.number(),
           "property " + shown(name) +
               " is malformed; write NAME:TYPE:COLUMNS, as in pos:R:3, at most 1000 columns");
    add(name, static_cast<std::size_t>(width), lines);
  }
}

void XyzColumns::add(std::string_view name, std::size_t width, const LineReader& lines) {
  const auto* const known = std::ranges::find(properties, name, &Property::name);
  if (known == properties.end()) {
    columns_.insert(columns_.end(), width, Column::ignored);
    ignored_.emplace_back(name);
    return;
  }
  if (width != known->width)
    fail(lines.name(), lines.number(),
         "property " + shown(name) + " has " + std::to_string(width) + " columns, not " +
             std::to_string(known->width));
  if (std::ranges::find(columns_, known->first) != columns_.end())
    fail(lines.name(), lines.number(), "property " + shown(name) + " comes twice, perhaps by another name");
  for (std::size_t i = 0; i < width; ++i)
    columns_.push_back(static_cast<Column>(static_cast<std::size_t>(known->first) + i));
  if (known->first == Column::vx) has_velocity_ = true;
}

void XyzColumns::rest(std::string_view words, const LineReader& lines) {
  if (words.empty()) [[likely]]
    return;
  if (is_extended_)
    fail(lines.name(), lines.number(), "the row has more columns than the properties of its frame");
  has_rest_ = true;
}

std::vector<std::string> XyzColumns::warnings() const {
  std::vector<std::string> all;
  if (!ignored_.empty()) all.push_back("columns ignored: " + listed(ignored_));
  if (has_rest_) all.emplace_back("columns behind z are ignored");
  if (has_lattice_) all.emplace_back("the lattice is the box of --box file alone: atoms are not repeated");
  return all;
}

}  // namespace sphaera::io
