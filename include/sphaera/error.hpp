#pragma once
/// \file The one exception type.

#include <sphaera/requirements.hpp>

#include <cstdint>
#include <sphaera/export.hpp>
#include <stdexcept>
#include <string>

namespace sphaera {

enum class ErrorCode : std::uint8_t {
  invalid_argument,  ///< an input is outside its documented range; `element` is its index
  bad_file,          ///< a file is missing, truncated or malformed; the message starts with file:line
  out_of_memory,     ///< memory ran out; nothing has changed
  io,                ///< a write failed (disk full, permission)
  cancelled,         ///< a stop was requested
  internal,          ///< a broken invariant: please report
};

/// Thrown by every function of the library that can fail. On failure nothing has changed, except that the
/// output span of a cancelled query may hold some answers.
class SPHAERA_API Error : public std::runtime_error {
 public:
  static constexpr std::int64_t no_element = -1;

  Error(ErrorCode code, const std::string& message, std::int64_t element = no_element)
      : std::runtime_error(message), code_(code), element_(element) {}
  ~Error() override;

  ErrorCode code() const { return code_; }
  std::int64_t element() const { return element_; }  ///< index of the first bad element, or `no_element`

 private:
  ErrorCode code_;
  std::int64_t element_;
};

}  // namespace sphaera
