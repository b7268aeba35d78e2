#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>
#include <tools/terminal/fitted_text.hpp>
#include <vector>

namespace sphaera::tool {
namespace {

constexpr std::size_t source_width = 110, least_width = 40;

/// A shorter line does not go on below.
constexpr std::size_t full_line = 75;

/// Characters of UTF-8; each is taken to be one column wide.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

/// Where the text of an item begins: behind two blanks or more that follow its name. Otherwise the line's own
/// indent.
std::size_t text_of_item(std::string_view line) {
  const std::size_t indent = indent_of(line), gap = line.find("  ", indent);
  if (indent == 0 || gap == std::string_view::npos) return indent;
  return std::min(line.find_first_not_of(' ', gap), line.size());
}

/// Lines that belong together: an item and what goes on below it.
class Paragraph {
 public:
  explicit Paragraph(std::string_view line) : lines_{line}, hang_(text_of_item(line)) {}

  bool goes_on_with(std::string_view line) const {
    return width_of(lines_.back()) >= full_line && !line.starts_with("Usage: ") &&
           indent_of(line) < line.size() && indent_of(line) == width_of(lines_.front().substr(0, hang_)) &&
           text_of_item(line) == indent_of(line);
  }
  void add(std::string_view line) { lines_.push_back(line); }

  void append(std::string& out, std::size_t width) const {
    const bool fits =
        std::ranges::all_of(lines_, [&](std::string_view line) { return width_of(line) <= width; });
    const bool command = lines_.front().substr(indent_of(lines_.front())).starts_with("sphaera ");
    if (fits || command)
      for (const std::string_view line : lines_) (out += line) += '\n';
    else
      append_broken(out, width);
  }

 private:
  void append_broken(std::string& out, std::size_t width) const {
    const std::size_t hang = std::min(width_of(lines_.front().substr(0, hang_)), width / 2);
    std::string_view beginning = lines_.front().substr(0, hang_);
    out += beginning;
    std::size_t column = width_of(beginning);
    bool first = true;  // on its line
    const auto add_word = [&](std::string_view word) {
      if (!first && column + 1 + width_of(word) > width) {
        (out += '\n').append(hang, ' ');
        column = hang, first = true;
      }
      if (!first) out += ' ', ++column;
      out += word, column += width_of(word), first = false;
    };
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      std::string_view rest = i == 0 ? lines_[0].substr(hang_) : lines_[i].substr(indent_of(lines_[i]));
      while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        if (end > 0) add_word(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
    out += '\n';
  }

  std::vector<std::string_view> lines_;
  std::size_t hang_;  // bytes of the first line before its text
};

}  // namespace

std::size_t output_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return source_width;
  return std::max<std::size_t>(size.ws_col, least_width);
}

std::string fitted(std::string_view text, std::size_t width) {
  std::vector<Paragraph> paragraphs;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!paragraphs.empty() && paragraphs.back().goes_on_with(line))
      paragraphs.back().add(line);
    else
      paragraphs.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::string out;
  for (const Paragraph& paragraph : paragraphs) paragraph.append(out, width);
  return out;
}

}  // namespace sphaera::tool
