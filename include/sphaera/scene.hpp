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
#include <initializer_list>
#include <memory>
#include <ranges>
#include <span>
#include <sphaera/bullet.hpp>
#include <sphaera/config/export.hpp>
#include <sphaera/hit.hpp>
#include <sphaera/irradiance.hpp>
#include <sphaera/ray.hpp>
#include <sphaera/rows.hpp>
#include <sphaera/scene_options.hpp>
#include <sphaera/sight.hpp>
#include <sphaera/sky.hpp>
#include <sphaera/sphere.hpp>
#include <sphaera/star.hpp>
#include <sphaera/starlight.hpp>
#include <sphaera/viewpoint_index.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace sphaera::query {
struct SceneState;  // opaque
struct SceneAccess;
}  // namespace sphaera::query

namespace sphaera::inline SPHAERA_ABI {

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

  /// Writes the scene and its index as they are, for `open`. The file appears whole or not at all: an older
  /// one stays until the new one is on the disk. Its size is that of scene and index in memory. Throws Error:
  /// io, out_of_memory.
  void save(const std::string& path, const SaveOptions& options = {}) const;
  /// The saved scene: the same answers and ids, without a build. The file is mapped, and processes that open
  /// it share its pages; the first change copies them. It is checked before use (OpenOptions::check). Replace
  /// it by `save` or a rename; to change or cut it in place, while a scene has it open, is undefined. Throws
  /// Error: bad_file (not a saved scene, of another version, cut, damaged; the subject is the path),
  /// out_of_memory; bad_file also from later calls, if they check the file.
  [[nodiscard]] static Scene open(const std::string& path, const OpenOptions& options = {});

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
  ///
  /// Rows are an array of Vec3, or numbers as an engine has them: `scene.update(Strided{&agents[0].x,
  /// agents.size(), sizeof agents[0]})` (<sphaera/rows.hpp>). For these the scene keeps a conversion buffer
  /// (24 bytes a row, 48 with velocities); the call may also throw out_of_memory.
  UpdateResult update(const VectorRows& centers, const VectorRows& velocities = {},
                      const UpdateOptions& options = {});

  /// Moves some spheres: ids[i] to centers[i], with velocities[i]; empty velocities: the old ones stay. Time
  /// 0 stays the same moment, and centers[i] is the position at that moment; for places at time T give
  /// `{.at_time = T}`. Other spheres do not move. Throws as the other `update`, invalid_argument for
  /// an id that stands for no sphere or is given twice, and out_of_memory. Elements are indices in `ids`.
  UpdateResult update(std::span<const std::int64_t> ids, const VectorRows& centers,
                      const VectorRows& velocities = {}, const UpdateOptions& options = {});

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
  /// scene is destroyed or assigned to, or spheres are inserted; those of an opened scene until its first
  /// change. `update` and other changes change what they show.
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

  /// Which targets each point sees: a pair is visible unless the closed segment between the two has a point
  /// in common with a sphere, as `blocked` decides. Bit j % 8 of out[i·row + j/8], row = ⌈targets/8⌉, is 1 if
  /// from[i] sees target j; the bits that are left over are 0. out.size() = from.size()·row. The query's
  /// number, in `accept` and in the spans of the options, is that of the point. What the lines to a target
  /// ignore is given with the targets; then `also_ignore` or `also_ignore_owners` is an error. The statistics
  /// count every pair as one query. About 10 MB of lines exist at a time. Throws Error invalid_argument for a
  /// bad point or target; subject(): "point 3", "target 1".
  void visibility(std::span<const Vec3> from, const SightTargets& targets, std::span<std::uint8_t> out,
                  const QueryOptions& = {}) const;
  [[nodiscard]] SightTable visibility(std::span<const Vec3> from, const SightTargets& targets,
                                      const QueryOptions& = {}) const;

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

