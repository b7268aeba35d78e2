#pragma once
/// \file The data of a Scene.

#include <base/huge_array.hpp>
#include <embree/embree_index.hpp>
#include <index/frames/scene_bounds.hpp>
#include <index/scene_index.hpp>
#include <memory>
#include <sphaera/scene.hpp>

namespace sphaera::query {

/// Cost of walks through an index: the half-areas of all its boxes and of the frame around them.
struct Cost {
  double areas = 0, frame = 0;

  static Cost of(const index::SceneIndex& scene_index) {
    const Vec3& h = scene_index.top().frame().half_size();
    return {scene_index.top().areas(), 4 * (h.x * h.y + h.y * h.z + h.z * h.x)};
  }
  /// The number of boxes that a straight line through the scene meets, on average.
  double boxes() const { return frame > 0 ? areas / frame : 0; }
};

struct SceneState {
  base::HugeArray<Sphere> spheres;
  base::HugeArray<std::uint8_t> layers;  ///< empty: all on layer 0
  base::HugeArray<Vec3> velocities;      ///< empty: all at rest
  Horizon horizon;                       ///< time interval of moving spheres
  index::SceneBounds bounds;
  std::unique_ptr<index::SceneIndex> scene_index;  ///< null for an empty scene
  BuildQuality quality = BuildQuality::balanced;
  std::uint64_t memory_limit = 0;
  Cost built;                          ///< of the index when it was built
  embree_index::IndexOnDemand embree;  ///< for Search::embree

  /// The spheres as the index holds them: the time interval extended to contain time 0 and roundings. With M
  /// the larger of the interval's ends, which contains all starts, a walk goes on for less than 4uM beyond a
  /// flight's end (exact::Flight), and times on it are rounded by 3uM.
  index::SphereSet sphere_set() const {
    if (velocities.span().empty()) return {spheres.span()};
    const double spare = 8 * exact::u * std::max(std::fabs(horizon.from), std::fabs(horizon.to));
    return {spheres.span(), velocities.span(), std::min(horizon.from - spare, 0.0),
            std::max(horizon.to + spare, 0.0)};
  }
};

/// The data of a Scene, for engine code that is no member of it.
struct SceneAccess {
  static const SceneState& state(const Scene& scene) { return scene.state(); }
};

/// Builds an index for the state's spheres with the state's quality. In the calling arena. Precondition: not
/// empty.
std::unique_ptr<index::SceneIndex> index_of(const SceneState& state, std::stop_token stop,
                                            const std::function<void(double)>& progress);

/// Builds the Embree index if the options ask for it and there is none. In the calling arena. A thread may
/// build here while others wait, so do not call it within parallel work.
void prepare_embree(const SceneState& state, const QueryOptions& options);
inline void prepare_search(const SceneState& state, const QueryOptions& options) {
  if (options.search == Search::embree) [[unlikely]]
    prepare_embree(state, options);
}

/// Throws invalid_argument if the options ask for Search::embree: for queries that it cannot answer.
[[noreturn, gnu::cold]] void refuse_embree(const char* what);
inline void refuse_embree(const QueryOptions& options, const char* what) {
  if (options.search == Search::embree) [[unlikely]]
    refuse_embree(what);
}

}  // namespace sphaera::query
