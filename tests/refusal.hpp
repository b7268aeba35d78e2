#pragma once
/// \file The error that a call must throw.

#include <cstdint>
#include <sphaera/error.hpp>
#include <string>
#include <tests/catch.hpp>

namespace sphaera::test {

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
