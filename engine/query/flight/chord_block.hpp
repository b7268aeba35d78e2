#pragma once
/// \file Chords of eight flights at once, in lanes.

#include <array>
#include <exact/predicates/in_motion.hpp>
#include <query/flight/chord_path.hpp>

namespace sphaera::query {

inline constexpr std::size_t chord_lanes = 8;
template <class Item>
using ChordLanes = std::array<Item, chord_lanes>;

/// The chords of eight flights: `plan.chords` of each.
void plan_eight(const ChordPlan& plan, const ChordLanes<exact::Flight>& flights,
                ChordLanes<ballistics::Chords>& chords);

/// Sets `paths[k]` to chord `number[k]` of `chords[k]`. All fall under the same gravity.
void set_eight(const ChordLanes<const ballistics::Chords*>& chords, const ChordLanes<std::int32_t>& number,
               const ChordLanes<ChordPath*>& paths);

}  // namespace sphaera::query
