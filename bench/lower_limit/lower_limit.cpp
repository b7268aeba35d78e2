#include <algorithm>
#include <bench/lower_limit/lower_limit.hpp>
#include <sphaera/hit.hpp>

namespace sphaera::bench {

const char* const limit_formula =
    R"(Limits, in ns per ray: a plain 8-wide SAH tree over the same spheres (at the origin) counts what a ray visits,
n_d nodes at depth d and l leaves of up to 8 spheres; a step through a node or leaf costs at least b, eight boxes
from L1.
  alone  = (sum over d of n_d (b + latency(bytes of the nodes down to d)) + l (b + latency(bytes of all))) / threads
  shared = (sum of n_d + l) b / threads + (bytes of the tree, at most those visited, a ray of the batch
           + the ray + its answer) / bandwidth(threads)
"alone" is for independent rays, one at a time: rays in order, or several at once, can be faster. "shared" is for rays
without cache misses: only a tree with fewer visits can be faster. latency,
bandwidth and b are measured in this run.
)";

LowerLimitModel::LowerLimitModel(std::span<const Sphere> spheres, std::span<const Query> asked,
                                 std::span<const Ray> sample) {
  const VisitTree tree(spheres);
  for (const Query query : asked) {
    const Visits& visits = visits_[query] = tree.count(query, sample);
    for (std::size_t d = node_bytes_.size(); d < visits.nodes.size(); ++d)
      node_bytes_.push_back(tree.bytes(d));
  }
  all_bytes_ = tree.bytes();
}

LowerLimit LowerLimitModel::limit(Query query, double rays, int threads, const Machine& machine) const {
  const Visits& visits = visits_.at(query);
  const double step = machine.eight_boxes;
  double alone = visits.leaves * (step + machine.latency(all_bytes_));
  for (std::size_t d = 0; d < visits.nodes.size(); ++d)
    alone += visits.nodes[d] * (step + machine.latency(node_bytes_[d]));
  const double steps = visits.all_nodes() + visits.leaves;
  const double visited = VisitTree::node_bytes * steps;  // a leaf's eight spheres have the size of a node
  const double answer = query == Query::blocked ? sizeof(std::uint8_t) : sizeof(Hit);
  const double traffic = std::min(visited, all_bytes_ / rays) + sizeof(Ray) + answer;
  return {alone / threads, steps * step / threads + traffic / machine.bytes_per_nanosecond.at(threads)};
}

}  // namespace sphaera::bench
