#include <algorithm>
#include <array>
#include <io/formats/csv_header.hpp>
#include <io/formats/numbers.hpp>
#include <io/formats/spelling.hpp>
#include <io/streams/file_error.hpp>

namespace sphaera::io {
namespace {

/// A name in lower case, without a unit in brackets and without blanks, `_`, `-`, `.` and `:`.
std::string simplified(std::string_view name) {
  const std::size_t bracket = name.find_first_of("([");
  if (bracket != std::string_view::npos && bracket > 0) name = name.substr(0, bracket);
  std::string simple;
  for (const char c : name) {
    if (std::string_view(" \t_-.:").find(c) != std::string_view::npos) continue;
    simple += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return simple;
}

/// The unit of length in brackets behind a name; empty if there is none.
std::string_view unit_of(std::string_view name) {
  constexpr std::array<std::string_view, 22> units{"m",  "dm",   "cm", "mm", "um", "µm", "nm", "pm",
                                                   "km", "Mm",   "Gm", "Å",  "A",  "au", "AU", "ly",
                                                   "pc", "inch", "in", "ft", "yd", "mi"};
  const std::size_t begin = name.find_first_of("(["), end = name.find_last_of(")]");
  if (begin == std::string_view::npos || end == std::string_view::npos || begin == 0 || end < begin)
    return {};
  const std::string_view unit = trimmed(name.substr(begin + 1, end - begin - 1));
  return std::ranges::find(units, unit) == units.end() ? std::string_view{} : unit;
}

bool is_radius(std::string_view column) { return column == "r" || column == "radius"; }

struct OtherName {
  std::string_view column, name;
};

/// Other names of columns, simplified. {a} stands for x, y and z.
constexpr std::array other_names{
    OtherName{"{a}", "pos{a}"},    OtherName{"{a}", "position{a}"},
    OtherName{"{a}", "p{a}"},      OtherName{"{a}", "{a}pos"},
    OtherName{"{a}", "center{a}"}, OtherName{"{a}", "centre{a}"},
    OtherName{"{a}", "c{a}"},      OtherName{"{a}", "coord{a}"},
    OtherName{"{a}", "{a}coord"},  OtherName{"r", "radius"},
    OtherName{"r", "rad"},         OtherName{"radius", "r"},
    OtherName{"v{a}", "vel{a}"},   OtherName{"v{a}", "velocity{a}"},
    OtherName{"v{a}", "speed{a}"}, OtherName{"o{a}", "origin{a}"},
    OtherName{"o{a}", "orig{a}"},  OtherName{"d{a}", "direction{a}"},
    OtherName{"d{a}", "dir{a}"},   OtherName{"n{a}", "normal{a}"},
    OtherName{"t", "time"},        OtherName{"longitude", "lon"},
    OtherName{"longitude", "lng"}, OtherName{"longitude", "long"},
    OtherName{"latitude", "lat"},  OtherName{"name", "label"},
};

/// The name with {a} replaced by an axis.
std::string along(std::string_view name, std::string_view axis) {
  std::string text(name);
  if (const std::size_t at = text.find("{a}"); at != std::string::npos) text.replace(at, 3, axis);
  return text;
}

bool is_other_name(std::string_view column, const std::string& simple) {
  return std::ranges::any_of(other_names, [&](const OtherName& other) {
    return std::ranges::any_of(std::array<std::string_view, 3>{"x", "y", "z"}, [&](std::string_view axis) {
      return column == along(other.column, axis) && simple == along(other.name, axis);
    });
  });
}

bool ends_at_separator(std::string_view field) {
  constexpr std::string_view separators = ",;";
  return !field.empty() && (separators.find(field.front()) != std::string_view::npos ||
                            separators.find(field.back()) != std::string_view::npos);
}

}  // namespace

CsvHeader::CsvHeader(std::span<const std::string_view> fields, const CsvColumns& columns,
                     const CsvOptions& options)
    : field_of_column(columns.size(), -1),
      columns_(columns),
      taken_(fields.size()),
      is_fixed_(columns.size()) {
  const auto renamed = [&](std::size_t number) -> const std::string* {
    const auto found = std::ranges::find(options.columns, columns[number], &CsvOptions::Column::name);
    return found == options.columns.end() ? nullptr : &found->in_file;
  };
  const auto take_named = [&](std::size_t number, std::string_view name) {
    for (std::size_t field = 0; field < fields.size(); ++field)
      if (trimmed(fields[field]) == name) take(number, field);
  };
  const auto is_own = [&](std::size_t number) {
    return std::ranges::find(columns.own, columns[number]) != columns.own.end();
  };
  for (std::size_t number = 0; number < columns.size(); ++number) {
    if (const std::string* const given = renamed(number)) {
      take_named(number, *given);
      is_fixed_[number] = is_own(number);
      if (field_of_column[number] >= 0 && is_radius(columns[number]) &&
          simplified(*given).starts_with("diam"))
        guesses.push_back(shown(*given) + " as " + shown(columns[number]) + ", a radius");
    }
    // Without the option's name the option may be meant for another file.
    if (field_of_column[number] < 0 && !is_fixed_[number]) take_named(number, columns[number]);
  }
  guess(fields);
  for (std::size_t number = columns.required.size(); number < columns.size(); ++number)
    if (field_of_column[number] < 0 && is_fixed_[number] && fault.empty())
      fault = missing_renamed(columns[number], fields, options);
  compare_units(fields);
  find_kept(fields);
  for (std::size_t field = 0; field < fields.size(); ++field)
    if (!taken_[field]) ignored.emplace_back(shown(trimmed(fields[field])));
}

void CsvHeader::compare_units(std::span<const std::string_view> fields) {
  constexpr std::array<std::string_view, 3> places{"x", "y", "z"};
  std::string_view first;  // the first field with a unit
  for (std::size_t number = 0; number < columns_.size(); ++number) {
    const int field = field_of_column[number];
    const bool is_length =
        is_radius(columns_[number]) || std::ranges::find(places, columns_[number]) != places.end();
    if (field < 0 || !is_length) continue;
    const std::string_view title = trimmed(fields[static_cast<std::size_t>(field)]), unit = unit_of(title);
    if (unit.empty()) continue;
    if (first.empty()) first = title;
    if (unit != unit_of(first) && fault.empty())
      fault = "columns " + shown(first) + " and " + shown(title) + " have different units; write one unit";
  }
}

void CsvHeader::find_kept(std::span<const std::string_view> fields) {
  for (const std::string& name : columns_.kept) {
    const auto found = std::ranges::find(fields, name, trimmed);
    if (found == fields.end()) {
      if (fault.empty()) fault = missing_kept(name, fields);
      return;
    }
    field_of_kept.push_back(static_cast<int>(found - fields.begin()));
    taken_[static_cast<std::size_t>(found - fields.begin())] = true;
  }
}

std::vector<std::string> titles_of(std::span<const std::string_view> fields) {
  std::vector<std::string> titles;
  titles.reserve(fields.size());
  for (const std::string_view field : fields) titles.emplace_back(trimmed(field));
  return titles;
}

std::string missing_kept(std::string_view name, std::span<const std::string_view> fields) {
  return no_column(name, " for --keep or --by", "the file", titles_of(fields));
}

std::string missing_renamed(std::string_view column, std::span<const std::string_view> fields,
                            const CsvOptions& options) {
  const auto renamed = std::ranges::find(options.columns, column, &CsvOptions::Column::name);
  if (renamed == options.columns.end()) return {};
  return no_column(renamed->in_file, " to take as " + shown(column), "the header", titles_of(fields));
}

std::vector<std::string> CsvHeader::warnings(const std::string& file) const {
  constexpr std::size_t most = 8;
  std::vector<std::string> all;
  if (!guesses.empty()) all.push_back(file + ": columns taken: " + some_of(guesses, most));
  if (!ignored.empty()) all.push_back(file + ": columns ignored: " + some_of(ignored, most));
  return all;
}

void CsvHeader::take(std::size_t column, std::size_t field) {
  if (field_of_column[column] >= 0 && fault.empty())
    fault = "column " + shown(columns_[column]) + " comes twice; remove one of them";
  field_of_column[column] = static_cast<int>(field), taken_[field] = true;
}

void CsvHeader::guess(std::span<const std::string_view> fields) {
  for (std::size_t number = 0; number < columns_.size() - columns_.exact; ++number) {
    if (field_of_column[number] >= 0 || is_fixed_[number]) continue;
    const auto is_candidate = [&](std::size_t field, bool other_name) {
      const std::string simple = simplified(trimmed(fields[field]));
      return !taken_[field] &&
             (other_name ? is_other_name(columns_[number], simple) : simple == columns_[number]);
    };
    std::vector<std::size_t> candidates;
    for (const bool other_name : {false, true}) {
      for (std::size_t field = 0; candidates.size() < 2 && field < fields.size(); ++field)
        if (is_candidate(field, other_name)) candidates.push_back(field);
      if (!candidates.empty()) break;
    }
    if (candidates.empty()) continue;
    const auto title = [&](std::size_t i) { return shown(trimmed(fields[candidates[i]])); };
    if (candidates.size() > 1) {
      if (fault.empty() && number < columns_.required.size())
        fault = "both " + title(0) + " and " + title(1) + " may be column " + shown(columns_[number]) +
                "; choose with --columns " + std::string(columns_[number]) + "=NAME";
      continue;
    }
    guesses.push_back(title(0) + " as " + shown(columns_[number]));
    take(number, candidates.front());
  }
}

std::size_t CsvHeader::missing() const {
  return static_cast<std::size_t>(
      std::count(field_of_column.begin(),
                 field_of_column.begin() + static_cast<std::ptrdiff_t>(columns_.required.size()), -1));
}

const char* divide_header(std::string& record, const CsvColumns& columns, const CsvOptions& options,
                          char& separator, CsvFields& fields) {
  if (separator == '\0') {
    separator = ',';
    std::size_t least = columns.required.size() + 1, most_fields = 0;
    for (const char candidate : {',', ';', '\t', blanks}) {
      std::string copy = record;
      if (fields.divide(copy, candidate)) continue;
      // "x , y , z" has blanks beside its commas.
      if (candidate == blanks && std::ranges::any_of(fields.fields(), ends_at_separator)) continue;
      const std::size_t missing = CsvHeader(fields.fields(), columns, options).missing(),
                        count = fields.fields().size();
      if (missing > least || (missing == least && count <= most_fields)) continue;
      least = missing, most_fields = count, separator = candidate;
    }
  }
  return fields.divide(record, separator);
}

std::string separator_name(char separator) {
  if (separator == blanks) return "blanks";
  if (separator == '\t') return "tabs";
  return std::string("'") + separator + "'";
}

}  // namespace sphaera::io
