#pragma once
/// \file A scene of spheres, indexed once and asked many times.
///
/// Thread safety is that of std::vector: const calls from many threads at once. Work runs on oneTBB in the
/// caller's arena, isolated. Every answer is the one that exact arithmetic gives for the input doubles, and
/// the same bytes for any number of threads, order of the batch or grain. Ties go to the lowest id.

#include <sphaera/requirements.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <sphaera/bullet.hpp>
#include <sphaera/export.hpp>
#include <sphaera/hit.hpp>
#include <sphaera/irradiance.hpp>
#include <sphaera/ray.hpp>
#include <sphaera/sphere.hpp>
#include <sphaera/star.hpp>
#include <sphaera/starlight.hpp>
#include <stop_token>
#include <vector>

namespace sphaera {

namespace query {
struct SceneState;  // opaque
}

/// A set of layers; bit l stands for layer l.
using LayerMask = std::uint64_t;
inline constexpr LayerMask all_layers = ~LayerMask{0};
inline constexpr int max_layers = 64;

/// How candidates are found. Both decide exactly and give the same answers.
enum class Search : std::uint8_t {
  index,        ///< through the BVH
  brute_force,  ///< every sphere is tested: the oracle that is always one flag away
};

/// What an index is to be good at.
enum class BuildQuality : std::uint8_t {
  fast,      ///< built soonest; queries are slower
  balanced,  ///< fast queries
  compact,   ///< the least memory; queries are slower
};

/// Which stage decided, summed over a batch (engine/exact): the cheaper the better.
struct QueryStats {
  std::uint64_t queries = 0;
  std::uint64_t candidates = 0;     ///< spheres tested
  std::uint64_t double_double = 0;  ///< decisions that the filter left to double-double
  std::uint64_t exact = 0;          ///< decisions that went to exact integers

  QueryStats& operator+=(const QueryStats& other);
};

/// A stretch of the scene's time, its ends included.
struct Horizon {
  double from = 0, to = 0;

  /// Ends that are no numbers.
  static constexpr Horizon not_given() {
    return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  }
};

struct BuildOptions {
  std::span<const std::uint8_t> layers{};  ///< a layer (0 … 63) for each sphere; empty: all on layer 0
  /// Of each sphere, lengths a time, within `domain_limit`; empty: all are at rest. The spheres given are
  /// where they are at time 0, where every query but those about bullets finds them.
  std::span<const Vec3> velocities{};
  /// When spheres that move may be hit; must be given with `velocities`, and is not used without. No bullet
  /// may start before it; flights end with it, at the instant `to` exactly, and a bullet that starts after it
  /// hits nothing. Boxes hold what a sphere sweeps over it and time 0, so it should be no longer than needed.
  Horizon horizon = Horizon::not_given();
  BuildQuality quality = BuildQuality::balanced;
  int threads = 0;  ///< 0: the caller's arena; n: an arena of n threads
  std::uint64_t memory_limit =
      0;                   ///< bytes that the index may take at once, 0: no limit; more: out_of_memory
  std::stop_token stop{};  ///< a stop makes the build throw ErrorCode::cancelled
  /// Called with the share done, 0 … 1, from any thread, perhaps from several at once. What it throws ends
  /// the build and reaches the caller.
  std::function<void(double)> progress{};
};

/// How `Scene::update` keeps the index good.
struct UpdateOptions {
  enum class Rebuild : std::uint8_t {
    when_degraded,  ///< the index is refitted, and rebuilt once traversal costs twice as much as when built
    never,          ///< only fitted: the quickest and steadiest update, for a caller who rebuilds at leisure
    always,
  };

