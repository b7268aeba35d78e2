#pragma once
/// \file Measured scenes and batches.

#include <array>
#include <bench/measure/huge_vector.hpp>
#include <cstdint>
#include <optional>
#include <sphaera/ray.hpp>
#include <sphaera/sphere.hpp>
#include <string>
#include <tools/workload/workload.hpp>

namespace sphaera::bench {

/// Placement of a scene. Scale and distance must not cost time; the reference is the same scene at the
/// origin.
enum class Place : std::uint8_t {
  own,        ///< as generated
  at_origin,  ///< astronomical: the belt in units of 1e9 m; earth and planet: the crowd
};

struct SceneSpec {
  workload::Kind kind;
  std::uint64_t spheres;
  Place place = Place::own;

  friend bool operator==(const SceneSpec&, const SceneSpec&) = default;
};

/// True if the scene has a counterpart at the origin.
bool is_moved(workload::Kind kind);
SceneSpec at_origin(const SceneSpec& spec);  ///< the same spec if the scene has no other placement

std::string name(const SceneSpec& spec);    ///< crowd, earth, earth@origin
std::string label(const SceneSpec& spec);   ///< crowd/1e6
std::string short_number(std::uint64_t n);  ///< 1000000 → 1e6, 2500 → 2500

/// Order of the rays in a batch.
enum class Order : std::uint8_t {
  random,  ///< as generated: neighboring rays are independent
  sorted,  ///< along a space-filling curve, beforehand and for every engine: by origin, or by direction if
           ///< rays share their end (the belts)
};
inline constexpr std::array orders{Order::random, Order::sorted};
std::string_view name(Order order);

HugeVector<Sphere> make_spheres(const SceneSpec& spec, std::uint64_t seed);
HugeVector<Ray> make_rays(const SceneSpec& spec, std::size_t n, Order order, std::uint64_t seed);

}  // namespace sphaera::bench
