#include <cmath>
#include <cstdint>
#include <io/formats/json_text.hpp>
#include <io/formats/numbers.hpp>
#include <io/streams/printable.hpp>

namespace sphaera::io {
namespace {

/// JSON's form of one UTF-16 unit: \u202e.
void append_unit(std::string& json, std::uint32_t unit) {
  json += "\\u";
  append_hex(json, unit, 4);
}

void append_escaped(std::string& json, std::uint32_t code) {
  if (code < 0x10000) return append_unit(json, code);
  append_unit(json, 0xD800 + ((code - 0x10000) >> 10));
  append_unit(json, 0xDC00 + (code & 0x3FF));
}

}  // namespace

void append_json(std::string& json, std::string_view text) {
  json += '"';
  while (!text.empty()) {
    const auto [code, length] = first_character(text);
    const char c = text[0];
    if (c == '"' || c == '\\') {
      json += {'\\', c};
    } else if (length == 0) {
      json += "\xEF\xBF\xBD";
    } else if (!is_visible(code)) {
      append_escaped(json, code);
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
