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

/// The words for rows with the greatest and the least value of a column: "most exposed", "least exposed".
struct ExtremeWords {
  std::string_view greatest, least;
};
ExtremeWords extreme_words(std::string_view column);

/// "first: what is hit first", by the columns; "a table" if no verb writes them.
std::string_view question_of(std::span<const std::string> columns);

/// Number of the key columns of sums, as `--by` writes them: those before `rows` and `share`. 0: no sums.
std::size_t sum_keys(std::span<const std::string> columns);

}  // namespace sphaera::tool