  Rebuild rebuild = Rebuild::when_degraded;
  int threads = 0;         ///< 0: the caller's arena; n: an arena of n threads
  std::stop_token stop{};  ///< a stop ends a rebuild: the scene keeps the fitted index
  /// Of a rebuild: as in BuildOptions. What it throws ends the rebuild and reaches the caller; the scene
  /// keeps the fitted index.
  std::function<void(double)> progress{};
};

/// What `Scene::update` has done.
struct UpdateResult {
  bool rebuilt = false;    ///< else fitted
  double boxes = 0;        ///< boxes of the index that a straight line through the scene meets, on average
  double degradation = 1;  ///< expected traversal cost divided by its value at build time; after a rebuild:
                           ///< what it was before the rebuild
};

struct QueryOptions {
  LayerMask layers = all_layers;
  std::span<const std::int64_t>
      ignore{};  ///< one id a query that it passes by (−1: none); empty: none at all
  Search search = Search::index;
  int threads = 0;              ///< 0: the caller's arena; n: an arena of n threads
  std::size_t grain = 0;        ///< queries in a task; 0: chosen from the batch
  std::stop_token stop{};       ///< a stop makes the call throw ErrorCode::cancelled
  QueryStats* stats = nullptr;  ///< added to when the call ends
  /// Bytes that the lists of a batch (all_hits, within, shoot) may hold, 0: no limit; more: out_of_memory,
  /// and fewer queries at once may fit. While they are put together they take up to three times as much, and
  /// each thread's last query may go beyond.
  std::uint64_t memory_limit = 0;
};

/// The frames of an index at one depth (0: the one that holds all).
struct FrameLevel {
  std::uint64_t frames = 0;
  std::uint64_t spheres = 0;                    ///< held directly, not by frames within
  double half_size_min = 0, half_size_max = 0;  ///< of the frames' longest axes
  double inflation = 0;                         ///< largest outward step of a box, in the scene's unit
};

/// What `Scene::info` returns.
struct SceneInfo {
  std::uint64_t spheres = 0;
  Vec3 lower, upper;                      ///< bounding box of the balls; zero for an empty scene
  double radius_min = 0, radius_max = 0;  ///< zero for an empty scene
  Vec3 frame_center;                      ///< F of the outermost frame: float coordinates are relative to it
  Vec3 frame_half_size;                   ///< half-size of that frame along each axis
  double inflation = 0;                   ///< largest outward step of a box along any axis, same unit
  double boxes = 0;                       ///< boxes that a straight line through the scene meets, on average
  std::vector<FrameLevel> frames;  ///< by depth: frames nest where one would blur small spheres that crowd
  std::uint64_t sphere_bytes = 0;  ///< the doubles, and layers where given
  std::uint64_t index_bytes = 0;   ///< beyond sphere_bytes
  std::uint64_t index_peak_bytes = 0;  ///< the most that was held while building, beyond sphere_bytes
};

/// A set of spheres with its index. Ids are positions in the span given to `build`, from 0. At most 2^32 − 2
/// spheres. They can move (`update`); <sphaera/scene_buffer.hpp> is for scenes that are asked meanwhile.
class SPHAERA_API Scene {
 public:
  /// Validates all spheres, copies them and builds the index.
  /// Throws Error: invalid_argument (element = the first bad sphere), out_of_memory, cancelled.
  static Scene build(std::span<const Sphere> spheres, const BuildOptions& options = {});

  Scene();  ///< an empty scene
  ~Scene();
  Scene(Scene&&) noexcept;
  Scene& operator=(Scene&&) noexcept;

  /// Moves all spheres: sphere i to centers[i]. Radii, layers, ids and the options of the build stay. The
  /// index is fitted to them where they are; when it has degraded it is rebuilt, as the options say.
  /// Answers do not depend on it. Not to be called while other calls on the scene run.
  ///
  /// `velocities` is for scenes that were built with some: new ones, or empty, to keep them. What was time 0
  /// is then now; the horizon stays as it is, relative to it.
  ///
  /// Throws Error: invalid_argument (centers.size() is not the number of spheres; element = the first center
  /// that is not finite or beyond 2^200, or velocity that carries its sphere there within the horizon;
  /// velocities for a scene built without any, or not one for each), before anything has changed. Lack of
  /// memory (also beyond the build's memory_limit, for which the new index counts alone) and a stop are no
  /// errors: they leave the index fitted.
  UpdateResult update(std::span<const Vec3> centers, std::span<const Vec3> velocities = {},
                      const UpdateOptions& options = {});

  std::span<const Sphere> spheres() const&;
  std::span<const std::uint8_t> layers() const&;       ///< empty where none were given
  std::span<const Vec3> velocities() const&;           ///< empty where none were given
  std::span<const Sphere> spheres() const&& = delete;  ///< of a scene without a name: it ends too soon
  std::span<const std::uint8_t> layers() const&& = delete;
  std::span<const Vec3> velocities() const&& = delete;
  SceneInfo info() const;

  /// Any-hit: out[i] = 1 if rays[i] has a point in common with a closed ball, else 0. out.size() =
  /// rays.size().
  void blocked(std::span<const Ray> rays, std::span<std::uint8_t> out, const QueryOptions& = {}) const;
  void blocked(std::span<const Segment> segments, std::span<std::uint8_t> out,
               const QueryOptions& = {}) const;
  std::vector<std::uint8_t> blocked(std::span<const Ray> rays, const QueryOptions& = {}) const;
  std::vector<std::uint8_t> blocked(std::span<const Segment> segments, const QueryOptions& = {}) const;

  /// First hit: the least (max(t_min, t1), id) among the spheres met.
  void first_hit(std::span<const Ray> rays, std::span<Hit> out, const QueryOptions& = {}) const;
  void first_hit(std::span<const Segment> segments, std::span<Hit> out, const QueryOptions& = {}) const;
  std::vector<Hit> first_hit(std::span<const Ray> rays, const QueryOptions& = {}) const;
  std::vector<Hit> first_hit(std::span<const Segment> segments, const QueryOptions& = {}) const;

