#include <algorithm>
#include <io/formats/numbers.hpp>
#include <io/formats/spelling.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/printable.hpp>
#include <vector>

namespace sphaera::io {
namespace {

/// Optimal string alignment distance, row by row.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = last;
    std::swap(last, row);
  }
  return last[b.size()];
}

/// The nearest known word; null: none is near, or the word itself is known.
const std::string* nearest_word(std::string_view word, std::span<const std::string> known) {
  constexpr std::size_t longest = 64;  // no option is nearly as long
  if (word.size() > longest) return nullptr;
  const std::string* nearest = nullptr;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  const std::string lower = lower_case(word);
  for (const std::string& candidate : known) {
    if (candidate == word) return nullptr;
    if (candidate.empty()) continue;
    const std::size_t distance = edit_distance(lower, lower_case(candidate));
    if (distance < least) least = distance, nearest = &candidate;
  }
  return nearest;
}

}  // namespace

std::string suggested(std::string_view word, std::span<const std::string> known, std::string advice) {
  const std::string* const nearest = nearest_word(word, known);
  if (!nearest) return advice;
  if (advice[0] >= 'a' && advice[0] <= 'z') advice[0] = static_cast<char>(advice[0] - 'a' + 'A');
  return "did you mean " + printable(*nearest) + "? " + advice;
}

std::string suggested(std::string_view word, const Names& known, std::string advice) {
  constexpr std::size_t most = 100000;
  std::vector<std::string> words;
  for (std::size_t i = 0; known.size() <= most && i < known.size(); ++i) words.emplace_back(known[i]);
  return suggested(word, words, std::move(advice));
}

std::string no_column(std::string_view word, std::string_view purpose, std::string_view owner,
                      std::span<const std::string> names) {
  return "there is no column " + shown(word) + std::string(purpose) + "; " +
         suggested(word, names, std::string(owner) + " has " + names_in(names));
}

std::string names_in(std::span<const std::string> names) {
  constexpr std::size_t most = 32;
  std::vector<std::string> quoted;
  quoted.reserve(names.size());
  for (const std::string& name : names) quoted.push_back(shown(name));
  return some_of(quoted, most);
}

std::string some_of(std::span<const std::string> names, std::size_t most) {
  std::string list;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) list += (i ? ", " : "") + names[i];
  if (names.size() > most) list += " and " + std::to_string(names.size() - most) + " more";
  return list;
}

}  // namespace sphaera::io
