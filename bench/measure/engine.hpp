#pragma once
/// \file The measured engines: Sphaera and its peers behind one interface.

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <sphaera/hit.hpp>
#include <sphaera/ray.hpp>
#include <sphaera/scene.hpp>
#include <sphaera/sphere.hpp>
#include <string_view>
#include <vector>

namespace sphaera::bench {

enum class Query : std::uint8_t { blocked, first_hit, all_hits };
inline constexpr std::array queries{Query::blocked, Query::first_hit, Query::all_hits};
std::string_view name(Query query);

/// Behavior of an engine for a ray that starts inside a sphere.
enum class InsideStart : std::uint8_t {
  hits_at_start,  ///< the ball is closed and solid: a hit at t_min
  differs,        ///< only the surface counts, or the sphere is ignored
};

/// How a batch is passed to Embree: in calls of one ray, of 8 or 16, or of a stream of rays.
enum class Way : std::uint8_t { one_by_one, packets_of_8, packets_of_16, streams, coherent_streams };
inline constexpr std::array ways{Way::one_by_one, Way::packets_of_8, Way::packets_of_16, Way::streams,
                                 Way::coherent_streams};
std::string_view name(Way way);

/// Builds and answers run in the caller's arena. All engines write answers of the same form, so the memory
/// traffic is the same.
class Engine {
 public:
  virtual ~Engine() = default;

  virtual InsideStart inside_start() const { return InsideStart::hits_at_start; }
  /// True if the rate depends on the batch's size, for example because the engine sorts the rays.
  virtual bool rate_depends_on_batch() const { return false; }
  virtual void build(std::span<const Sphere> spheres) = 0;
  virtual double bytes() const = 0;  ///< bytes beyond the 32 bytes of each sphere
  /// Peak bytes while building, including the engine's own copy of the spheres; NaN: unknown.
  virtual double peak_bytes() const { return std::numeric_limits<double>::quiet_NaN(); }

  virtual void blocked(std::span<const Ray> rays, std::span<std::uint8_t> out) const = 0;
  virtual void first_hit(std::span<const Ray> rays, std::span<Hit> out) const = 0;
  virtual HitLists all_hits(std::span<const Ray> rays) const = 0;

  /// This engine, asked in a way; `sorts`: it sorts each batch first. Refers to this engine. Null: it has no
  /// such way.
  virtual std::unique_ptr<Engine> in_way(Way, bool sorts) const {
    static_cast<void>(sorts);
    return nullptr;
  }

  /// Statistics of the answers, if the engine counts them.
  virtual std::optional<QueryStats> count(Query, std::span<const Ray>) const { return std::nullopt; }
};

/// Queries that an engine answers on each scene in sphaera_compare without --engine. An engine that --engine
/// names answers all. The engine is built for every scene, whatever its role.
enum class Role : std::uint8_t {
  full,        ///< all queries
  first_only,  ///< only the first query in the first order
  at_its_best  ///< blocked and first_hit, in the fastest of its ways, which one batch each finds
};

struct EngineEntry {
  std::string_view name;
  std::unique_ptr<Engine> (*make)();
  Role role = Role::full;
  std::uint64_t max_spheres = std::numeric_limits<std::uint64_t>::max();  ///< larger scenes take too long
  int max_threads = std::numeric_limits<int>::max();
};

/// All engines: first Sphaera, whose answers are the reference, in batches and asked one ray a call; then the
/// peers; then Sphaera's other build qualities and its second index (Search::embree).
std::span<const EngineEntry> engines();

std::unique_ptr<Engine> make_sphaera();
std::unique_ptr<Engine> make_sphaera_fast();
std::unique_ptr<Engine> make_sphaera_compact();
std::unique_ptr<Engine> make_sphaera_embree();   ///< Search::embree; a build makes both indexes
std::unique_ptr<Engine> make_sphaera_no_star();  ///< batches build no index of a star
std::unique_ptr<Engine> make_sphaera_single();   ///< one ray a call; all hits in batches
std::unique_ptr<Engine>
make_naive();  ///< Embree user geometry, one primitive a sphere, certified double test
std::unique_ptr<Engine> make_builtin();  ///< Embree's own sphere points, in float
std::unique_ptr<Engine> make_bullet();   ///< Bullet Physics, in float

}  // namespace sphaera::bench
