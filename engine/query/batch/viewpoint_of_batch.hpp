#pragma once
/// \file The viewpoint index for a batch whose paths share an end or a direction: found, or built where that
/// pays.

#include <algorithm>
#include <array>
#include <exact/predicates/path.hpp>
#include <index/viewpoint/viewpoint.hpp>
#include <memory>
#include <query/batch/check_queries.hpp>
#include <span>
#include <type_traits>
#include <utility>

namespace sphaera::query {

/// Smaller batches and scenes get no index of a star: traversal of a small scene is short.
inline constexpr std::size_t least_rays_of_star = 1024, least_spheres_of_star = 4096;
/// A build pays once so many rays have been asked about: what each saves grows with the scene
/// (../../index/decisions.md).
inline std::uint64_t worthwhile_rays(std::size_t spheres) { return spheres - spheres / 4 + (1 << 15); }
/// A viewpoint index is used only if a path in it meets, on average, less than this share of the boxes that a
/// line meets in the scene's index.
inline constexpr double worthwhile_boxes = 0.5;

/// The sum of a path's origin and direction: its point at t = 1, to rounding.
inline Vec3 end_of(const exact::Path& path) {
  const auto end = [](double from, double high, double low) {
    const exact::TwoDouble sum = exact::two_sum(from, high);
    return sum.hi + (sum.lo + low);
  };
  const Vec3 &o = path.origin, &d = path.direction, &low = path.direction_low;
  return {end(o.x, d.x, low.x), end(o.y, d.y, low.y), end(o.z, d.z, low.z)};
}

/// At most three places that the paths of a batch share; no heap memory.
struct SharedStars {
  std::array<index::Viewpoint, 3> places;
  std::size_t count = 0;

  std::span<const index::Viewpoint> span() const { return std::span(places).first(count); }
};

/// The places at which every path of a sample ends or begins. Candidates are the first path's end, origin and
/// direction, in this order. path_of(i) returns path i < n. Paths that double cannot decide, among them those
/// of skipped rows, do not count.
template <class PathOf>
SharedStars shared_stars(std::size_t n, const PathOf& path_of) {
  constexpr std::size_t samples = 32;
  SharedStars shared;
  auto& [places, count] = shared;
  bool first = true;
  for (std::size_t k = 0; k < samples && (first || count > 0); ++k) {
    const exact::Path path = path_of(k * (n - 1) / (samples - 1));
    if (!(path.floor < infinity)) continue;
    if (std::exchange(first, false)) {
      places = {end_of(path), path.origin, index::Viewpoint::at_infinity(path.direction)};
      count = places.size();
    }
    const auto end = places.begin() + static_cast<std::ptrdiff_t>(count);
    count = static_cast<std::size_t>(std::remove_if(places.begin(), end,
                                                    [&](const index::Viewpoint& place) {
                                                      return !place.ends(path) && !place.starts(path);
                                                    }) -
                                     places.begin());
  }
  return shared;
}

/// May the scene provide an index of a star for this batch? The options must allow it, and both the batch
/// and the scene must be large enough.
inline bool may_provide_star(const SceneState& state, std::size_t queries, const QueryOptions& options) {
  return options.automatic_viewpoint_indexes && queries >= least_rays_of_star &&
         state.enabled >= least_spheres_of_star;
}
/// May a batch of so many queries have an index of a star at all?
inline bool may_use_star(const SceneState& state, std::size_t queries, const QueryOptions& options) {
  return options.search == Search::index && queries > 0 &&
         (!options.viewpoint_indexes.empty() || may_provide_star(state, queries, options));
}

struct BuiltStar {
  std::shared_ptr<const index::ViewpointFaces> index;
  bool pays = false;
};
/// Builds an index of a star over the enabled spheres, in the calling arena. Precondition: at least one
/// sphere is enabled. Throws as the constructor of index::ViewpointFaces.
BuiltStar build_star(const SceneState& state, const index::Viewpoint& place,
                     const index::BuildControl& control);

/// The caller's index of the star; null if there is none or it does not pay.
const index::ViewpointFaces* held_star(const QueryOptions& options, const index::Viewpoint& place);

/// The scene's index of a star among spheres at time 0, for a batch of this many rays: a kept one, a
/// new one or null. Call this in the arena of the batch. Throws cancelled; returns null if memory runs out.
std::shared_ptr<const index::ViewpointFaces> viewpoint_index_about(const SceneState& state,
                                                                   const index::Viewpoint& place,
                                                                   std::size_t rays,
                                                                   const QueryOptions& options);

/// The same for the inputs of a batch, if they are paths that share an end or, where the caller holds an
/// index, a direction.
template <class Input>
std::shared_ptr<const index::ViewpointFaces> viewpoint_index_of(const SceneState& state,
                                                                std::span<const Input> inputs,
                                                                const QueryOptions& options) {
  if constexpr (std::is_same_v<Input, Ray> || std::is_same_v<Input, Segment>) {
    if (!may_use_star(state, inputs.size(), options) || sees_instants(state, options)) return nullptr;
    const SharedStars shared =
        shared_stars(inputs.size(), [&](std::size_t i) { return exact::path_of(inputs[i]); });
    const std::span<const index::Viewpoint> places = shared.span();
    for (const index::Viewpoint& place : places)
      if (const index::ViewpointFaces* const held = held_star(options, place))
        return {std::shared_ptr<const void>(), held};  // the caller keeps it
    // Sorted rays of one direction are about as fast in the scene's own index (../../index/decisions.md).
    if (places.empty() || places[0].at_infinity()) return nullptr;
    return viewpoint_index_about(state, places[0], inputs.size(), options);
  }
  return nullptr;
}

}  // namespace sphaera::query
