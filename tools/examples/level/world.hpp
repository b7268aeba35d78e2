#pragma once
/// \file Walls and people in one Embree scene.

#include <cstdint>
#include <memory>
#include <span>
#include <sphaera/ray.hpp>
#include <sphaera/scene.hpp>
#include <vector>

#include "mesh.hpp"

namespace level {

/// The parts of the level; the number of a part is its geomID in every RTCScene.
enum class Part : unsigned { walls, floor, ceiling, statue, people, nothing };

/// Which parts a question is about. Each view is an RTCScene of its own over the same geometries: Debian's
/// Embree is built without ray masks.
enum class View : std::uint8_t {
  whole,      ///< everything
  open,       ///< without the ceiling, for looks from above
  unpeopled,  ///< walls, floor, statue
};

struct LevelHit {
  Part part = Part::nothing;
  double t = sphaera::infinity;  ///< multiple of the ray's direction: a wall's is a float
  sphaera::Vec3 point, normal;   ///< the normal has length 1 and points to the side that the ray comes from
  std::int64_t sphere = -1;      ///< of the people
};

/// Const calls are safe from many threads.
class World {
 public:
  /// Throws sphaera::Error or std::runtime_error if there is no Embree device.
  World(const Mesh& statue, const std::vector<sphaera::Sphere>& people);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// What the ray hits first. `ignored`: id of a sphere that does not count, such as the sphere that the ray
  /// starts on; −1: none.
  LevelHit first(const sphaera::Ray& ray, View view = View::whole, std::int64_t ignored = -1) const;
  /// True if anything lies on the ray.
  bool blocked(const sphaera::Ray& ray, View view = View::whole) const;

  const sphaera::Scene& people() const;
  std::span<const Mesh> meshes() const;  ///< indexed by Part

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace level
