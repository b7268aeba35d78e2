#pragma once
/// \file A bullet and a sphere that may move, in the sphere's frame of motion.
///
/// With t the bullet's own time, O + tV its center and C + (start + t)W the sphere's, the vector between the
/// centers is L + tD, L = O − C − W·start, D = V − W. Bullet and sphere touch where |L + tD| is the sum R of
/// their radii. This is a path and a ball at rest, except that coordinates are sums of doubles. Error bounds
/// for the filter: engine/exact/proofs.md, proof 2.

#include <exact/predicates/path.hpp>
#include <exact/predicates/relative.hpp>

namespace sphaera::exact {

/// A bullet prepared for many sphere tests: its path in world coordinates, t its own time.
///
/// The flight ends at a given t, or at an instant T of the scene's time; then t = T − start is a sum of two
/// doubles. Decisions at the end use that sum, `end`. path.t_max is the least double ≥ `end`, so that
/// traversal and bounds along the path miss nothing.
struct Flight {
  Path path{};
  double radius = 0;
  double start = 0;  ///< scene time at t = 0
  TwoDouble end{};   ///< end of t; hi is the double nearest to the sum

  Flight() = default;
  /// A flight that ends at the path's t_max.
  Flight(const Path& p, double r, double s) : path(p), radius(r), start(s), end{p.t_max, 0} {}

  void end_at(const TwoDouble& t) { end = t, path.t_max = rounded_up(t); }
};

/// One axis of L as a sum value + low, off by 4u² of `size`; no term of the sum exceeds `size`.
struct LongOffset {
  double value, low, size;
  bool known;  ///< `value` alone is off by one rounding, as the filter needs
};

/// L = o − c − w·time along one axis.
template <class Arithmetic>
SPHAERA_INLINE LongOffset drifted(double o, double c, double w, double time) {
  const TwoDouble rest = two_diff(o, c), drift = Arithmetic::two_product(w, time),
                  sum = two_diff(rest.hi, drift.hi), l = fast_two_sum(sum.hi, sum.lo + (rest.lo - drift.lo));
  constexpr double least = 0x1p-31;  // proof 2
  const double size = __builtin_fabs(rest.hi) + __builtin_fabs(drift.hi);
  const bool nothing = l.hi == 0 && sum.hi == 0;  // L is exactly 0
  return {l.hi, l.lo, size, __builtin_fabs(l.hi) >= least * size || drift.hi == 0 || nothing};
}

/// `path` in the frame of motion of a sphere with this velocity: D = V − W.
SPHAERA_INLINE Path relative_path(Path path, const Vec3& velocity) {
  const Vec3 &v = path.direction, &w = velocity;
  const TwoDouble x = two_diff(v.x, w.x), y = two_diff(v.y, w.y), z = two_diff(v.z, w.z);
  path.direction = {x.hi, y.hi, z.hi}, path.direction_low = {x.lo, y.lo, z.lo};
  return prepared(path);
}

class InMotion {
 public:
  Path path;  ///< range of t (its end rounded) and D; do not use the origin

  /// `velocity` is the sphere's; null: at rest. All arguments must outlive this object.
  template <class Arithmetic>
  SPHAERA_INLINE InMotion(Arithmetic, const Flight& flight, const Sphere& sphere, const Vec3* velocity)
      : path(flight.path),
        flight_(&flight),
        sphere_(&sphere),
        velocity_(velocity),
        offset_(flight.path.origin - sphere.center),
        radius_(sphere.radius + flight.radius) {
    if (!velocity) return;
    path = relative_path(path, *velocity);
    const Vec3 &o = path.origin, &c = sphere.center;
    const LongOffset px = drifted<Arithmetic>(o.x, c.x, velocity->x, flight.start),
                     py = drifted<Arithmetic>(o.y, c.y, velocity->y, flight.start),
                     pz = drifted<Arithmetic>(o.z, c.z, velocity->z, flight.start);
    offset_ = {px.value, py.value, pz.value};
    if (!(px.known && py.known && pz.known)) path.floor = infinity;
  }

  SPHAERA_INLINE const Vec3& offset() const { return offset_; }
  SPHAERA_INLINE const TwoDouble& end() const { return flight_->end; }

  template <class Arithmetic>
  SPHAERA_INLINE LongOffset long_offset(Arithmetic, int axis) const {
    const double o = flight_->path.origin[axis], c = sphere_->center[axis];
    if (velocity_) return drifted<Arithmetic>(o, c, (*velocity_)[axis], flight_->start);
    const TwoDouble rest = two_diff(o, c);
    return {rest.hi, rest.lo, __builtin_fabs(rest.hi), true};
  }

  SPHAERA_INLINE double radius() const { return radius_; }
  const Sphere& sphere() const { return *sphere_; }
  const Flight& flight() const { return *flight_; }
  Vec3 velocity() const { return velocity_ ? *velocity_ : Vec3{}; }

  Relative relative() const {
    Relative r = exact::relative(flight_->path, *sphere_);
    r.radius[1] = flight_->radius;
    if (!velocity_) return r;
    r.time = flight_->start;
    for (int i = 0; i < 3; ++i) {
      r.drift[i] = (*velocity_)[i];
      r.direction[i] = {path.direction[i], path.direction_low[i]};
    }
    return r;
  }

 private:
  const Flight* flight_;
  const Sphere* sphere_;
  const Vec3* velocity_;
  Vec3 offset_;
  double radius_;
};

}  // namespace sphaera::exact
