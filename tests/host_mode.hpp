#pragma once
/// \file Floating-point modes that a host program may set before it calls the library.

#if defined(__x86_64__)
#include <xmmintrin.h>
#elif !defined(__aarch64__)
#error "which register holds the floating-point mode of this processor?"
#endif

#include <array>
#include <tests/effort.hpp>
#include <vector>

namespace sphaera::test {

#if defined(__x86_64__)
/// Bits of MXCSR. Of `unusual`, none masks an exception.
inline constexpr unsigned default_mode = 0x1f80, unusual = 0x1f80, flush_denormals = 0x8040, flags = 0x3f;
inline constexpr std::array<unsigned, 4> roundings{0, 0x2000, 0x4000, 0x6000};  ///< nearest, down, up, to 0

inline unsigned host_mode() { return _mm_getcsr(); }
inline void set_host_mode(unsigned mode) { _mm_setcsr(mode); }

/// The control word of the x87 unit; only long double depends on it.
inline unsigned x87_mode() {
  unsigned short mode = 0;
  __asm__ volatile("fnstcw %0" : "=m"(mode));
  return mode;
}
#else
/// Bits of FPCR. `unusual`: every NaN is the default one. Processors need not have traps.
inline constexpr unsigned default_mode = 0, unusual = 1u << 25, flush_denormals = 1u << 24, flags = 0;
inline constexpr std::array<unsigned, 4> roundings{0, 2u << 22, 1u << 22,
                                                   3u << 22};  ///< nearest, down, up, to 0

inline unsigned host_mode() {
  unsigned long mode = 0;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode)::"memory");
  return static_cast<unsigned>(mode);
}
inline void set_host_mode(unsigned long mode) { __asm__ volatile("msr fpcr, %0" ::"r"(mode) : "memory"); }

inline unsigned x87_mode() { return 0; }  ///< there is no such unit
#endif

/// Every rounding, with and without denormals-are-zero and flush-to-zero, with exceptions masked and not (or
/// `unusual`): all 16 combinations, or under a sanitizer, which is slow, four in which each setting occurs.
inline std::vector<unsigned> host_modes() {
  const unsigned stride = sanitized() ? 5 : 1;
  std::vector<unsigned> modes;
  for (unsigned i = 0; i < 16; i += stride)
    modes.push_back(default_mode ^
                    (roundings[i % 4] | (i & 4 ? flush_denormals : 0) | (i & 8 ? unusual : 0)));
  return modes;
}

/// Sets the mode for the length of a scope. Only the calls under test may compute in that scope: with
/// exceptions unmasked, every rounding raises a signal.
class HostMode {
 public:
  explicit HostMode(unsigned mode) : mode_(mode), before_(host_mode()) { set_host_mode(mode); }
  ~HostMode() { set_host_mode(before_); }
  HostMode(const HostMode&) = delete;
  HostMode& operator=(const HostMode&) = delete;

  /// Is the mode still the one that was set, apart from status flags?
  bool kept() const { return (host_mode() & ~flags) == mode_; }

 private:
  unsigned mode_, before_;
};

}  // namespace sphaera::test
