#include <algorithm>
#include <cstring>
#include <io/streams/file_error.hpp>
#include <io/streams/line_reader.hpp>

namespace sphaera::io {
namespace {

constexpr std::size_t least_buffer = 16;  // holds any scalar

}  // namespace

LineReader::LineReader(ByteSource& source, std::string_view format)
    : source_(source), format_(format), buffer_(std::max(source.chunk_size(), least_buffer)) {}

bool LineReader::ensure(std::size_t n) {
  if (end_ - begin_ >= n) return true;
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  while (end_ < n) {
    const std::size_t got = source_.read(std::span(buffer_).subspan(end_));
    if (got == 0) return false;
    end_ += got;
  }
  return true;
}

std::string_view LineReader::take(std::size_t n) {
  const std::string_view bytes(buffer_.data() + begin_, n);
  begin_ += n;
  return bytes;
}

bool LineReader::line(std::string_view& line) {
  std::size_t scanned = 0;
  for (;;) {
    const char* from = buffer_.data() + begin_ + scanned;
    const char* newline = static_cast<const char*>(
        std::memchr(from, '\n', static_cast<std::size_t>(buffer_.data() + end_ - from)));
    const std::size_t have = end_ - begin_;
    scanned = newline ? static_cast<std::size_t>(newline - buffer_.data()) - begin_ : have;
    if (!newline && have == buffer_.size())
      fail(name(), number_ + 1,
           "this line is longer than 256 KiB; is this a " + std::string(format_) + " file?");
    if (!newline && ensure(have + 1)) continue;
    if (!newline && have == 0) return false;
    line = std::string_view(buffer_.data() + begin_, scanned);
    begin_ += scanned + (newline ? 1 : 0);
    ends_inside_line_ = !newline;
    ++number_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    return true;
  }
}

std::optional<std::uint64_t> LineReader::remaining() const {
  std::optional<std::uint64_t> left = source_.remaining();
  if (left) *left += end_ - begin_;
  return left;
}

std::string_view take_word(std::string_view& line) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  const auto* begin = std::find_if_not(line.begin(), line.end(), blank);
  const auto* end = std::find_if(begin, line.end(), blank);
  const std::string_view found(begin, static_cast<std::size_t>(end - begin));
  line.remove_prefix(static_cast<std::size_t>(end - line.begin()));
  return found;
}

}  // namespace sphaera::io
