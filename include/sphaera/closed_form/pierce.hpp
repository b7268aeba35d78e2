#pragma once
/// \file Entry and exit of a ray or segment through a sphere.
///
/// Source: "Intersection Testing Demo" (31 July 2022). Let s and t be the segment's ends, p the foot of the
/// perpendicular from the center, l half the chord. The demo's s_i = p + l(p − s) points backwards and is not
/// scaled: with u = (t − s)/|t − s| the points are p ∓ l·u. The demo does not check that the points lie on
/// the segment; here `on_path` says so.

#include <sphaera/config/requirements.hpp>

#include <optional>
#include <sphaera/config/export.hpp>
#include <sphaera/ray.hpp>
#include <sphaera/sphere.hpp>

namespace sphaera::inline SPHAERA_ABI {

/// A point on a sphere or inside it, and its normal.
struct SurfacePoint {
  Vec3 point;   ///< rounded once: off by ≤ u·|point| + 2^-78·(|origin| + radius), u = 2^-53
  Vec3 normal;  ///< (point − center)/|point − center|, good to 2u however far the origin; 0 at the center
};

/// One of the two points in which a line crosses a sphere's surface.
struct Crossing {
  double t = 0;          ///< multiple of the direction, 1 ulp
  SurfacePoint surface;  ///< outward normal
  bool on_path = false;  ///< t_min ≤ t ≤ t_max, decided exactly
};

/// Both crossings of a path's line with a sphere.
struct Pierce {
  Crossing entry, exit;  ///< the same point if the line is a tangent
};

/// Entry and exit of the path's line through the sphere if the path meets the closed ball, else nullopt. If
/// the whole path is inside the ball, both points lie off the path. A segment of no length pierces nothing.
/// Throws Error(invalid_argument) for an input outside its documented range.
SPHAERA_API std::optional<Pierce> pierce(const Ray& ray, const Sphere& sphere);
SPHAERA_API std::optional<Pierce> pierce(const Segment& segment, const Sphere& sphere);

/// The point at which the path first meets the closed ball, if it does: at t1 if it enters, at t_min if it
/// starts inside (the normal then points from the center to that point). Throws Error(invalid_argument) as
/// `pierce`.
SPHAERA_API std::optional<SurfacePoint> hit_point(const Ray& ray, const Sphere& sphere);
SPHAERA_API std::optional<SurfacePoint> hit_point(const Segment& segment, const Sphere& sphere);

}  // namespace sphaera::inline SPHAERA_ABI
