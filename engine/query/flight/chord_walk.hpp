#pragma once
/// \file A walk along one chord of a flight under gravity.

#include <query/flight/chord_path.hpp>
#include <query/flight/curved_leg.hpp>

namespace sphaera::query {

/// Decides the spheres that the index finds along the chords of a leg, one chord after another.
template <bool all>
struct ChordWalk : index::FlightWalk {
  exact::Counts counts;
  CurvedLeg& leg;
  const ChordPath& chord;
  std::optional<exact::CurvePiece> piece;  ///< the flight above the chord; made for the first sphere

  /// `c` is the first chord. For each later chord the caller overwrites `c` and calls start_chord().
  ChordWalk(const ChordPath& c, CurvedLeg& l)
      : FlightWalk(c.path, callbacks_of<ChordWalk>()), leg(l), chord(c) {
    start_chord();
  }

  /// As for FirstImpact.
  bool settles_equals(std::uint32_t id) const
    requires(!all)
  {
    return leg.settles_equals(id);
  }

  void start_chord() {
    start = leg.flight().start + chord.t_from;
    margin = leg.flight().radius + chord.margin;
    t_limit = infinity;
    if (leg.found_first()) limit_to_first();
    piece.reset();
  }

  template <class Arithmetic>
  index::TraversalControl test(std::uint32_t id) {
    const SphereFilter& filter = leg.sphere_filter();
    if (!filter.admits(id)) return index::TraversalControl::go_on;
    if (!piece) {
      prefetch(filter.spheres[id]);
      piece.emplace(leg.piece_above(chord));
    }
    if (!leg.template test<all>(*piece, id)) return index::TraversalControl::go_on;
    limit_to_first();
    return index::TraversalControl::limit_reduced;
  }

 private:
  /// The factor 1 + 4u outweighs the roundings of the difference and of the product.
  void limit_to_first() { t_limit = (leg.found_first()->high - chord.t_from) * (1 + 4 * exact::u); }
};

}  // namespace sphaera::query
