#pragma once
/// \file The fast computation of an impact's numbers under gravity, about 0.1 µs instead of 2 µs. It succeeds
/// for most impacts. The time is the double nearest to the root, so the numbers do not depend on the guess
/// from which it was found. Error bounds: README.md, proof 1.

#include <ballistics/arc_length.hpp>
#include <ballistics/quick_impact.hpp>

namespace sphaera::ballistics {

template <class Arithmetic>
class QuickCurvedImpact {
 public:
  SPHAERA_INLINE QuickCurvedImpact(const ImpactTerms& terms, const Vec3& gravity)
      : terms_(terms),
        gravity_(gravity),
        d_(LongVec3::of(terms.path.direction, terms.path.direction_low)),
        l_{of(terms.x), of(terms.y), of(terms.z)},
        radii_(exact::two_sum(terms.sphere.radius, terms.radius)),
        radii_square_(Double2(radii_) * Double2(radii_)),
        strength_(size(gravity)) {}

  /// The numbers of an impact whose entry is the only root of f from `low` to `high`, without a branch or a
  /// loop, so that the compiler vectorizes a loop over many impacts (quick_impact_block.hpp). `accurate`
  /// is false also where find_time or write would need more steps. The distance can be NaN: then the caller
  /// computes it by `arc_length`.
  SPHAERA_INLINE static ImpactNumbers numbers(const ImpactTerms& terms, const Vec3& gravity, double low,
                                              double high, double restitution) {
    QuickCurvedImpact quick(terms, gravity);
    ImpactNumbers n;
    quick.move_to(low + 0.5 * (high - low));
    double time = 0;
    const bool steps = quick.may_step(), brief = quick.is_short(high - low),
               certain = quick.certify(low, high, time);
    quick.move_to(time);
    const bool falls = quick.may_step(), offset = quick.find_offset_at_entry(time), exit = quick.find_exit(),
               known = quick.exit_is_known(time);
    n.accurate = steps & brief & certain & falls & offset & exit & known, n.floor = 0;
    quick.set_all(restitution, n);
    return n;
  }

  /// The double nearest to the entry, the only root of f from `low` to `high`, at which f falls. False if
  /// the accuracy is not sufficient; `time` is then meaningless.
  SPHAERA_INLINE bool find_time(double low, double high, double& time) {
    constexpr int max_steps = 4;
    for (int step = 0; step < max_steps; ++step) {
      move_to(low + 0.5 * (high - low));
      if (!may_step()) return false;
      if (is_short(high - low)) return certify(low, high, time);
      narrow(low, high);
    }
    return false;
  }

  /// Writes the numbers for the double nearest to the entry. False, and nothing written, if the accuracy is
  /// not sufficient.
  SPHAERA_INLINE bool write(double time, double restitution, ImpactNumbers& n) {
    move_to(time);
    if (!may_step() || !find_offset_at_entry(time) || !find_exit()) return false;
    if (!exit_is_known(time)) {
      double exit;
      if (!find_exit_time(time + time_inside_, exit)) return false;
      time_inside_ = (exit - time_.hi) - time_.lo;
    }
    set_all(restitution, n);
    return true;
  }

  /// The same for a bullet that starts inside.
  SPHAERA_INLINE bool write_inside(double restitution, ImpactNumbers& n) {
    move_to(0);
    if (!is_moderate() || !(f_ < -f_error_) || !find_start()) return false;
    double exit;
    if (!find_exit_time(guess_of_exit(), exit)) return false;
    const double start = terms_.start;
    n.elapsed = 0, n.time = start, n.exit_time = std::max(start, start + exit), n.distance = 0;
    set_angle(n);
    set_start(n);
    set_velocity(v_dot_w_.hi < 0 ? restitution : -1, n);
    n.exit_point = point_at(exit);
    return true;
  }

 private:
  using Double2 = exact::DoubleDouble<Arithmetic>;
  using LongVec3 = ballistics::LongVec3<Arithmetic>;

