#include <embree_index/embree_index.hpp>
#include <new>

namespace sphaera::embree_index {

EmbreeIndex::EmbreeIndex(std::span<const Sphere> spheres, const index::BuildControl& control,
                         double inflation)
    : device_(control) {
  top_ = std::make_unique<FrameScene>(Build{device_, spheres, context_, control.stop},
                                      nested_frames(spheres, inflation));
}

void EmbreeIndex::any(const PathWalk& walk) const {
  PathVisit visit(walk);
  top_->any(visit);
}

void EmbreeIndex::nearest_first(const PathWalk& walk) const {
  PathVisit visit(walk);
  top_->nearest_first(visit);
}

void EmbreeIndex::thick(const PathWalk& walk) const {
  PathVisit visit(walk);
  top_->thick(visit);
  if (visit.out_of_memory) throw std::bad_alloc();
}

}  // namespace sphaera::embree_index
