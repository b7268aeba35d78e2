#pragma once
/// \file A scene of spheres: built once, then queried many times through an index.
///
/// Thread safety is that of std::vector: const calls may run on many threads at once. Work runs on oneTBB in
/// the caller's arena, isolated from the caller's other tasks. A call needs at most 512 KiB of stack on each
/// of its threads, with gravity (FlightOptions) 1.5 MiB. Every decision (hit or miss, contact, order,
/// winner) equals that of exact arithmetic for the input doubles; numbers have the error stated at their
/// fields. The answers have the same bytes for any number of threads, batch order or grain. Ties go to the
/// lowest id.
///
/// Build a scene, ask it about a ray that ignores a sphere, then move the spheres:
///
/// ```cpp
/// #include <cassert>
/// #include <sphaera/scene.hpp>
///
/// int main() {
///   using namespace sphaera;
///   Scene scene = Scene::build({{{0, 0, 0}, 1}, {{10, 0, 0}, 2}});
///
///   // A shooter on sphere 0 looks along x.
///   const Ray ray{{0, 0, 0}, {1, 0, 0}};
///   const std::int64_t shooter = 0;
///   const Hit hit = scene.first_hit(ray, {.ignore = {&shooter, 1}});
///   assert(hit.sphere == 1 && hit.t_enter == 8);
///
///   const std::vector<Vec3> centers{{0, 0, 0}, {10, 5, 0}};
///   scene.update(centers);
///   assert(!scene.blocked(ray, {.ignore = {&shooter, 1}}));
/// }
/// ```

#include <sphaera/config/requirements.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <memory_resource>
#include <ranges>
#include <span>
#include <sphaera/bullet.hpp>
#include <sphaera/config/export.hpp>
#include <sphaera/hit.hpp>
#include <sphaera/irradiance.hpp>
#include <sphaera/ray.hpp>
#include <sphaera/rows.hpp>
#include <sphaera/scratch.hpp>
#include <sphaera/sphere.hpp>
#include <sphaera/star.hpp>
#include <sphaera/starlight.hpp>
#include <sphaera/viewpoint_index.hpp>
#include <stop_token>
#include <type_traits>
#include <vector>

namespace sphaera {

namespace query {
struct SceneState;  // opaque
struct SceneAccess;
}  // namespace query

/// A set of layers; bit l stands for layer l.
using LayerMask = std::uint64_t;
/// All 64 layers.
inline constexpr LayerMask all_layers = ~LayerMask{0};
inline constexpr int max_layers = 64;  ///< layers are 0 … max_layers − 1
/// The owner of a sphere that belongs to nobody.
inline constexpr std::uint32_t no_owner = 0xffffffff;

/// How candidates are found. All decide exactly and give the same answers.
enum class Search : std::uint8_t {
  index,        ///< through the BVH
  brute_force,  ///< every sphere is tested: the reference for tests
  /// Through a second index, of Embree user geometry, that shares no traversal, boxes, frames or nesting with
  /// the first: it checks the first where brute force would take hours. The first call that asks for it
  /// builds it, in that call's arena, while other such calls wait. It takes `SceneInfo::embree_bytes`; the
  /// build's memory_limit applies to it separately. Every change of the scene drops it. For rays, segments,
  /// points and balls, and for bullets that fly straight among spheres at rest; for starlight, irradiance,
  /// near misses, gravity and spheres that move it is an error (invalid_argument), before any work.
  embree,
};

/// The build time, query time and memory of an index.
enum class BuildQuality : std::uint8_t {
  fast,      ///< the fastest build; queries are slower
  balanced,  ///< fast queries
  compact,   ///< the least memory; queries are slower
};

/// How many decisions each stage took, summed over a batch. A decision goes through up to three stages of
/// arithmetic: a filter in double, double-double, exact integers.
struct QueryStats {
  std::uint64_t queries = 0;        ///< answered; for starlight and irradiance: pairs of observer and star
  std::uint64_t candidates = 0;     ///< spheres tested
  std::uint64_t double_double = 0;  ///< decisions that the filter passed on to double-double
  std::uint64_t exact = 0;          ///< decisions that double-double passed on to exact integers
  /// Paths, and pairs of observer and star, that were answered through an index of their star
  /// (ViewpointIndex).
  std::uint64_t in_viewpoint_indexes = 0;

  QueryStats& operator+=(const QueryStats& other) {
    queries += other.queries, candidates += other.candidates;
    double_double += other.double_double, exact += other.exact;
    in_viewpoint_indexes += other.in_viewpoint_indexes;
    return *this;
  }
};

/// A closed interval of the scene's time, in the unit of time of the velocities. Valid: finite,
/// from ≤ to, both within `domain_limit`. `Horizon{}` is the valid interval [0, 0].
struct Horizon {
  double from = 0, to = 0;

