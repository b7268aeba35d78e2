#pragma once
/// \file Help texts as wide as the terminal.

#include <string>
#include <string_view>

namespace sphaera::tool {

/// Columns of the terminal at standard output; 110 if it is none: the width of the texts in the source.
std::size_t output_width();

/// Breaks lines that are longer than `width` at blanks. What follows is indented as the text of its item is,
/// the second column of "  --rays FILE   Queries: …". Lines that were broken by hand are joined first.
/// Commands stay whole.
std::string fitted(std::string_view text, std::size_t width);

}  // namespace sphaera::tool
