#include <algorithm>
#include <tools/files/results/table_columns.hpp>

namespace sphaera::files {
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
    const std::size_t end = std::min(words.find_first_of(" \n"), words.size());
    const std::string_view word = words.substr(0, end);
    if (at > indent && at + 1 + length(word) > help_width) {
      lines += '\n' + std::string(indent, ' ');
      at = indent;
    }
    if (at > indent) lines += ' ', ++at;
    lines += word;
    at += length(word);
    if (end < words.size() && words[end] == '\n') at = help_width;
    words.remove_prefix(std::min(end + 1, words.size()));
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

std::string help_list(std::span<const HelpItem> items) {
  constexpr std::size_t margin = 2;
  std::size_t names = 0;
  for (const HelpItem& item : items) names = std::max(names, item.name.size());
  std::string lines;
  for (const auto& [name, meaning] : items) {
    lines.append(margin, ' ').append(name).append(names + margin - name.size(), ' ');
    append_lines(lines, meaning, names + 2 * margin);
  }
  return lines;
}

std::string help_of(std::span<const ColumnText> texts) {
  std::vector<HelpItem> items;
  for (const ColumnText& text : texts) items.push_back({std::string(text.names), text.meaning});
  return help_list(items);
}

}  // namespace sphaera::files
