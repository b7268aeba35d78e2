#include <algorithm>
#include <base/errors.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/printable.hpp>

namespace sphaera::io {

namespace {

std::string place(const std::string& name, std::uint64_t line) {
  return line == 0 ? name : name + ':' + std::to_string(line);
}

}  // namespace

void fail(const std::string& name, std::uint64_t line, const std::string& what, std::int64_t element) {
  throw Error(ErrorCode::bad_file, place(name, line), what, element);
}

void fail(const std::string& name, std::uint64_t line, const Error& fault) { fail(place(name, line), fault); }

void fail(const std::string& name, const std::string& what) { throw Error(ErrorCode::bad_file, name, what); }

void fail(const std::string& name, const Error& fault) {
  throw Error(ErrorCode::bad_file, base::nested(name, fault.subject()), fault.reason(), fault.element());
}

std::string last_line_warning(const std::string& name) {
  return name + ": the last line does not end with a newline; is the file cut short?";
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::size_t end = 0;  // never splits a character
  while (end < text.size()) {
    const std::size_t next = end + std::max<std::size_t>(1, first_character(text.substr(end)).length);
    if (next > longest) break;
    end = next;
  }
  return '\'' + printable(text.substr(0, end)) + (end < text.size() ? "…'" : "'");
}

}  // namespace sphaera::io
