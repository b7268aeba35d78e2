#include <c/status.hpp>
#include <new>
#include <string>

// Errors of this library are remembered by sphaera-c, so that there is one last error.

namespace sphaera::c {

SphaeraStatus remember(SphaeraStatus status, const Error& error) noexcept {
  try {
    const std::string subject(error.subject());  // ends with 0, unlike that of the error
    return sphaera_error_set(status, subject.c_str(), error.reason().data(), error.element());
  } catch (const std::bad_alloc&) {
    return remember(status);
  }
}

SphaeraStatus remember(SphaeraStatus status) noexcept {
  return sphaera_error_set(status, nullptr, nullptr, Error::no_element);
}

}  // namespace sphaera::c
