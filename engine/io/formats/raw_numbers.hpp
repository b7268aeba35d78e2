#pragma once
/// \file Numbers of binary files, of any usual type and either byte order, as doubles.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace sphaera::io {

enum class RawType : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64 };

constexpr std::size_t size_of(RawType type) {
  constexpr std::array<std::size_t, 10> sizes{1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

/// The number of `size_of(type)` bytes; an integer beyond 2^53 is rounded.
inline double raw_number(RawType type, const char* bytes, bool big_endian) {
  static_assert(std::endian::native == std::endian::little);
  const auto as = [&]<class T>(T) {
    std::array<char, sizeof(T)> raw;
    std::copy_n(bytes, sizeof(T), raw.begin());
    if (big_endian) std::reverse(raw.begin(), raw.end());
    return static_cast<double>(std::bit_cast<T>(raw));
  };
  switch (type) {
    case RawType::i8:
      return as(std::int8_t{});
    case RawType::u8:
      return as(std::uint8_t{});
    case RawType::i16:
      return as(std::int16_t{});
    case RawType::u16:
      return as(std::uint16_t{});
    case RawType::i32:
      return as(std::int32_t{});
    case RawType::u32:
      return as(std::uint32_t{});
    case RawType::i64:
      return as(std::int64_t{});
    case RawType::u64:
      return as(std::uint64_t{});
    case RawType::f32:
      return as(float{});
    case RawType::f64:
      break;
  }
  return as(double{});
}

}  // namespace sphaera::io
