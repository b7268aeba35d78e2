#pragma once
/// \file The star's index of a batch whose paths share an end: found, or built where that pays.

#include <exact/predicates/path.hpp>
#include <index/star/star_way.hpp>
#include <memory>
#include <optional>
#include <query/batch/check_queries.hpp>
#include <type_traits>

namespace sphaera::query {

/// Smaller batches and scenes get no index about a point: traversal of a small scene is short.
inline constexpr std::size_t least_rays_of_star = 1024, least_spheres_of_star = 4096;
/// A build pays once so many rays have been asked about: what each saves grows with the scene
/// (../../index/decisions.md).
inline std::uint64_t worthwhile_rays(std::size_t spheres) { return spheres - spheres / 4 + (1 << 15); }
/// The index about a point is used only if a way in it meets less than this share of the boxes that a line
/// meets in the scene's index.
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

/// The point in which all paths of a sample end, or else begin, if there is one. path_of(i), i < n. Paths
/// that double cannot decide, among them those of skipped rows, do not count.
template <class PathOf>
std::optional<Vec3> shared_point(std::size_t n, const PathOf& path_of) {
  constexpr std::size_t samples = 32;
  std::optional<index::SharedPoint> ends, starts;
  bool all_end = true, all_start = true;
  for (std::size_t k = 0; k < samples && (all_end || all_start); ++k) {
    const exact::Path path = path_of(k * (n - 1) / (samples - 1));
    if (!(path.floor < infinity)) continue;
    if (!ends) ends.emplace(end_of(path)), starts.emplace(path.origin);
    all_end &= ends->ends(path), all_start &= starts->starts(path);
  }
  if (!ends || !(all_end || all_start)) return std::nullopt;
  return all_end ? ends->point() : starts->point();
}

/// May the scene provide an index about a point for this batch? The options must allow it, and both the batch
/// and the scene must be large enough.
inline bool may_keep_star(const SceneState& state, std::size_t queries, const QueryOptions& options) {
  return options.automatic_star_indexes && queries >= least_rays_of_star &&
         state.enabled >= least_spheres_of_star;
}
/// May a batch of so many queries have an index about a point at all?
inline bool may_use_star(const SceneState& state, std::size_t queries, const QueryOptions& options) {
  return options.search == Search::index && queries > 0 &&
         (!options.star_indexes.empty() || may_keep_star(state, queries, options));
}

struct BuiltStar {
  std::shared_ptr<const index::StarIndex> index;
  bool pays = false;
};
/// An index about a point, of the enabled spheres, of which there is one at least. In the calling arena.
/// Throws as the constructor.
BuiltStar build_star(const SceneState& state, const Vec3& point, const index::BuildControl& control);

/// The caller's index about a point, or null.
const index::StarIndex* held_star(const QueryOptions& options, const Vec3& point);

/// The scene's index about a point among spheres at time 0, for a batch of this many rays: a kept one, a
/// new one or null. Call this in the arena of the batch. Throws cancelled; returns null if memory runs out.
std::shared_ptr<const index::StarIndex> star_index_about(const SceneState& state, const Vec3& point,
                                                         std::size_t rays, const QueryOptions& options);

/// The same for the inputs of a batch, if they are paths that share an end.
template <class Input>
std::shared_ptr<const index::StarIndex> star_index_of(const SceneState& state, std::span<const Input> inputs,
                                                      const QueryOptions& options) {
  if constexpr (std::is_same_v<Input, Ray> || std::is_same_v<Input, Segment>) {
    if (!may_use_star(state, inputs.size(), options) || sees_instants(state, options)) return nullptr;
    const auto point = shared_point(inputs.size(), [&](std::size_t i) { return exact::path_of(inputs[i]); });
    if (!point) return nullptr;
    if (const index::StarIndex* const held = held_star(options, *point))
      return {std::shared_ptr<const void>(), held};  // the caller keeps it
    return star_index_about(state, *point, inputs.size(), options);
  }
  return nullptr;
}

}  // namespace sphaera::query
