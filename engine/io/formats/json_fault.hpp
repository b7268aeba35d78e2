#pragma once
/// \file Where a text that a JSON parser refused is no JSON. The parser says little more than that it is
/// none.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sphaera::io {

struct JsonFault {
  std::size_t at;                          ///< position of the fault; the text's size: it ends too early
  std::string what;                        ///< what is wrong there
  std::optional<std::size_t> opened = {};  ///< where the text ends too early: the innermost bracket left open
};

struct JsonScan {
  std::size_t end;                 ///< behind the value, or where the fault is
  std::optional<JsonFault> fault;  ///< none: the text starts with a whole JSON value
};

/// Reads one value; what follows it is not looked at.
JsonScan scan_json(std::string_view text);

}  // namespace sphaera::io
