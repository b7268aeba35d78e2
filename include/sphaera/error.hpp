#pragma once
/// \file The one exception type.

#include <sphaera/config/requirements.hpp>

#include <cstddef>
#include <cstdint>
#include <sphaera/config/export.hpp>
#include <stdexcept>
#include <string_view>

namespace sphaera::inline SPHAERA_ABI {

/// `bad_file` and `io` are thrown by the functions of <sphaera/scene_file.hpp>, `Scene::save` and `open`, and
/// by calls of an opened scene that check its file.
enum class ErrorCode : std::uint8_t {
  invalid_argument,  ///< an input is outside its documented range; `element` is its index
  bad_file,          ///< a file is missing, truncated or malformed; `subject()` starts with its name
  out_of_memory,     ///< memory ran out, or a `memory_limit` was exceeded
  io,                ///< a write failed (disk full, permission)
  cancelled,         ///< a stop was requested
  internal,          ///< a broken invariant: please report
};

/// Thrown by every function of the library that can fail. On failure nothing has changed, except that the
/// output span of a query that was cancelled or ran out of memory may hold some answers, and lists that a
/// failed call was to fill are empty. Constructors of Motion throw std::bad_alloc. what() is "subject:
/// reason", or the reason alone if there is no subject. A copy neither allocates nor throws.
class SPHAERA_API Error : public std::runtime_error {
 public:
  static constexpr std::int64_t no_element = -1;

  /// For Sphaera's own functions and for tests. Throws std::bad_alloc.
  Error(ErrorCode code, std::string_view reason, std::int64_t element = no_element);
  Error(ErrorCode code, std::string_view subject, std::string_view reason, std::int64_t element = no_element);
  ~Error() override;

  ErrorCode code() const { return code_; }           ///< the kind of error
  std::int64_t element() const { return element_; }  ///< index of the first bad element, or `no_element`

  /// What the error is about, the outer before the inner: "ray 17", "scene.csv:17", "scene.csv:17: sphere
  /// 15". Empty if the reason says it. The view is valid as long as this object.
  std::string_view subject() const { return {std::runtime_error::what(), subject_size_}; }

  /// What is wrong, and mostly what to do: "direction is zero; give any non-zero direction". The view is
  /// valid as long as this object.
  std::string_view reason() const { return std::runtime_error::what() + reason_at_; }

 private:
  ErrorCode code_;
  std::int64_t element_;
  std::size_t subject_size_;  // the text is that of what()
  std::size_t reason_at_;
};

}  // namespace sphaera::inline SPHAERA_ABI