  /// Both ends are NaN: the value for no horizon.
  static constexpr Horizon not_given() {
    return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  }
};

/// What became of one row of inputs.
enum class RowStatus : std::uint8_t {
  ok,
  skipped,  ///< it is not valid
};

/// Properties of the spheres and settings of the index for `Scene::build`.
struct BuildOptions {
  std::span<const std::uint8_t> layers{};  ///< a layer (0 … 63) for each sphere; empty: all on layer 0
  /// The owner of each sphere, any number: a person of ten spheres, whose bullets meet none of them
  /// (QueryOptions::ignore_owners). Empty: no sphere has an owner.
  std::span<const std::uint32_t> owners{};
  /// Velocity of each sphere, in lengths per unit of time, within `domain_limit`; empty: all spheres are at
  /// rest, unless there is none and `horizon` is given: then those to come may move. The spheres given to
  /// `build` are the positions at time 0. Queries use these positions, except those about bullets and those
  /// with QueryOptions::times.
  std::span<const Vec3> velocities{};
  /// The time interval in which moving spheres may be hit. Required with `velocities`, ignored where all
  /// rest. A bullet that starts before `from` is an error. Flights end at the instant `to` exactly; a bullet
  /// that starts after `to` hits nothing. The bounds of a sphere cover its path over this interval and time
  /// 0: a long interval makes queries slower.
  Horizon horizon = Horizon::not_given();
  BuildQuality quality = BuildQuality::balanced;
  /// 0: the caller's arena; n: an arena of at most n threads, and no more than oneTBB allows.
  int threads = 0;
  /// If given, one status for each sphere. An invalid sphere, layer or velocity is no error: the status is
  /// `skipped`, and the id stands for no sphere, as after `erase`.
  std::span<RowStatus> statuses{};
  /// Most bytes that the index may hold at a time, 0: no limit; beyond it the build throws out_of_memory.
  std::uint64_t memory_limit = 0;
  /// Allocates the per-sphere arrays and the index, for the scene's whole life; null: the system does, on
  /// huge pages. Several threads call it at once. It must outlive the scene, and with a SceneBuffer the
  /// buffer and all its snapshots. Whatever it throws counts as a lack of memory. Temporary build memory, the
  /// free-id list and small objects use the heap.
  std::pmr::memory_resource* memory = nullptr;
  std::stop_token stop{};  ///< a stop makes the build throw ErrorCode::cancelled
  /// Called with the fraction done, 0 … 1, from any thread, possibly from several at once. An exception that
  /// it throws ends the build and reaches the caller.
  std::function<void(double)> progress{};
  /// true: the scene counts for each id how many spheres with it were erased (Scene::generations), so that an
  /// id that was kept is told from the same id used again. Takes 4 bytes per id.
  bool generations = false;
};

/// When `Scene::update` refits the index and when it rebuilds it.
struct UpdateOptions {
  enum class Rebuild : std::uint8_t {
    /// Refits; rebuilds once the expected traversal cost is twice its value at build time, or fewer than half
    /// of the spheres are left. Nested frames (SceneInfo::frames) have costs of their own and are rebuilt
    /// alone.
    when_degraded,
    never,   ///< only refits: the fastest update; the caller decides when to build again
    always,  ///< builds a new index in every call: the slowest update, the fastest queries
    /// Builds a new index on a thread of the scene's own, of low priority (SCHED_BATCH, nice 10), once the
    /// expected traversal cost is 1.3 times its value at build time, or the scene has lost half of its
    /// spheres or gained a sixteenth. A later change takes the new index over, unless the old one is better,
    /// and applies what changed meanwhile. Nested frames of up to 512 leaf blocks are rebuilt at once if
    /// their cost has doubled, and all is if it stays doubled for 256 changes. Only the destructor and a
    /// rebuild within a call (as `insert` or `set_enabled` may need) wait for the end of the build. The build
    /// pauses during calls that change the scene, unless that cost has doubled. The first change with this
    /// option starts the thread. A build takes the memory of a second scene, and for a moment of another
    /// index; up to 72 bytes per sphere stay for the next build. After fork() a child of a process with such
    /// a thread builds nothing in the background; what was under way is lost with its memory.
    in_background,
  };

