#pragma once
/// \file The fast computation of an impact's numbers, about 0.01 µs instead of 1 µs: the time by one Newton
/// step (newton.hpp), the point from that time in double-double. It succeeds for most impacts.
///
/// t is the entry, v = L + tD and |v| = R. v has two errors: |D| times the error of t, kept below u R/8, and
/// 8u² of the terms of its sum, which is then far less. All other numbers follow from D, v, D·v, v·v and the
/// inputs.
///   D·v = −√Δ ≤ 0 has a relative error of 2u. An error of t moves D·v by D·D times as much: this must be
///   below u|D·v|. The sum D·v is off by 8u²|D|R: |D·v| must be above 2^-46 |D|R.
///   V' = D − (1 + e)(D·v/v·v) v + W is rounded once. A mirror reflection keeps lengths, whatever the error
///   of v.
///   The exit is −2 D·v/D·D after the entry.

#include <ballistics/long_vec3.hpp>
#include <exact/numbers/elementary.hpp>
#include <exact/predicates/in_motion.hpp>
#include <exact/roots/newton.hpp>
#include <sphaera/bullet.hpp>

namespace sphaera::ballistics {

/// The numbers of an impact. `write` computes its angle from `inward` and `along`.
struct ImpactNumbers {
  double elapsed, time, exit_time, distance, inward, along;
  Vec3 point, center, normal, velocity, exit_point;
  bool accurate;  ///< if false, no number is valid
  double floor;   ///< of the path; a test of it in `accurate` would keep GCC from vectorizing the loop

  bool known() const { return accurate && floor < infinity; }

  void write(Impact& impact) const {
    impact.time = time, impact.exit_time = exit_time, impact.distance = distance;
    impact.angle = exact::arc_tangent(inward, along);
    impact.point = point, impact.center = center, impact.normal = normal;
    impact.velocity = velocity, impact.exit_point = exit_point;
  }
};

/// The inputs of QuickImpact as plain values: a loop over many impacts keeps them in registers.
struct ImpactTerms {
  exact::Path path;           ///< range of t, and D; its origin is not used
  exact::LongOffset x, y, z;  ///< L
  Sphere sphere;
  Vec3 velocity;  ///< of the sphere
  Vec3 flight;    ///< velocity of the bullet
  double radius;  ///< of the bullet
  double start;   ///< scene time at t = 0

  template <class Arithmetic>
  SPHAERA_INLINE static ImpactTerms of(Arithmetic arithmetic, const exact::InMotion& pair) {
    return {pair.path,
            pair.long_offset(arithmetic, 0),
            pair.long_offset(arithmetic, 1),
            pair.long_offset(arithmetic, 2),
            pair.sphere(),
            pair.velocity(),
            pair.flight().path.direction,
            pair.flight().radius,
            pair.flight().start};
  }
};

/// Computes the numbers of one impact without a branch or a loop, so that the compiler vectorizes a loop over
/// many impacts (quick_impact_block.hpp).
template <class Arithmetic>
class QuickImpact {
 public:
  /// Precondition: the contact of bullet and sphere is `enters`. Check `known()` before using the numbers.
  SPHAERA_INLINE static ImpactNumbers numbers(const ImpactTerms& terms, double restitution) {
    QuickImpact quick(terms);
    ImpactNumbers n;
    const bool entry = quick.find_entry(), offset = quick.find_offset_at_entry();
    n.accurate = entry & offset, n.floor = terms.path.floor;  // & and not &&, which would be a branch
    quick.set_times(n);
    quick.set_places(n);
    quick.set_velocity(restitution, n);
    return n;
  }

 private:
  using Double2 = exact::DoubleDouble<Arithmetic>;
  using LongVec3 = ballistics::LongVec3<Arithmetic>;

  SPHAERA_INLINE explicit QuickImpact(const ImpactTerms& terms)
      : terms_(terms), path_(terms.path), d_(terms.path.direction) {}

