#pragma once
/// \file Skies for starlight: a star and bodies in front of it that overlap, touch and nest in all ways.

#include <sphaera/starlight.hpp>
#include <tests/inputs/random_numbers.hpp>
#include <vector>

namespace sphaera::test {

struct StarSky {
  Star star;
  Observer observer;
  std::vector<Sphere> bodies;
};

/// A sphere of angular radius `angle` whose center is `separation` from the star's, at an azimuth about it.
Sphere body_at(const StarSky& sky, double angle, double separation, double azimuth, double distance);

/// A star whose angular radius is log-uniform in 1e-9 … 1, and n bodies. Each body is placed in one of these
/// ways: anywhere across the limb, almost touching the limb from inside or outside, inside the star's disc,
/// concentric with it, almost equal to it, much larger, through a common point, equal to an earlier body's
/// disc, or almost equal to or nested in that disc.
StarSky random_sky(Random& random, int bodies);

LimbDarkening random_law(Random& random);

}  // namespace sphaera::test
