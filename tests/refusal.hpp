#pragma once
/// \file The error that a call must throw, and a number that every call refuses.

#include <cstdint>
#include <limits>
#include <sphaera/error.hpp>
#include <string>
#include <tests/catch.hpp>

namespace sphaera::test {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The parts of an `Error`.
struct Refusal {
  ErrorCode code;
  std::int64_t element;
  std::string message;
};

template <class Work>
Refusal refusal(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return {error.code(), error.element(), error.what()};
  }
  FAIL("nothing was refused");
  return {};
}

}  // namespace sphaera::test
