#pragma once
/// \file Random numbers that depend on a seed and the number of a case alone: each case can be made again.

#include <cstddef>
#include <cstdint>

namespace sphaera::attack {

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
class SplitMix64 {
 public:
  SplitMix64(std::uint64_t seed, std::uint64_t number) : state_(seed) {
    state_ = next() ^ (number * 0xd1342543de82ef95);
  }

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  /// 0 … n − 1; 0 for n = 0.
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(next() % n); }

  /// True in one of n calls.
  bool one_in(std::size_t n) { return below(n) == 0; }

  template <class List>
  const auto& pick(const List& list) {
    return list[below(list.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace sphaera::attack
