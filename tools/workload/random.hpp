#pragma once
/// \file Random numbers that have the same bits on every platform. The engines of <random> are portable; its
/// distributions are not, nor are sin, log or pow. So this file uses only integers, + − × ÷ and sqrt, which
/// IEEE 754 rounds in only one way (built, like all of the engine, without contraction to fma).

#include <cmath>
#include <cstdint>
#include <sphaera/vec3.hpp>

namespace sphaera::workload {

/// A bijection of 64 bits without visible patterns (the finalizer of SplitMix64; Steele et al., 2014).
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The purpose of a stream: elements of different purpose with the same index share no numbers.
enum class Purpose : std::uint64_t { sphere = 1, ray, group, block, terrain, pace, walk, bullet, stature };

/// The random stream of element `index`. Elements can be made in any order or in parallel.
class Random {
 public:
  constexpr Random(std::uint64_t seed, Purpose purpose, std::uint64_t index)
      : state_(mix(mix(mix(seed) + static_cast<std::uint64_t>(purpose)) + index * golden_)) {}

  constexpr std::uint64_t bits() { return mix(state_ += golden_); }
  constexpr double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  ///< in [0, 1)
  constexpr double between(double low, double high) { return low + (high - low) * unit(); }

  /// A bell curve of mean 0 and σ 1, cut at ±6: the sum of twelve uniform numbers (Irwin–Hall).
  constexpr double bell() {
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += unit();
    return sum;
  }

  /// Uniform over the ring inner < |(x, y)| < outer, z = 0. Precondition: inner < outer.
  constexpr Vec3 in_ring(double inner, double outer) {
    for (;;) {
      const Vec3 p{between(-outer, outer), between(-outer, outer), 0};
      const double square = dot(p, p);
      if (square > inner * inner && square < outer * outer) return p;
    }
  }

  /// A direction of length 1 (to rounding), uniform over the sphere (Marsaglia, 1972).
  Vec3 direction() {
    const Vec3 p = in_ring(0, 1);
    const double square = dot(p, p);
    const double scale = 2 * std::sqrt(1 - square);
    return {p.x * scale, p.y * scale, 1 - 2 * square};
  }

  /// A horizontal direction of length 1 (to rounding), uniform over the circle.
  Vec3 heading() {
    const Vec3 p = in_ring(0, 1);
    const double length = std::sqrt(dot(p, p));
    return {p.x / length, p.y / length, 0};
  }

 private:
  static constexpr std::uint64_t golden_ = 0x9e3779b97f4a7c15u;  // 2^64 ÷ golden ratio, odd
  std::uint64_t state_;
};

}  // namespace sphaera::workload
