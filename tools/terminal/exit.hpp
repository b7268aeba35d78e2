#pragma once
/// \file Exit codes of the tool, and the errors that lead to them.

#include <stdexcept>

namespace sphaera::tool {

/// Exit codes; scripts rely on them. Hits and misses have the same code.
enum class Exit : int {
  ok = 0,
  internal = 1,   ///< a bug: please report
  usage = 2,      ///< the command line is wrong
  input = 3,      ///< an input is missing or bad
  resources = 4,  ///< memory ran out, a disk is full, an output cannot be written
  mismatch = 5,   ///< --verify found a row that the other search answers differently
  interrupted = 130
};

/// Error of the command line.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// --verify found a difference.
class Mismatch : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace sphaera::tool
