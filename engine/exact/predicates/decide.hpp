#pragma once
/// \file Exact decisions about one or two spheres: filter → double-double → exact integers (filter.hpp,
/// bounded.hpp, integer.hpp). Every function returns the result of exact arithmetic for the input doubles.

#include <exact/predicates/counts.hpp>
#include <exact/predicates/in_motion.hpp>
#include <exact/predicates/path.hpp>
#include <sphaera/hit.hpp>
#include <sphaera/ray.hpp>
#include <sphaera/sphere.hpp>
#include <type_traits>

namespace sphaera::exact {

/// True if the path meets the closed ball.
bool meets(const Path& path, const Sphere& sphere, Counts& counts);

/// How the path meets the closed ball, as defined at `Contact`.
Contact contact(const Path& path, const Sphere& sphere, Counts& counts);

/// Sign of the discriminant of the infinite line: −1 no common point, 0 one common point (tangent), +1 two.
int sign_discriminant(const Path& path, const Sphere& sphere, Counts& counts);

/// Sign of |origin + t·direction − center|² − radius²: −1 the point at t is inside, 0 on the sphere, +1
/// outside.
int sign_power(const Path& path, const Sphere& sphere, double t, Counts& counts);

/// Sign of (origin + t·direction − center)·direction: −1 the path approaches the center at t, +1 it moves
/// away.
int sign_slope(const Path& path, const Sphere& sphere, double t, Counts& counts);

/// Sign of the difference of max(t_min, t1) of two spheres that the path meets, a − b; 0 is a tie.
int compare_entries(const Path& path, const Sphere& a, const Sphere& b, Counts& counts);

/// The same for known contacts.
int compare_entries(const Path& path, const Sphere& a, Contact a_contact, const Sphere& b, Contact b_contact,
                    Counts& counts);

/// The same decisions for spheres that may move: seen by a bullet (InMotion; t is the bullet's own time), or
/// by a path at one instant (AtInstant).
class AtInstant;
template <class Pair>
concept MovingPair = std::is_same_v<Pair, InMotion> || std::is_same_v<Pair, AtInstant>;
template <MovingPair Pair>
Contact contact(const Pair& pair, Counts& counts);
template <MovingPair Pair>
int sign_power(const Pair& pair, double t, Counts& counts);
template <MovingPair Pair>
int sign_slope(const Pair& pair, double t, Counts& counts);
template <MovingPair Pair>
int compare_entries(const Pair& a, Contact a_contact, const Pair& b, Contact b_contact, Counts& counts);

/// Sign of the difference of the signed distances |x − C| − r, a − b; 0 is a tie.
int compare_distances(const Vec3& x, const Sphere& a, const Sphere& b, Counts& counts);

/// Sign of |A − B| − (a.radius + b.radius): −1 the closed balls overlap, 0 touch from outside, +1 are apart.
/// Radii may be 0.
int sign_gap(const Ball& a, const Ball& b, Counts& counts);

/// Sign of |A − B| − |a.radius − b.radius|: −1 one lies strictly inside the other, 0 they touch from inside
/// (or are equal), +1 neither contains the other.
int sign_nesting(const Ball& a, const Ball& b, Counts& counts);

}  // namespace sphaera::exact
