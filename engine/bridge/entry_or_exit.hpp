#pragma once
/// \file One ray: its sphere filter, its entries into spheres, its exits, and their order: entries
/// compare exactly, exits by t in double.

#include <bridge/lane_query.hpp>
#include <query/batch/sphere_filter.hpp>
#include <query/path/scene_path.hpp>

namespace sphaera::bridge {

using query::Candidate;

/// Sphere filter of one ray: enabled spheres on its layers, except the sphere and the owners that it ignores.
struct LaneFilter {
  const query::SceneState& scene;
  const Sphere* spheres;
  const std::uint8_t* layers;  ///< null: all pass
  LayerMask mask;
  std::int64_t ignore;
  query::IgnoredOwners ignored_owners;

  LaneFilter(const query::SceneState& s, const LaneQuery& lane_query)
      : scene(s),
        spheres(s.spheres.span().data()),
        layers(lane_query.layers == all_layers ? nullptr : s.layers.data_or_null()),
        mask(lane_query.layers),
        ignore(lane_query.ignore),
        ignored_owners(s, lane_query.ignore_owner, lane_query.also_ignore_owner) {}

  SPHAERA_INLINE bool admits(std::uint32_t id) const {
    if (layers && !(mask >> layers[id] & 1)) return false;
    if (ignored_owners.hold(id)) return false;
    return id != ignore && scene.is_enabled(id);
  }
  /// Walks ask this of a filter. Here Embree's filters decide instead (Lane::offer).
  static constexpr bool accepts(std::uint32_t) { return true; }
  static constexpr bool accept = false;
};

/// True if no sphere counts: none is enabled, or all spheres are on layer 0 and the mask excludes layer 0.
SPHAERA_INLINE bool sees_nothing(const query::SceneState& state, const LaneQuery& lane_query) {
  return !state.scene_index || (state.layers.span().empty() && !(lane_query.layers & 1));
}

using query::earlier;

/// The ray's path among the spheres at their given positions, or at their positions at the ray's time.
inline query::PathAtRest at_rest(const query::SceneState& state, const LaneQuery& lane_query) {
  return {state, lane_query.path};
}
inline query::PathAtInstant at_instant(const query::SceneState& state, const LaneQuery& lane_query) {
  return {state, lane_query.path, lane_query.time};
}

/// A crossing: the entry of the path into a sphere, or its exit.
struct EntryOrExit {
  Candidate candidate;
  Hit hit;
  bool exit = false;

  double t() const { return exit ? hit.t_exit : hit.t_enter; }
};

template <class Spheres>
EntryOrExit entry_of(const Spheres& spheres, const Candidate& candidate) {
  return {candidate, query::hit_of(spheres, candidate)};
}

/// True if the path leaves the sphere at or before t_max, exactly. Precondition: it meets the sphere.
template <class Spheres>
bool leaves(const Spheres& spheres, std::uint32_t id, exact::Counts& counts) {
  const double end = spheres.path().t_max;
  if (end == infinity) return true;
  return spheres.sign_slope(id, end, counts) >= 0 && spheres.sign_power(id, end, counts) >= 0;
}

/// Sign of the crossing's exact t minus `t`. Precondition: `t` has the value of a float. Rounding to double
/// is monotonic, so the crossing's rounded t lies on the same side of `t` as its exact t, or equals `t`.
template <class Spheres>
int compare_with(const Spheres& spheres, const EntryOrExit& crossing, double t, exact::Counts& counts) {
  const double mine = crossing.t();
  if (mine != t) return mine < t ? -1 : 1;
  if (!crossing.exit && crossing.hit.contact == Contact::starts_inside) return 0;  // at t_min, exactly
  const auto id = static_cast<std::uint32_t>(crossing.hit.sphere);
  const int power = spheres.sign_power(id, t, counts), slope = spheres.sign_slope(id, t, counts);
  if (power == 0 && (crossing.exit ? slope >= 0 : slope <= 0)) return 0;
  if (crossing.exit) return power > 0 && slope > 0 ? -1 : 1;
  return power <= 0 || slope > 0 ? -1 : 1;  // inside the sphere at t or past it: the entry is before t
}

/// The largest float that is not above the exact t of the crossing, never −0: Embree compares floats as
/// integers.
template <class Spheres>
float tfar_of(const Spheres& spheres, const EntryOrExit& crossing, exact::Counts& counts) {
  const float below = index::round_down(crossing.t()) + 0.0F;  // −0 becomes 0
  if (static_cast<double>(below) != crossing.t()) return below;
  const bool passed = compare_with(spheres, crossing, crossing.t(), counts) < 0;
  return passed ? std::nextafter(below, -std::numeric_limits<float>::infinity()) : below;
}

}  // namespace sphaera::bridge
