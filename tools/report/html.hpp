#pragma once
/// \file Text as HTML. All that comes from outside passes `escaped`.

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::tool::html {

/// The text as content of an element or a quoted attribute: without the characters of markup, and as
/// io::printable shows it.
std::string escaped(std::string_view text);

/// Bytes in base64, with padding.
std::string base64(std::string_view bytes);
/// The same of the bytes of numbers.
template <class Number>
std::string base64_of(std::span<const Number> numbers) {
  return base64({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
}

/// A table in a box that scrolls where a display is narrow.
class Table {
 public:
  /// `kinds`: for each column 'n', numbers, 't', texts, or 'b', bars: percents of the full length. An empty
  /// `caption` is left out.
  Table(std::string kinds, std::string_view caption, const std::vector<std::string>& heads);

  void row(const std::vector<std::string>& cells);  ///< escapes the cells
  std::string end() const { return html_ + "</tbody></table></div>\n"; }

 private:
  void cells(const char* element, const std::vector<std::string>& texts);

  std::string kinds_, html_;
};

/// A table of two columns without heads: a label and what belongs to it.
class Facts {
 public:
  void row(std::string_view label, std::string_view value);
  std::string end() const {
    return "<div class=\"wide\"><table class=\"facts\">" + html_ + "</table></div>\n";
  }

 private:
  std::string html_;
};

/// An element with escaped content: element("h2", "a < b").
std::string element(std::string_view name, std::string_view text);

}  // namespace sphaera::tool::html
