#pragma once
/// \file The spheres that a walk along a path offers.

#include <exact/predicates/filtered_predicate.hpp>
#include <index/scene_index.hpp>
#include <vector>

namespace sphaera::test {

/// A walk that records which spheres it offers.
struct OfferedSpheres : index::PathWalk {
  std::vector<bool> offered;

  OfferedSpheres(const exact::Path& p, std::size_t spheres)
      : PathWalk(p, {.visit = visit_leaf}), offered(spheres) {}
  static index::TraversalControl visit_leaf(index::PathWalk& walk, const index::LeafIds& ids,
                                            index::LaneHits hits) {
    for (std::uint32_t lane = 0; lane < index::leaf_block_size; ++lane)
      if (hits.maybe >> lane & 1 && ids[lane] != index::no_sphere)
        static_cast<OfferedSpheres&>(walk).offered[ids[lane]] = true;
    return index::TraversalControl::go_on;
  }
};

/// Number of spheres that the path meets and walked(walk) does not offer.
template <class Walked>
int count_lost(const std::vector<Sphere>& spheres, const exact::Path& path, const Walked& walked) {
  OfferedSpheres walk(path, spheres.size());
  walked(walk);
  exact::Counts counts;
  int lost = 0;
  for (std::size_t i = 0; i < spheres.size(); ++i)
    lost += !walk.offered[i] && exact::FilteredPredicate<exact::Plain>(path, spheres[i], counts).meets();
  return lost;
}

}  // namespace sphaera::test
