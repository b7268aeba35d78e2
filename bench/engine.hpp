#pragma once
/// \file What is measured: Sphaera and its peers behind one face.

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

/// What an engine makes of a ray that starts inside a sphere.
enum class InsideStart : std::uint8_t {
  hits_at_start,  ///< the ball is closed and solid: a hit at t_min
  differs,        ///< only the surface counts, or it is passed by
};

/// Builds and answers run in the caller's arena. All write answers of one shape, so none is spared the
/// traffic.
class Engine {
 public:
  virtual ~Engine() = default;

  virtual InsideStart inside_start() const { return InsideStart::hits_at_start; }
  /// Does a batch's size change its rate, as it does where the engine puts rays into an order of its own?
  virtual bool rate_depends_on_batch() const { return false; }
  virtual void build(std::span<const Sphere> spheres) = 0;
  virtual double bytes() const = 0;  ///< held beyond the spheres' 32 bytes each
  /// Held at the most while building, the engine's own spheres included; NaN where that is not known.
  virtual double peak_bytes() const { return std::numeric_limits<double>::quiet_NaN(); }

  virtual void blocked(std::span<const Ray> rays, std::span<std::uint8_t> out) const = 0;
  virtual void first_hit(std::span<const Ray> rays, std::span<Hit> out) const = 0;
  virtual HitLists all_hits(std::span<const Ray> rays) const = 0;

  /// What answering takes, where the engine counts it.
  virtual std::optional<QueryStats> count(Query, std::span<const Ray>) const { return std::nullopt; }
};

/// How much is asked of an engine where none is named.
enum class Role : std::uint8_t {
  contender,  ///< everything
  variant,    ///< built everywhere, but asked the first question only
};

struct EngineEntry {
  std::string_view name;
  std::unique_ptr<Engine> (*make)();
  Role role = Role::contender;
  std::uint64_t most_spheres =
      std::numeric_limits<std::uint64_t>::max();  ///< larger scenes are not affordable
  int most_threads = std::numeric_limits<int>::max();
};

/// Sphaera first, whose answers the others' are compared with; the peers; Sphaera's further qualities.
std::span<const EngineEntry> engines();

std::unique_ptr<Engine> make_sphaera();
std::unique_ptr<Engine> make_sphaera_fast();
std::unique_ptr<Engine> make_sphaera_compact();
std::unique_ptr<Engine>
make_naive();  ///< Embree user geometry, one primitive a sphere, certified double test
std::unique_ptr<Engine> make_builtin();  ///< Embree's own sphere points, in float
std::unique_ptr<Engine> make_bullet();   ///< Bullet Physics, in float

}  // namespace sphaera::bench
