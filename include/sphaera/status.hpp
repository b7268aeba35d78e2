#pragma once
/// \file Outcomes instead of exceptions, for frames that go on after an error.
///
/// ```cpp
/// #include <cassert>
/// #include <cmath>
/// #include <sphaera/scene.hpp>
/// #include <sphaera/status.hpp>
///
/// int main() {
///   using namespace sphaera;
///   Scene scene;
///   Status status = status_of([&] { scene = Scene::build({{{0, 0, 0}, 1}}); });
///   assert(status.ok() && scene.size() == 1);
///
///   const std::vector<Vec3> centers{{std::nan(""), 0, 0}};
///   status = status_of([&] { scene.update(centers); });
///   assert(!status.ok() && status.error().element() == 0);  // the scene is as it was
/// }
/// ```

#include <sphaera/config/requirements.hpp>

#include <optional>
#include <sphaera/config/export.hpp>
#include <sphaera/error.hpp>
#include <utility>

namespace sphaera::inline SPHAERA_ABI {

/// The outcome of a call: success, or the error that it has thrown.
class Status {
 public:
  Status() noexcept = default;  ///< success
  explicit Status(Error error) : error_(std::move(error)) {}

  /// True if the call threw no error.
  bool ok() const noexcept { return !error_; }
  explicit operator bool() const noexcept { return ok(); }
  /// Precondition: !ok(); not checked.
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

namespace status {
/// Calls run(work) and returns its outcome: for status_of.
SPHAERA_API Status of(void (*run)(void*), void* work);
}  // namespace status

/// Calls work(), any calls of the library, and returns their outcome. Other exceptions than Error and
/// std::bad_alloc, such as those of the caller's own callbacks, pass through. It may be called from code that
/// is compiled without exceptions: the library catches them, though what `work` itself then owns is not
/// destroyed.
template <class Work>
Status status_of(const Work& work) {
  const auto run = [](void* self) { (*static_cast<const Work*>(self))(); };
  return status::of(run, const_cast<Work*>(&work));
}

}  // namespace sphaera::inline SPHAERA_ABI
