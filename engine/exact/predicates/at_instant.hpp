#pragma once
/// \file A ray or segment, a point or a ball, and a sphere that moves, at one instant T of the scene's time:
/// the sphere's center is C + W·T.
///
/// L = O − C − W·T is an exact sum, as for bullets (in_motion.hpp), and D is the path's. So this is a path
/// and a ball at rest, except that L is a sum of doubles: proof 2 of engine/exact/proofs.md covers L, with
/// `start` = T. D is the same for all spheres, so entries compare by the formula of one line.
///
/// Capacity of `Integer` (proof 6): L spans 2^-2148 … 2^402, D any double, so a spans 2^-2148 … 2^2050, c
/// 2^-4296 … 2^806, and a γ² and similar terms 2^-10740 … 2^3664: 226 limbs of 288.

#include <exact/predicates/filter.hpp>
#include <exact/predicates/in_motion.hpp>
#include <sphaera/hit.hpp>

namespace sphaera::exact {

struct Counts;

class AtInstant {
 public:
  Path path;  ///< range of t and D; do not use the origin

  /// `ray`, `sphere` and `velocity` must outlive this object.
  template <class Arithmetic>
  SPHAERA_INLINE AtInstant(Arithmetic, const Path& ray, const Sphere& sphere, const Vec3& velocity,
                           double time)
      : path(ray), ray_(&ray), sphere_(&sphere), velocity_(&velocity), time_(time) {
    const LongOffset x = long_offset(Arithmetic{}, 0), y = long_offset(Arithmetic{}, 1),
                     z = long_offset(Arithmetic{}, 2);
    offset_ = {x.value, y.value, z.value};
    if (!(x.known && y.known && z.known)) path.floor = infinity;
  }

  SPHAERA_INLINE const Vec3& offset() const { return offset_; }
  SPHAERA_INLINE double radius() const { return sphere_->radius; }
  SPHAERA_INLINE TwoDouble end() const { return {path.t_max, 0}; }

  template <class Arithmetic>
  SPHAERA_INLINE LongOffset long_offset(Arithmetic, int axis) const {
    return drifted<Arithmetic>(ray_->origin[axis], sphere_->center[axis], (*velocity_)[axis], time_);
  }

  Relative relative() const { return exact::relative(*ray_, *sphere_, *velocity_, time_); }

 private:
  const Path* ray_;
  const Sphere* sphere_;
  const Vec3* velocity_;
  double time_;
  Vec3 offset_;
};

/// A moving sphere at the instant T. L = O − C − W·T for a path's origin O, or for a point O.
struct SphereAtInstant {
  const Sphere& sphere;
  const Vec3& velocity;
  double time;

  /// C + W·T, rounded twice.
  Vec3 center() const { return sphere.center + time * velocity; }
  Relative relative(const Path& path) const { return exact::relative(path, sphere, velocity, time); }
  Relative relative(const Vec3& x) const { return relative(path_at(x)); }
};

namespace filter {

/// |L| − radius, for a radius that may be a rounded sum of two. In addition to its rounding, L is off by 4u²
/// of `size` on each axis (LongOffset); this adds at most 4u² Σ size to the error of |L|. The other errors
/// are those of `distance(l, radius)` in filter.hpp, plus u·radius for the sum.
Estimate distance(const Vec3& x, const SphereAtInstant& s, double radius);

}  // namespace filter

/// More decisions at an instant; those about a path stand in decide.hpp.
int compare_distances(const Vec3& x, const SphereAtInstant& a, const SphereAtInstant& b, Counts& counts);
int sign_gap(const Ball& ball, const SphereAtInstant& s, Counts& counts);

}  // namespace sphaera::exact
