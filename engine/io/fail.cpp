#include <io/fail.hpp>
#include <system_error>

namespace sphaera::io {

void fail(const std::string& name, std::uint64_t line, const std::string& what, std::int64_t element) {
  throw Error(ErrorCode::bad_file, name + ':' + std::to_string(line) + ": " + what, element);
}

void fail(const std::string& name, const std::string& what) {
  throw Error(ErrorCode::bad_file, name + ": " + what);
}

void fail_io(const std::string& name, const std::string& what, int errno_value) {
  throw Error(ErrorCode::io, name + ": " + what + ": " + std::generic_category().message(errno_value));
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string quoted = "'";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    quoted += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  return quoted + (text.size() > longest ? "…'" : "'");
}

}  // namespace sphaera::io