  SPHAERA_INLINE static double size(const Vec3& v) { return __builtin_sqrt(sphaera::dot(v, v)); }
  SPHAERA_INLINE static Double2 of(const exact::LongOffset& l) { return exact::TwoDouble{l.value, l.low}; }

  /// True if v and w change by less than a 2^-9th, and f' by less than a 2^-11th, within this time.
  SPHAERA_INLINE bool is_short(double width) const {
    return (strength_ * width <= 0x1p-10 * speed_) & (width * speed_ <= 0x1p-10 * radii_.hi) &
           (3 * half_curvature_bound_ * width <= 0x1p-11 * __builtin_fabs(slope_));
  }
  SPHAERA_INLINE bool is_moderate() const { return radii_square_.hi > 0x1p-800; }
  SPHAERA_INLINE bool may_step() const { return is_moderate() & (slope_ < 0); }

  /// Moves the bounds close to the end of the Newton step, where the sign of f is certain.
  SPHAERA_INLINE void narrow(double& low, double& high) {
    const double next = t_ + step_, off = 2 * half_curvature_bound_ * (step_ * step_) + 8 * f_error_,
                 width = off / -slope_ + 4 * exact::u * next;
    for (const double t : {next - width, next + width}) {
      if (!(t > low && t < high)) continue;
      move_to(t);
      if (f_ > f_error_) low = t;
      if (f_ < -f_error_) high = t;
    }
  }

  /// Sets `time` to the double nearest to the end of the Newton step. True if everything within the error
  /// bound of it rounds to this double, and so does the root (README.md, proof 1).
  SPHAERA_INLINE bool certify(double low, double high, double& time) const {
    const double steepness = __builtin_fabs(slope_),
                 change =
                     (3 * half_curvature_bound_ * (high - low) + 8 * exact::u * reach_speed_) / steepness,
                 error =
                     1.01 * (f_error_ / steepness + __builtin_fabs(step_) * (1.01 * change + 8 * exact::u));
    const exact::TwoDouble sum = exact::two_sum(t_, step_);
    const double off = error + 2 * exact::u * __builtin_fabs(sum.lo);
    time = sum.hi;
    return (change < 0x1p-10) & (sum.hi + (sum.lo + off) == sum.hi) & (sum.hi + (sum.lo - off) == sum.hi) &
           (sum.hi > 0);
  }

  /// Computes v, w, f (`f_`) and f' (`slope_`) at t, and the Newton step from t.
  SPHAERA_INLINE void move_to(double t) {
    const exact::TwoDouble square = Arithmetic::two_product(t, t);
    const Double2 half_square = exact::TwoDouble{0.5 * square.hi, 0.5 * square.lo};
    const LongVec3 flown = Double2(t) * d_, fallen = half_square * LongVec3::of(gravity_);
    v_ = l_ + (flown + fallen), w_ = d_ + gained(t);
    const Double2 v_square = dot(v_, v_);
    const auto square_of = [](double x) SPHAERA_INLINE_LAMBDA { return x * x; };
    const auto magnitude =
        [](const exact::LongOffset& l, const Double2& a, const Double2& b)
            SPHAERA_INLINE_LAMBDA { return l.size + __builtin_fabs(a.hi) + __builtin_fabs(b.hi); };
    const double sizes = square_of(magnitude(terms_.x, flown.x, fallen.x)) +
                         square_of(magnitude(terms_.y, flown.y, fallen.y)) +
                         square_of(magnitude(terms_.z, flown.z, fallen.z));
    const Vec3 v = v_.high(), w = w_.high();
    const double distance = size(v);
    speed_ = size(w), reach_speed_ = distance * speed_;
    half_curvature_bound_ = sphaera::dot(w, w) + distance * strength_;
    slope_ = 2 * dot(v_, w_).hi;
    f_error_ = 64 * exact::u * exact::u * (sizes + radii_square_.hi);
    t_ = t, f_ = static_cast<double>(v_square - radii_square_), step_ = f_ / -slope_;
  }
  /// G t.
  SPHAERA_INLINE LongVec3 gained(double t) const {
    const auto product = [&](double g)
                             SPHAERA_INLINE_LAMBDA { return Double2(Arithmetic::two_product(t, g)); };
    return {product(gravity_.x), product(gravity_.y), product(gravity_.z)};
  }

