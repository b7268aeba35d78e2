#pragma once
/// \file Conversion of numbers from and to text, independent of the locale.

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace sphaera::io {

enum class Parse : std::uint8_t {
  ok,
  malformed,
  out_of_range,  ///< a number outside the range of doubles (or integers)
};

/// The text without spaces and tabs at both ends.
std::string_view trimmed(std::string_view text);

/// The text with letters A to Z in lower case.
std::string lower_case(std::string_view text);

/// Reads a decimal number as the nearest double, or one of the words inf, infinity and nan in any case, with
/// or without a sign. The number must fill the whole text.
Parse parse_number(std::string_view text, double& value);

/// Reads an integer that fills the whole text; "3.0" counts as 3.
Parse parse_integer(std::string_view text, std::int64_t& value);

/// Converts a double that is an integer below 2^53 in magnitude: no other integer rounds to it. Returns false
/// for any other double.
bool to_integer(double number, std::int64_t& value);

// Writers of rows spend their time here, so these are inline.
/// Appends the shortest text that reads back as the same double.
inline void append_number(std::string& text, double value) {
  char buffer[32];
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();  // never "-nan"
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}
inline void append_integer(std::string& text, std::int64_t value) {
  char buffer[32];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

}  // namespace sphaera::io
