#include <base/errors.hpp>
#include <charconv>
#include <system_error>

namespace sphaera {
namespace {

constexpr std::string_view separator = ": ";

}  // namespace

Error::Error(ErrorCode code, std::string_view subject, std::string_view reason, std::int64_t element)
    : std::runtime_error(base::nested(subject, reason)),
      code_(code),
      element_(element),
      subject_size_(subject.size()),
      reason_at_(subject.size() + (subject.empty() || reason.empty() ? 0 : separator.size())) {}

Error::Error(ErrorCode code, std::string_view reason, std::int64_t element)
    : Error(code, {}, reason, element) {}

// The key function: it gives Error a single type_info in the library, so that callers outside a shared
// library can catch it.
Error::~Error() = default;

namespace base::inline SPHAERA_ABI {
namespace {

const Error no_memory(ErrorCode::out_of_memory, "out of memory; free some, or give fewer items at once");

}  // namespace

void throw_invalid_argument(std::string_view reason, std::int64_t element) {
  throw Error(ErrorCode::invalid_argument, reason, element);
}

void refuse_value(std::string_view name, double value, std::string_view wanted) {
  throw_invalid_argument(std::string(name) + " is " + text_of(value) + "; give " + std::string(wanted));
}

void throw_out_of_memory() { throw no_memory; }

void rethrow_with_memory_errors() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    throw_out_of_memory();
  } catch (const std::length_error&) {
    throw_out_of_memory();
  }
}

std::string numbered(std::string_view name, std::int64_t element) {
  std::string text(name);
  return element == Error::no_element ? text : text + ' ' + std::to_string(element);
}

std::string nested(std::string_view outer, std::string_view inner) {
  std::string text(outer);
  if (!outer.empty() && !inner.empty()) text += separator;
  return text += inner;
}

Error located(std::string_view place, const Error& error, std::int64_t element) {
  return Error(error.code(), nested(place, error.subject()), error.reason(), element);
}

void fail_io(const std::string& name, const std::string& what, int errno_value) {
  throw Error(ErrorCode::io, name, what + ": " + std::generic_category().message(errno_value));
}

std::string text_of(double x) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
}

std::string text_of(double from, double to) { return '[' + text_of(from) + ", " + text_of(to) + ']'; }

}  // namespace base::inline SPHAERA_ABI
}  // namespace sphaera
