#pragma once
/// \file The columns of a result, each declared once: name, kind, meaning, and how a row gives its value. The
/// header of the table, its rows, the comparison of rows and the help text all come from the declaration:
///
///   struct Row { std::uint64_t ray; bool blocked; };
///   constexpr ResultColumns columns{column::integer("ray", "number of the ray", &Row::ray),
///                                   column::flag("blocked", "1 or 0", &Row::blocked)};
///   TableWriter table({}, TableFormat::csv, columns.list());
///   columns.write(rows, Row{7, true});
///
/// A value is read by a member pointer or a function of the row, which may return a pointer to it: null is an
/// empty cell, as is a NaN. Names with commas between them, "x,y,z", share a meaning, and their value is a
/// Vec3.

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <span>
#include <sphaera/vec3.hpp>
#include <string>
#include <string_view>
#include <tools/files/results/table.hpp>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace sphaera::files {

/// A name and what it means, in a help text.
struct HelpItem {
  std::string name;
  std::string_view meaning;  ///< a line, which the list breaks, or several
};
/// Lines of help: the names, and beside them their meanings, broken before column 116.
std::string help_list(std::span<const HelpItem> items);

/// A declared column without its value.
struct ColumnText {
  std::string_view names;  ///< one, or three for a Vec3
  Column::Kind kind;
  std::string_view meaning;
  std::span<const std::string_view> words{};
};

std::vector<Column> columns_of(std::span<const ColumnText> texts);
std::string help_of(std::span<const ColumnText> texts);

template <Column::Kind column_kind, class Read>
struct ResultColumn : ColumnText {
  static constexpr Column::Kind cell_kind = column_kind;
  Read read;  ///< of a row
};

namespace column {

template <class Read>
constexpr auto integer(std::string_view name, std::string_view meaning, Read read) {
  return ResultColumn<Column::Kind::integer, Read>{{name, Column::Kind::integer, meaning}, read};
}
template <class Read>
constexpr auto sphere(std::string_view name, std::string_view meaning, Read read) {
  return ResultColumn<Column::Kind::sphere, Read>{{name, Column::Kind::sphere, meaning}, read};
}
template <class Read>
constexpr auto number(std::string_view names, std::string_view meaning, Read read) {
  return ResultColumn<Column::Kind::number, Read>{{names, Column::Kind::number, meaning}, read};
}
template <class Read>
constexpr auto flag(std::string_view name, std::string_view meaning, Read read) {
  return ResultColumn<Column::Kind::flag, Read>{{name, Column::Kind::flag, meaning}, read};
}
/// The value is the position of one of `words`, or an enumerator of that value.
template <class Read>
constexpr auto word(std::string_view name, std::span<const std::string_view> words, std::string_view meaning,
                    Read read) {
  return ResultColumn<Column::Kind::word, Read>{{name, Column::Kind::word, meaning, words}, read};
}

template <class Read>
constexpr auto text(std::string_view name, std::string_view meaning, Read read) {
  return ResultColumn<Column::Kind::text, Read>{{name, Column::Kind::text, meaning}, read};
}

/// Reads a member of what a row points to; a null pointer gives an empty cell.
template <class Row, class Part, class Whole, class Value>
constexpr auto of(const Part* Row::* part, Value Whole::* member) {
  return [part, member](const Row& row) -> const Value* {
    const Part* const there = row.*part;
    return there ? &(there->*member) : nullptr;
  };
}

}  // namespace column

namespace cells {

template <class Declared, class Row>
[[gnu::always_inline]] inline decltype(auto) value_of(const Declared& column, const Row& row) {
  return std::invoke(column.read, row);
}

template <Column::Kind kind, class Value>
[[gnu::always_inline]] inline void put(TableRows& rows, const Value& value) {
  if constexpr (std::is_pointer_v<Value>) {
    if (value) return put<kind>(rows, *value);
    constexpr bool is_vector = std::is_same_v<std::remove_cv_t<std::remove_pointer_t<Value>>, Vec3>;
    for (int cells = is_vector ? 3 : 1; cells > 0; --cells) rows.empty();
  } else if constexpr (std::is_same_v<Value, Vec3>) {
    rows.number(value.x).number(value.y).number(value.z);
  } else if constexpr (kind == Column::Kind::integer) {
    rows.integer(static_cast<std::int64_t>(value));
  } else if constexpr (kind == Column::Kind::sphere) {
    rows.sphere(value);
  } else if constexpr (kind == Column::Kind::number) {
    rows.number(value);
  } else if constexpr (kind == Column::Kind::flag) {
    rows.flag(value);
  } else if constexpr (kind == Column::Kind::text) {
    rows.text(value);
  } else {
    static_assert(kind == Column::Kind::word);
    rows.word(static_cast<std::uint8_t>(value));
  }
}

/// Numbers by their bits: 0 and −0 differ, a NaN is the same as itself.
inline bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
inline bool same(const Vec3& a, const Vec3& b) { return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z); }
template <class Value>
bool same(const Value& a, const Value& b) {
  if constexpr (std::is_pointer_v<Value>) {
    return (a == nullptr) == (b == nullptr) && (a == nullptr || same(*a, *b));
  } else {
    return a == b;
  }
}

}  // namespace cells

/// The columns of a table, in order. `Row` is a type that all of them can read.
template <class... Columns>
class ResultColumns {
 public:
  constexpr explicit ResultColumns(const Columns&... columns) : columns_(columns...) {}
  constexpr explicit ResultColumns(std::tuple<Columns...> columns) : columns_(std::move(columns)) {}

  std::vector<Column> list() const { return columns_of(texts()); }
  std::string help() const { return help_of(texts()); }

  template <class Row>
  [[gnu::always_inline]] void write(TableRows& rows, const Row& row) const {
    write_cells(rows, row);
    rows.end_row();
  }
  /// The cells alone, of a row to which others are added.
  template <class Row>
  [[gnu::always_inline]] void write_cells(TableRows& rows, const Row& row) const {
    write_each(rows, row, std::index_sequence_for<Columns...>());
  }

  /// Are all cells the same, numbers to the last bit?
  template <class Row>
  bool same(const Row& a, const Row& b) const {
    return std::apply(
        [&](const auto&... column) {
          return (cells::same(cells::value_of(column, a), cells::value_of(column, b)) && ...);
        },
        columns_);
  }

  /// These columns, then others.
  template <class... More>
  friend constexpr auto operator+(const ResultColumns& first, const ResultColumns<More...>& more) {
    return ResultColumns<Columns..., More...>(std::tuple_cat(first.columns_, more.all()));
  }
  constexpr const std::tuple<Columns...>& all() const { return columns_; }

 private:
  std::array<ColumnText, sizeof...(Columns)> texts() const {
    return std::apply(
        [](const auto&... column) { return std::array<ColumnText, sizeof...(Columns)>{column...}; },
        columns_);
  }

  /// Inlined, so that the declaration is a constant and each cell a known place in the row.
  template <class Row, std::size_t... i>
  [[gnu::always_inline]] void write_each(TableRows& rows, const Row& row, std::index_sequence<i...>) const {
    (cells::put<Columns::cell_kind>(rows, cells::value_of(std::get<i>(columns_), row)), ...);
  }

  std::tuple<Columns...> columns_;
};

}  // namespace sphaera::files