  Rebuild rebuild = Rebuild::when_degraded;
  /// 0: the caller's arena; n: an arena of at most n threads, and no more than oneTBB allows.
  int threads = 0;
  /// For `update`. If given, one status for each center. An invalid new position, velocity or id is no
  /// error: its status is `skipped`, and the sphere stays as it is. (A row whose id is free is `ok` where all
  /// spheres move.)
  std::span<RowStatus> statuses{};
  /// A stop ends a rebuild: the scene keeps the refitted index. But if `insert` or `set_enabled` needs the
  /// rebuild because the index has no room, the call throws ErrorCode::cancelled and changes nothing.
  std::stop_token stop{};
  /// Progress of a rebuild, as in BuildOptions. An exception that it throws ends the rebuild and reaches the
  /// caller; the scene keeps the refitted index, or is unchanged if the index has no room.
  std::function<void(double)> progress{};
  /// Where spheres move: the instant of the scene's time at which listed spheres of `update` and new ones of
  /// `insert` are at the given centers. Valid: 0, or within the horizon. For a sphere with velocity V that is
  /// given at P, the scene stores the center P − at_time·V, rounded once; the velocity is the new one if one
  /// is given. Among spheres at rest any finite time is valid and makes no difference. An `update` of all
  /// spheres makes its own moment time 0: there another time is an error. Other changes do not read it.
  double at_time = 0;
};

/// Result of `Scene::update`.
struct UpdateResult {
  bool rebuilt = false;  ///< a new index since the last update: by any change, or from the background
  double boxes = 0;      ///< boxes of the index that a random line through the scene meets, on average
  /// Expected traversal cost divided by its value at build time, of the frame where that is the greatest;
  /// after a rebuild: its value before the rebuild.
  double degradation = 1;
};

/// Layers, owners and velocities of the spheres that `Scene::insert` adds.
struct InsertOptions {
  std::span<const std::uint8_t> layers{};   ///< a layer (0 … 63) for each; empty: layer 0
  std::span<const std::uint32_t> owners{};  ///< an owner for each; empty: none
  /// For scenes built with velocities: one for each; empty: at rest.
  std::span<const Vec3> velocities{};
  /// If given, one status for each sphere. An invalid sphere, layer or velocity is no error: the status is
  /// `skipped`, the id −1.
  std::span<RowStatus> statuses{};
  UpdateOptions update{};  ///< whether the call may rebuild the index, and how
};

/// The ids first … first + count − 1.
struct IdRange {
  std::int64_t first = 0, count = 0;
};

/// Does the sphere count for the query? `query` is the number of the query in its batch, 0 for a single one.
using SpherePredicate = std::function<bool(std::size_t query, std::int64_t sphere)>;

/// Which spheres count for the queries of a call, and how the call runs.
struct QueryOptions {
  /// Only spheres on these layers count: a bit mask, in which layer l is `LayerMask{1} << l`.
  LayerMask layers = all_layers;
  /// For each query the id of a sphere that it ignores, −1 (none) … spheres().size() − 1; an erased id is
  /// allowed. Empty: no query ignores any. A span of a variable or vector: `.ignore = ids`, for a single
  /// query `.ignore = {&id, 1}`. A list of numbers in braces does not compile.
  std::span<const std::int64_t> ignore{};
  /// For each query the layers that it sees, of those of `layers`; empty: all of these.
  std::span<const LayerMask> layers_each{};
  /// For each query an owner whose spheres it ignores; a value < 0 or ≥ `no_owner` ignores nothing. Empty: no
  /// query ignores any. A second owner: `also_ignore_owners`.
  std::span<const std::int64_t> ignore_owners{};
  /// For each query the instant of the scene's time at which it sees spheres that move, exactly where they
  /// are then: the rays of a lidar, a replay. Valid: finite, and within the horizon or 0 where spheres move.
  /// Empty: 0 for all. For rays, segments, points and balls; an error for other queries (a bullet has a start
  /// of its own, nearest_to_spheres is about time 0), and with Search::embree where spheres move.
  std::span<const double> times{};
  /// If set, called for a sphere that a query meets (`nearest`: that may be among the nearest). If it
  /// returns false, the sphere is ignored. It may also be called for spheres that are not in the result. Its
  /// result may depend on its arguments alone. It is called on the threads of the batch, several at once, in
  /// any order. What it throws ends the call and reaches the caller (std::bad_alloc and std::length_error as
  /// out_of_memory). An error for starlight and irradiance.
  SpherePredicate accept{};
  Search search = Search::index;
  /// Indexes of stars (Scene::viewpoint_index). A batch of rays or segments whose paths end or start in one
  /// of these points, or have the direction of one at infinity, is answered through its index, as is the
  /// light of a star with that center or direction. An index of another scene, or one made before the scene
  /// last changed, is an error (element: its position in this span). Single queries check the indexes and do
  /// not use them.
  std::span<const ViewpointIndex> viewpoint_indexes{};
  /// True: batches of paths that share a point, of starlight and of irradiance build viewpoint indexes
  /// themselves where that pays, and use those that earlier batches have built. Batches of rays that only
  /// share a direction build and use none. No answer depends on it.
  bool automatic_viewpoint_indexes = true;
  /// 0: the caller's arena; n: an arena of at most n threads, and no more than oneTBB allows. 1: the calling
  /// thread; no thread starts, and no lock is taken.
  int threads = 0;
  /// Queries per task; more than 2^21 count as 2^21. 0: 256; for brute force 2^18/(spheres().size() + 1), at
  /// least 1.
  std::size_t grain = 0;
  std::stop_token stop{};       ///< a stop makes the call throw ErrorCode::cancelled
  QueryStats* stats = nullptr;  ///< if set, the counts of the call are added to it at the end
  /// If set, working memory that the call uses and leaves for the next: see Scratch.
  Scratch* scratch = nullptr;
  /// If given, one status for each query. An invalid input, `ignore` id or time is no error: the status is
  /// `skipped`, and the answer is that of a miss (irradiance: NaN). Inputs are checked then even with
  /// check_inputs = false.
  std::span<RowStatus> statuses{};
  /// false: the inputs of a batch, their `ignore` ids and `times` were checked before, so the batch does not
  /// check them again. An input that is not valid then has undefined results.
  bool check_inputs = true;
  /// Most bytes that the lists of a batch (all_hits, within, neighbors_within, all_impacts) or the impacts of
  /// a single bullet may hold, 0: no limit. Beyond it the call throws out_of_memory; a smaller batch may fit.
  /// Viewpoint indexes are not counted. The lists take up to three times as much while they are joined. The
  /// list that a thread works on may exceed the limit, by no more than the limit for impacts, and the last
  /// 1023 items of a task are not counted.
  std::uint64_t memory_limit = 0;
  /// For each query a second owner whose spheres it ignores, given as in `ignore_owners`, and with it or
  /// without: a line of sight ignores the looker, `ignore_owners`, and the target, `also_ignore_owners`.
  std::span<const std::int64_t> also_ignore_owners{};
};

/// The frames of an index at one depth; depth 0 is the outermost frame.
struct FrameLevel {
  std::uint64_t frames = 0;
  std::uint64_t spheres = 0;                    ///< held by these frames themselves, not by nested ones
  double half_size_min = 0, half_size_max = 0;  ///< half-sizes of the frames along their longest axis
  double inflation = 0;  ///< largest margin added to a box, in the scene's unit of length
};

/// Result of `Scene::info`.
struct SceneInfo {
  std::uint64_t spheres = 0;  ///< disabled ones included
  Vec3 lower, upper;  ///< aabb of the enabled spheres (moving ones: over the horizon and time 0); zero if
                      ///< there is none
  double radius_min = 0, radius_max = 0;  ///< of the enabled spheres; zero if there is none
  Vec3 frame_center;       ///< of the outermost frame: its float coordinates are relative to it
  Vec3 frame_half_size;    ///< half-size of that frame along each axis
  double inflation = 0;    ///< largest margin added to a box, in the scene's unit of length
  double boxes = 0;        ///< boxes that a random line through the scene meets, on average
  double degradation = 1;  ///< as in UpdateResult
  /// One entry for each depth. Dense groups of small spheres get nested frames, since floats of the outer
  /// frame cannot resolve them.
  std::vector<FrameLevel> frames;
  std::uint64_t sphere_bytes = 0;  ///< spheres as doubles, and layers, owners and velocities if given
  std::uint64_t index_bytes = 0;   ///< index alone, without sphere_bytes
  std::uint64_t viewpoint_index_bytes =
      0;                               ///< part of index_bytes: viewpoint indexes that batches have built
  std::uint64_t index_peak_bytes = 0;  ///< most bytes held during the build, without sphere_bytes
  std::uint64_t embree_bytes = 0;      ///< the index of Search::embree, 0 until it is first used
};

/// A set of spheres with its index. The id of a sphere is its position in the span given to `build`, from 0,
/// or what `insert` has given it. At most 2^32 − 2 ids. Spheres can move (`update`), come and go (`insert`,
/// `erase`), and change; answers depend on the spheres that are there and on their ids, not on how they came
/// there. To query a scene during an update, use <sphaera/scene_buffer.hpp>. What is given to a function may
/// lie in the scene's own arrays: `scene.insert(scene.spheres())`.
class SPHAERA_API Scene {
 public:
  /// Validates all spheres, copies them and builds the index.
  /// Throws Error: invalid_argument, out_of_memory (also beyond `options.memory_limit`), cancelled. The
  /// element is the first bad sphere, also for a layer above 63 or a bad velocity. No element if a span has
  /// the wrong size, the horizon is missing or invalid, the quality is unknown, threads < 0, or there are too
  /// many spheres.
  [[nodiscard]] static Scene build(std::span<const Sphere> spheres, const BuildOptions& options = {});
  /// As above, but takes the vector's memory instead of a copy of it, unless `memory` or `statuses` is given.
  /// On an error the vector is unchanged.
  [[nodiscard]] static Scene build(std::vector<Sphere>&& spheres, const BuildOptions& options = {});
  [[nodiscard]] static Scene build(std::initializer_list<Sphere> spheres, const BuildOptions& options = {});
  /// As the first, from numbers as an engine has them (<sphaera/rows.hpp>).
  [[nodiscard]] static Scene build(const SphereRows& spheres, const BuildOptions& options = {});

