#include <algorithm>
#include <array>
#include <io/streams/printable.hpp>

namespace sphaera::io {
namespace {

struct CodeRange {
  std::uint32_t first, last;
};

/// Unicode's control, format and separator characters that no name needs, in ascending order.
constexpr std::array<CodeRange, 22> invisible{{{0x00, 0x1F},       {0x7F, 0x9F}, {0xAD, 0xAD},  // soft hyphen
                                               {0x34F, 0x34F},        // grapheme joiner
                                               {0x61C, 0x61C},        // Arabic letter mark
                                               {0x115F, 0x1160},      // Hangul fillers
                                               {0x17B4, 0x17B5},      // Khmer vowels without a glyph
                                               {0x180B, 0x180F},      // Mongolian selectors and separator
                                               {0x200B, 0x200F},      // no width, joiners, direction marks
                                               {0x2028, 0x202E},      // separators, embeddings, overrides
                                               {0x2060, 0x206F},      // joiners, isolates
                                               {0x3164, 0x3164},      // Hangul filler
                                               {0xD800, 0xDFFF},      // surrogates
                                               {0xFDD0, 0xFDEF},      // noncharacters
                                               {0xFE00, 0xFE0F},      // variation selectors
                                               {0xFEFF, 0xFEFF},      // byte-order mark
                                               {0xFFA0, 0xFFA0},      // Hangul filler, half width
                                               {0xFFF0, 0xFFFB},      // not assigned, annotations
                                               {0xFFFE, 0xFFFF},      // noncharacters
                                               {0x1BCA0, 0x1BCA3},    // shorthand format
                                               {0x1D173, 0x1D17A},    // musical format
                                               {0xE0000, 0xE0FFF}}};  // tags, variation selectors

void append_escape(std::string& text, char letter, std::uint32_t value, int digits) {
  text += {'\\', letter};
  append_hex(text, value, digits);
}

bool is_plain(char c) { return c >= ' ' && c < 0x7F; }

}  // namespace

Utf8 first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return byte(i) >= low && byte(i) <= high;
  };
  const auto tail = [&](std::size_t i) { return byte(i) & 0x3Fu; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, text.empty() ? 0u : 1u};
  // No overlong forms, no surrogates, nothing above U+10FFFF (Unicode, table 3-7).
  if (lead >= 0xC2 && lead <= 0xDF && follows(1)) return {(lead & 0x1F) << 6 | tail(1), 2};
  if (lead >= 0xE0 && lead <= 0xEF && follows(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF) &&
      follows(2)) {
    return {(lead & 0x0F) << 12 | tail(1) << 6 | tail(2), 3};
  }
  if (lead >= 0xF0 && lead <= 0xF4 && follows(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF) &&
      follows(2) && follows(3)) {
    return {(lead & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4};
  }
  return {};
}

std::size_t find_bad_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = first_character(text.substr(at)).length;
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

bool is_visible(std::uint32_t code) {
  const auto range = std::ranges::lower_bound(invisible, code, {}, &CodeRange::last);
  const bool listed = range != invisible.end() && range->first <= code;
  return !listed && (code & 0xFFFE) != 0xFFFE;  // the last two of each plane are noncharacters
}

std::string printable(std::string_view text) {
  if (std::ranges::all_of(text, is_plain)) return std::string(text);
  std::string shown;
  while (!text.empty()) {
    const auto [code, length] = first_character(text);
    if (length == 0) {
      append_escape(shown, 'x', static_cast<unsigned char>(text[0]), 2);
    } else if (is_visible(code)) {
      shown += text.substr(0, length);
    } else if (code < 0x80) {
      append_escape(shown, 'x', code, 2);
    } else if (code < 0x10000) {
      append_escape(shown, 'u', code, 4);
    } else {
      append_escape(shown, 'U', code, 8);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return shown;
}

void append_hex(std::string& text, std::uint64_t value, int digits) {
  constexpr std::string_view hex = "0123456789abcdef";
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) text += hex[value >> shift & 15];
}

}  // namespace sphaera::io
