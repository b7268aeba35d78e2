#pragma once
/// \file Numbers from text and back, whatever the locale.

#include <cstdint>
#include <string>
#include <string_view>

namespace sphaera::io {

enum class Parse : std::uint8_t {
  ok,
  malformed,
  out_of_range,  ///< a number that no double (or integer) is near
};

/// Without spaces and tabs at either end.
std::string_view trimmed(std::string_view text);

/// Reads the nearest double of a decimal number that fills the text, or one of the words inf, infinity and
/// nan, in small or large letters, with a sign or without.
Parse parse_number(std::string_view text, double& value);

/// Reads an integer that fills the text; "3.0" counts as 3.
Parse parse_integer(std::string_view text, std::int64_t& value);

/// The integer that a double holds exactly. False if there is none.
bool to_integer(double number, std::int64_t& value);

/// Appends the shortest text that reads back as the same double.
void append_number(std::string& text, double value);
void append_integer(std::string& text, std::int64_t value);

}  // namespace sphaera::io
