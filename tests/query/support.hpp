#pragma once
/// \file What tests of queries share.

#include <cstdint>
#include <sphaera/error.hpp>
#include <string>

#include "catch.hpp"
#include "same.hpp"

namespace sphaera::test {

/// What an error said.
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
