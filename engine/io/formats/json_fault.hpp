#pragma once
/// \file Finds the first fault in a text that the JSON parser rejected. The parser itself says little about
/// the fault.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sphaera::io {

struct JsonFault {
  std::size_t at;    ///< position of the fault; equals the text's size if the text ends too early
  std::string what;  ///< description of the fault
  std::optional<std::size_t> opened =
      {};  ///< if the text ends too early: position of the innermost open bracket
};

struct JsonScan {
  std::size_t end;                 ///< position behind the value; not defined if there is a fault
  std::optional<JsonFault> fault;  ///< empty: the text starts with a complete JSON value
};

/// -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
bool is_json_number(std::string_view text);

/// Scans one value and ignores the text behind it.
JsonScan scan_json(std::string_view text);

}  // namespace sphaera::io
