#pragma once
/// \file What is seen of a star, a second way: no arcs and no areas, but one integral over the distance ρ
/// from the star's center of how much of the circle at ρ is left by all bodies. Circles are placed with 70
/// digits, the integral is taken by tanh–sinh between all radii where its integrand has a kink, in long
/// double.

#include <span>
#include <sphaera/star.hpp>
#include <tests/oracle/decide.hpp>

namespace sphaera::oracle {

struct Seen {
  long double fraction, flux;
};

/// All bodies are taken to be in front of the star and the observer to be outside all; `ground` (or −1) is
/// the one that hides the half sky below its tangent plane. Star of angular radius > 0.
Seen starlight(const Star& star, const Vec3& observer, std::span<const Sphere> bodies, int ground = -1);

/// Is a common point of two circles, limb or bodies, on the star's disc and outside all other bodies? With 70
/// digits on the unit sphere. What two bodies or more leave of a star that both cross has such corners.
bool has_open_corner(const Star& star, const Vec3& observer, std::span<const Sphere> bodies);

/// cos(θ) against the cosine of the sum and of the difference of the angular radii, by exact integers and
/// nested intervals: the discs of a star at a finite place and a body in front of it. Observer outside both.
enum class Discs { apart, crossing, body_in_star, star_in_body };
Discs discs(const Star& star, const Vec3& observer, const Sphere& body);

/// Is the body nearer, by the radical plane?
bool in_front(const Star& star, const Vec3& observer, const Sphere& body);

}  // namespace sphaera::oracle
