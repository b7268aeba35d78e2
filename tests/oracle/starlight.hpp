#pragma once
/// \file The visible part of a star, computed a second way: without arcs and areas, by one integral. ρ is the
/// distance from the star's center, and the integrand is the part of the circle at ρ that no body covers. The
/// circles are placed with 70 digits. The integral is computed in long double by the tanh–sinh rule, piece by
/// piece between the radii at which the integrand has a kink.

#include <span>
#include <sphaera/star.hpp>
#include <tests/oracle/decide.hpp>

namespace sphaera::oracle {

struct Seen {
  long double fraction, flux;
};

/// Assumes that all bodies are in front of the star, that the observer is outside all bodies, and that the
/// star's angular radius is above 0. `ground` is the index of the body that hides the half of the sky below
/// its tangent plane, or −1.
Seen starlight(const Star& star, const Vec3& observer, std::span<const Sphere> bodies, int ground = -1);

/// Is a common point of two circles, limb or bodies, on the star's disc and outside all other bodies? With 70
/// digits on the unit sphere. If bodies cross the limb and part of the star stays visible, that part has such
/// corners.
bool has_open_corner(const Star& star, const Vec3& observer, std::span<const Sphere> bodies);

/// Relative position of the discs of a star at a finite place and of a body in front of it. Compares cos(θ)
/// with the cosines of the sum and the difference of the angular radii, by exact integers and nested
/// intervals. The observer must be outside both.
enum class Discs { apart, crossing, body_in_star, star_in_body };
Discs discs(const Star& star, const Vec3& observer, const Sphere& body);

/// Is the body in front of the star: is its tangent length from the observer the shorter one?
bool in_front(const Star& star, const Vec3& observer, const Sphere& body);

}  // namespace sphaera::oracle