  /// All pairs of spheres whose gap |A − B| − a.radius − b.radius is at most `distance`, each once: list i
  /// has the spheres of higher id, ascending, each with the gap as its distance: negative where the two
  /// overlap, with an error of 1 ulp. Which pairs there are is exact, so a distance of 0 gives the pairs that
  /// touch. Only pairs of enabled spheres on the options' layers count. The query's number, in `accept` and
  /// in the spans of the options, is the lower id. `times` and `ignore` are errors, and a distance that is
  /// not finite or beyond 2^200 in magnitude (invalid_argument).
  [[nodiscard]] NeighborLists contacts(double distance, const QueryOptions& = {}) const;
  void contacts(double distance, NeighborLists& lists, const QueryOptions& = {}) const;
  /// The same for pairs whose lower id is one of `ids`: list i is that of sphere ids.first + i. Spans of the
  /// options still have an item for each sphere of the scene. Throws Error invalid_argument if the scene
  /// lacks one of the ids.
  [[nodiscard]] NeighborLists contacts(IdRange ids, double distance, const QueryOptions& = {}) const;
  void contacts(IdRange ids, double distance, NeighborLists& lists, const QueryOptions& = {}) const;

  /// How many of these pairs each sphere is in, as the lower or the higher id: out[i] is the number of sphere
  /// i, out.size() = spheres().size(). Disabled spheres and those on other layers are in none. The query's
  /// number, in `accept` and in the spans of the options, is i. Options and errors as for contacts.
  void count_contacts(double distance, std::span<std::uint64_t> out, const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<std::uint64_t> count_contacts(double distance, const QueryOptions& = {}) const;
  /// The same for the spheres of `ids` alone: out[i] is that of sphere ids.first + i, out.size() = ids.count.
  void count_contacts(IdRange ids, double distance, std::span<std::uint64_t> out,
                      const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<std::uint64_t> count_contacts(IdRange ids, double distance,
                                                          const QueryOptions& = {}) const;

  /// Of each sphere, grown by the probe, the area that lies in no other grown sphere: for atoms and a probe
  /// of 1.4 Å the solvent-accessible surface. out[i] is that of sphere i, out.size() = spheres().size(). Of
  /// equal spheres the lowest id has the area. Only enabled spheres on the options' layers have an area, and
  /// hide: the rows of others are `ExposedArea{}`. The query's number, in `accept` and in the spans of the
  /// options, is the id. `times` and `ignore` are errors, and a probe that is not from 0 to 2^200
  /// (invalid_argument).
  ///
  /// The sum of `outward` is 0. The volume of the union is ⅓ Σ ((radius + probe)·area + center·outward).
  void exposed_area(double probe, std::span<ExposedArea> out, const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<ExposedArea> exposed_area(double probe, const QueryOptions& = {}) const;
  /// The same for the spheres of `ids` alone: out[i] is that of sphere ids.first + i, out.size() = ids.count.
  /// Spans of the options still have an item for each sphere of the scene. Throws Error invalid_argument if
  /// the scene lacks one of the ids.
  void exposed_area(IdRange ids, double probe, std::span<ExposedArea> out, const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<ExposedArea> exposed_area(IdRange ids, double probe,
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

  /// How much of its sky every point sees (<sphaera/sky.hpp>). out.size() = points.size(). The spheres
  /// nearest to a point come first, and those that they hide are left out early, so a point in a dense crowd
  /// is quick, one in thin dust is sampled. `options.ignore` holds one id for each point: that of the sphere
  /// on which it lies. Throws Error invalid_argument for a point (element = the first bad one) or a sky
  /// option out of range (no element). `times` are an error.
  void sky(std::span<const SkyPoint> points, std::span<SkyShare> out, const SkyOptions& = {},
           const QueryOptions& = {}) const;
  [[nodiscard]] std::vector<SkyShare> sky(std::span<const SkyPoint> points, const SkyOptions& = {},
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
  /// near_misses, nearest_to_spheres, contacts, count_contacts, exposed_area and visibility have no single
  /// form.
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
  [[nodiscard]] SkyShare sky(const SkyPoint& point, const SkyOptions& = {}, const QueryOptions& = {}) const;
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
  UpdateResult move(std::span<const Vec3> centers, std::span<const Vec3> velocities,
                    const UpdateOptions& options);
  UpdateResult move(std::span<const std::int64_t> ids, std::span<const Vec3> centers,
                    std::span<const Vec3> velocities, const UpdateOptions& options);
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

}  // namespace sphaera::inline SPHAERA_ABI
