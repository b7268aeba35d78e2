/// Text from outside as it is shown, and as JSON.

#include <io/formats/json_text.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/printable.hpp>

#include <tests/scratch_files.hpp>

using namespace sphaera;
using namespace sphaera::test;

TEST_CASE("text is shown without what moves a cursor, hides or turns", "[io]") {
  const auto same = [](std::string_view text) { return io::printable(text) == text; };
  CHECK(same(""));
  CHECK(same("crowd.csv: sphere 17 'Mars' ~"));
  CHECK(same("Zoë 東京 😀 é … ≤ − λ ث"));
  CHECK(io::printable(std::string_view("\0", 1)) == "\\x00");
  CHECK(io::printable("\x1b[31m\a\n\t\x7f") == "\\x1b[31m\\x07\\x0a\\x09\\x7f");
  CHECK(io::printable("\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0") == "\\u0080\\u009b\\u009f\xc2\xa0");
  CHECK(io::printable("\u202e\u2066\u2069\u200b\u2028\u2029\ufeff\u00ad") ==
        "\\u202e\\u2066\\u2069\\u200b\\u2028\\u2029\\ufeff\\u00ad");
  CHECK(io::printable("\U000e0041\U0001d173") == "\\U000e0041\\U0001d173");
  CHECK(io::printable("\xef\xbf\xbf\xef\xb7\x90\xf0\x9f\xbf\xbe") == "\\uffff\\ufdd0\\U0001fffe");
  // Latin-1, overlong, a surrogate, cut, too large.
  CHECK(io::printable("M\xfcller") == "M\\xfcller");
  CHECK(io::printable("\xc0\x8a \xed\xa0\x80 \xe2\x80") == "\\xc0\\x8a \\xed\\xa0\\x80 \\xe2\\x80");
  CHECK(io::printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
}

TEST_CASE("all bytes and all code points are shown as visible UTF-8", "[io]") {
  const auto is_shown = [](const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
      const auto [code, length] = io::first_character(std::string_view(text).substr(at));
      if (length == 0 || !io::is_visible(code)) return false;
      at += length;
    }
    return true;
  };
  int bad = 0;
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b)
      bad += !is_shown(io::printable(std::string{static_cast<char>(a), static_cast<char>(b)}));
  }
  CHECK(bad == 0);
  for (std::uint32_t code = 0; code < 0x110000; ++code) {
    const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    const bool turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    if ((control || turns || code == 0x2028 || code == 0x2029) && io::is_visible(code)) ++bad;
    if ((code >= 0x20 && code < 0x7f) && !io::is_visible(code)) ++bad;
  }
  CHECK(bad == 0);
}

TEST_CASE("quoted text is cut between characters", "[io]") {
  CHECK(io::shown("Mars\x1b") == "'Mars\\x1b'");
  CHECK(io::shown(std::string(40, 'a')) == "'" + std::string(40, 'a') + "'");
  CHECK(io::shown(std::string(41, 'a')) == "'" + std::string(40, 'a') + "…'");
  const std::string before(39, 'a');
  CHECK(io::shown(before + "é") == "'" + before + "…'");
}

TEST_CASE("JSON escapes what is not visible", "[io]") {
  std::string json;
  io::append_json(json, "a\"\\\x1b\xc2\x9b\u202eé\U000e0041\xff");
  CHECK(json == R"("a\"\\\u001b\u009b\u202eé\udb40\udc41)"
                "\xEF\xBF\xBD\"");
}
