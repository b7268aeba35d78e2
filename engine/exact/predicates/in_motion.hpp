#pragma once
/// \file A bullet and a sphere that may move, in the sphere's frame of motion.
///
/// With t the bullet's own time, O + tV its centre and C + (start + t)W the sphere's, they are apart by L +
/// tD, L = O − C − W·start, D = V − W, and touch at R = r + ρ: a path and a ball at rest, but for coordinates
/// that are sums of doubles.
///
/// The filter (filter.hpp) wants L and D with one rounding each, R a rounded sum of two. D is one. L: O − C
/// = o + o' and W·start = p + p' are exact, the sum s + s' of o and −p, too; fl(o' − p') is off by u²(|o| +
/// |p|), its sum with s', both ≤ u(|o| + |p|)(1 + u), by 2.1u²(|o| + |p|), the last by u|L|. The 0.1s of the
/// filter's bounds hold another 2^-20 u|L|: so much is 4u²(|o| + |p|) where |L| ≥ 2^-31 (|o| + |p|). Where an
/// axis cancels more than that the error bound is set to infinity. (An axis without drift cancels
/// exactly.) Products that underflow are off by 2^-1022, as filter.hpp allows.

#include <exact/predicates/path.hpp>
#include <exact/predicates/relative.hpp>

namespace sphaera::exact {

/// A bullet made ready for many sphere tests: its path in the world, t its own time.
///
/// It ends where it is told to or with an instant of the scene's time, T − start: a sum of two doubles. What
/// happens by the end is decided on that sum. path.t_max is the least double that is not before it, so that
/// walks and bounds along the path leave nothing out.
struct Flight {
  Path path{};
  double radius = 0;
  double start = 0;  ///< of its own time, in the scene's
  TwoDouble end{};   ///< hi is the double nearest to the sum

  Flight() = default;
  /// Ends with the path.
  Flight(const Path& p, double r, double s) : path(p), radius(r), start(s), end{p.t_max, 0} {}

  void end_at(const TwoDouble& t) { end = t, path.t_max = rounded_up(t); }
};

class InMotion {
 public:
  Path path;  ///< t's range but for its end, and D; the origin is not to be used

  /// `velocity` of the sphere; null: at rest. All must outlive this.
  template <class Arithmetic>
  SPHAERA_INLINE InMotion(Arithmetic, const Flight& flight, const Sphere& sphere, const Vec3* velocity)
      : path(flight.path),
        flight_(&flight),
        sphere_(&sphere),
        velocity_(velocity),
        offset_(flight.path.origin - sphere.center),
        radius_(sphere.radius + flight.radius) {
    if (!velocity) return;
    const TwoDouble x = two_diff(path.direction.x, velocity->x), y = two_diff(path.direction.y, velocity->y),
                    z = two_diff(path.direction.z, velocity->z);
    path.direction = {x.hi, y.hi, z.hi}, path.direction_low = {x.lo, y.lo, z.lo};
    path = prepared(path);
    const Vec3 &o = path.origin, &c = sphere.center;
    const LongOffset px = drifted<Arithmetic>(o.x, c.x, velocity->x, flight.start),
                     py = drifted<Arithmetic>(o.y, c.y, velocity->y, flight.start),
                     pz = drifted<Arithmetic>(o.z, c.z, velocity->z, flight.start);
    offset_ = {px.value, py.value, pz.value};
    if (!(px.known && py.known && pz.known)) path.floor = infinity;
  }

  SPHAERA_INLINE const Vec3& offset() const { return offset_; }
  SPHAERA_INLINE const TwoDouble& end() const { return flight_->end; }

  /// One axis of L as a sum, to 4u² of `size`, which its terms do not exceed.
  struct LongOffset {
    double value, low, size;
    bool known;  ///< the value alone to one rounding, for the filter
  };
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
  template <class Arithmetic>
  SPHAERA_INLINE static LongOffset drifted(double o, double c, double w, double start) {
    const TwoDouble rest = two_diff(o, c), drift = Arithmetic::two_product(w, start),
                    sum = two_diff(rest.hi, drift.hi),
                    l = fast_two_sum(sum.hi, sum.lo + (rest.lo - drift.lo));
    constexpr double least = 0x1p-31;
    const double size = __builtin_fabs(rest.hi) + __builtin_fabs(drift.hi);
    const bool nothing = l.hi == 0 && sum.hi == 0;  // exactly
    return {l.hi, l.lo, size, __builtin_fabs(l.hi) >= least * size || drift.hi == 0 || nothing};
  }

  const Flight* flight_;
  const Sphere* sphere_;
  const Vec3* velocity_;
  Vec3 offset_;
  double radius_;
};

}  // namespace sphaera::exact
