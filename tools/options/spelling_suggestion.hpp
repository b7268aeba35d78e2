#pragma once
/// \file Suggestions for misspelt words.

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sphaera::tool {

/// Returns the known word with the smallest edit distance (insert, delete or replace a character, or swap
/// two); the first one if several are equal. Empty if the distance exceeds one edit for each three
/// characters (one edit for shorter words) or the word has more than 64 characters.
std::optional<std::string> nearest_word(std::string_view word, std::span<const std::string> known);

/// "did you mean WORD? " with the nearest known word; empty if none is near.
std::string suggested(std::string_view word, std::span<const std::string> known);

}  // namespace sphaera::tool