  Scene() noexcept;  ///< an empty scene
  ~Scene();
  Scene(Scene&&) noexcept;  ///< the other scene becomes empty
  Scene& operator=(Scene&&) noexcept;

  /// Moves all spheres: sphere i to centers[i]. centers[i] is ignored if id i is free. Radii, layers, ids and
  /// the build options stay. The index is refitted to the new positions, and rebuilt if it has degraded, as
  /// `options.rebuild` says. Answers do not depend on this choice. Do not call it while other calls on the
  /// scene run.
  ///
  /// `velocities` is for scenes built with velocities: new ones, or empty to keep the old ones. The moment of
  /// the update becomes time 0; the horizon keeps its numbers, relative to the new time 0.
  ///
  /// Throws Error invalid_argument if centers.size() is not spheres().size(); if a center is not finite
  /// or beyond 2^200 (element = the first such center); if a velocity carries its sphere beyond 2^200 within
  /// the horizon (element = the sphere); if velocities are given for a scene built without any, or not one
  /// for each sphere. On these errors nothing has changed. Lack of memory (including the build's
  /// memory_limit, which here counts the new index alone) and a stop are not errors: they leave the refitted
  /// index.
  UpdateResult update(std::span<const Vec3> centers, std::span<const Vec3> velocities = {},
                      const UpdateOptions& options = {});

  /// The same from numbers as an engine has them: `scene.update(Strided{&agents[0].x, agents.size(), sizeof
  /// agents[0]})`. The scene keeps its conversion buffer (24 bytes a row, 48 with velocities) for later
  /// calls. Also throws out_of_memory.
  UpdateResult update(const VectorRows& centers, const VectorRows& velocities = VectorRows::none(),
                      const UpdateOptions& options = {});

