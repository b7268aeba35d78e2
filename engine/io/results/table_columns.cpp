#include <algorithm>
#include <io/results/table_columns.hpp>

namespace sphaera::io {
namespace {

constexpr std::size_t help_width = 115;

/// Characters of UTF-8.
std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

/// Appends words in lines that begin at `indent`; the first is begun already.
void append_lines(std::string& lines, std::string_view words, std::size_t indent) {
  std::size_t at = indent;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(word.size() + 1, words.size()));
    if (at > indent && at + 1 + length(word) > help_width) {
      lines += '\n' + std::string(indent, ' ');
      at = indent;
    }
    if (at > indent) lines += ' ', ++at;
    lines += word;
    at += length(word);
  }
  lines += '\n';
}

}  // namespace

std::vector<Column> columns_of(std::span<const ColumnText> texts) {
  std::vector<Column> columns;
  for (const ColumnText& text : texts) {
    for (std::string_view rest = text.names; !rest.empty();) {
      const std::string_view name = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(name.size() + 1, rest.size()));
      columns.push_back({std::string(name), text.kind, {text.words.begin(), text.words.end()}});
    }
  }
  return columns;
}

std::string help_of(std::span<const ColumnText> texts) {
  constexpr std::size_t margin = 2;
  const auto size_of_names = [](const ColumnText& text) { return text.names.size(); };
  const std::size_t names = size_of_names(*std::ranges::max_element(texts, {}, size_of_names));
  std::string lines;
  for (const ColumnText& text : texts) {
    lines.append(margin, ' ').append(text.names).append(names + margin - text.names.size(), ' ');
    append_lines(lines, text.meaning, names + 2 * margin);
  }
  return lines;
}

}  // namespace sphaera::io
