#pragma once
/// \file Random numbers for tests, many of them at the edge of a decision.

#include <cmath>
#include <cstdint>
#include <tools/workload/random.hpp>

namespace sphaera::test {

/// The workloads' generator, with more distributions.
class Random : public workload::Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0)
      : workload::Random(seed, workload::Purpose::ray, stream) {}

  /// 0 … n − 1.
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
  int whole(int least, int most) { return least + below(most - least + 1); }
  bool one_in(int n) { return below(n) == 0; }
  double log_uniform(double least, double most) { return std::exp(between(std::log(least), std::log(most))); }
  double signed_log_uniform(double least, double most) {
    return one_in(2) ? log_uniform(least, most) : -log_uniform(least, most);
  }
  Vec3 in_cube(double half) { return {between(-half, half), between(-half, half), between(-half, half)}; }

  /// Random sign and mantissa, |x| from 2^least up to 2^(most + 1): denormals where least < −1022.
  double pattern(int least, int most) {
    const double x = std::ldexp(1 + unit(), whole(least, most));
    return one_in(2) ? x : -x;
  }
};

/// The double `ulps` steps above x (below where negative).
inline double step(double x, int ulps) {
  for (; ulps > 0; --ulps) x = std::nextafter(x, HUGE_VAL);
  for (; ulps < 0; ++ulps) x = std::nextafter(x, -HUGE_VAL);
  return x;
}

}  // namespace sphaera::test
