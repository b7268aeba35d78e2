#pragma once
/// \file Suggestions for misspelt words.

#include <span>
#include <sphaera/scene_file.hpp>
#include <string>
#include <string_view>

namespace sphaera::io {

/// What a message says behind "there is no WORD; ": `advice`, such as "give one of a, b", or, with the known
/// word that is nearest, "did you mean a? Give one of a, b". Near is an edit distance (insert, delete or
/// replace a character, or swap two; letters regardless of case) of at most one edit for each three
/// characters, or one edit for shorter words, and the word has at most 64 characters. Of several that are
/// nearest it is the first one.
std::string suggested(std::string_view word, std::span<const std::string> known, std::string advice);
/// The same with the names of spheres; only the advice if there are more than 100000, which would take a
/// second.
std::string suggested(std::string_view word, const Names& known, std::string advice);

/// "there is no column 'WORD'PURPOSE; did you mean a? OWNER has 'a', 'b' and 7 more"; `owner` is such as
/// "the file".
std::string no_column(std::string_view word, std::string_view purpose, std::string_view owner,
                      std::span<const std::string> names);

/// The first names in quotes, and how many more there are: "'x', 'y' and 3 more".
std::string names_in(std::span<const std::string> names);

/// The first names, and how many more there are: "'a', 'b' and 3 more".
std::string some_of(std::span<const std::string> names, std::size_t most);

}  // namespace sphaera::io
