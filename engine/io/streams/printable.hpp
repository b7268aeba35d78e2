#pragma once
/// \file Makes untrusted text (file names, names in scenes, options) safe to display: no control, format
/// or invisible character of Unicode is left, so none moves the cursor or overrides the direction of the text
/// behind it.

#include <cstdint>
#include <string>
#include <string_view>

namespace sphaera::io {

/// First character of a text.
struct Utf8 {
  std::uint32_t code = 0;
  std::size_t length = 0;  ///< in bytes; 0: the text is empty or starts with bytes that are not UTF-8
};
Utf8 first_character(std::string_view text);

/// Position of the first byte that is not UTF-8; npos: all bytes are UTF-8.
std::size_t find_bad_utf8(std::string_view text);

/// False for control characters (C0, DEL, C1), format characters that reorder or join text, characters that
/// a display may leave out (Unicode's Default_Ignorable_Code_Point), line and paragraph separators,
/// surrogates and noncharacters.
bool is_visible(std::uint32_t code);

/// Replaces invisible characters and bytes that are not UTF-8 by visible forms: \x1b for a byte, \u202e and
/// \U000e0001 for a code point. Printable text stays unchanged.
std::string printable(std::string_view text);

/// Appends the last `digits` hexadecimal digits of `value`, in lower case.
void append_hex(std::string& text, std::uint64_t value, int digits);

}  // namespace sphaera::io