  /// Moves v and w from t to the surface. True if the conditions of README.md, proof 1 (the place) hold.
  SPHAERA_INLINE bool find_offset_at_entry(double t) {
    const double change = (3 * half_curvature_bound_ * __builtin_fabs(step_) + 8 * exact::u * reach_speed_) /
                          -slope_,
                 error = f_error_ / -slope_ + __builtin_fabs(step_) * (change + 8 * exact::u);
    v_ = v_ + Double2(step_) * w_, w_ = w_ + gained(step_);
    time_ = exact::two_sum(t, step_), v_dot_w_ = dot(v_, w_), square_ = dot(v_, v_);
    return (__builtin_fabs(step_) <= 4 * exact::u * t) & (error * speed_ <= exact::u / 8 * radii_.hi) &
           (error <= exact::u / 32 * t) & (-v_dot_w_.hi > 0x1p-46 * speed_ * radii_.hi) &
           (error * half_curvature_bound_ <= -exact::u * v_dot_w_.hi);
  }

  /// The time from entry to exit: with |v| = R, f is δ (2b + k δ + c δ² + |G|² δ³/4), k half of f'' at the
  /// entry.
  SPHAERA_INLINE bool find_exit() {
    constexpr double settled = 0x1p-27;  // the last step ÷ x: README.md, proof 1 (the exit)
    const bool bends = find_bends();
    double x = -2 * v_dot_w_.hi / k_, step = x;
    for (int i = 0; i < newton_steps; ++i) {
      const double power = 2 * v_dot_w_.hi + x * (k_ + x * (c_ + x * quarter_)),
                   slope = k_ + x * (2 * c_ + x * (3 * quarter_));
      step = power / slope, x -= step;
    }
    time_inside_ = x;
    return bends & stays_convex(x) & (__builtin_fabs(step) <= settled * x);
  }
  /// Is the time from `find_exit` good enough for the time of the exit?
  SPHAERA_INLINE bool exit_is_known(double t) const { return 3 * time_inside_ <= t; }

  /// k, c and |G|²/4 at v and w; true if k has not cancelled.
  SPHAERA_INLINE bool find_bends() {
    const Vec3 v = v_.high(), w = w_.high();
    const double pull = sphaera::dot(v, gravity_), square = sphaera::dot(w, w);
    k_ = square + pull, c_ = sphaera::dot(w, gravity_), quarter_ = 0.25 * sphaera::dot(gravity_, gravity_);
    return k_ >= 0.5 * (square + radii_.hi * strength_);
  }
  /// True if x > 0 and f'' > 0 from the place of v and w until a time x later.
  SPHAERA_INLINE bool stays_convex(double x) const {
    return (x > 0) & (__builtin_fabs(c_) * x <= k_ / 6) & (quarter_ * x * x <= k_ / 6);
  }

  /// The double nearest to the exit, which is close to `guess`. Precondition: f is convex up to there.
  SPHAERA_INLINE bool find_exit_time(double guess, double& exit) const {
    QuickCurvedImpact at(*this);
    const double low = guess * (1 - 0x1p-36), high = guess * (1 + 0x1p-36);
    at.move_to(low);
    if (!(at.f_ < -at.f_error_)) return false;
    at.move_to(high);
    if (!(at.f_ > at.f_error_)) return false;
    at.move_to(guess);
    return at.slope_ > 0 && at.is_short(high - low) && at.certify(low, high, exit);
  }

  /// Computes D·v and v·v at the start. True if D·v and |v| are good to u.
  SPHAERA_INLINE bool find_start() {
    v_dot_w_ = dot(v_, w_), square_ = dot(v_, v_);
    const double distance = __builtin_sqrt(square_.hi),
                 magnitude = terms_.x.size + terms_.y.size + terms_.z.size;
    return magnitude <= 0x1p20 * distance && square_.hi > 0x1p-800 &&
           __builtin_fabs(v_dot_w_.hi) > 0x1p-20 * distance * speed_;
  }

