#include <cstdint>
#include <cstdio>
#include <tests/attack/escaped.hpp>

namespace sphaera::attack {
namespace {

constexpr char32_t no_character = 0xffffffff;

/// Length of a UTF-8 sequence by its first byte; 0: no sequence starts with that byte.
std::size_t length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/// The character at the front, which is removed; no_character if there is none.
char32_t take(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t n = length(byte(0));
  if (n == 0 || n > text.size()) return no_character;
  char32_t value = n == 1 ? byte(0) : byte(0) & (0x7fU >> n);
  for (std::size_t i = 1; i < n; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return no_character;
    value = value << 6 | (byte(i) & 0x3f);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < least[n] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return no_character;
  text.remove_prefix(n);
  return value;
}

bool steers(char32_t c) {
  const bool control = c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029;
  const bool direction =
      (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f;
  return control || direction;
}

}  // namespace

std::string unprintable(std::string_view text, bool newlines) {
  while (!text.empty()) {
    const char32_t c = take(text);
    if (c == no_character) return "bytes that are no UTF-8";
    if (!steers(c) || (newlines && c == '\n')) continue;
    char name[24];
    std::snprintf(name, sizeof name, "U+%04X", static_cast<unsigned>(c));
    return name;
  }
  return {};
}

std::string escaped(std::string_view text, std::size_t longest) {
  std::string plain;
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    char code[8];
    std::snprintf(code, sizeof code, "\\x%02x", byte);
    plain += byte >= 0x20 && byte < 0x7f && c != '\\' ? std::string(1, c) : std::string(code);
  }
  return plain + (text.size() > longest ? "..." : "");
}

}  // namespace sphaera::attack
