#include <algorithm>
#include <array>
#include <io/formats/json_fault.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/printable.hpp>
#include <vector>

namespace sphaera::io {
namespace {

constexpr std::size_t deepest = 1024;  // simdjson's limit

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Reads one JSON value, token by token, and stops at the first fault.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  JsonScan run() {
    while (!fault_ && expected_ != Expected::nothing) step();
    return {at_, fault_};
  }

 private:
  enum class Expected { value, value_or_end, key, key_or_end, colon, comma_or_end, nothing };

  void step() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    if (at_ == text_.size()) return fail_at_end();
    const char c = text_[at_];
    switch (expected_) {
      case Expected::value_or_end:
        return c == ']' ? close() : value(c);
      case Expected::value:
        return value(c);
      case Expected::key_or_end:
        return c == '}' ? close() : key(c);
      case Expected::key:
        return key(c);
      case Expected::colon:
        return c == ':' ? pass(Expected::value) : fail("a colon is missing before " + token());
      case Expected::comma_or_end:
        return comma_or_end(c);
      case Expected::nothing:
        return;
    }
  }

  void pass(Expected next) {
    ++at_;
    expected_ = next;
  }

  void key(char c) {
    if (c == '}') return fail("a comma stands before '}'; remove it");
    if (c != '"') return fail("a key in double quotes is expected, not " + token());
    string();
    expected_ = Expected::colon;
  }

  void value(char c) {
    if (c == '{' || c == '[') {
      if (open_.size() == deepest) return fail("brackets are nested more than 1024 deep");
      open_.push_back(at_);
      return pass(c == '{' ? Expected::key_or_end : Expected::value_or_end);
    }
    if (c == ']') return fail("a value is missing before ']'");
    if (c == '}' || c == ',' || c == ':') return fail("a value is missing before " + token());
    c == '"' ? string() : word(c);
    ended();
  }

  void comma_or_end(char c) {
    const bool in_object = text_[open_.back()] == '{';
    if (c == ',') return pass(in_object ? Expected::key : Expected::value);
    if (c != '}' && c != ']') return fail("a comma is missing before " + token());
    if ((c == '}') != in_object)
      return fail(in_object ? "']' closes a '{'; write '}' before it"
                            : "'}' closes a '['; write ']' before it");
    close();
  }

  void close() {
    open_.pop_back();
    ++at_;
    ended();
  }

  void ended() { expected_ = open_.empty() ? Expected::nothing : Expected::comma_or_end; }

  void word(char c) {
    constexpr std::array<std::string_view, 3> words{"true", "false", "null"};
    const std::string_view word = text_.substr(at_, word_length());
    if (std::ranges::find(words, word) == words.end() && !is_json_number(word)) {
      const bool number = is_digit(c) || c == '-' || c == '+' || c == '.';
      return fail(token() +
                  (number ? " is not a JSON number" : " is not a JSON value; put text in double quotes"));
    }
    at_ += word.size();
  }

  void string() {
    const std::size_t begin = at_;
    for (++at_; !fault_; ++at_) {
      if (at_ == text_.size() || text_[at_] == '\n') {
        at_ = begin;
        return fail("the quote that opens " + token() + " is not closed on its line");
      }
      const char c = text_[at_];
      if (c == '"') break;
      if (c == '\\') {
        escape();
      } else if (static_cast<unsigned char>(c) < 0x20) {
        fail(c == '\t' ? "a raw tab inside a string; write \\t"
                       : "the control character " + token(1) + " inside a string; write it as \\u00..");
      } else if (const std::size_t length = first_character(text_.substr(at_)).length; length == 0) {
        fail("the byte " + token(1) + " is not UTF-8; convert the file (iconv -f LATIN1 -t UTF-8)");
      } else {
        at_ += length - 1;
      }
    }
    if (!fault_) ++at_;
  }

  void escape() {
    const char letter = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    const std::string_view digits = text_.substr(std::min(at_ + 2, text_.size()), 4);
    const bool good = letter == 'u' ? digits.size() == 4 && std::ranges::all_of(digits, is_hex)
                                    : std::string_view("\"\\/bfnrt").find(letter) != std::string_view::npos;
    if (!good) return fail(token(2) + " is not a JSON escape; write a backslash as \\\\");
    at_ += letter == 'u' ? 5 : 1;
  }

  /// Length from the current position to the next character that ends a number or a name.
  std::size_t word_length() const {
    const std::size_t end = text_.find_first_of(" \t\r\n,:[]{}\"", at_ + 1);
    return std::min(end, text_.size()) - at_;
  }

  /// Describes the text at the current position, for messages.
  std::string token(std::size_t length) const { return shown(text_.substr(at_, length)); }
  std::string token() const {
    if (text_[at_] != '"') return token(word_length());
    const std::size_t end = text_.find_first_of("\"\n", at_ + 1);
    return token(end == std::string_view::npos ? end : end + (text_[end] == '"') - at_);
  }

  void fail(std::string what) { fault_ = {at_, std::move(what)}; }

  void fail_at_end() {
    fault_ = {text_.size(), "the text ends too early"};
    if (!open_.empty()) fault_->opened = open_.back();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Expected expected_ = Expected::value;
  std::vector<std::size_t> open_;  // positions of the open brackets
  std::optional<JsonFault> fault_;
};

}  // namespace

bool is_json_number(std::string_view text) {
  const auto take = [&](auto is_wanted) {
    const bool taken = !text.empty() && is_wanted(text[0]);
    if (taken) text.remove_prefix(1);
    return taken;
  };
  const auto take_digits = [&] {
    if (!take(is_digit)) return false;
    while (take(is_digit)) {
    }
    return true;
  };
  take([](char c) { return c == '-'; });
  if (!take([](char c) { return c == '0'; }) && !take_digits()) return false;
  if (take([](char c) { return c == '.'; }) && !take_digits()) return false;
  if (take([](char c) { return c == 'e' || c == 'E'; })) {
    take([](char c) { return c == '+' || c == '-'; });
    if (!take_digits()) return false;
  }
  return text.empty();
}

JsonScan scan_json(std::string_view text) { return Scanner(text).run(); }

}  // namespace sphaera::io
