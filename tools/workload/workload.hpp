#pragma once
/// \file The scenes and rays used by tests, benchmarks and the tool's `generate`.
///
/// Every element depends only on (kind, number of spheres, seed, index) and has the same bits on every
/// platform. Density stays constant as the number of spheres grows, so that times of different sizes are
/// comparable.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <sphaera/bullet.hpp>
#include <sphaera/ray.hpp>
#include <sphaera/sphere.hpp>
#include <string_view>
#include <tools/workload/astronomical.hpp>
#include <tools/workload/belt.hpp>
#include <tools/workload/crowd.hpp>
#include <tools/workload/earth.hpp>
#include <tools/workload/hard_belt.hpp>
#include <tools/workload/people.hpp>
#include <tools/workload/planet.hpp>
#include <tools/workload/uniform.hpp>
#include <variant>
#include <vector>

namespace sphaera::workload {

enum class Kind : std::uint8_t {
  crowd,         ///< people in groups on rolling terrain, who may walk; bullets, near-horizontal, 200 m long
  belt,          ///< bodies with power-law radii in a thick disc; lines of sight to the star at the origin
  uniform,       ///< spheres uniform in a cube; infinite rays with random origins and directions
  astronomical,  ///< the belt in meters, 1e12 of them, with radii of 1e2 to 1e7; lines of sight past a body
  earth,         ///< the crowd, 6.4e6 m from the origin
  planet,        ///< crowds on a planet with moons, in a solar system of 1e13 m; bullets in the crowds
  hard_belt,     ///< a belt of smaller bodies; lines of sight that start outside all of them
  people,        ///< the crowd, each person of three spheres: legs, body, head
};
inline constexpr std::array kinds{Kind::crowd, Kind::belt,   Kind::uniform,   Kind::astronomical,
                                  Kind::earth, Kind::planet, Kind::hard_belt, Kind::people};

std::string_view name(Kind kind);
std::optional<Kind> kind_named(std::string_view name);  ///< empty if there is no such kind
bool has_people(Kind kind);                             ///< crowd, earth, planet, people

using AnyScene = std::variant<Crowd, Belt, Uniform, Astronomical, Earth, Planet, HardBelt, People>;

/// One scene of `spheres` spheres, its rays and its bullets, element by element. Cheap to copy; safe to use
/// from any thread.
class Generator {
 public:
  Generator(Kind kind, std::uint64_t spheres, std::uint64_t seed);

  Sphere sphere(std::uint64_t i) const;  ///< i < spheres
  Vec3 velocity(std::uint64_t i) const;  ///< of sphere i: people walk, in meters per second; others rest
  Ray ray(std::uint64_t i) const;  ///< any i; for a hard belt the first call builds an index of the bodies
  Bullet bullet(std::uint64_t i) const;  ///< any i: along ray i; without people, t of the ray is its time

  /// Elements first, first + 1, …: scenes too large for one vector are made piece by piece, or in parallel.
  void spheres(std::uint64_t first, std::span<Sphere> out) const;
  void velocities(std::uint64_t first, std::span<Vec3> out) const;
  void rays(std::uint64_t first, std::span<Ray> out) const;
  void bullets(std::uint64_t first, std::span<Bullet> out) const;

 private:
  AnyScene scene_;
};

/// All spheres of a scene, and their velocities.
std::vector<Sphere> spheres(Kind kind, std::uint64_t n, std::uint64_t seed);
std::vector<Vec3> velocities(Kind kind, std::uint64_t n, std::uint64_t seed);

/// The first rays or bullets of the scene that has `n_spheres` spheres: their places and lengths fit it.
std::vector<Ray> rays(Kind kind, std::uint64_t n_rays, std::uint64_t n_spheres, std::uint64_t seed);
std::vector<Bullet> bullets(Kind kind, std::uint64_t n_bullets, std::uint64_t n_spheres, std::uint64_t seed);

}  // namespace sphaera::workload
