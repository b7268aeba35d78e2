#pragma once
/// \file What a misspelt word was meant to be.

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sphaera::tool {

/// The known word that fewest slips (a character more, less or other, or two swapped) turn into this one;
/// none if that takes more than one slip in three characters. Of equals the first.
std::optional<std::string> nearest_word(std::string_view word, std::span<const std::string> known);

}  // namespace sphaera::tool
