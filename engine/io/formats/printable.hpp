#pragma once
/// \file Text from outside (file names, names in scenes, options) as it is shown to people: nothing in it
/// moves a cursor, hides, or turns the direction of what follows.

#include <cstdint>
#include <string>
#include <string_view>

namespace sphaera::io {

/// The character that a text starts with.
struct Utf8 {
  std::uint32_t code = 0;
  std::size_t length = 0;  ///< in bytes; 0: the text is empty or starts with bytes that are no UTF-8
};
Utf8 first_character(std::string_view text);

/// Position of the first byte that is not UTF-8; npos: there is none.
std::size_t find_bad_utf8(std::string_view text);

/// False for control characters (C0, DEL, C1), marks that reorder or join text or have no width, line and
/// paragraph separators, and code points that are no characters.
bool is_visible(std::uint32_t code);

/// The text with visible forms of all else: \x1b for a byte, \u202e and \U000e0001 for a code point. Text
/// that is printable already stays as it is.
std::string printable(std::string_view text);

}  // namespace sphaera::io
