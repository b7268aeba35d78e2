#pragma once
/// \file What may be printed to a terminal.

#include <string>
#include <string_view>

namespace sphaera::attack {

/// What makes a text unfit to be printed as one line: control characters (C0, DEL, C1), marks that change the
/// direction of text, bytes that are no UTF-8. Empty: nothing. With `newlines` it may have several lines.
std::string unprintable(std::string_view text, bool newlines = false);

/// The first `longest` bytes of a text; all but printable ASCII, and each backslash, are written as \xNN.
std::string escaped(std::string_view text, std::size_t longest = 300);

}  // namespace sphaera::attack
