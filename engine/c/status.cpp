#include <c/status.hpp>
#include <exception>
#include <new>

namespace sphaera::c {
namespace {

SphaeraStatus status_for(ErrorCode code) { return static_cast<SphaeraStatus>(static_cast<int>(code) + 1); }
static_assert(static_cast<int>(ErrorCode::invalid_argument) + 1 == SPHAERA_INVALID_ARGUMENT);
static_assert(static_cast<int>(ErrorCode::internal) + 1 == SPHAERA_INTERNAL);

SphaeraStatus remember_reason(ErrorCode code, const char* reason) noexcept {
  try {
    return remember(status_for(code), Error(code, reason));
  } catch (...) {  // no memory for the text
    return remember(status_for(code));
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
    return remember_reason(ErrorCode::out_of_memory, "out of memory");
  } catch (const std::exception& error) {
    return remember_reason(ErrorCode::internal, error.what());
  } catch (...) {
    return remember_reason(ErrorCode::internal, "an unknown exception; callbacks must not throw");
  }
}

}  // namespace sphaera::c
