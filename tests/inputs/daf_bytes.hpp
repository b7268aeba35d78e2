#pragma once
/// \file SPK kernels made of numbers.

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace sphaera::test {

struct SpkArray {
  double from, to;
  std::array<std::int32_t, 4> target_center_frame_type;
  std::vector<double> words;
};

/// A kernel with at most 25 arrays, of either byte order.
inline std::string daf_bytes(const std::vector<SpkArray>& arrays, bool big_endian) {
  const auto text = [&](auto bits) {
    std::string bytes;
    for (std::size_t i = 0; i < sizeof bits; ++i)
      bytes += static_cast<char>(bits >> 8 * (big_endian ? sizeof bits - 1 - i : i));
    return bytes;
  };
  const auto integer = [&](std::int64_t value) { return text(static_cast<std::uint32_t>(value)); };
  const auto number = [&](double value) { return text(std::bit_cast<std::uint64_t>(value)); };
  const auto padded = [](std::string bytes, std::size_t size) { return bytes.resize(size, ' '), bytes; };
  std::string data;
  std::string summaries = number(0) + number(0) + number(static_cast<double>(arrays.size()));
  for (const auto& [from, to, ids, words] : arrays) {
    const auto begin = static_cast<std::int64_t>(3 * 128 + data.size() / 8 + 1);
    summaries += number(from) + number(to);
    for (const std::int32_t id : ids) summaries += integer(id);
    summaries += integer(begin) + integer(begin + static_cast<std::int64_t>(words.size()) - 1);
    for (const double word : words) data += number(word);
  }
  summaries.resize(1024, '\0');
  const std::string head = "DAF/SPK " + integer(2) + integer(6) + padded("made of numbers", 60) + integer(2) +
                           integer(2) + integer(static_cast<std::int64_t>(3 * 128 + data.size() / 8 + 1)) +
                           (big_endian ? "BIG-IEEE" : "LTL-IEEE");
  return padded(head, 1024) + summaries + std::string(1024, ' ') + data;
}

}  // namespace sphaera::test
