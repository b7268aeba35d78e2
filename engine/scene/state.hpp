#pragma once
/// \file The data of a Scene.

#include <atomic>
#include <base/changed_items.hpp>
#include <base/huge_array.hpp>
#include <base/on_demand.hpp>
#include <embree_index/embree_index.hpp>
#include <index/boxes/scene_bounds.hpp>
#include <index/scene_index.hpp>
#include <memory>
#include <scene/background_build.hpp>
#include <scene/center_bounds.hpp>
#include <scene/opened_file.hpp>
#include <scene/viewpoint_indexes.hpp>
#include <sphaera/scene.hpp>
#include <vector>

namespace sphaera::query {

/// What an id of a scene stands for.
enum class IdState : std::uint8_t {
  free,      ///< no sphere: it was erased, and `insert` may use the id again
  disabled,  ///< a sphere that no query meets
  enabled,
};

inline constexpr std::size_t max_spheres = 0xfffffffe;  // 32-bit ids; the last value is no_sphere

/// A record of changes, by which a copy of a scene is brought up to date (incremental_copy.hpp). Small
/// members are always copied and not recorded.
struct Journal {
  bool everything = true;           ///< scene or index was replaced, or changes were not recorded
  bool moved = false;               ///< all centers may have changed
  bool velocities_changed = false;  ///< all velocities may have changed
  bool freed = false;               ///< `free_ids` has changed
  base::ChangedItems ids;           ///< ids with a changed entry in an array that is indexed by id
  index::SceneIndex::Changes index;

  void clear();
  void add(const Journal& other);
};

struct SceneState;

/// The velocity of sphere i; null if there are no velocities: all spheres are at rest.
SPHAERA_INLINE const Vec3* velocity_of(std::span<const Vec3> velocities, std::size_t i) {
  return velocities.empty() ? nullptr : &velocities[i];
}

/// Working memory of changes from rows (rows.hpp): the rows as arrays.
struct RowScratch {
  std::vector<Sphere> spheres;
  std::vector<Vec3> centers, velocities;
};
/// The scene's own RowScratch, made by the first call. Throws std::bad_alloc.
RowScratch& row_scratch(SceneState& state);
/// Rows as spans: those that are arrays of Vec3 themselves, others copied into `scratch`, in an arena, in the
/// floating-point mode that the caller has set. Throws std::bad_alloc.
struct Moves {
  std::span<const Vec3> centers, velocities;
};
Moves read_rows(RowScratch& scratch, const VectorRows& centers, const VectorRows& velocities, int threads);

/// If you add a member, copy it in incremental_copy.cpp.
struct SceneState {
  /// Of which arrays are views; null: none. Declared before them. Call `make_own` before a change.
  std::unique_ptr<OpenedFile> file;
  std::atomic<bool> is_unchecked{false};  ///< the file is checked before the next use (SceneAccess::state)
  base::HugeArray<Sphere> spheres;        ///< by id; a free id has an entry, too
  base::HugeArray<std::uint8_t> layers;   ///< empty: all on layer 0
  base::HugeArray<Vec3> velocities;       ///< empty: all at rest
  base::HugeArray<std::uint32_t> owners;  ///< empty: no sphere has one
  base::HugeArray<std::uint32_t> generations;  ///< erased spheres of each id, if `keeps_generations`
  bool keeps_generations = false;              ///< from the start, or never
  bool moving = false;                         ///< spheres have velocities; true from the start, or never
  Horizon horizon;                             ///< time interval of moving spheres
  index::SceneBounds bounds;                   ///< of the enabled spheres, or larger: spheres may have gone
  std::unique_ptr<index::SceneIndex> scene_index;  ///< null if no sphere is enabled
  BuildQuality quality = BuildQuality::balanced;
  std::uint64_t memory_limit = 0;
  std::pmr::memory_resource* memory = nullptr;       ///< of arrays; null: the system's
  base::OnDemand<embree_index::EmbreeIndex> embree;  ///< for Search::embree
  ViewpointIndexes stars;                            ///< for batches that share a star
  base::OnDemand<CenterBounds> center_bounds;        ///< for periodic boxes

  base::HugeArray<IdState> presence;      ///< empty: all ids are enabled
  std::vector<std::uint32_t> free_ids;    ///< a heap with the lowest on top
  std::size_t enabled = 0;                ///< number of spheres in the index
  std::size_t built_for = 0;              ///< `enabled` when the index was built
  std::vector<std::uint32_t> edited_ids;  ///< working memory of edits
  BackgroundBuild::Handle background;     ///< null until a change asks for one
  bool rebuilt = false;                   ///< a new index since the last update
  int degraded_changes = 0;          ///< changes in turn after which the index was degraded (rebuild.cpp)
  double background_due = 0;         ///< degradation at which a build in the background starts, at least
  std::unique_ptr<RowScratch> rows;  ///< null until a change comes from rows
  Journal journal;                   ///< what has changed, for copies of the scene (incremental_copy.hpp)

  SceneState() = default;
  SceneState(const SceneState&) = delete;
  void note_change(std::uint32_t id) {
    journal.ids.add(id);
    if (background) background->note_change(id);
  }
  void note_move(bool with_velocities) {
    journal.moved = true, journal.velocities_changed |= with_velocities;
    if (background) background->note_move();
  }
  /// Drops what was made on demand: the Embree index, the viewpoint indexes, the bounds. Call this before a
  /// change of the spheres.
  void drop_other_indexes() { embree.drop(), stars.drop(), center_bounds.drop(); }
  /// Calls visit(array, …) for each array by id, of several states at once, in the order of base::Section.
  template <class Visit, class... States>
  static void each_array(const Visit& visit, States&... states) {
    visit(states.spheres...), visit(states.velocities...), visit(states.layers...), visit(states.owners...);
    visit(states.generations...), visit(states.presence...);
  }
  bool moves() const { return moving; }
  SPHAERA_INLINE const Vec3* velocity_of(std::size_t id) const {
    return query::velocity_of(velocities.span(), id);
  }
  bool contains(std::size_t id) const {
    return id < spheres.size() && (presence.size() == 0 || presence.span()[id] != IdState::free);
  }
  SPHAERA_INLINE bool is_enabled(std::uint32_t id) const {
    return presence.size() == 0 || presence.span()[id] == IdState::enabled;
  }

  /// The spheres as the index holds them. Their time interval is extended to contain time 0, and by 8uM at
  /// both ends, where M is the larger magnitude of the ends: a walk continues for less than 4uM beyond a
  /// flight's end (exact::Flight), and times on it are rounded by 3uM. A flight that can hit a sphere starts
  /// in the interval.
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
  /// Null for an empty scene.
  static std::unique_ptr<SceneState>& own(Scene& scene) { return scene.state_; }
};

}  // namespace sphaera::query
