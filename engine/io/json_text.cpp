#include <array>
#include <cmath>
#include <cstdint>
#include <io/json_text.hpp>
#include <io/numbers.hpp>

namespace sphaera::io {
namespace {

/// Length of the UTF-8 sequence at the front of the text; 0: there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  // No overlong forms, no surrogates, nothing above U+10FFFF (Unicode, table 3-7).
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool second = follows(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF);
    return second && follows(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool second = follows(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF);
    return second && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

void append_control(std::string& json, unsigned char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  json += "\\u00";
  json += digits[c >> 4];
  json += digits[c & 15];
}

}  // namespace

void append_json(std::string& json, std::string_view text) {
  json += '"';
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const char c = text[0];
    if (c == '"' || c == '\\') {
      json += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      append_control(json, static_cast<unsigned char>(c));
    } else if (length == 0) {
      json += "\xEF\xBF\xBD";
    } else {
      json += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  json += '"';
}

void append_json(std::string& json, double value) {
  if (std::isfinite(value)) return append_number(json, value);
  json += std::isnan(value) ? "null" : value > 0 ? "\"inf\"" : "\"-inf\"";
}

}  // namespace sphaera::io
