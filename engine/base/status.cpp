#include <base/errors.hpp>
#include <base/strict_math.hpp>
#include <new>
#include <sphaera/status.hpp>

namespace sphaera {

Status status::of(void (*run)(void*), void* work) {
  try {
    run(work);
    return {};
  } catch (const Error& error) {
    return Status(error);
  } catch (const std::bad_alloc&) {
  }
  try {
    base::throw_out_of_memory();
  } catch (const Error& error) {
    return Status(error);
  }
}

}  // namespace sphaera
