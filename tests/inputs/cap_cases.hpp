#pragma once
/// \file Spheres that cut caps from one sphere, and discs on one sky, that overlap, touch, nest and cover in
/// all ways.

#include <sphaera/sphere.hpp>
#include <string>
#include <tests/inputs/random_numbers.hpp>
#include <vector>

namespace sphaera::test {

/// A sphere among others, all grown by a probe.
struct SphereCase {
  Sphere sphere;
  double probe = 0;
  std::vector<Sphere> others;
};

/// A point under a sky of balls.
struct SkyCase {
  Vec3 point, normal;
  std::vector<Sphere> balls;
};

/// Each of the n others is one of these: across the sphere anywhere, of a radius from 1e-6 to 1e6 of the
/// sphere's; touching it from outside or inside within ulps; concentric; equal; inside it; around it;
/// touching the circle of an earlier one, or almost equal to it, or opposite to it; through a common point of
/// all. One case in four has integers: circles that meet in exact points, touch exactly or cover exactly.
SphereCase random_sphere_case(Random& random, int n);

/// The same for discs: of a radius from 1e-9 to π/2, or of a ball that the point stands on or in. The normal
/// is on an axis or anywhere, of any length.
SkyCase random_sky_case(Random& random, int n);

/// The numbers of a case in hexadecimal, to repeat it.
std::string text(const SphereCase& c);
std::string text(const SkyCase& c);

}  // namespace sphaera::test