  SPHAERA_INLINE bool find_entry() {
    const exact::LongOffset &x = terms_.x, &y = terms_.y, &z = terms_.z;
    const Vec3 l{x.value, y.value, z.value};
    l_ = {exact::TwoDouble{x.value, x.low}, exact::TwoDouble{y.value, y.low},
          exact::TwoDouble{z.value, z.low}};
    radii_ = exact::two_sum(terms_.sphere.radius, terms_.radius);
    exact::TwoDouble square = Arithmetic::two_product(radii_.hi, radii_.hi);
    square.lo += 2 * radii_.hi * radii_.lo;
    const auto guess = exact::filter::root_estimates<exact::Plain>(
        l, path_, exact::filter::discriminant<exact::Plain>(l, path_, radii_.hi));
    const auto found = exact::NewtonStep::find<Arithmetic>(l, {x.low, y.low, z.low}, {x.size, y.size, z.size},
                                                           path_, square, guess.t1, exact::Side::entry);
    time_ = exact::two_sum(guess.t1, -found.step);
    error_ = found.error, speed_ = __builtin_sqrt(path_.a);
    return x.known & y.known & z.known & found.known & (time_.hi >= path_.t_min) & (time_.hi <= path_.t_max) &
           (found.error * speed_ <= exact::u / 8 * radii_.hi) &
           (found.error <= exact::u / 32 * __builtin_fabs(time_.hi));
  }

  /// Computes v, D·v and v·v. True if D·v meets both conditions of the file comment.
  SPHAERA_INLINE bool find_offset_at_entry() {
    const LongVec3 d = direction();
    const Double2 t = time_;
    v_ = l_ + t * d;
    d_dot_v_ = dot(d, v_), square_ = dot(v_, v_);
    return (-d_dot_v_.hi > 0x1p-46 * speed_ * radii_.hi) & (error_ * path_.a <= -exact::u * d_dot_v_.hi);
  }

  SPHAERA_INLINE void set_times(ImpactNumbers& n) const {
    const double start = terms_.start, interval = -2 * d_dot_v_.hi / path_.a;
    const Vec3& bullet_velocity = terms_.flight;
    n.elapsed = time_.hi;
    n.time = static_cast<double>(Double2(start) + Double2(time_));
    const double exit_time = start + (time_.hi + interval);
    n.exit_time = n.time < exit_time ? exit_time : n.time;
    n.distance = time_.hi * __builtin_sqrt(sphaera::dot(bullet_velocity, bullet_velocity));
    const Vec3 v = offset_at_entry(), moment = cross(d_, v);
    n.inward = -d_dot_v_.hi, n.along = __builtin_sqrt(sphaera::dot(moment, moment));
  }

  SPHAERA_INLINE void set_places(ImpactNumbers& n) const {
    const Sphere& s = terms_.sphere;
    const Vec3 v = offset_at_entry(), velocity = terms_.velocity, drift = n.time * velocity;
    const double share = s.radius / radii_.hi, interval = -2 * d_dot_v_.hi / path_.a;
    n.normal = (1 / radii_.hi) * v;
    n.point = s.center + (drift + share * v);
    n.center = s.center + (drift + v);
    n.exit_point = s.center + ((drift + interval * velocity) + share * (v + interval * d_));
  }

  SPHAERA_INLINE void set_velocity(double restitution, ImpactNumbers& n) const {
    const Double2 share = Double2(exact::two_sum(1, restitution)) * (d_dot_v_ / square_);
    n.velocity = ((direction() - share * v_) + LongVec3::of(terms_.velocity)).rounded();
  }

  SPHAERA_INLINE LongVec3 direction() const { return LongVec3::of(d_, path_.direction_low); }
  SPHAERA_INLINE Vec3 offset_at_entry() const { return v_.high(); }

  const ImpactTerms& terms_;
  const exact::Path& path_;
  const Vec3& d_;
  LongVec3 l_, v_;
  exact::TwoDouble time_{}, radii_{};
  Double2 d_dot_v_, square_;
  double error_ = 0, speed_ = 0;
};

}  // namespace sphaera::ballistics
