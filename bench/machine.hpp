#pragma once
/// \file What this machine can do at best, measured in the run that it is compared with.

#include <bench/arena.hpp>
#include <map>
#include <span>
#include <vector>

namespace sphaera::bench {

struct Machine {
  struct Latency {
    double bytes, nanoseconds;
  };
  std::vector<Latency> latencies;              ///< of a dependent read, by the size of what is read at random
  std::map<int, double> bytes_per_nanosecond;  ///< of reading memory straight on, by threads
  double eight_boxes = 0;                      ///< nanoseconds of a step through eight boxes held in L1

  /// Of a dependent read somewhere in so many bytes: straight between the measured sizes, over log bytes.
  double latency(double bytes) const;
};

Machine measure_machine(std::span<const int> threads);

}  // namespace sphaera::bench
