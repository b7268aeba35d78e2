#include <algorithm>
#include <io/formats/cif_words.hpp>
#include <io/streams/file_error.hpp>

namespace sphaera::io {
namespace {

using Kind = CifWords::Kind;

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Kind of a word without quotes.
Kind kind_of_word(std::string_view word) {
  constexpr std::size_t keyword = 5;
  if (word.starts_with('_')) return Kind::name;
  if (word == "." || word == "?") return Kind::absent;
  if (word.size() < keyword || word[keyword - 1] != '_') return Kind::value;
  if (begins_with(word, "data_") || begins_with(word, "save_")) return Kind::block;
  return word.size() == keyword && begins_with(word, "loop_") ? Kind::loop : Kind::value;
}

}  // namespace

bool begins_with(std::string_view word, std::string_view beginning) {
  return std::ranges::equal(word.substr(0, beginning.size()), beginning, {}, lower);
}

Kind CifWords::next() {
  for (;;) {
    const auto* const begin = std::ranges::find_if_not(rest_, is_blank);
    rest_.remove_prefix(static_cast<std::size_t>(begin - rest_.begin()));
    if (!rest_.empty() && rest_[0] != '#') break;
    text_ = {};
    if (!lines_.line(rest_)) return rest_ = {}, Kind::end;
    if (rest_.starts_with(';')) return text_of_lines();
  }
  if (rest_[0] == '\'' || rest_[0] == '"') return quoted();
  text_ = take_word(rest_);
  return kind_of_word(text_);
}

/// A quote ends the word where a blank or the end of the line follows.
Kind CifWords::quoted() {
  for (std::size_t end = 1; (end = rest_.find(rest_[0], end)) != std::string_view::npos; ++end) {
    if (end + 1 < rest_.size() && !is_blank(rest_[end + 1])) continue;
    text_ = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return Kind::value;
  }
  fail(lines_.name(), lines_.number(), "the quote at " + shown(rest_) + " does not end in its line");
}

Kind CifWords::text_of_lines() {
  const std::uint64_t begin = lines_.number();
  while (lines_.line(rest_)) {
    if (!rest_.starts_with(';')) continue;
    rest_.remove_prefix(1);
    return Kind::value;
  }
  fail(lines_.name(), begin, "the text that begins here with a semicolon does not end");
}

}  // namespace sphaera::io
