#pragma once
/// \file Levels of walls and spheres, rays through them, and what exact arithmetic says about these.

#include <functional>
#include <optional>
#include <tests/embree/calls.hpp>
#include <tests/inputs/scenes.hpp>
#include <tests/oracle/decide.hpp>

namespace sphaera::test {

/// Kinds of scenes whose coordinates are in the range of Embree's floats.
inline constexpr SceneKind embree_scene_kinds[] = {
    SceneKind::crowd,  SceneKind::belt,    SceneKind::uniform,     SceneKind::all_scales,
    SceneKind::nested, SceneKind::lattice, SceneKind::far_cluster, SceneKind::mirrored,
    SceneKind::flat,   SceneKind::peopled};

/// n triangles near spheres. About half lie in a plane that touches their sphere at the end of an axis.
std::vector<Vec3> make_walls(const std::vector<Sphere>& spheres, std::size_t n, Random& random);

/// An RTCScene of walls, committed if it is to hold nothing else.
SceneHandle wall_scene(RTCDevice device, const std::vector<Vec3>& corners, bool commit);

/// Rays that Embree takes: origins within the extent, directions of 2^-20 … 2^40.
std::vector<Ray> embree_rays(const std::vector<Sphere>& spheres, double extent, std::size_t n,
                             Random& random);

/// The same ray in doubles.
Ray in_double(const RTCRay& ray);

/// A sphere as a ray sees it.
struct SphereSight {
  std::int64_t id;
  oracle::Sight sight;
};

/// Does the path enter the sphere, or start inside it, before t? Precondition: the path meets the sphere.
bool enters_before(const oracle::Sight& sight, double t);

/// The first of the spheres that are met, ties to the lowest id.
const SphereSight* first_of(const std::vector<SphereSight>& seen);

/// Is tfar the largest float that is not above the exact entry?
bool is_entry(const oracle::Sight& sight, float tfar);

/// The same for a hit of a coherent packet over single spheres, which ends at the float after tnear at the
/// earliest, 2^-126 after 0, but not behind `ray`'s tfar.
bool is_coherent_entry(const oracle::Sight& sight, const RTCRay& ray, float tfar);

/// What a ray must find, given the hit with the walls alone: the sphere that is met before that hit, or none.
const SphereSight* expected(std::vector<SphereSight>& seen, const RTCRayHit& wall);

}  // namespace sphaera::test
