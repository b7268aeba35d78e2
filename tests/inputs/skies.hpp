#pragma once
/// \file Skies for star-light: a star and bodies in front of it that overlap, touch and nest in all ways.

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

/// A star of angular radius log-uniform in 1e-9 … 1 and n bodies, each placed by a kind of its own: anywhere
/// across the limb, all but touching it from within or without, inside, concentric, larger than the star,
/// much larger, on the same circle as an earlier one, nested in an earlier one, or through a common point.
StarSky random_sky(Random& random, int bodies);

LimbDarkening random_law(Random& random);

}  // namespace sphaera::test
