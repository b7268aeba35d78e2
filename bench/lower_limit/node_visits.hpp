#pragma once
/// \file Mean number of nodes and leaves that a ray visits. Embree does not count visits, so this file
/// traverses a plain tree itself.

#include <bench/measure/engine.hpp>
#include <memory>
#include <span>
#include <vector>

namespace sphaera::bench {

/// Means over a sample of rays.
struct Visits {
  std::vector<double> nodes;  ///< visited at each depth, from the root down
  double leaves = 0;          ///< visited leaves, of up to eight spheres each

  double all_nodes() const;
};

/// An 8-wide tree over the spheres with leaves of up to eight spheres, built by rtcBuildBVH (SAH). Traversal
/// is nearest first; boxes are recentered and in float, spheres are tested in double.
class VisitTree {
 public:
  static constexpr double node_bytes = 256, sphere_bytes = 32;

  explicit VisitTree(std::span<const Sphere> spheres);
  ~VisitTree();

  Visits count(Query query, std::span<const Ray> sample) const;

  double bytes(std::size_t depth) const;  ///< bytes of the nodes down to this depth
  double bytes() const;                   ///< bytes of all nodes and spheres

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

}  // namespace sphaera::bench