  /// Moves some spheres: ids[i] to centers[i], with velocities[i]; empty velocities: the old ones stay. Time
  /// 0 stays the same moment, and centers[i] is the position at that moment; for places at time T give
  /// `{.at_time = T}`. Other spheres do not move. Throws as the other `update`, invalid_argument for
  /// an id that stands for no sphere or is given twice, and out_of_memory. Elements are indices in `ids`.
  UpdateResult update(std::span<const std::int64_t> ids, std::span<const Vec3> centers,
                      std::span<const Vec3> velocities = {}, const UpdateOptions& options = {});

  /// The same for rows of numbers, as an engine stores them.
  UpdateResult update(std::span<const std::int64_t> ids, const VectorRows& centers,
                      const VectorRows& velocities = VectorRows::none(), const UpdateOptions& options = {});

  /// Adds spheres: ids[i] becomes the id of spheres[i]. Ids of erased spheres are used again, the lowest
  /// first, then new ones follow the largest. ids.size() = spheres.size(). The index takes the spheres in and
  /// is rebuilt if it has no room (a `balanced` one has room for about a sixth more spheres), or as
  /// `options.update` says. Throws as Scene::build, with the index in `spheres` as element; nothing has
  /// changed then. A few spheres at a time take microseconds each, a rebuild as long as Scene::build. Do not
  /// call it, nor the functions below, while other calls on the scene run.
  void insert(std::span<const Sphere> spheres, std::span<std::int64_t> ids,
              const InsertOptions& options = {});
  std::vector<std::int64_t> insert(std::span<const Sphere> spheres, const InsertOptions& options = {});
  void insert(const SphereRows& spheres, std::span<std::int64_t> ids, const InsertOptions& options = {});
  /// One sphere; returns its id, or −1 if its status is `skipped`.
  std::int64_t insert(const Sphere& sphere, const InsertOptions& options = {}) {
    std::int64_t id = -1;
    insert(std::span(&sphere, 1), std::span(&id, 1), options);
    return id;
  }
  /// Removes spheres. Throws invalid_argument for an id that stands for no sphere or is given twice (element
  /// = its index in `ids`), out_of_memory; nothing has changed then. The functions below throw the same
  /// errors. What `progress` throws while the index is rebuilt reaches the caller after the change.
  void erase(std::span<const std::int64_t> ids, const UpdateOptions& options = {});
  void erase(std::int64_t id, const UpdateOptions& options = {}) { erase(std::span(&id, 1), options); }
  /// Disabled spheres keep their ids and positions, but no query meets them. New spheres are enabled.
  /// Enabling rebuilds the index if it has no room; it then also throws cancelled, and out_of_memory beyond
  /// the build's memory_limit, and nothing has changed.
  void set_enabled(std::span<const std::int64_t> ids, bool enabled, const UpdateOptions& options = {});
  /// radii.size() = ids.size(), layers.size() = ids.size(); an invalid radius or layer is an error (element =
  /// its index in `ids`). set_layers: in a scene without layers all other spheres get layer 0.
  void set_radii(std::span<const std::int64_t> ids, std::span<const double> radii,
                 const UpdateOptions& options = {});
  void set_layers(std::span<const std::int64_t> ids, std::span<const std::uint8_t> layers);

  /// The number of spheres, disabled ones included, erased ones not. Spans for each sphere have
  /// spheres().size() entries instead, one for each id.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool contains(std::int64_t id) const;  ///< false if the sphere was erased, or never was
  /// The same for an id that was kept with its generation: false also if the id now stands for another
  /// sphere. In a scene without generations, as if all were 0.
  [[nodiscard]] bool contains(std::int64_t id, std::uint32_t generation) const;
  [[nodiscard]] bool is_enabled(std::int64_t id) const;  ///< false for an id that stands for no sphere

  /// Indexed by id; the entries of erased ids remain and stand for no sphere. The spans are valid until the
  /// scene is destroyed or assigned to, or spheres are inserted. `update` and other changes change what they
  /// show.
  std::span<const Sphere> spheres() const&;
  std::span<const std::uint8_t> layers() const&;   ///< empty if the scene was built without layers
  std::span<const std::uint32_t> owners() const&;  ///< empty if no sphere was given an owner
  std::span<const Vec3> velocities() const&;       ///< empty if the scene was built without velocities
  /// The number of spheres with each id that were erased, rows that `build` has skipped among them, modulo
  /// 2^32; empty unless the scene was built with BuildOptions::generations. With an id keep its generation.
  std::span<const std::uint32_t> generations() const&;
  std::span<const Sphere> spheres() const&& = delete;  ///< the span would outlive a temporary
  std::span<const std::uint8_t> layers() const&& = delete;
  std::span<const std::uint32_t> owners() const&& = delete;
  std::span<const Vec3> velocities() const&& = delete;
  std::span<const std::uint32_t> generations() const&& = delete;