  /// An estimate of the exit's time for a bullet that starts inside; NaN if f is not known to be convex up to
  /// there.
  SPHAERA_INLINE double guess_of_exit() {
    if (!find_bends()) return Impact::none;
    const double b = v_dot_w_.hi;
    double x = (-b + __builtin_sqrt(b * b - k_ * f_)) / k_;
    for (int i = 0; i < newton_steps; ++i) {
      const double power = f_ + x * (2 * b + x * (k_ + x * (c_ + x * quarter_))),
                   slope = 2 * b + x * (2 * k_ + x * (3 * c_ + x * (4 * quarter_)));
      x -= power / slope;
    }
    return stays_convex(x) ? x : Impact::none;
  }

  SPHAERA_INLINE void set_all(double restitution, ImpactNumbers& n) const {
    set_times(n);
    set_angle(n);
    set_places(n);
    set_velocity(restitution, n);
  }
  SPHAERA_INLINE void set_times(ImpactNumbers& n) const {
    const double start = terms_.start;
    n.elapsed = time_.hi;
    n.time = static_cast<double>(Double2(start) + Double2(time_));
    const double exit_time = start + (time_.hi + time_inside_);
    n.exit_time = n.time < exit_time ? exit_time : n.time;
    n.distance = quick_arc_length(terms_.flight, gravity_, t_);
  }
  SPHAERA_INLINE void set_angle(ImpactNumbers& n) const {
    n.inward = __builtin_fabs(v_dot_w_.hi), n.along = size(cross(w_.high(), v_.high()));
  }

  SPHAERA_INLINE void set_places(ImpactNumbers& n) const {
    const Sphere& s = terms_.sphere;
    const Vec3 v = v_.high(), velocity = terms_.velocity, drift = n.time * velocity,
               passed = time_inside_ * (w_.high() + (0.5 * time_inside_) * gravity_);
    const double share = s.radius / radii_.hi;
    n.normal = (1 / radii_.hi) * v;
    n.point = s.center + (drift + share * v);
    n.center = s.center + (drift + v);
    n.exit_point = s.center + ((drift + time_inside_ * velocity) + share * (v + passed));
  }

  SPHAERA_INLINE void set_start(ImpactNumbers& n) const {
    const Sphere& s = terms_.sphere;
    const Vec3 drift = n.time * terms_.velocity;
    const Double2 length = sqrt(square_), share = Double2(s.radius) / length;
    n.normal = (Double2(1) / length * v_).rounded();
    n.point = s.center + (drift + (share * v_).rounded());
    n.center = s.center + (drift + v_.high());
  }

  /// The sphere's point on the line between the centers at t.
  SPHAERA_INLINE Vec3 point_at(double t) const {
    QuickCurvedImpact at(*this);
    at.move_to(t);
    const Sphere& s = terms_.sphere;
    const Vec3 v = at.v_.high();
    return s.center + ((terms_.start + t) * terms_.velocity + (s.radius / size(v)) * v);
  }

  /// A restitution of −1 leaves the velocity as it is.
  SPHAERA_INLINE void set_velocity(double restitution, ImpactNumbers& n) const {
    const Double2 share = Double2(exact::two_sum(1, restitution)) * (v_dot_w_ / square_);
    n.velocity = ((w_ - share * v_) + LongVec3::of(terms_.velocity)).rounded();
  }

  static constexpr int newton_steps = 6;

  const ImpactTerms& terms_;
  const Vec3& gravity_;
  LongVec3 d_, l_, v_, w_;
  exact::TwoDouble time_{}, radii_;
  Double2 v_dot_w_, square_, radii_square_;
  double strength_, t_ = 0, f_ = 0, step_ = 0, slope_ = 0, f_error_ = 0, time_inside_ = 0;
  double k_ = 0, c_ = 0, quarter_ = 0;
  double speed_ = 0, reach_speed_ = 0, half_curvature_bound_ = 0;  ///< |w|, |v||w|, |w|² + |v||G| ≥ |f''|/2
};

}  // namespace sphaera::ballistics
