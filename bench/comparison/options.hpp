#pragma once
/// \file Options of sphaera_compare.

#include <bench/comparison/rounds.hpp>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sphaera::bench {

struct Options {
  std::vector<workload::Kind> kinds{workload::kinds.begin(), workload::kinds.end()};
  std::vector<double> spheres;  ///< empty: default sizes for each kind
  std::vector<Order> orders;    ///< empty: both, but all_hits only in random order
  bool quick = false;           ///< a run of about a minute
  Effort effort;
  std::string json, table;
};

void declare(CLI::App& app, Options& options);

/// The measurements to make, in order.
std::vector<SceneSpec> scenes(const Options& options);
std::vector<std::pair<Query, Order>> questions(const Options& options);

}  // namespace sphaera::bench