  /// The owner of a sphere; `no_owner` if it has none, and for an id that stands for no sphere, such as the
  /// −1 of a miss.
  [[nodiscard]] std::uint32_t owner_of(std::int64_t id) const;
  /// The owners of many spheres: out[i] = owner_of(id i). The ids are a range of integers or of structures
  /// with a member `sphere`, such as Hit, SurfaceHit, Neighbor, Impact and NearMiss: `scene.owners_of(hits,
  /// out)`, for lists `scene.owners_of(lists.items, out)`. Throws Error invalid_argument, without an element,
  /// unless out.size() is the number of ids.
  template <std::ranges::contiguous_range Answers>
  void owners_of(const Answers& answers, std::span<std::uint32_t> out) const {
    owners_of(sphere_ids(answers), out);
  }
  template <std::ranges::contiguous_range Answers>
  [[nodiscard]] std::vector<std::uint32_t> owners_of(const Answers& answers) const {
    std::vector<std::uint32_t> owners(std::ranges::size(answers));
    owners_of(answers, owners);
    return owners;
  }
  /// The same for the ids in structures of the caller's.
  void owners_of(const Strided<const std::int64_t>& ids, std::span<std::uint32_t> out) const;

  /// Bounds, frames and memory of the scene as it is now. Takes time in proportion to the number of spheres
  /// and boxes. Throws Error: out_of_memory.
  [[nodiscard]] SceneInfo info() const;

  /// A viewpoint index for QueryOptions::viewpoint_indexes: the enabled spheres at time 0, arranged for paths
  /// that end or start at `point` or the star's center, or have the direction of a star at infinity. Building
  /// takes about as long as a scene's own index. Valid: a finite point within `domain_limit`; a valid star,
  /// of which only place or direction counts. Throws Error: invalid_argument, without an element;
  /// out_of_memory; cancelled.
  [[nodiscard]] ViewpointIndex viewpoint_index(const Vec3& point, const ViewpointIndexOptions& = {}) const;
  [[nodiscard]] ViewpointIndex viewpoint_index(const Star& star, const ViewpointIndexOptions& = {}) const;

