#pragma once
/// \file Errors of readers and writers: the file and line are the subject, fault and advice the reason.

#include <base/errors.hpp>
#include <cstdint>
#include <functional>
#include <sphaera/error.hpp>
#include <string>
#include <string_view>

namespace sphaera::io {

/// Throws bad_file about "name:line"; line 0 is none.
[[noreturn, gnu::cold]] void fail(const std::string& name, std::uint64_t line, const std::string& what,
                                  std::int64_t element = Error::no_element);

/// Throws bad_file about "name:line: subject", with subject, reason and element of `fault`.
[[noreturn, gnu::cold]] void fail(const std::string& name, std::uint64_t line, const Error& fault);

/// Throws bad_file about "name", for faults without a line (a binary header, a file that cannot be opened).
[[noreturn, gnu::cold]] void fail(const std::string& name, const std::string& what);

/// Throws bad_file about "name: subject", with subject, reason and element of `fault`.
[[noreturn, gnu::cold]] void fail(const std::string& name, const Error& fault);

using base::fail_io;

/// The warning about a text whose last line has no newline, from a file or a pipe: a number at its end may
/// have lost digits.
std::string last_line_warning(const std::string& name);

/// Untrusted text in quotes, shortened to a readable length, as `printable` shows it.
std::string shown(std::string_view text);

/// Words with commas, and `last` before the last one: "x, y or z". `word_of` gives the word of each item.
template <class Items, class WordOf = std::identity>
std::string joined(const Items& items, std::string_view last, WordOf word_of = {}) {
  std::string list;
  std::size_t left = std::size(items);
  for (const auto& item : items) {
    list += list.empty() ? "" : left == 1 ? last : ", ";
    list += std::invoke(word_of, item);
    --left;
  }
  return list;
}

/// Words in single quotes, with commas: 'x', 'y'.
std::string listed(const auto& words) {
  std::string list;
  for (const auto& word : words) list += (list.empty() ? "" : ", ") + shown(word);
  return list;
}

}  // namespace sphaera::io
