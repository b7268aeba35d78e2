#pragma once
/// \file The words of a CIF file, of which mmCIF is a kind: names, values, and what structures them.

#include <cstdint>
#include <io/streams/line_reader.hpp>
#include <string_view>

namespace sphaera::io {

class CifWords {
 public:
  enum class Kind : std::uint8_t {
    end,
    block,   ///< data_NAME, save_NAME
    loop,    ///< loop_
    name,    ///< _category.item
    value,   ///< with or without quotes
    absent,  ///< . or ?
  };

  explicit CifWords(ByteSource& source) : lines_(source, "CIF") {}

  /// Reads the next word. Throws bad_file for a quote or text that does not end.
  Kind next();
  /// The word read last without its quotes; empty for text of several lines. Valid until the next call.
  std::string_view text() const { return text_; }
  const LineReader& lines() const { return lines_; }

 private:
  Kind quoted();
  Kind text_of_lines();

  LineReader lines_;
  std::string_view rest_, text_;
};

/// True if the word begins with this one, which is in lower case, in any case.
bool begins_with(std::string_view word, std::string_view beginning);

}  // namespace sphaera::io
