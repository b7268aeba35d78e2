#pragma once
/// \file What tests of queries share.

#include <bit>
#include <sphaera/error.hpp>
#include <sphaera/starlight.hpp>
#include <string>

#include "catch.hpp"

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

/// Equal to the last bit, NaN where NaN.
inline bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
inline bool same(const Visibility& a, const Visibility& b) {
  return same(a.fraction, b.fraction) && same(a.flux, b.flux) && same(a.magnitude, b.magnitude) &&
         a.dominant == b.dominant && a.occluders == b.occluders && a.light == b.light &&
         a.blocked == b.blocked && a.status == b.status;
}

}  // namespace sphaera::test
