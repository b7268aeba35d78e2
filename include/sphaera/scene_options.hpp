#pragma once
/// \file What the functions of a Scene are told, and what they report: options of builds, changes and
/// queries, results of updates, statistics, the contents of a scene.

#include <sphaera/config/requirements.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory_resource>
#include <span>
#include <sphaera/scratch.hpp>
#include <sphaera/vec3.hpp>
#include <sphaera/viewpoint_index.hpp>
#include <stop_token>
#include <vector>

namespace sphaera::inline SPHAERA_ABI {

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

/// Settings of `Scene::save`.
struct SaveOptions {
  std::span<const std::byte> attachment{};  ///< bytes of your own that the file holds, such as names
};

/// Settings of `Scene::open`.
struct OpenOptions {
  /// When the file is checked: the checksums of all blocks, every sphere, id and node. Takes about a tenth of
  /// a second for 1e7 spheres in memory. A file that fails throws bad_file, and no query gets an answer from
  /// it.
  enum class Check : std::uint8_t {
    first_use,  ///< at the first call that needs the spheres or the index, in that call's thread and arena
    at_once,    ///< by `open`
    /// Never: for files that nobody else can write. A damaged one then has undefined results.
    never,
  };
  Check check = Check::first_use;
  int threads = 0;  ///< of a check at once. 0: the caller's arena; n: an arena of at most n threads
  std::vector<std::byte>* attachment = nullptr;  ///< if set: gets that of the file, checked
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
  /// 0: the caller's arena; n: an arena of at most n threads, and no more than oneTBB allows. 1, and mostly a
  /// batch of one task: the calling thread; no thread starts, and no lock is taken.
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
  /// For each query a second sphere that it ignores, given as in `ignore`, and with it or without.
  std::span<const std::int64_t> also_ignore{};
  /// Edges of a periodic box, in the scene's unit; 0: no period along that axis, ≤ 2^200. A query sees of
  /// each sphere the image nearest to its point, whose center is C + (±edge or 0) on each axis; distances and
  /// gaps are to that image, exact where decided. The box may lie anywhere: along a periodic axis no center
  /// of an enabled sphere is farther than the edge from another (element: a sphere; subject(): "sphere 3") or
  /// from a query's point. A ball's radius and the largest of a sphere together, for contacts the distance
  /// and the two largest radii, are at most half of the edge, so that one image of a sphere is met. What is
  /// not so is an error. For nearest, nearest_to_spheres, within, count_within, neighbors_within,
  /// contacts and count_contacts, an error for other queries and with `times`.
  Vec3 box{};
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

}  // namespace sphaera::inline SPHAERA_ABI
