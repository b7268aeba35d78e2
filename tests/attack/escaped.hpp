#pragma once
/// \file What may be printed to a terminal.

#include <string>
#include <string_view>

namespace sphaera::attack {

/// Why a text may not be printed as a line: control characters (C0, DEL, C1), marks that change the direction
/// of text, bytes that are no UTF-8. Empty: it may. `newlines`: lines are allowed, too.
std::string unprintable(std::string_view text, bool newlines = false);

/// A text with all that is not plain ASCII written as \xNN, cut to a readable length.
std::string escaped(std::string_view text, std::size_t longest = 300);

}  // namespace sphaera::attack
