#pragma once
/// \file What the columns of the tool's results are, by their names.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::tool {

enum class Role : std::uint8_t {
  query,    ///< number of a query
  sphere,   ///< id of a sphere, −1: none
  name,     ///< of the sphere in the column before
  place,    ///< a coordinate of a place or a direction
  measure,  ///< all others, numbers or words
};

Role role_of(std::string_view column);

/// Does the column say what a row is about: a query, or a sphere that is no mere cause, as `hider`?
bool is_subject(std::string_view column);

/// May the texts of the column tell rows apart: a date, or a column of the query file, such as a city? The
/// verbs' own words, such as those of `light`, do not.
bool may_name_rows(std::string_view column);

/// Is the sum of the column's numbers the number of the whole, such as an area?
bool is_additive(std::string_view column);

/// The words for rows with the greatest and the least value of a column: "most exposed", "least exposed".
struct ExtremeWords {
  std::string_view greatest, least;
};
ExtremeWords extreme_words(std::string_view column);

/// "first: what is hit first", by the columns; empty if no verb writes them.
std::string_view question_of(std::span<const std::string> columns);

/// Greater numbers of a column are counted only. The magnitude of an eclipse: where the observer's own ground
/// hides the star, as at night, it is in the hundreds, and eclipses could not be told apart beside it.
double greatest_shown(std::string_view column);

/// The verb's main number, if the rows are of many times (--times); else empty.
std::string_view curve_column(std::span<const std::string> columns);

/// Number of the key columns of sums, as `--by` writes them: those before `rows` and `share`, or the layer of
/// `exposed --by layer`. 0: no sums.
std::size_t sum_keys(std::span<const std::string> columns);

}  // namespace sphaera::tool
