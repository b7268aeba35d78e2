#pragma once
/// \file A path as the nodes and leaf blocks of one frame see it.

#include <index/tree/group_entry.hpp>
#include <index/tree/leaf_blocks.hpp>
#include <index/tree/walk.hpp>
#include <utility>

namespace sphaera::index {

/// tfar, reduced to τ at t_limit.
SPHAERA_INLINE float limit(const PathWalk& walk, float tfar) {
  const float at_limit = walk.local.up_to(walk.t_limit);
  return at_limit < tfar ? at_limit : tfar;  // NaN: unknown
}

/// Sets the section of a walk's path in a frame, for nodes and leaf blocks: as prepared, or as clip(local)
/// clips it. False if it misses the frame.
template <class Node, class Clip>
SPHAERA_INLINE bool set_section(PathWalk& walk, Node& node, LeafRay& leaf, const Clip& clip) {
  const auto [paths, i] = std::exchange(walk.prepared, {});
  if (paths && paths->is_known(i)) {
    if (paths->misses(i)) return false;
    paths->put_span(i, walk.local);
    paths->put(i, node, leaf);
    return true;
  }
  if (!clip(walk.local)) return false;
  node.set(walk.local), leaf = LeafRay(walk.local);
  return true;
}

/// A path prepared for the nodes and leaf blocks of a BVH.
class PathView {
 public:
  /// Prepares the section of the walk's path in the frame; false if it misses the frame.
  SPHAERA_INLINE bool enter(const Frame& frame, PathWalk& walk) {
    return set_section(walk, node, leaf_,
                       [&](LocalRay& local) SPHAERA_INLINE_LAMBDA { return frame.clip(walk.path, local); });
  }
  /// Can the float filter reject anything? If not, all spheres are candidates.
  static constexpr bool can_filter(const Frame&, const PathWalk&) { return true; }

  /// The spheres of a leaf block that the path may touch up to τ = tfar; all if the leaf block has no floats.
  template <class Arithmetic>
  SPHAERA_INLINE LaneHits touched(const LeafBlocks& leaves, std::uint32_t leaf, float tfar) const {
    const LeafBlock* floats = leaves.floats(leaf);
    if (!floats) return {all_lanes, 0, 0};
    return index::touched<Arithmetic>(*floats, leaf_, Approach(Arithmetic{}, *floats, leaf_, tfar));
  }
  /// The same, with bounds of the entries where they are known.
  template <class Arithmetic>
  SPHAERA_INLINE LaneHits touched(const LeafBlocks& leaves, std::uint32_t leaf, float tfar,
                                  LeafEntries& entries) const {
    const LeafBlock* floats = leaves.floats(leaf);
    if (!floats) return {all_lanes, 0, 0};
    const Approach closest(Arithmetic{}, *floats, leaf_, tfar);
    LaneHits hits = index::touched<Arithmetic>(*floats, leaf_, closest);
    if (hits.surely != 0)
      hits.bounded = hits.surely & with_bounds<Arithmetic>(*floats, leaf_, closest, tfar, entries);
    return hits;
  }

  SPHAERA_INLINE void add_to(PathBounds& bounds) const { bounds.add(leaf_.origin, leaf_.direction, 0); }

  NodeRay node;

 private:
  LeafRay leaf_;
};

}  // namespace sphaera::index
