#pragma once
/// \file How long a ray must take on this machine, on paper.

#include <bench/machine.hpp>
#include <bench/touches.hpp>
#include <map>

namespace sphaera::bench {

/// Nanoseconds a ray, with all threads at work.
struct Limit {
  double alone = 0;   ///< each ray walks alone and finds in the caches what fits into them
  double shared = 0;  ///< rays come in an order in which all that they share stays in L1
};

/// What the limit is made of, for the output.
extern const char* const limit_formula;

class LimitModel {
 public:
  LimitModel(std::span<const Sphere> spheres, std::span<const Query> asked, std::span<const Ray> sample);

  /// Of batches of `rays` rays.
  Limit limit(Query query, double rays, int threads, const Machine& machine) const;

  const Touches& touches(Query query) const { return touches_.at(query); }

 private:
  std::map<Query, Touches> touches_;
  std::vector<double> node_bytes_;  ///< of the levels down to each depth
  double all_bytes_ = 0;
};

}  // namespace sphaera::bench
