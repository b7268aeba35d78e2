#pragma once
/// \file The questions of engine/exact answered a second way, from their definitions and without any
/// rounding. Shares no code and, where there is a choice, no method with the engine: a hit is found by
/// minimising the distance over the path, entries are ordered by isolating their roots.

#include <array>
#include <sphaera/bullet.hpp>
#include <sphaera/hit.hpp>
#include <sphaera/ray.hpp>
#include <sphaera/scene.hpp>
#include <sphaera/sphere.hpp>
#include <tests/oracle/dyadic.hpp>

namespace sphaera::oracle {

using Vector = std::array<Dyadic, 3>;

/// A path as a sphere sees it: the points l + t·d, t_min ≤ t ≤ t_max + t_max_more, against the closed ball
/// |x| ≤ r.
struct Sight {
  Vector l, d;
  Dyadic r;
  double t_min, t_max;
  Dyadic t_max_more = 0.0;
};

Sight sight(const Ray& ray, const Sphere& sphere);
Sight sight(const Segment& segment, const Sphere& sphere);
/// The sight of a bullet: t counts from the bullet's start, the sphere moves with the scene's time start + t.
Sight sight(const Bullet& bullet, const Sphere& sphere, const Vec3& velocity);
/// The same for a flight that ends with the horizon at the latest. The bullet starts within the horizon or
/// after it.
Sight sight(const Bullet& bullet, const Sphere& sphere, const Vec3& velocity, const Horizon& horizon);

/// p(t) = a t² + 2 b t + c = |l + t·d|² − r².
struct Quadratic {
  Dyadic a, b, c;
  Dyadic discriminant() const { return b * b - a * c; }
};

Quadratic quadratic(const Sight& sight);

/// A sight with its quadratic: for several questions about one sight.
struct ExpandedSight {
  ExpandedSight(const Sight& given) : sight(given), q(quadratic(given)) {}  // implicit: for one question

  Sight sight;
  Quadratic q;
};

bool meets(const ExpandedSight& s);
Contact contact(const ExpandedSight& s);
int sign_discriminant(const ExpandedSight& s);
int sign_power(const ExpandedSight& s, double t);
int sign_slope(const ExpandedSight& s, double t);

/// Order of max(t_min, t1) of two sights of one path (their d may differ: moving spheres). Both must meet.
int compare_entries(const ExpandedSight& a, const ExpandedSight& b);

/// Order of |l| − r.
int compare_distances(const Sight& a, const Sight& b);
int compare_distances(const Vec3& x, const Sphere& a, const Sphere& b);
int sign_gap(const Ball& a, const Ball& b);
/// Sign of the gap less the distance.
int compare_gap(const Ball& a, const Ball& b, double distance);
int sign_nesting(const Ball& a, const Ball& b);

}  // namespace sphaera::oracle