  /// All queries throw Error:
  /// - invalid_argument; the element is the first query with an invalid input, or with an invalid entry in a
  /// span of the options. No element for a span of the wrong size or another option out of range, and for the
  /// input of a single query;
  /// - out_of_memory, also beyond QueryOptions::memory_limit;
  /// - cancelled, for a stop in a batch.
  ///
  /// Any-hit: out[i] = 1 if rays[i] has a point in common with any closed ball, else 0. out.size() =
  /// rays.size().
  void blocked(std::span<const Ray> rays, std::span<std::uint8_t> out, const QueryOptions& = {}) const;
  void blocked(std::span<const Segment> segments, std::span<std::uint8_t> out,
               const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<std::uint8_t> blocked(std::span<const Ray> rays, const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<std::uint8_t> blocked(std::span<const Segment> segments,
                                                  const QueryOptions& = {}) const;

  /// First hit: the sphere with the least (max(t_min, t1), id) among those that the ray meets. out.size() =
  /// rays.size().
  void first_hit(std::span<const Ray> rays, std::span<Hit> out, const QueryOptions& = {}) const;
  void first_hit(std::span<const Segment> segments, std::span<Hit> out, const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<Hit> first_hit(std::span<const Ray> rays, const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<Hit> first_hit(std::span<const Segment> segments, const QueryOptions& = {}) const;

  /// As first_hit, with the point and the normal of each hit. Costs less than a call of `hit_point`
  /// (<sphaera/closed_form/pierce.hpp>) for each hit, which decides the hit again; the numbers are the same.
  void first_surface_hit(std::span<const Ray> rays, std::span<SurfaceHit> out,
                         const QueryOptions& = {}) const;
  void first_surface_hit(std::span<const Segment> segments, std::span<SurfaceHit> out,
                         const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<SurfaceHit> first_surface_hit(std::span<const Ray> rays,
                                                          const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<SurfaceHit> first_surface_hit(std::span<const Segment> segments,
                                                          const QueryOptions& = {}) const;

  /// All spheres that each ray meets, ascending by (max(t_min, t1), id). The number of hits has no limit but
  /// memory.
  [[nodiscard]] HitLists all_hits(std::span<const Ray> rays, const QueryOptions& = {}) const;
  [[nodiscard]] HitLists all_hits(std::span<const Segment> segments, const QueryOptions& = {}) const;
  /// The same into existing lists, whose memory is reused. After an error the lists are empty. `within`,
  /// `neighbors_within` and `all_impacts` have such a form, too.
  void all_hits(std::span<const Ray> rays, HitLists& lists, const QueryOptions& = {}) const;
  void all_hits(std::span<const Segment> segments, HitLists& lists, const QueryOptions& = {}) const;

  /// The k spheres nearest to each point by the signed distance |X − C| − r, ascending, ties by id. The
  /// answers of point i are out[i·k … i·k + k − 1]; if the scene has fewer than k spheres, the rest is
  /// `Neighbor{}`. out.size() = points.size()·k; k = 0 is allowed. `k` comes before the options in every
  /// batch.
  void nearest(std::span<const Vec3> points, std::size_t k, std::span<Neighbor> out,
               const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<Neighbor> nearest(std::span<const Vec3> points, std::size_t k = 1,
                                              const QueryOptions& = {}) const;

  /// The ids, ascending, of the spheres that have a point in common with each closed ball. This is exact, and
  /// a distance of `nearest` is rounded: as a radius, take it one ulp up (see Neighbor).
  [[nodiscard]] IdLists within(std::span<const Ball> balls, const QueryOptions& = {}) const;
  void within(std::span<const Ball> balls, IdLists& lists, const QueryOptions& = {}) const;

  /// The number of spheres that have a point in common with each closed ball, as `within` decides. No list is
  /// made. out.size() = balls.size().
  void count_within(std::span<const Ball> balls, std::span<std::uint64_t> out,
                    const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<std::uint64_t> count_within(std::span<const Ball> balls,
                                                        const QueryOptions& = {}) const;

  /// The spheres of `within`, each with its signed distance |X − C| − r from the center X of the ball, which
  /// is at most the ball's radius (the rounded number may be 1 ulp above it). Ascending by (distance, id):
  /// the list is what `nearest` gives for X, as far as the ball reaches. Distances have an error of 1 ulp;
  /// the order is that of the exact distances.
  [[nodiscard]] NeighborLists neighbors_within(std::span<const Ball> balls, const QueryOptions& = {}) const;
  void neighbors_within(std::span<const Ball> balls, NeighborLists& lists, const QueryOptions& = {}) const;

  /// The k spheres nearest to the center of each sphere of the scene, without that sphere itself: row i is
  /// the answer of `nearest` for the center of sphere i, which ignores sphere i. out.size() =
  /// spheres().size()·k. The rows of disabled spheres and of ids that stand for no sphere are `Neighbor{}`,
  /// and the statistics do not count them. The query's number, in `accept` and in the spans of the options,
  /// is the id. Centers are those of time 0: `times` is an error (a center at an instant is no double), and
  /// so is `ignore` (invalid_argument). Costs less than a batch of `nearest`: no order of points is computed,
  /// and each answer bounds the next.
  void nearest_to_spheres(std::size_t k, std::span<Neighbor> out, const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<Neighbor> nearest_to_spheres(std::size_t k = 1, const QueryOptions& = {}) const;
  /// The same for the spheres of `ids` alone, where the rows of all would take too much memory: row i is that
  /// of sphere ids.first + i, and out.size() = ids.count·k. Spans of the options still have an item for each
  /// sphere of the scene. Throws Error invalid_argument if the scene lacks one of the ids.
  void nearest_to_spheres(IdRange ids, std::size_t k, std::span<Neighbor> out,
                          const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<Neighbor> nearest_to_spheres(IdRange ids, std::size_t k = 1,
                                                         const QueryOptions& = {}) const;

  /// The visibility of every star for every observer behind the scene's spheres, with the accuracy stated in
  /// <sphaera/starlight.hpp>. out[i · stars.size() + j] is star j for observer i. out.size() =
  /// observers.size() · stars.size(). `options.ignore` holds one id for each observer. A sphere that is
  /// ignored, or that is on none of the options' layers, hides nothing, not even as the ground that an
  /// observer stands on. The statistics count every pair as one query. Throws Error invalid_argument for a
  /// star or observer out of range, `on` not an id of the scene, or an observer at the center of the sphere
  /// `on`. The element is the number of the first bad star or observer; subject() says which of the two it
  /// is: "star 1", "observer 3".
  void starlight(std::span<const Star> stars, std::span<const Observer> observers, std::span<Visibility> out,
                 const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<Visibility> starlight(std::span<const Star> stars,
                                                  std::span<const Observer> observers,
                                                  const QueryOptions& = {}) const;

  /// The irradiance of every receiver (<sphaera/irradiance.hpp>): the sum over all sources, behind the
  /// scene's spheres, in watts per square unit of length. NaN if a receiver's observer is inside a star or
  /// the surface of a sphere crosses that of a star. Each source adds its `irradiance` for a `flux` with the
  /// error of Visibility::flux. out.size() = receivers.size(). Options and errors as for starlight;
  /// subject(): "source 1", "receiver 3", and "observer 3" for a bad `on`.
  void irradiance(std::span<const Source> sources, std::span<const Receiver> receivers, std::span<double> out,
                  const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<double> irradiance(std::span<const Source> sources,
                                               std::span<const Receiver> receivers,
                                               const QueryOptions& = {}) const;

  /// The first impact of every bullet (<sphaera/bullet.hpp>); Outcome::none if it hits nothing. The outcome
  /// follows FlightOptions, but the flight after the impact is not followed. out.size() = bullets.size(). The
  /// query options' `ignore` holds one id for each bullet (its shooter), which it never hits. Throws Error
  /// invalid_argument for a bullet that is not valid or that starts before the horizon of moving spheres
  /// (element = the first such bullet), a resistance that is negative or NaN (element = the first such
  /// sphere), or a flight option out of range (no element).
  void first_impact(std::span<const Bullet> bullets, std::span<Impact> out, const FlightOptions& = {},
                    const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<Impact> first_impact(std::span<const Bullet> bullets, const FlightOptions& = {},
                                                 const QueryOptions& = {}) const;

  /// All impacts of every bullet, in order of time, through penetrations and ricochets. Options and errors as
  /// for first_impact.
  [[nodiscard]] ImpactLists all_impacts(std::span<const Bullet> bullets, const FlightOptions& = {},
                                        const QueryOptions& = {}) const;
  void all_impacts(std::span<const Bullet> bullets, ImpactLists& lists, const FlightOptions& = {},
                   const QueryOptions& = {}) const;

  /// For every bullet, on a straight flight (without gravity) from its start to its first impact or the end
  /// of its flight: the sphere with the smallest gap to the bullet that it does not touch, if that gap is at
  /// most `max_distance`. Ties, by the distances reported, go to the lowest id. out.size() = bullets.size(),
  /// 0 ≤ max_distance ≤ `domain_limit`. Throws Error invalid_argument (element = the first bad bullet; none
  /// for max_distance).
  void near_misses(std::span<const Bullet> bullets, double max_distance, std::span<NearMiss> out,
                   const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<NearMiss> near_misses(std::span<const Bullet> bullets, double max_distance,
                                                  const QueryOptions& = {}) const;

  /// Single queries: serial, callable from any thread. blocked, first_hit, first_impact without gravity,
  /// count_within and `nearest` (k ≤ 16) allocate nothing. With a Scratch the forms that write into a span
  /// allocate nothing either; those that return a vector allocate the vector. The options' threads, grain and
  /// stop are not used. `ignore` holds at most one id: `const std::int64_t me = 5; scene.first_hit(ray,
  /// {.ignore = {&me, 1}})`. Write the type of the query: `scene.first_hit({a, b})` is ambiguous.
  /// first_impact and all_impacts check only the resistances of spheres that are hit. irradiance,
  /// near_misses and nearest_to_spheres have no single form.
  [[nodiscard]] bool blocked(const Ray& ray, const QueryOptions& = {}) const;
  [[nodiscard]] bool blocked(const Segment& segment, const QueryOptions& = {}) const;
  [[nodiscard]] Hit first_hit(const Ray& ray, const QueryOptions& = {}) const;
  [[nodiscard]] Hit first_hit(const Segment& segment, const QueryOptions& = {}) const;
  [[nodiscard]] SurfaceHit first_surface_hit(const Ray& ray, const QueryOptions& = {}) const;
  [[nodiscard]] SurfaceHit first_surface_hit(const Segment& segment, const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<Hit> all_hits(const Ray& ray, const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<Hit> all_hits(const Segment& segment, const QueryOptions& = {}) const;
  [[nodiscard]] Neighbor nearest(const Vec3& point, const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<std::int64_t> within(const Ball& ball, const QueryOptions& = {}) const;
  [[nodiscard]] std::uint64_t count_within(const Ball& ball, const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<Neighbor> neighbors_within(const Ball& ball, const QueryOptions& = {}) const;
  /// Writes the first min(out.size(), n) of the n items and returns n. The rest of `out` is unchanged.
  /// `nearest`: k = out.size(), and all of `out` is written.
  [[nodiscard]] std::size_t all_hits(const Ray& ray, std::span<Hit> out, const QueryOptions& = {}) const;
  [[nodiscard]] std::size_t all_hits(const Segment& segment, std::span<Hit> out,
                                     const QueryOptions& = {}) const;
  void nearest(const Vec3& point, std::span<Neighbor> out, const QueryOptions& = {}) const;
  [[nodiscard]] std::size_t within(const Ball& ball, std::span<std::int64_t> out,
                                   const QueryOptions& = {}) const;
  [[nodiscard]] std::size_t neighbors_within(const Ball& ball, std::span<Neighbor> out,
                                             const QueryOptions& = {}) const;
  [[nodiscard]] std::size_t all_impacts(const Bullet& bullet, std::span<Impact> out,
                                        const FlightOptions& = {}, const QueryOptions& = {}) const;
  [[nodiscard]] Visibility starlight(const Star& star, const Observer& observer,
                                     const QueryOptions& = {}) const;
  [[nodiscard]] Impact first_impact(const Bullet& bullet, const FlightOptions& = {},
                                    const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<Impact> all_impacts(const Bullet& bullet, const FlightOptions& = {},
                                                const QueryOptions& = {}) const;

 private:
  friend struct query::SceneAccess;

  template <std::ranges::contiguous_range Answers>
  static Strided<const std::int64_t> sphere_ids(const Answers& answers) {
    const auto* const first = std::ranges::data(answers);
    const std::size_t size = std::ranges::size(answers);
    if constexpr (std::is_same_v<std::ranges::range_value_t<Answers>, std::int64_t>) {
      return {first, size, sizeof *first};
    } else {
      return {size > 0 ? &first->sphere : nullptr, size, sizeof *first};
    }
  }
  UpdateResult update_skipping(std::span<const Vec3> centers, std::span<const Vec3> velocities,
                               const UpdateOptions& options);
  UpdateResult update_skipping(std::span<const std::int64_t> ids, std::span<const Vec3> centers,
                               std::span<const Vec3> velocities, const UpdateOptions& options);
  void insert_skipping(std::span<const Sphere> spheres, std::span<std::int64_t> ids,
                       const InsertOptions& options);
  explicit Scene(std::unique_ptr<query::SceneState> state) noexcept;
  const query::SceneState& state() const;

  std::unique_ptr<query::SceneState> state_;  ///< null for an empty scene
};

}  // namespace sphaera