  /// All spheres that each ray meets, ascending by (max(t_min, t1), id); no cap.
  HitLists all_hits(std::span<const Ray> rays, const QueryOptions& = {}) const;
  HitLists all_hits(std::span<const Segment> segments, const QueryOptions& = {}) const;

  /// The k spheres nearest to each point by signed distance |X − C| − r, ascending, ties by id:
  /// out[i·k … i·k + k − 1], padded with `Neighbor{}`. out.size() = points.size()·k.
  void nearest(std::span<const Vec3> points, std::size_t k, std::span<Neighbor> out,
               const QueryOptions& = {}) const;
  std::vector<Neighbor> nearest(std::span<const Vec3> points, std::size_t k = 1,
                                const QueryOptions& = {}) const;

  /// Ids, ascending, of the spheres that have a point in common with each closed ball.
  IdLists within(std::span<const Ball> balls, const QueryOptions& = {}) const;

  /// How every observer sees every star past the scene's spheres, to the accuracy that
  /// <sphaera/starlight.hpp> states: out[i · stars.size() + j] is star j for observer i. out.size() =
  /// observers.size() · stars.size(). The options' `ignore` holds an id for each observer. A sphere that it
  /// names, or that is on none of the options' layers, hides nothing, not even as the ground that an observer
  /// stands on. Every pair counts as a query in the statistics. Throws invalid_argument naming the first bad
  /// star or observer: out of range, `on` no id of the scene, or at the centre of the sphere stood on.
  void starlight(std::span<const Star> stars, std::span<const Observer> observers, std::span<Visibility> out,
                 const QueryOptions& = {}) const;
  std::vector<Visibility> starlight(std::span<const Star> stars, std::span<const Observer> observers,
                                    const QueryOptions& = {}) const;

  /// The light that falls on every receiver (<sphaera/irradiance.hpp>): the sum over all sources, behind the
  /// scene's spheres, in watts per square unit of length. NaN where an observer is inside a star or a sphere
  /// cuts one. Options and errors as for starlight.
  void irradiance(std::span<const Source> sources, std::span<const Receiver> receivers, std::span<double> out,
                  const QueryOptions& = {}) const;
  std::vector<double> irradiance(std::span<const Source> sources, std::span<const Receiver> receivers,
                                 const QueryOptions& = {}) const;

  /// The first impact of every bullet (<sphaera/bullet.hpp>); Outcome::none where there is none. The impact
  /// is what FlightOptions make of it, but is not followed. out.size() = bullets.size(). The query options'
  /// `ignore` holds an id for each bullet (its shooter) that it never hits. Throws Error invalid_argument
  /// (element = the first bullet that is not valid or, where spheres move, starts before the horizon; or the
  /// first sphere with a resistance that is not valid).
  void shoot(std::span<const Bullet> bullets, std::span<Impact> out, const FlightOptions& = {},
             const QueryOptions& = {}) const;
  /// All impacts of every bullet, in order, as it passes through spheres and bounces off them.
  ImpactLists shoot(std::span<const Bullet> bullets, const FlightOptions& = {},
                    const QueryOptions& = {}) const;

  /// Of every bullet, on its way to its first impact or its end: the sphere that it passes most closely
  /// without touching it, within `reach` of it; ties, by the distances given out, go to the lowest id.
  /// out.size() = bullets.size(), reach ≥ 0 and finite.
  void near_misses(std::span<const Bullet> bullets, double reach, std::span<NearMiss> out,
                   const QueryOptions& = {}) const;
  std::vector<NearMiss> near_misses(std::span<const Bullet> bullets, double reach,
                                    const QueryOptions& = {}) const;

  /// Single queries: serial, from any thread. blocked and first_hit allocate nothing. The options' threads,
  /// grain and stop are not used; `ignore` holds at most one id. Of the resistances shoot checks that of the
  /// sphere that is hit, whatever their number.
  bool blocked(const Ray& ray, const QueryOptions& = {}) const;
  bool blocked(const Segment& segment, const QueryOptions& = {}) const;
  Hit first_hit(const Ray& ray, const QueryOptions& = {}) const;
  Hit first_hit(const Segment& segment, const QueryOptions& = {}) const;
  std::vector<Hit> all_hits(const Ray& ray, const QueryOptions& = {}) const;
  std::vector<Hit> all_hits(const Segment& segment, const QueryOptions& = {}) const;
  Neighbor nearest(const Vec3& point, const QueryOptions& = {}) const;
  std::vector<std::int64_t> within(const Ball& ball, const QueryOptions& = {}) const;
  Visibility starlight(const Star& star, const Observer& observer, const QueryOptions& = {}) const;
  Impact shoot(const Bullet& bullet, const FlightOptions& = {}, const QueryOptions& = {}) const;

 private:
  std::unique_ptr<query::SceneState> state_;
};

}  // namespace sphaera
