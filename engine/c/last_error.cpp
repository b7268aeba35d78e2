#include <c/status.hpp>
#include <new>
#include <optional>
#include <sphaera/version.hpp>
#include <string>

// The last error of each thread.

namespace sphaera::c {
namespace {

struct LastError {
  SphaeraStatus status = SPHAERA_OK;
  std::optional<Error> error{};  // a copy of an Error neither allocates nor throws
  std::string subject{};         // ends with 0, unlike that of the error
};

LastError& last_error() {
  thread_local LastError last;
  return last;
}

/// That of C++ for a status; SPHAERA_BUSY has none of its own.
ErrorCode code_for(SphaeraStatus status) {
  if (status == SPHAERA_BUSY) return ErrorCode::invalid_argument;
  return static_cast<ErrorCode>(static_cast<int>(status) - 1);
}

}  // namespace

SphaeraStatus remember(SphaeraStatus status, const Error& error) noexcept {
  LastError& last = last_error();
  last.status = status, last.error = error, last.subject.clear();
  return status;
}

SphaeraStatus remember(SphaeraStatus status) noexcept {
  LastError& last = last_error();
  last.status = status, last.error.reset(), last.subject.clear();
  return status;
}

}  // namespace sphaera::c

using namespace sphaera;

SphaeraStatus sphaera_error_set(int32_t status, const char* subject, const char* reason, int64_t element) {
  const SphaeraStatus made = c::call([&] {
    if (status <= SPHAERA_OK || status > SPHAERA_BUSY) c::refuse("status", "is not that of an error");
    const std::string_view about = subject != nullptr ? subject : "", why = reason != nullptr ? reason : "";
    const auto valid = static_cast<SphaeraStatus>(status);
    c::remember(valid, Error(c::code_for(valid), about, why, element));
  });
  return made == SPHAERA_OK ? static_cast<SphaeraStatus>(status) : made;
}

SphaeraStatus sphaera_error_status() { return c::last_error().status; }

const char* sphaera_error_text() {
  const c::LastError& last = c::last_error();
  return last.error ? last.error->what() : "";
}

const char* sphaera_error_subject() {
  c::LastError& last = c::last_error();
  if (!last.error) return "";
  try {
    last.subject = last.error->subject();
  } catch (const std::bad_alloc&) {
    return "";
  }
  return last.subject.c_str();
}

const char* sphaera_error_reason() {
  const c::LastError& last = c::last_error();
  return last.error ? last.error->reason().data() : "";  // the end of what(), so it ends with 0
}

int64_t sphaera_error_element() {
  const c::LastError& last = c::last_error();
  return last.error ? last.error->element() : Error::no_element;
}

const char* sphaera_version() { return SPHAERA_VERSION; }

uint32_t sphaera_abi_version() { return 1; }
