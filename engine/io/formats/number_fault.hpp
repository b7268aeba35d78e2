#pragma once
/// \file What messages say of a text that is no number.

#include <io/formats/numbers.hpp>

namespace sphaera::io {

/// Follows the text; `parsed` is not ok.
constexpr const char* number_fault(Parse parsed) {
  return parsed == Parse::out_of_range ? "is beyond the range of a double" : "is not a number";
}

}  // namespace sphaera::io
