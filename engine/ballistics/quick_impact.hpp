#pragma once
/// \file The fast computation of an impact's numbers, about 0.01 µs instead of 1 µs: the time by one Newton
/// step (newton.hpp), the point from it in double-double. It succeeds for most impacts.
///
/// With t the entry and v = L + tD, of length R: v is off by the error of t times |D|, which is kept below u
/// R/8, and by 8u² of the terms of its sum, which is far less then. All other terms are D·v, v·v and D·D.
///   D·v = −√Δ ≤ 0 is good to 2u: the entry's error moves it by D·D times that error, which must be below u
///   of it. Its sum is off by 8u²|D|R, and it must be above 2^-46 |D|R.
///   V' = D − (1 + e)(D·v/v·v) v + W, rounded once; a mirror reflection keeps lengths whatever the error of
///   v.
///   The exit is −2 D·v/D·D after the entry.

#include <exact/numbers/double_double.hpp>
#include <exact/numbers/elementary.hpp>
#include <exact/predicates/in_motion.hpp>
#include <exact/roots/newton.hpp>
#include <sphaera/bullet.hpp>

namespace sphaera::geometry {

template <class Arithmetic>
class QuickImpact {
 public:
  /// For a pair whose contact is `enters`. Returns false, and writes nothing, if the accuracy is not
  /// sufficient.
  SPHAERA_INLINE static bool write(const exact::InMotion& pair, double restitution, Impact& impact,
                                   double& elapsed) {
    QuickImpact quick(pair);
    if (!quick.find_entry() || !quick.find_place()) return false;
    quick.write_times(impact, elapsed);
    quick.write_places(impact);
    quick.write_velocity(restitution, impact);
    return true;
  }

 private:
  using Double2 = exact::DoubleDouble<Arithmetic>;

  SPHAERA_INLINE explicit QuickImpact(const exact::InMotion& pair) : pair_(pair), d_(pair.path.direction) {}

  SPHAERA_INLINE bool find_entry() {
    const exact::Path& path = pair_.path;
    const auto guess = exact::filter::crossing<exact::Plain>(
        pair_.offset(), path,
        exact::filter::discriminant<exact::Plain>(pair_.offset(), path, pair_.radius()));
    for (int i = 0; i < 3; ++i) l_[static_cast<std::size_t>(i)] = pair_.long_offset(Arithmetic{}, i);
    const auto& [x, y, z] = l_;
    radii_ = exact::two_sum(pair_.sphere().radius, pair_.flight().radius);
    exact::TwoDouble square = Arithmetic::two_product(radii_.hi, radii_.hi);
    square.lo += 2 * radii_.hi * radii_.lo;
    const auto found = exact::NewtonStep::find<Arithmetic>({x.value, y.value, z.value}, {x.low, y.low, z.low},
                                                           {x.size, y.size, z.size}, path, square, guess.t1,
                                                           exact::NewtonStep::Side::entry);
    time_ = exact::two_sum(guess.t1, -found.step);
    error_ = found.error, speed_ = __builtin_sqrt(path.a);
    return path.floor < infinity && found.known && time_.hi >= path.t_min && time_.hi <= path.t_max &&
           found.error * speed_ <= exact::u / 8 * radii_.hi &&
           found.error <= exact::u / 32 * __builtin_fabs(time_.hi);
  }

  /// Computes v, D·v and v·v.
  SPHAERA_INLINE bool find_place() {
    Double2 along, square;
    for (int i = 0; i < 3; ++i) {
      const auto axis = static_cast<std::size_t>(i);
      const Double2 d = exact::TwoDouble{d_[i], pair_.path.direction_low[i]};
      v_[axis] = Double2(exact::TwoDouble{l_[axis].value, l_[axis].low}) + Double2(time_) * d;
      along = along + d * v_[axis];
      square = square + v_[axis] * v_[axis];
    }
    along_ = along, square_ = square;
    return -along.hi > 0x1p-46 * speed_ * radii_.hi && error_ * pair_.path.a <= -exact::u * along.hi;
  }

  SPHAERA_INLINE void write_times(Impact& impact, double& elapsed) const {
    const double start = pair_.flight().start, interval = -2 * along_.hi / pair_.path.a;
    const Vec3& world = pair_.flight().path.direction;
    elapsed = time_.hi;
    impact.time = static_cast<double>(Double2(start) + Double2(time_));
    impact.exit_time = std::max(impact.time, start + (time_.hi + interval));
    impact.distance = time_.hi * __builtin_sqrt(dot(world, world));
    const Vec3 v = place(), moment = cross(d_, v);
    impact.angle = exact::arc_tangent(-along_.hi, __builtin_sqrt(dot(moment, moment)));
  }

  SPHAERA_INLINE void write_places(Impact& impact) const {
    const Sphere& s = pair_.sphere();
    const Vec3 v = place(), velocity = pair_.velocity(), drift = impact.time * velocity;
    const double share = s.radius / radii_.hi, interval = -2 * along_.hi / pair_.path.a;
    impact.normal = (1 / radii_.hi) * v;
    impact.point = s.center + (drift + share * v);
    impact.center = s.center + (drift + v);
    impact.exit_point = s.center + ((drift + interval * velocity) + share * (v + interval * d_));
  }

  SPHAERA_INLINE void write_velocity(double restitution, Impact& impact) const {
    const Double2 share = Double2(exact::two_sum(1, restitution)) * (along_ / square_);
    const Vec3 w = pair_.velocity();
    const auto after = [&](int i) SPHAERA_INLINE_LAMBDA {
      const Double2 d = exact::TwoDouble{d_[i], pair_.path.direction_low[i]};
      return static_cast<double>((d - share * v_[static_cast<std::size_t>(i)]) + Double2(w[i]));
    };
    impact.velocity = {after(0), after(1), after(2)};
  }

  SPHAERA_INLINE Vec3 place() const { return {v_[0].hi, v_[1].hi, v_[2].hi}; }

  const exact::InMotion& pair_;
  const Vec3& d_;
  std::array<exact::LongOffset, 3> l_;
  std::array<Double2, 3> v_;
  exact::TwoDouble time_{}, radii_{};
  Double2 along_, square_;
  double error_ = 0, speed_ = 0;
};

}  // namespace sphaera::geometry
