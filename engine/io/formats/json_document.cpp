#include <algorithm>
#include <io/formats/json_document.hpp>
#include <io/formats/json_fault.hpp>
#include <io/formats/numbers.hpp>
#include <io/streams/machine_memory.hpp>
#include <new>

namespace sphaera::io {
namespace {

constexpr std::size_t longest_document = 0xFFFFFFFFu - 64;  // simdjson's offsets are 32 bits wide

constexpr std::size_t longest_stream = std::size_t{1} << 30;

/// Rejects a device such as /dev/zero, which has no end: its first bytes are no JSON text.
void check_beginning(std::string_view text, const std::string& name) {
  if (text.find('\0') != std::string_view::npos)
    fail(name, 1, "this is not JSON text: it has a zero byte; a scene is a JSON object: {\"sphaera\": 1, …}");
}

/// Reads the whole source. The buffer grows as bytes arrive and does not rely on a stated size.
std::string read_all(ByteSource& source) {
  const std::uint64_t length = source.remaining().value_or(0);
  const std::size_t longest = source.remaining() ? longest_document : longest_stream;
  check_memory(std::min<std::uint64_t>(length, longest), source.name());
  std::string text;
  text.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(length, longest)) +
               simdjson::SIMDJSON_PADDING);
  for (;;) {
    const std::size_t have = text.size(), chunk = source.chunk_size();
    if (have + chunk > text.capacity()) check_memory(3 * text.capacity(), source.name());
    text.resize(have + chunk);
    const std::size_t n = source.read(std::span(text).subspan(have));
    text.resize(have + n);
    if (have == 0) check_beginning(text, source.name());
    if (n == 0) return text;
    if (text.size() > longest) {
      fail(source.name(),
           "a JSON scene may have 4 GiB, or 1 GiB if it is compressed or comes from a pipe; put the spheres "
           "into "
           "a .csv or .npy file and name it in 'files'");
    }
  }
}

}  // namespace

JsonDocument::JsonDocument(ByteSource& source, const Kind& kind)
    : name_(source.name()), kind_(kind), buffer_(read_all(source)) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  begin_ = buffer_.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  end_ = buffer_.size();
  if (!kind_.cut_short.empty() && end_ > 0 && !buffer_.ends_with('\n'))
    io::fail(name_, std::string(kind_.cut_short));
  buffer_.append(simdjson::SIMDJSON_PADDING, '\0');
  const simdjson::padded_string_view text(buffer_.data() + begin_, end_ - begin_, buffer_.size() - begin_);
  const simdjson::error_code error = parser_.iterate(text).get(document_);
  if (error == simdjson::EMPTY)
    io::fail(name_, 1,
             "the file is empty; the least " + std::string(kind_.what) + " is " + std::string(kind_.least));
  check(error);
}

JsonObject JsonDocument::root() {
  JsonObject object;
  const simdjson::error_code error = document_.get_object().get(object);
  if (error == simdjson::INCORRECT_TYPE)
    io::fail(name_, 1,
             "a " + std::string(kind_.what) +
                 " is a JSON object: " + std::string(kind_.least.substr(0, kind_.least.size() - 1)) + ", …}");
  if (error == simdjson::INCOMPLETE_ARRAY_OR_OBJECT) fail_at_last_bracket();
  check(error);
  return object;
}

/// simdjson only reports that the text does not end with the closing bracket of the root.
void JsonDocument::fail_at_last_bracket() const {
  const std::size_t end = fail_at_fault();
  fail_behind(text().substr(end));
}

/// Throws if the text has a fault. Otherwise returns the position where the root value ends.
std::size_t JsonDocument::fail_at_fault() const {
  const auto [end, fault] = scan_json(text());
  if (!fault) return end;
  const char* place = text().data() + fault->at;
  if (!fault->opened) io::fail(name_, line(place), "malformed JSON: " + fault->what);
  const char* open = text().data() + *fault->opened;
  const std::string opened =
      '\'' + std::string(1, *open) + "' of line " + std::to_string(line(open)) + " is open";
  io::fail(name_, line(place),
           "the file ends inside the " + std::string(kind_.what) +
               "; is it cut short, or a bracket not closed? " + opened);
}

void JsonDocument::fail_behind(std::string_view rest) const {
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
  const char* place = rest.data();
  fail(place, "text follows the " + std::string(kind_.what) + ", which ends with its last bracket: " +
                  shown(rest.substr(0, rest.find('\n'))) + "; remove it");
}

void JsonDocument::expect_end() {
  const char* rest = nullptr;
  if (document_.current_location().get(rest) == simdjson::SUCCESS)
    fail_behind({rest, static_cast<std::size_t>(buffer_.data() + end_ - rest)});
}

std::uint64_t JsonDocument::line(const char* place) const {
  const char* begin = buffer_.data() + begin_;
  place = std::clamp(place, begin, buffer_.data() + end_);
  if (counted_ == nullptr || place < counted_) {
    counted_ = begin;
    counted_lines_ = 0;
  }
  counted_lines_ += static_cast<std::uint64_t>(std::count(counted_, place, '\n'));
  counted_ = place;
  return 1 + counted_lines_;
}

