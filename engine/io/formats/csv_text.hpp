#pragma once
/// \file CSV out.

#include <string>
#include <string_view>

namespace sphaera::io {

/// Appends a CSV field, in quotes if its content asks for them (RFC 4180).
void append_csv(std::string& csv, std::string_view text);

}  // namespace sphaera::io
