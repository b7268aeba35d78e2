#pragma once
/// \file A ray, segment or line against one sphere.
///
/// Every yes or no, contact and root count is the one that exact arithmetic gives for the input doubles. The
/// convention is the closed ball: a touch counts, a ray that starts inside meets the ball at t_min. All
/// functions throw Error(invalid_argument) for an input outside its documented range and say what is wrong
/// with it.
///
/// Sources. jHitSphere (msakuta): a ray whose direction has any length, `dt` long, and t_m, the point of
/// closest approach, also on a miss. The ray–sphere article: 0, 1 or 2 roots, negative ones too. Its printed
/// solution has the sign of r² wrong and its code calls every two roots nearer than an epsilon of 1e-7 one,
/// which makes a central hit of any sphere smaller than 3.2e-4 a tangent; here the count is exact at any
/// scale.

#include <sphaera/requirements.hpp>

#include <limits>
#include <sphaera/export.hpp>
#include <sphaera/hit.hpp>
#include <sphaera/ray.hpp>
#include <sphaera/sphere.hpp>

namespace sphaera {

/// The infinite line through a point: a ray without ends. The direction has any non-zero length.
constexpr Ray line(const Vec3& point, const Vec3& direction) {
  return {point, direction, -infinity, infinity};
}

/// Has the path a point in common with the closed ball? Early out: no root is taken.
SPHAERA_API bool meets(const Ray& ray, const Sphere& sphere);
SPHAERA_API bool meets(const Segment& segment, const Sphere& sphere);

/// How the path meets the closed ball. A segment of no length (a point) in the ball starts inside.
SPHAERA_API Contact contact(const Ray& ray, const Sphere& sphere);
SPHAERA_API Contact contact(const Segment& segment, const Sphere& sphere);

/// Number of points, 0, 1 or 2, that the infinite line through the path has in common with the sphere's
/// surface. A segment of no length has no line: 0.
SPHAERA_API int root_count(const Ray& ray, const Sphere& sphere);
SPHAERA_API int root_count(const Segment& segment, const Sphere& sphere);

/// t_m, the parameter of the point of the infinite line that is nearest to the centre, not cut at the path's
/// ends; 1 ulp. 0 for a segment of no length.
SPHAERA_API double closest_approach(const Ray& ray, const Vec3& center);
SPHAERA_API double closest_approach(const Segment& segment, const Vec3& center);

/// All about a path and a sphere. t counts multiples of the ray's direction, or of to − from.
struct Intersection {
  Contact contact = Contact::miss;                       ///< of the path, between its ends
  int roots = 0;                                         ///< as `root_count`; t1 = t2 where it is 1
  double t1 = std::numeric_limits<double>::quiet_NaN();  ///< lesser root of the line, 1 ulp; NaN if roots = 0
  double t2 = std::numeric_limits<double>::quiet_NaN();  ///< greater root; either may be negative
  double t_closest = 0;                                  ///< as `closest_approach`, also on a miss
};

SPHAERA_API Intersection intersect(const Ray& ray, const Sphere& sphere);
SPHAERA_API Intersection intersect(const Segment& segment, const Sphere& sphere);

/// origin + t·direction, for any finite t (or from + t·(to − from), the difference not rounded): rounded once
/// from a longer value. With a root as t it is off by that root's rounding: 4u·max(|origin|, |point|) with
/// u = 2^-53. `pierce` gives points that are better still where the origin is far.
SPHAERA_API Vec3 point_at(const Ray& ray, double t);
SPHAERA_API Vec3 point_at(const Segment& segment, double t);

/// What counts as meeting, for those who need another source's answer.
struct Convention {
  enum class Tangent { meets, misses };
  enum class End { closed, open };            ///< open: an entry exactly at t_max is a miss
  enum class Start { anywhere, not_inside };  ///< not_inside: only Contact::enters is a hit

  Tangent tangent = Tangent::meets;
  End end = End::closed;
  Start start = Start::anywhere;
};

/// jHitSphere(obj, radius, src, dir, dt) is meets(Ray{src, dir, 0, dt}, {obj, radius}, jhitsphere): a tangent
/// misses, so does an entry at t = dt; inside is a hit. It returns false for a zero direction, which is an
/// error here; and for dt < 0 it may be true from inside, where the ray of no points here is a miss.
inline constexpr Convention jhitsphere{Convention::Tangent::misses, Convention::End::open};

/// Bartlett's bullet: a start inside misses, so does a start on the surface that moves outwards; a tangent
/// hits. The same as contact(…) == Contact::enters.
inline constexpr Convention bartlett{.start = Convention::Start::not_inside};

SPHAERA_API bool meets(const Ray& ray, const Sphere& sphere, const Convention& convention);
SPHAERA_API bool meets(const Segment& segment, const Sphere& sphere, const Convention& convention);

}  // namespace sphaera
