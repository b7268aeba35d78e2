#pragma once
/// \file A file that is read as lines of text and as blocks of bytes, in bounded memory.

#include <cstdint>
#include <io/streams/byte_reader.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::io {

class LineReader {
 public:
  /// `format` stands in the message about a line that is too long: "is this a PLY file?".
  LineReader(ByteSource& source, std::string_view format);

  /// Reads the next line without its newline, which is valid until the next call. Returns false at the end of
  /// the file. Throws Error bad_file for a line of more than 256 KiB.
  bool line(std::string_view& line);
  /// Makes n bytes available. Returns false if the file ends before. Precondition: n ≤ 16.
  bool ensure(std::size_t n);
  /// The next n bytes. Precondition: ensure(n).
  std::string_view take(std::size_t n);

  const std::string& name() const { return source_.name(); }
  std::uint64_t number() const { return number_; }             ///< of the line read last, from 1
  bool ends_inside_line() const { return ends_inside_line_; }  ///< the line read last has no newline
  std::optional<std::uint64_t> remaining() const;              ///< bytes not yet taken, if known

 private:
  ByteSource& source_;
  std::string_view format_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t number_ = 0;
  bool ends_inside_line_ = false;
};

/// Takes the first word of a line: what blanks and tabs separate. Empty at the line's end.
std::string_view take_word(std::string_view& line);

}  // namespace sphaera::io
