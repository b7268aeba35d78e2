#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <tests/attack/mutate.hpp>

namespace sphaera::attack {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t largest_mutant = 1 << 16;

/// Words in the place of a number or a string.
constexpr std::array words{"nan"sv,
                           "inf"sv,
                           "-inf"sv,
                           "+inf"sv,
                           "Inf"sv,
                           "1e308"sv,
                           "-1e308"sv,
                           "1e309"sv,
                           "1e-320"sv,
                           "5e-324"sv,
                           "1e-400"sv,
                           "3.4e-162"sv,
                           "0x1p3"sv,
                           "-0"sv,
                           "-0.0"sv,
                           "0"sv,
                           "1"sv,
                           "-1"sv,
                           "4294967295"sv,
                           "4294967296"sv,
                           "-2147483649"sv,
                           "1e60"sv,
                           "1.7e60"sv,
                           "9223372036854775807"sv,
                           "18446744073709551615"sv,
                           "99999999999999999999999999"sv,
                           "-9223372036854775808"sv,
                           "1e5"sv,
                           "3.0"sv,
                           "."sv,
                           "1e"sv,
                           "--1"sv,
                           "1,5"sv,
                           "1_000"sv,
                           " 1 "sv,
                           "\xc2\xa0"sv,
                           "''"sv,
                           "\"\""sv,
                           "\"\xff\xfe\""sv,
                           "\"\\u0000\""sv,
                           "\"\\ud800\""sv,
                           "\"a\nb\""sv,
                           "\"\x1b[31m\""sv,
                           "\"\xe2\x80\xae\""sv,
                           "\"\xc2\x9b\""sv,
                           "null"sv,
                           "true"sv,
                           "[]"sv,
                           "{}"sv,
                           "[1,2]"sv,
                           "[1,2,3,4]"sv,
                           "\"center\""sv,
                           "\"../x.csv\""sv,
                           "\"/etc/passwd\""sv,
                           ""sv};

/// Bytes that mean something to one format or another.
constexpr std::array pieces{"\0"sv,
                            "\n"sv,
                            "\r"sv,
                            "\r\n"sv,
                            "\""sv,
                            "\"\""sv,
                            ","sv,
                            ";"sv,
                            "\t"sv,
                            "\\"sv,
                            "[["sv,
                            "}"sv,
                            "]"sv,
                            "{\""sv,
                            ":"sv,
                            "\xef\xbb\xbf"sv,
                            "\xff"sv,
                            "\xc0\x80"sv,
                            "\xed\xa0\x80"sv,
                            "\xc2\x85"sv,
                            "\xe2\x80\xae"sv,
                            "\x1b]0;x\a"sv,
                            "\x7f"sv,
                            "\x1f\x8b\x08"sv,
                            "\x93NUMPY"sv,
                            "end_header\n"sv,
                            "element vertex 99999999999\n"sv,
                            "#"sv};

constexpr std::array<double, 14> doubles{0.0,    -0.0,     1.0,    -1.0,   1e308,    -1e308,       5e-324,
                                         1e-320, 3.4e-162, 1.6e60, 1.7e60, 0x1p-537, 4294967296.0, 0.5};

bool in_number(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0 || std::strchr("+-.eE", c); }

/// The range of the first number (digits with their sign, point and exponent) after a random place; empty if
/// there is none.
std::pair<std::size_t, std::size_t> some_number(std::string_view text, SplitMix64& random,
                                                std::size_t within) {
  std::size_t begin = random.below(std::min(within, text.size()));
  while (begin < text.size() && std::isdigit(static_cast<unsigned char>(text[begin])) == 0) ++begin;
  while (begin > 0 && begin < text.size() && text[begin - 1] != '\0' && in_number(text[begin - 1])) --begin;
  std::size_t end = begin;
  while (end < text.size() && text[end] != '\0' && in_number(text[end])) ++end;
  return {begin, end};
}

/// Where a random line lies, its newline included.
std::pair<std::size_t, std::size_t> some_line(std::string_view text, SplitMix64& random) {
  const std::size_t place = random.below(text.size());
  const std::size_t before = place == 0 ? std::string_view::npos : text.rfind('\n', place - 1);
  const std::size_t behind = text.find('\n', place);
  return {before == std::string_view::npos ? 0 : before + 1,
          behind == std::string_view::npos ? text.size() : behind + 1};
}

void flip_bit(std::string& file, SplitMix64& random) {
  if (file.empty()) return;
  char& byte = file[random.below(file.size())];
  byte = static_cast<char>(byte ^ (1 << random.below(8)));
}

void change_byte(std::string& file, SplitMix64& random) {
  if (!file.empty()) file[random.below(file.size())] = static_cast<char>(random.below(256));
}

void insert_bytes(std::string& file, SplitMix64& random) {
  const std::size_t place = random.below(file.size() + 1);
  if (random.one_in(2)) {
    file.insert(place, random.pick(pieces));
  } else {
    file.insert(place, random.below(8) + 1, static_cast<char>(random.below(256)));
  }
}

void remove_bytes(std::string& file, SplitMix64& random) {
  const std::size_t place = random.below(file.size() + 1);
  file.erase(place, random.one_in(4) ? random.below(file.size() + 1) : random.below(12) + 1);
}

void cut(std::string& file, SplitMix64& random) { file.resize(random.below(file.size() + 1)); }

void repeat_bytes(std::string& file, SplitMix64& random) {
  const std::size_t place = random.below(file.size() + 1);
  const std::string part = file.substr(place, random.below(64) + 1);
  const std::size_t times = random.below(4) + 1;
  for (std::size_t i = 0; i < times; ++i) file.insert(place, part);
}

/// Up to 70 times: more than leaves, frames and layers hold.
void repeat_line(std::string& file, SplitMix64& random) {
  const auto [begin, end] = some_line(file, random);
  const std::string line = file.substr(begin, end - begin);
  const std::size_t times = random.below(70) + 1;
  for (std::size_t i = 0; i < times && file.size() < largest_mutant; ++i) file.insert(begin, line);
}

void swap_lines(std::string& file, SplitMix64& random) {
  const auto [begin, end] = some_line(file, random);
  const std::string line = file.substr(begin, end - begin);
  file.erase(begin, end - begin);
  file.insert(some_line(file, random).first, line);
}

void splice(std::string& file, const std::vector<std::string>& others, SplitMix64& random) {
  if (others.empty()) return;
  const std::string& other = random.pick(others);
  const std::size_t from = random.below(other.size() + 1);
  if (random.one_in(2)) {
    file = file.substr(0, random.below(file.size() + 1)) + other.substr(from);
  } else {
    file.insert(random.below(file.size() + 1), other.substr(from, random.below(200) + 1));
  }
}

void replace_number(std::string& file, SplitMix64& random, std::size_t within) {
  const auto [begin, end] = some_number(file, random, within);
  file.replace(begin, end - begin, random.pick(words));
}

/// In the header of NPY and PLY: counts and types.
void replace_header_number(std::string& file, SplitMix64& random) { replace_number(file, random, 160); }
void replace_any_number(std::string& file, SplitMix64& random) { replace_number(file, random, file.size()); }

/// One number wherever it stands, so that spheres stay equal.
void replace_everywhere(std::string& file, SplitMix64& random) {
  const auto [begin, end] = some_number(file, random, file.size());
  const std::string old = file.substr(begin, end - begin);
  const std::string_view word = random.pick(words);
  if (old.empty()) return;
  for (std::size_t at = file.find(old); at != std::string::npos && file.size() < largest_mutant;
       at = file.find(old, at)) {
    file.replace(at, old.size(), word);
    at += word.size();
  }
}

void replace_word(std::string& file, SplitMix64& random) {
  std::size_t begin = random.below(file.size());
  const auto is_letter = [&](std::size_t i) {
    return std::isalnum(static_cast<unsigned char>(file[i])) != 0;
  };
  while (begin > 0 && is_letter(begin - 1)) --begin;
  std::size_t end = begin;
  while (end < file.size() && is_letter(end)) ++end;
  file.replace(begin, end - begin, random.pick(words));
}

void nest(std::string& file, SplitMix64& random) {
  const std::size_t depth = random.one_in(4) ? 1 + random.below(5000) : 1 + random.below(20);
  std::string brackets;
  for (std::size_t i = 0; i < depth; ++i) brackets += random.one_in(2) ? "[" : "{\"a\":";
  file.insert(random.below(file.size() + 1), brackets);
}

/// A double of a binary file, whose numbers are aligned to its end.
void overwrite_double(std::string& file, SplitMix64& random) {
  if (file.size() < sizeof(double)) return;
  double value = random.pick(doubles);
  if (random.one_in(8)) value = __builtin_nan("");
  if (random.one_in(8)) value = __builtin_inf();
  const std::size_t from_end = sizeof value * (1 + random.below(file.size() / sizeof value));
  std::memcpy(file.data() + file.size() - from_end, &value, sizeof value);
}

void change(std::string& file, const std::vector<std::string>& others, SplitMix64& random) {
  using Change = void (*)(std::string&, SplitMix64&);
  constexpr std::array<Change, 18> changes{flip_bit,
                                           change_byte,
                                           insert_bytes,
                                           remove_bytes,
                                           cut,
                                           repeat_bytes,
                                           repeat_line,
                                           swap_lines,
                                           replace_header_number,
                                           replace_any_number,
                                           replace_any_number,
                                           replace_everywhere,
                                           replace_everywhere,
                                           replace_any_number,
                                           replace_word,
                                           replace_word,
                                           overwrite_double,
                                           nest};
  const std::size_t which = random.below(changes.size() + 1);
  if (which == changes.size()) return splice(file, others, random);
  changes[which](file, random);
}

}  // namespace

std::size_t systematic_mutants(std::string_view file) { return 9 * file.size(); }

std::string systematic_mutant(std::string_view file, std::size_t number) {
  if (number < file.size()) return std::string(file.substr(0, number));
  std::string flipped(file);
  const std::size_t bit = number - file.size();
  flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
  return flipped;
}

std::string random_mutant(std::string_view file, const std::vector<std::string>& others, SplitMix64& random) {
  std::string mutant(file);
  do change(mutant, others, random);
  while (!random.one_in(3) && mutant.size() < largest_mutant);
  if (mutant.size() > largest_mutant) mutant.resize(largest_mutant);
  return mutant;
}

}  // namespace sphaera::attack
