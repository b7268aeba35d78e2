#pragma once
/// \file A ray, segment or line against one sphere.
///
/// Every yes or no, contact and root count equals the result of exact arithmetic for the input doubles. A
/// sphere is a closed ball: a touch counts, and a ray that starts inside meets the ball at t_min. All
/// functions throw Error(invalid_argument) for an input outside its documented range; the message says what
/// is wrong.
///
/// Sources. jHitSphere (msakuta): a ray with a direction of any length, `dt` long, and t_m, the point of
/// closest approach, also on a miss. "Ray–sphere intersection derivation" (with GLM code): 0, 1 or 2 roots,
/// including negative ones. The solution printed in that article has the wrong sign of r². Its code treats
/// two roots closer than an epsilon of 1e-7 as one, so that a central hit of any sphere smaller than 3.2e-4
/// becomes a tangent. Here the count is exact at any scale.

#include <sphaera/config/requirements.hpp>

#include <limits>
#include <sphaera/config/export.hpp>
#include <sphaera/hit.hpp>
#include <sphaera/ray.hpp>
#include <sphaera/sphere.hpp>

namespace sphaera::inline SPHAERA_ABI {

/// The infinite line through a point: a ray with t from −∞ to +∞. The direction has any non-zero length. Not
/// checked here: functions that take the ray check it.
constexpr Ray line(const Vec3& point, const Vec3& direction) {
  return {point, direction, -infinity, infinity};
}

/// True if the path has a point in common with the closed ball. Cheapest test: it computes no root.
SPHAERA_API bool meets(const Ray& ray, const Sphere& sphere);
SPHAERA_API bool meets(const Segment& segment, const Sphere& sphere);

/// How the path meets the closed ball. A segment of no length (a point) in or on the ball counts
/// as starts_inside.
SPHAERA_API Contact contact(const Ray& ray, const Sphere& sphere);
SPHAERA_API Contact contact(const Segment& segment, const Sphere& sphere);

/// Number of points, 0, 1 or 2, that the infinite line through the path has in common with the sphere's
/// surface. 0 for a segment of no length, which defines no line.
SPHAERA_API int root_count(const Ray& ray, const Sphere& sphere);
SPHAERA_API int root_count(const Segment& segment, const Sphere& sphere);

/// t_m: the parameter of the point of the infinite line nearest to the center, not clamped to the path; error
/// 1 ulp. 0 for a segment of no length.
SPHAERA_API double closest_approach(const Ray& ray, const Vec3& center);
SPHAERA_API double closest_approach(const Segment& segment, const Vec3& center);

/// Contact, roots and closest approach of a path and a sphere. t counts multiples of the ray's direction, or
/// of to − from.
struct Intersection {
  Contact contact = Contact::miss;  ///< contact of the path, between its ends
  int roots = 0;                    ///< as `root_count`; t1 = t2 if it is 1
  /// Smaller root of the line, 1 ulp; NaN if roots = 0.
  double t1 = std::numeric_limits<double>::quiet_NaN();
  double t2 = std::numeric_limits<double>::quiet_NaN();  ///< larger root, 1 ulp; either may be negative
  double t_closest = 0;                                  ///< as `closest_approach`, also on a miss
};

/// The contact, the roots and the closest approach of the path and the sphere.
SPHAERA_API Intersection intersect(const Ray& ray, const Sphere& sphere);
SPHAERA_API Intersection intersect(const Segment& segment, const Sphere& sphere);

/// origin + t·direction for any finite t, or from + t·(to − from) with an unrounded difference; rounded once
/// from a longer value. If t is a rounded root, the point is off by 4u·max(|origin|, |point|), u = 2^-53. If
/// the origin is far away, `pierce` gives more accurate points.
SPHAERA_API Vec3 point_at(const Ray& ray, double t);
SPHAERA_API Vec3 point_at(const Segment& segment, double t);

/// The rule for a hit, for callers who need the same answers as another source.
struct Convention {
  enum class Tangent { meets, misses };       ///< misses: a line with one root is a miss
  enum class End { closed, open };            ///< open: an entry exactly at t_max is a miss
  enum class Start { anywhere, not_inside };  ///< not_inside: only Contact::enters is a hit

  Tangent tangent = Tangent::meets;
  End end = End::closed;
  Start start = Start::anywhere;
};

/// jHitSphere(obj, radius, src, dir, dt) is meets(Ray{src, dir, 0, dt}, {obj, radius}, jhitsphere): a tangent
/// misses, and so does an entry at t = dt; a start inside is a hit. Two differences: jHitSphere returns false
/// for a zero direction, which is an error here. For dt < 0 and a start inside it may return true; here the
/// ray is empty and misses.
inline constexpr Convention jhitsphere{Convention::Tangent::misses, Convention::End::open};

/// Bartlett's bullet: a start inside misses, and so does a start on the surface that moves outwards; a
/// tangent hits. The same as contact(…) == Contact::enters.
inline constexpr Convention bartlett{.start = Convention::Start::not_inside};

/// True if the path hits the sphere under the convention, exactly. An unknown enumerator is an error, too.
SPHAERA_API bool meets(const Ray& ray, const Sphere& sphere, const Convention& convention);
SPHAERA_API bool meets(const Segment& segment, const Sphere& sphere, const Convention& convention);

}  // namespace sphaera::inline SPHAERA_ABI
