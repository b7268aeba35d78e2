#pragma once
/// \file Floating-point modes that a host program may set before it calls the library.

#if defined(__SSE2__)
#include <immintrin.h>

#include <array>
#include <tests/effort.hpp>
#include <vector>

namespace sphaera::test {

/// Bits of MXCSR.
inline constexpr unsigned default_mode = 0x1f80, masks = 0x1f80, flush_denormals = 0x8040, flags = 0x3f;
inline constexpr std::array<unsigned, 4> roundings{0, 0x2000, 0x4000, 0x6000};  ///< nearest, down, up, to 0

/// Every rounding, with and without denormals-are-zero and flush-to-zero, with exceptions masked and not: all
/// 16 combinations, or under a sanitizer, which is slow, four in which each setting occurs.
inline std::vector<unsigned> host_modes() {
  const unsigned stride = sanitized() ? 5 : 1;
  std::vector<unsigned> modes;
  for (unsigned i = 0; i < 16; i += stride)
    modes.push_back(roundings[i % 4] | (i & 4 ? flush_denormals : 0) | (i & 8 ? 0 : masks));
  return modes;
}

/// The control word of the x87 unit; only long double depends on it.
inline unsigned short x87_mode() {
  unsigned short mode = 0;
  __asm__ volatile("fnstcw %0" : "=m"(mode));
  return mode;
}

/// Sets MXCSR for the length of a scope. Only the calls under test may compute in that scope: with exceptions
/// unmasked, every rounding raises a signal.
class HostMode {
 public:
  explicit HostMode(unsigned mode) : mode_(mode), before_(_mm_getcsr()) { _mm_setcsr(mode); }
  ~HostMode() { _mm_setcsr(before_); }
  HostMode(const HostMode&) = delete;
  HostMode& operator=(const HostMode&) = delete;

  /// Does MXCSR still hold the mode that was set, apart from status flags?
  bool kept() const { return (_mm_getcsr() & ~flags) == mode_; }

 private:
  unsigned mode_, before_;
};

}  // namespace sphaera::test
#endif
