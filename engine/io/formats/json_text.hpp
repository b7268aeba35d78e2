#pragma once
/// \file JSON output.

#include <string>
#include <string_view>

namespace sphaera::io {

/// Appends a JSON string, quotes included. Invisible characters are escaped (\u202e); bytes that are not
/// UTF-8 become U+FFFD.
void append_json(std::string& json, std::string_view text);

/// Appends a JSON number. JSON has no NaN and no infinities: a NaN becomes null, infinities become the
/// strings "inf" and "-inf".
void append_json(std::string& json, double value);

}  // namespace sphaera::io
