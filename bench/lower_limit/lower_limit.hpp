#pragma once
/// \file Lower limit of the time per ray on this machine, from a model.

#include <bench/lower_limit/node_visits.hpp>
#include <bench/measure/machine.hpp>
#include <map>

namespace sphaera::bench {

/// Nanoseconds per ray, with all threads busy.
struct LowerLimit {
  double alone = 0;   ///< rays are traversed one at a time; the caches hold as much of the index as fits
  double shared = 0;  ///< rays are ordered so that all shared data stays in L1
};

/// Text that explains both limits, for the output.
extern const char* const limit_formula;

class LowerLimitModel {
 public:
  LowerLimitModel(std::span<const Sphere> spheres, std::span<const Query> asked, std::span<const Ray> sample);

  /// Limit for batches of `rays` rays.
  LowerLimit limit(Query query, double rays, int threads, const Machine& machine) const;

  const Visits& visits(Query query) const { return visits_.at(query); }

 private:
  std::map<Query, Visits> visits_;
  std::vector<double> node_bytes_;  ///< bytes of the nodes down to each depth
  double all_bytes_ = 0;
};

}  // namespace sphaera::bench
