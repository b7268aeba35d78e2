#pragma once
/// \file The compared methods. Each finds what a ray hits first among walls and people, and whether it hits
/// anything.

#include <bench/bridge/walls.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <sphaera/ray.hpp>
#include <sphaera/scene.hpp>
#include <sphaera/sphere.hpp>

namespace sphaera::bench {

/// What a ray hits first: a sphere, a wall (`sphere` is −1), or nothing (t is infinite). An any-hit query
/// sets only t: 0 for a hit, infinity for none.
struct FirstOfBoth {
  double t = infinity;  ///< for a wall: the value of a float
  std::int64_t sphere = -1;
};

struct Level {
  Walls walls;
  HugeVector<Sphere> people;
};

class Method {
 public:
  virtual ~Method() = default;
  virtual void index(const Level&) {}           ///< before `commit`: builds what is outside of Embree
  virtual void commit(const Level& level) = 0;  ///< builds Embree's part; the level outlives the method
  /// One call a ray, as an engine's game loop asks.
  virtual void first(std::span<const Ray> rays, std::span<FirstOfBoth> out) const = 0;
  virtual void any(std::span<const Ray> rays, std::span<FirstOfBoth> out) const = 0;
  virtual double embree_bytes() const = 0;
  virtual double own_bytes() const {
    return 0;
  }  ///< outside of Embree: spheres in doubles and Sphaera's index, or points in floats
};

std::unique_ptr<Method> make_walls_alone();
/// Scene::first_hit and Scene::blocked, one ray a call, people alone.
std::unique_ptr<Method> make_single_query();
std::unique_ptr<Method> make_embree_search();  ///< the same with Search::embree
std::unique_ptr<Method> make_one_then_the_other();
std::unique_ptr<Method> make_builtin_level();
std::unique_ptr<Method> make_naive_level();

enum class BridgeRays : std::uint8_t { floats, doubles };
enum class BridgePrimitives : std::uint8_t { scene, spheres };
std::unique_ptr<Method> make_bridge(BridgePrimitives primitives, BridgeRays rays);

}  // namespace sphaera::bench