/// simdjson says little about malformed JSON. The first fault in the text has priority over errors found
/// while reading values.
void JsonDocument::fail(const char* place, const std::string& what, std::int64_t element) const {
  fail_at_fault();
  io::fail(name_, line(place), what, element);
}

/// Throws unless simdjson succeeded. A fault that scan_json finds in the text is reported at its own
/// position, any other error at simdjson's current position.
void JsonDocument::check(simdjson::error_code error) const {
  if (error == simdjson::SUCCESS) [[likely]]
    return;
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  fail_at_fault();
  const char* place = nullptr;
  if (!document_.is_alive() || document_.current_location().get(place)) place = buffer_.data() + end_;
  fail(place, std::string("malformed JSON: ") + simdjson::error_message(error));
}

/// Returns false if an escape is malformed. It does not use simdjson's string buffer, because simdjson does
/// not notice if the allocation of this buffer failed.
bool JsonDocument::unescape(simdjson::ondemand::raw_json_string raw, std::string_view& text) const {
  const std::string_view rest(raw.raw(), static_cast<std::size_t>(buffer_.data() + end_ - raw.raw()));
  std::size_t end = rest.find_first_of("\"\\");
  const bool plain = end < rest.size() && rest[end] == '"';
  while (end < rest.size() && rest[end] == '\\') end = rest.find_first_of("\"\\", end + 2);
  if (end >= rest.size()) return false;
  text = rest.substr(0, end);
  if (plain) return true;
  std::string& room = unescaped_.emplace_back(end + simdjson::SIMDJSON_PADDING, '\0');
  auto* to = reinterpret_cast<std::uint8_t*>(room.data());
  return parser_.unescape(raw, to).get(text) == simdjson::SUCCESS;
}

std::size_t JsonDocument::find_key(simdjson::ondemand::raw_json_string key, std::string_view what,
                                   std::span<const std::string_view> keys, SeenKeys seen) const {
  const char* place = key.raw();
  const std::size_t k = position_of_key(key, keys);
  if (k < keys.size() && !(seen >> k & 1)) return k;
  std::string_view name;
  unescape(key, name);
  if (k < keys.size())
    fail(place, "key " + shown(name) + " comes twice in " + std::string(what) + "; remove one");
  fail(place, "unknown key " + shown(name) + " in " + std::string(what) + "; it may have " + listed(keys));
}

/// keys.size() for another key.
std::size_t JsonDocument::position_of_key(simdjson::ondemand::raw_json_string key,
                                          std::span<const std::string_view> keys) const {
  const char* place = key.raw();
  std::string_view name;
  if (!unescape(key, name)) fail(place, "a key is malformed");
  return static_cast<std::size_t>(std::ranges::find(keys, name) - keys.begin());
}

void JsonDocument::fail_kind(JsonValue& value, std::string_view key, const char* kind,
                             std::string_view example) const {
  fail(place(value),
       shown(key) + " must be " + kind + (example.empty() ? "" : ", as in ") + std::string(example));
}

/// simdjson reads 1e-400 as 0 and refuses 1e+0000000000000000000001. So its zeros and errors are read again
/// as other formats read numbers.
double JsonDocument::number(JsonValue value, std::string_view key) const {
  double number = 0;
  if (!value.get_double().get(number) && number != 0) [[likely]]
    return number;
  std::string_view token = value.raw_json_token();
  token = token.substr(0, token.find_last_not_of(" \t\r\n") + 1);
  if (!is_json_number(token)) fail(place(value), shown(key) + " must be a number, not " + shown(token));
  if (parse_number(token, number) == Parse::out_of_range)
    fail(place(value), shown(key) + " is " + shown(token) + ", which is beyond the range of a double");
  return number;
}

std::int64_t JsonDocument::integer(JsonValue value, std::string_view key) const {
  std::int64_t number = 0;
  if (value.get_int64().get(number)) fail_kind(value, key, "an integer");
  return number;
}

std::string_view JsonDocument::text(JsonValue value, std::string_view key) const {
  simdjson::ondemand::raw_json_string raw;
  std::string_view text;
  if (value.get_raw_json_string().get(raw) || !unescape(raw, text)) fail_kind(value, key, "a string");
  return text;
}

Vec3 JsonDocument::vector(JsonValue value, std::string_view key) const {
  double coordinates[3];
  std::size_t n = 0;
  const char* start = place(value);
  items(array(value, key), [&](JsonValue item) {
    if (n == 3) fail(start, shown(key) + " must have three numbers, x, y, z; it has more");
    coordinates[n++] = number(item, key);
  });
  if (n < 3) fail(start, shown(key) + " must have three numbers, x, y, z; it has " + std::to_string(n));
  return {coordinates[0], coordinates[1], coordinates[2]};
}

JsonObject JsonDocument::object(JsonValue value, std::string_view key, std::string_view example) const {
  JsonObject object;
  if (value.get_object().get(object)) fail_kind(value, key, "an object", example);
  return object;
}

JsonArray JsonDocument::array(JsonValue value, std::string_view key, std::string_view example) const {
  JsonArray array;
  if (value.get_array().get(array)) fail_kind(value, key, "an array", example);
  return array;
}

}  // namespace sphaera::io
