#pragma once
/// \file Peak performance of this machine, measured in the same run as the engines.

#include <bench/measure/timing.hpp>
#include <map>
#include <span>
#include <vector>

namespace sphaera::bench {

struct Machine {
  struct Latency {
    double bytes, nanoseconds;
  };
  std::vector<Latency> latencies;  ///< latency of a dependent random read, by the size of the memory range
  std::map<int, double> bytes_per_nanosecond;  ///< sequential read bandwidth, by threads
  double eight_boxes = 0;                      ///< nanoseconds of a test of eight boxes in L1

  /// Latency in ns of a dependent read within a range of `bytes`: interpolated linearly in log(bytes) between
  /// the measured sizes, constant beyond them.
  double latency(double bytes) const;
};

Machine measure_machine(std::span<const int> threads);

}  // namespace sphaera::bench
