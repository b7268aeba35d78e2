#pragma once
/// \file CSV output.

#include <string>
#include <string_view>

namespace sphaera::io {

/// Appends a CSV field, in quotes if its content needs them (RFC 4180).
void append_csv(std::string& csv, std::string_view text);

}  // namespace sphaera::io
