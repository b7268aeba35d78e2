#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <io/streams/printable.hpp>
#include <tools/report/html.hpp>

namespace sphaera::tool::html {

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : io::printable(text)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (k < count ? static_cast<std::uint8_t>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? digits[word >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

Table::Table(std::string kinds, std::string_view caption, const std::vector<std::string>& heads)
    : kinds_(std::move(kinds)), html_("<div class=\"wide\"><table>") {
  if (!caption.empty()) html_ += element("caption", caption);
  html_ += "<thead><tr>";
  cells("th", heads);
  html_ += "</tr></thead><tbody>\n";
}

void Table::row(const std::vector<std::string>& texts) {
  html_ += "<tr>";
  cells("td", texts);
  html_ += "</tr>\n";
}

void Table::cells(const char* element, const std::vector<std::string>& texts) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i < kinds_.size() && kinds_[i] == 'b' && !texts[i].empty()) {
      html_ +=
          fmt::format("<{0} class=\"bar\"><i style=\"width:{1}%\"></i></{0}>", element, escaped(texts[i]));
      continue;
    }
    const char* const kind = i < kinds_.size() && kinds_[i] == 'n' ? " class=\"n\"" : "";
    html_ += fmt::format("<{0}{1}>{2}</{0}>", element, kind, escaped(texts[i]));
  }
}

void Facts::row(std::string_view label, std::string_view value) {
  html_ += "<tr><th>" + escaped(label) + "</th><td>" + escaped(value) + "</td></tr>\n";
}

std::string element(std::string_view name, std::string_view text) {
  return fmt::format("<{0}>{1}</{0}>", name, escaped(text));
}

}  // namespace sphaera::tool::html
