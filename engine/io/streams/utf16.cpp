#include <algorithm>
#include <cstdint>
#include <io/streams/file_error.hpp>
#include <io/streams/utf16.hpp>
#include <string>
#include <vector>

namespace sphaera::io {
namespace {

void append_utf8(std::string& text, std::uint32_t code) {
  const auto byte = [&](std::uint32_t value) { text += static_cast<char>(value); };
  const auto rest = [&](unsigned shift) { byte(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xC0 | code >> 6);
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12), rest(6);
  } else {
    byte(0xF0 | code >> 18), rest(12), rest(6);
  }
  rest(0);
}

class Utf16Source : public ByteSource {
 public:
  Utf16Source(ByteSource& source, std::string_view beginning)
      : ByteSource(source.name()),
        source_(source),
        is_big_(beginning.starts_with('\xFE')),
        units_(beginning.begin() + 2, beginning.end()) {}

  std::size_t read(std::span<char> buffer) override {
    while (taken_ == text_.size() && refill()) {
    }
    const std::size_t n = text_.copy(buffer.data(), buffer.size(), taken_);
    taken_ += n;
    return n;
  }
  std::optional<std::uint64_t> remaining() const override { return std::nullopt; }
  std::optional<double> fraction() const override { return source_.fraction(); }
  void read_to_end() override { source_.read_to_end(); }

 private:
  /// Decodes what was read, then reads more; false at the end.
  bool refill() {
    text_.clear(), taken_ = 0;
    decode();
    if (!text_.empty()) return true;
    const std::size_t kept = units_.size();
    units_.resize(kept + source_.chunk_size());
    const std::size_t n = source_.read(std::span(units_).subspan(kept));
    units_.resize(kept + n);
    if (n == 0 && kept > 0)
      fail(name(), 1, "the text in UTF-16 ends inside a character; was the file cut short?");
    return n > 0;
  }

  /// Moves all whole characters to `text_`.
  void decode() {
    std::size_t at = 0;
    while (at + 2 <= units_.size()) {
      const std::uint32_t unit = unit_at(at);
      const bool is_pair = unit >= 0xD800 && unit < 0xE000;
      if (is_pair && at + 4 > units_.size() && unit < 0xDC00) break;
      const std::uint32_t low = is_pair && at + 4 <= units_.size() ? unit_at(at + 2) : 0;
      if (is_pair && (unit >= 0xDC00 || low < 0xDC00 || low >= 0xE000))
        fail(name(), 1, "the text is not UTF-16; save it as UTF-8");
      append_utf8(text_, is_pair ? 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00) : unit);
      at += is_pair ? 4 : 2;
    }
    units_.erase(units_.begin(), units_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  std::uint32_t unit_at(std::size_t at) const {
    const auto byte = [&](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(units_[i])}; };
    return is_big_ ? byte(at) << 8 | byte(at + 1) : byte(at + 1) << 8 | byte(at);
  }

  ByteSource& source_;
  bool is_big_;
  std::vector<char> units_;  // read and not decoded
  std::string text_;
  std::size_t taken_ = 0;
};

}  // namespace

std::unique_ptr<ByteSource> utf16_source(ByteSource& source, std::string_view beginning) {
  return std::make_unique<Utf16Source>(source, beginning);
}

}  // namespace sphaera::io
