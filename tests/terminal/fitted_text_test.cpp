/// \file Help texts as wide as a terminal: no line is longer, no word is lost, items stay indented.

#include <algorithm>
#include <sstream>
#include <tools/terminal/fitted_text.hpp>
#include <vector>

#include <tests/catch.hpp>

using sphaera::tool::fitted;

namespace {

constexpr const char* help = R"(
What it does, in a paragraph that was broken by hand where a line of the source was full, so that the
rest of it stands below.
Usage: sphaera verb

Options:
  --rays FILE         Queries: a file of which the help has more to say than fits in one line of a narrow terminal
  --long-name X=NAME,…
                      Text below a name that is too long for its column, at 1 ≤ t ≤ 2
  --k K               Short

Example:
  sphaera verb scene.csv --rays rays.csv --output a_name_that_is_rather_long.csv --verify all
)";

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// Bytes that begin a character of UTF-8.
std::size_t columns(const std::string& line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

TEST_CASE("help texts fit the terminal", "[terminal]") {
  for (std::size_t width = 40; width <= 120; ++width) {
    const std::string text = fitted(help, width);
    CHECK(words_of(text) == words_of(help));
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
      if (!line.starts_with("  sphaera ")) CHECK(columns(line) <= width);
  }
}

TEST_CASE("items of help texts keep their columns", "[terminal]") {
  CHECK(fitted("  --rays FILE   one two\n  --k K         three\n", 24) ==
        "  --rays FILE   one two\n  --k K         three\n");
  CHECK(fitted("  --rays FILE   one two\n", 20) == "  --rays FILE   one\n          two\n");
  CHECK(fitted("  --rays FILE   one two\n", 22) == "  --rays FILE   one\n           two\n");
  const std::string by_hand(80, 'a');
  CHECK(fitted(by_hand + "\nbb\ncc\n", 200) == by_hand + "\nbb\ncc\n");
  CHECK(fitted(by_hand + " dd\nbb\ncc\n", 81) == by_hand + "\ndd bb\ncc\n");
  CHECK(fitted("", 40).empty());
  CHECK(fitted("\n\n", 40) == "\n\n");
}
