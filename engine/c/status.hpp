#pragma once
/// \file Exceptions become statuses here, and nowhere else.

#include <c/interface.hpp>
#include <sphaera/error.hpp>
#include <string_view>

namespace sphaera::c {

/// Another call uses what only one may use.
class Busy : public Error {
 public:
  explicit Busy(std::string_view subject)
      : Error(ErrorCode::invalid_argument, subject, "is in use by another call; call one after the other") {}
};

[[noreturn]] inline void refuse(std::string_view subject, std::string_view reason) {
  throw Error(ErrorCode::invalid_argument, subject, reason);
}

/// Ends a call because a callback has asked for it.
[[noreturn]] inline void stop_for(std::string_view callback) {
  throw Error(ErrorCode::cancelled, callback, "has ended the call");
}

/// Makes an error the last one of this thread; without a text if there is no memory for one. Returns the
/// status.
SphaeraStatus remember(SphaeraStatus status, const Error& error) noexcept;
SphaeraStatus remember(SphaeraStatus status) noexcept;

/// Calls run(work); what it throws becomes the status and the last error of this thread.
SphaeraStatus status_of(void (*run)(void*), void* work) noexcept;

template <class Work>
SphaeraStatus call(Work work) noexcept {
  return status_of([](void* self) { (*static_cast<Work*>(self))(); }, &work);
}

}  // namespace sphaera::c
