#pragma once
/// \file JSON out.

#include <string>
#include <string_view>

namespace sphaera::io {

/// Appends a JSON string, quotes included. Characters that are not visible are escaped (\u202e); bytes that
/// are no UTF-8 become U+FFFD.
void append_json(std::string& json, std::string_view text);

/// Appends a JSON number; a NaN, which JSON lacks, is null, and infinities are the strings "inf" and "-inf".
void append_json(std::string& json, double value);

}  // namespace sphaera::io
