#include <base/errors.hpp>
#include <charconv>
#include <sphaera/error.hpp>

namespace sphaera {

// The key function: it gives Error a single type_info in the library, so that callers outside a shared
// library can catch it.
Error::~Error() = default;

namespace base {
namespace {

const Error no_memory(ErrorCode::out_of_memory, "out of memory; nothing has changed");

}  // namespace

void throw_out_of_memory() { throw no_memory; }

std::string text_of(double x) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
}

}  // namespace base
}  // namespace sphaera
