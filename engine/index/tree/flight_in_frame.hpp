#pragma once
/// \file A bullet's flight as the nodes and leaf blocks of one frame see it.

#include <index/tree/path_in_frame.hpp>

namespace sphaera::index {

/// Largest growth of a cone or margin of a bullet within a frame, in scaled units. Beyond it the slack is as
/// large as the frame.
inline constexpr double widest_growth = 0x1p17;

/// A bullet's flight among spheres that may move.
class FlightView {
 public:
  SPHAERA_INLINE bool enter(const Frame& frame, FlightWalk& walk) {
    const auto clip = [&](LocalRay& local)
                          SPHAERA_INLINE_LAMBDA { return frame.clip_grown(walk.path, walk.margin, local); };
    if (!set_section(walk, node, leaf_, clip)) return false;
    const double margin = walk.margin * frame.scale();
    node.set_margin(margin);
    margin_ = ThickNodeRay::grown(margin), thickness_ = static_cast<float>(margin);
    time_known_ = leaf_.within_limits;
    time_ = WalkTime(walk.start + walk.rate * walk.local.s0, walk.rate * walk.local.length);
    entries_known_ =
        time_known_ && margin <= 1 && __builtin_fabs(walk.local.s0) <= 0x1p20 * walk.local.length;
    return true;
  }
  static bool can_filter(const Frame& frame, const FlightWalk& walk) {
    return walk.margin * frame.scale() <= widest_growth;
  }

  /// The spheres of a leaf block that the flight may touch up to τ = tfar; all if the leaf block has no
  /// floats.
  template <class Arithmetic>
  SPHAERA_INLINE LaneHits touched(const LeafBlocks& leaves, std::uint32_t leaf, float tfar) const {
    LaneHits hits{all_lanes, 0, 0};
    with_approach<Arithmetic>(
        leaves, leaf, tfar,
        [&](const LeafBlock& floats, const Approach& closest, const LeafLanes&, float slack)
            SPHAERA_INLINE_LAMBDA { hits.maybe = may_touch<Arithmetic>(floats, closest, margin_ + slack); });
    return hits;
  }
  /// The same, with bounds of the entries where they are known.
  template <class Arithmetic>
  SPHAERA_INLINE LaneHits touched(const LeafBlocks& leaves, std::uint32_t leaf, float tfar,
                                  LeafEntries& entries) const {
    LaneHits hits{all_lanes, 0, 0};
    with_approach<Arithmetic>(
        leaves, leaf, tfar,
        [&](const LeafBlock& floats, const Approach& closest, const LeafLanes& inverse_length, float slack)
            SPHAERA_INLINE_LAMBDA {
              hits.maybe = may_touch<Arithmetic>(floats, closest, margin_ + slack);
              const LeafLanes r = lanes(floats.radius) + thickness_, inner = r - slack;
              const LaneSet surely =
                  lanes_of<Arithmetic>((inner >= LeafLanes{}) & (closest.square <= inner * inner));
              if (surely == 0 || !entries_known_) return;
              hits.surely = surely;
              hits.bounded = surely & bound_entries<Arithmetic>(r, closest, inverse_length, tfar,
                                                                flight_share * (1 + thickness_), entries);
            });
    return hits;
  }

  SPHAERA_INLINE void add_to(PathBounds& bounds) const { bounds.add(leaf_.origin, leaf_.direction, margin_); }

  ThickNodeRay node;

 private:
  /// Calls use(floats, closest approaches, 1/|d|, slack) for a leaf block with floats. Does nothing if the
  /// spheres move and the times are unknown.
  template <class Arithmetic, class Use>
  SPHAERA_INLINE void with_approach(const LeafBlocks& leaves, std::uint32_t leaf, float tfar,
                                    const Use& use) const {
    const LeafBlock* const floats = leaves.floats(leaf);
    if (!floats) return;
    LeafLanes inverse_length;
    if (const LeafVelocities* const velocities = leaves.velocities(leaf)) {
      if (!time_known_) return;
      const ApproachInMotion closest(Arithmetic{}, *floats, *velocities, leaf_, time_, tfar);
      LeafLanes length = closest.length_square;
      take_roots<Arithmetic>(length);
      inverse_length = 1 / length;
      use(*floats, closest, inverse_length, moving_slack * (1 + margin_));
    } else {
      set_all<Arithmetic>(inverse_length, __builtin_sqrtf(leaf_.inverse));
      use(*floats, Approach(Arithmetic{}, *floats, leaf_, tfar), inverse_length, leaf_slack * (1 + margin_));
    }
  }

  LeafRay leaf_;
  float margin_;     ///< in local units, rounded up
  float thickness_;  ///< the same, rounded to nearest
  bool time_known_;
  bool entries_known_;  ///< bounds of entries hold (../proofs.md, section 6)
  WalkTime time_;
};

}  // namespace sphaera::index
