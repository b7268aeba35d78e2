#pragma once
/// \file A strict JSON reader: values of the wrong kind, unknown keys and repeated keys are errors with a
/// line number. It uses simdjson On-Demand.

#include <simdjson.h>

#include <cstdint>
#include <deque>
#include <io/streams/byte_reader.hpp>
#include <io/streams/file_error.hpp>
#include <span>
#include <sphaera/vec3.hpp>
#include <string>
#include <string_view>

namespace sphaera::io {

using JsonObject = simdjson::ondemand::object;
using JsonArray = simdjson::ondemand::array;
using JsonValue = simdjson::ondemand::value;

/// Keys that an object has, of those passed to `members`: bit i for the i-th key.
using SeenKeys = std::uint32_t;

class JsonDocument {
 public:
  /// Kind of document, for messages.
  struct Kind {
    std::string_view what = "scene";
    std::string_view least = R"({"sphaera": 1})";  ///< the smallest valid document
    std::string_view cut_short = {};  ///< the error of a last line without a newline; empty: none
  };

  /// Reads the whole source: at most 4 GiB, or 1 GiB if its length is unknown (gzip, pipe). Throws Error
  /// bad_file.
  explicit JsonDocument(ByteSource& source, const Kind& kind);

  const std::string& name() const { return name_; }
  JsonObject root();
  void expect_end();  ///< call after the root is read; throws bad_file if text follows the root

  // A position in the text, as a pointer.
  static const char* place(JsonValue& value) { return value.raw_json_token().data(); }
  std::uint64_t line(const char* place) const;  ///< fast if calls come in the order of the text
  [[noreturn]] void fail(const char* place, const std::string& what,
                         std::int64_t element = Error::no_element) const;

  // Value of a key. Throws bad_file if the value is of another kind; `example`, if given, is appended to the
  // message.
  double number(JsonValue value, std::string_view key) const;
  std::int64_t integer(JsonValue value, std::string_view key) const;
  std::string_view text(JsonValue value, std::string_view key) const;  ///< valid as long as the document
  Vec3 vector(JsonValue value, std::string_view key) const;
  JsonObject object(JsonValue value, std::string_view key, std::string_view example = {}) const;
  JsonArray array(JsonValue value, std::string_view key, std::string_view example = {}) const;

  /// Calls handle(position in `keys`, value) for each member. `what` names the object in messages.
  template <class Handle>
  SeenKeys members(JsonObject object, std::string_view what, std::span<const std::string_view> keys,
                   Handle&& handle) const {
    SeenKeys seen = 0;
    for (auto field : object) {
      check(field.error());
      const std::size_t k = find_key(field.key().value_unsafe(), what, keys, seen);
      seen |= SeenKeys{1} << k;
      handle(k, JsonValue(field.value().value_unsafe()));
    }
    return seen;
  }

  /// The same for the members that have these keys; the others are passed over, and of a key that comes twice
  /// both are handled.
  template <class Handle>
  void chosen_members(JsonObject object, std::span<const std::string_view> keys, Handle&& handle) const {
    for (auto field : object) {
      check(field.error());
      const std::size_t k = position_of_key(field.key().value_unsafe(), keys);
      if (k < keys.size()) handle(k, JsonValue(field.value().value_unsafe()));
    }
  }

  /// Calls handle(value) for each item.
  template <class Handle>
  void items(JsonArray array, Handle&& handle) const {
    for (auto item : array) {
      check(item.error());
      handle(JsonValue(item.value_unsafe()));
    }
  }

 private:
  void check(simdjson::error_code error) const;
  [[noreturn]] void fail_at_last_bracket() const;
  std::size_t fail_at_fault() const;
  std::string_view text() const { return std::string_view(buffer_).substr(begin_, end_ - begin_); }
  [[noreturn]] void fail_behind(std::string_view rest) const;
  std::size_t find_key(simdjson::ondemand::raw_json_string key, std::string_view what,
                       std::span<const std::string_view> keys, SeenKeys seen) const;
  std::size_t position_of_key(simdjson::ondemand::raw_json_string key,
                              std::span<const std::string_view> keys) const;
  bool unescape(simdjson::ondemand::raw_json_string raw, std::string_view& text) const;
  [[noreturn]] void fail_kind(JsonValue& value, std::string_view key, const char* kind,
                              std::string_view example = {}) const;

  std::string name_;
  Kind kind_;
  std::string buffer_;  // the text and simdjson's padding
  std::size_t begin_ = 0, end_ = 0;
  simdjson::ondemand::parser parser_;
  mutable simdjson::ondemand::document document_;
  mutable std::deque<std::string> unescaped_;  // strings that have escapes
  mutable const char* counted_ = nullptr;      // `counted_lines_` newlines lie before it
  mutable std::uint64_t counted_lines_ = 0;
};

}  // namespace sphaera::io
