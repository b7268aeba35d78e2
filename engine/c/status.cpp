#include <c/status.hpp>
#include <exception>
#include <new>
#include <optional>
#include <sphaera/version.hpp>
#include <string>

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

SphaeraStatus remember(SphaeraStatus status, const Error& error) noexcept {
  LastError& last = last_error();
  last.status = status, last.error = error, last.subject.clear();
  return status;
}

SphaeraStatus status_for(ErrorCode code) { return static_cast<SphaeraStatus>(static_cast<int>(code) + 1); }
static_assert(static_cast<int>(ErrorCode::invalid_argument) + 1 == SPHAERA_INVALID_ARGUMENT);
static_assert(static_cast<int>(ErrorCode::internal) + 1 == SPHAERA_INTERNAL);

SphaeraStatus remember(ErrorCode code, const char* reason) noexcept {
  try {
    return remember(status_for(code), Error(code, reason));
  } catch (...) {  // no memory for the text
    LastError& last = last_error();
    last.status = status_for(code), last.error.reset(), last.subject.clear();
    return last.status;
  }
}

}  // namespace

SphaeraStatus status_of(void (*run)(void*), void* work) noexcept {
  try {
    run(work);
    return SPHAERA_OK;
  } catch (const Busy& error) {
    return remember(SPHAERA_BUSY, error);
  } catch (const Error& error) {
    return remember(status_for(error.code()), error);
  } catch (const std::bad_alloc&) {
    return remember(ErrorCode::out_of_memory, "out of memory");
  } catch (const std::exception& error) {
    return remember(ErrorCode::internal, error.what());
  } catch (...) {
    return remember(ErrorCode::internal, "an unknown exception; callbacks must not throw");
  }
}

}  // namespace sphaera::c

using namespace sphaera;

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
