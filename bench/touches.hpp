#pragma once
/// \file What a ray has to touch at the least: counted in a plain tree, since Embree does not count for us.

#include <bench/engine.hpp>
#include <memory>
#include <span>
#include <vector>

namespace sphaera::bench {

/// Means over a sample of rays.
struct Touches {
  std::vector<double> nodes;  ///< visited at each depth, from the root down
  double leaves = 0;          ///< visited, of up to eight spheres each

  double all_nodes() const;
};

/// An 8-wide tree over the spheres, built by Embree's surface area heuristic, leaves of up to eight; walked
/// nearest first, the boxes recentred and in float, the spheres tested in double.
class TouchTree {
 public:
  static constexpr double node_bytes = 256, sphere_bytes = 32;

  explicit TouchTree(std::span<const Sphere> spheres);
  ~TouchTree();

  Touches count(Query query, std::span<const Ray> sample) const;

  double bytes(std::size_t depth) const;  ///< of the nodes down to this depth
  double bytes() const;                   ///< of all nodes and spheres

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

}  // namespace sphaera::bench
