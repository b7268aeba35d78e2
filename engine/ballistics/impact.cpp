#include <algorithm>
#include <ballistics/impact.hpp>
#include <ballistics/quick_curved_impact.hpp>
#include <ballistics/quick_impact.hpp>
#include <cmath>
#include <exact/numbers/dispatch.hpp>
#include <exact/numbers/elementary.hpp>
#include <exact/numbers/length.hpp>
#include <exact/numbers/quadrature.hpp>
#include <exact/roots/line.hpp>
#include <numbers>

namespace sphaera::ballistics {
namespace {

template <class Real>
using RealVec3 = std::array<Real, 3>;

template <class Real>
Real dot(const RealVec3<Real>& a, const RealVec3<Real>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <class Real>
Vec3 rounded(const RealVec3<Real>& p) {
  return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
}

/// The impact of one bullet on one sphere in long numbers: `Number` for polynomials, `Real` for quotients and
/// roots.
template <class Number>
class LongImpact {
  using Real = decltype(real(Number()));

 public:
  /// The bullet enters along the line or, if `at_origin`, hits at the line's origin, `time_at_origin` after
  /// the bullet's start.
  LongImpact(const exact::InMotion& pair, const exact::LineTerms<Number>& line, bool at_origin,
             const Real& time_at_origin, const Bounce& bounce)
      : pair_(pair), line_(line), bounce_(bounce), at_origin_(at_origin), time_at_origin_(time_at_origin) {
    for (std::size_t i = 0; i < 3; ++i) direction_[i] = real(line.sphere.d[i]);
    time_ = at_origin_ ? time_at_origin_ : entry(line);
    from_center_ = at_origin_ ? start() : offset(line, exact::Side::entry);
    const Real length = at_origin_ ? sqrt(dot(from_center_, from_center_)) : real(line.sphere.r);
    centered_ = static_cast<double>(length) == 0;
    if (!centered_)
      for (std::size_t i = 0; i < 3; ++i) normal_[i] = from_center_[i] / length;
    approach_ = speed_inward(length);
  }

  /// Writes all numbers except the exit; the distance is that of a straight path.
  void write(Impact& impact, double& elapsed) const {
    const Real start(pair_.flight().start), r(pair_.sphere().radius);
    elapsed = static_cast<double>(time_);
    impact.time = static_cast<double>(start + time_);
    impact.distance = static_cast<double>(time_ * length_of(pair_.flight().path.direction));
    impact.angle = angle();
    const RealVec3<Real> center = sphere_at(start + time_);
    impact.point = rounded(along(center, r, normal_));
    impact.center = rounded(along(center, Real(1), from_center_));
    impact.normal = rounded(normal_);
    impact.velocity = velocity();
  }

  /// Writes the exit of a straight path.
  void write_exit(Impact& impact) const {
    const Real start(pair_.flight().start), r(pair_.sphere().radius);
    if (sign(line_.a) == 0) {
      impact.exit_time = infinity, impact.exit_point = {Impact::none, Impact::none, Impact::none};
      return;
    }
    const Real exit = time_at_origin_ + time_of_exit();
    impact.exit_time = std::max(impact.time, static_cast<double>(start + exit));  // of 0 and −0 the first
    impact.exit_point =
        rounded(along(sphere_at(start + exit), r / real(line_.sphere.r), offset(line_, exact::Side::exit)));
  }

 private:
  /// a + s b.
  static RealVec3<Real> along(const RealVec3<Real>& a, const Real& s, const RealVec3<Real>& b) {
    return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
  }
  static RealVec3<Real> real_vec3(const Vec3& v) { return {Real(v.x), Real(v.y), Real(v.z)}; }
  static Real length_of(const Vec3& v) { return sqrt(dot(real_vec3(v), real_vec3(v))); }

  RealVec3<Real> start() const {
    return {real(line_.sphere.l[0]), real(line_.sphere.l[1]), real(line_.sphere.l[2])};
  }
  RealVec3<Real> sphere_at(const Real& time) const {
    return along(real_vec3(pair_.sphere().center), time, real_vec3(pair_.velocity()));
  }
  Real slope() const { return real(dot(line_.sphere.l, line_.sphere.d)); }

  /// max(−D·n, 0): √Δ/R at the entry of a line, −L·D/|L| at its origin.
  Real speed_inward(const Real& length) const {
    if (!at_origin_) return sqrt(real(line_.delta)) / length;
    const Number b = exact::dot(line_.sphere.l, line_.sphere.d);
    return centered_ || sign(b) >= 0 ? Real() : -(real(b) / length);
  }
  /// |D × n|: the speed along the tangent plane.
  Real speed_along() const {
    const Real moment = sqrt(real(exact::dot(line_.moment.v, line_.moment.v)));
    return moment / (at_origin_ ? sqrt(dot(from_center_, from_center_)) : real(line_.sphere.r));
  }

  double angle() const {
    if (centered_) return std::numbers::pi / 2;
    const Real inward = at_origin_ ? absolute(dot(direction_, normal_)) : approach_;
    return exact::arc_tangent(static_cast<double>(inward), static_cast<double>(speed_along()));
  }
  static Real absolute(const Real& x) { return static_cast<double>(x) < 0 ? -x : x; }

  /// (1 − k) T + e s n + W; D + W if s = 0. s = −D·n is the speed inward, T = D + s n the velocity along the
  /// surface, W the sphere's velocity, e the restitution, μ the friction, k = min(1, μ(1 + e)s/|T|).
  Vec3 velocity() const {
    if (static_cast<double>(approach_) == 0)
      return rounded(along(direction_, Real(1), real_vec3(pair_.velocity())));
    const Real bounced = Real(bounce_.restitution) * approach_;
    RealVec3<Real> after = along(direction_, approach_, normal_);
    if (bounce_.friction > 0) {
      const Real tangential = speed_along(), braked = Real(bounce_.friction) * (approach_ + bounced);
      const bool stopped = !(static_cast<double>(tangential - braked) > 0);
      const Real kept = stopped ? Real() : (tangential - braked) / tangential;
      after = along({}, kept, after);
    }
    after = along(after, bounced, normal_);
    return rounded(along(after, Real(1), real_vec3(pair_.velocity())));
  }

  /// t2 = (√Δ − b)/a, or −c/(b + √Δ) if b > 0, so that nothing cancels. b > 0 happens only at the
  /// origin, where c ≤ 0.
  Real time_of_exit() const {
    const Number b = exact::dot(line_.sphere.l, line_.sphere.d);
    const Real root = sqrt(real(line_.delta));
    if (!at_origin_ || sign(b) <= 0) return (root - real(b)) / real(line_.a);
    return -(real(power_at_origin(line_.sphere)) / (real(b) + root));
  }

  const exact::InMotion& pair_;
  const exact::LineTerms<Number>& line_;
  Bounce bounce_;
  bool at_origin_, centered_ = false;
  Real time_at_origin_;  ///< since the bullet's start; 0 for an entry on a straight path
  Real time_, approach_;
  RealVec3<Real> direction_, from_center_, normal_{};
};

/// Are all terms of an impact of a straight path good to `long_error`?
bool straight_terms_known(const exact::LineTerms<exact::Quick>& line, double radius, bool inside) {
  if (!known(line, radius) || !exact::entry_known(line)) return false;
  if (!inside) return true;
  const auto& l = line.sphere.l;
  bool good = known(exact::dot(l, line.sphere.d)) && known(exact::dot(l, l));
  for (const exact::Quick& x : l) good = good && known(x, radius);
  return good;
}

/// The line relative to the sphere; it starts at t_min if the bullet starts inside.
template <class Number>
exact::LineTerms<Number> line_of(const exact::InMotion& pair, bool inside) {
  exact::Terms<Number> terms(pair.relative());
  if (inside) advance(terms, pair.path.t_min);
  return exact::LineTerms<Number>(terms);
}

template <class Number>
void write_straight(const exact::InMotion& pair, const exact::LineTerms<Number>& line, bool inside,
                    const Bounce& bounce, Impact& impact, double& elapsed) {
  using Real = decltype(real(Number()));
  const LongImpact<Number> numbers(pair, line, inside, inside ? Real(pair.path.t_min) : Real(), bounce);
  numbers.write(impact, elapsed);
  numbers.write_exit(impact);
}

/// Is a point on a curve good to `long_error`?
bool curve_point_known(const exact::LineTerms<exact::Quick>& line, double radius) {
  const auto& l = line.sphere.l;
  bool good = known(line.a) && known(exact::dot(l, line.sphere.d)) && exact::moderate(radius);
  for (const exact::Quick& x : l) good = good && known(x, radius);
  return good;
}

/// A curve's terms at t + step; `step_to_surface` is the Newton step from t to the surface.
template <class Number>
exact::CurveTerms<Number> terms_at(const exact::Curve& curve, double t, double step) {
  exact::CurveTerms<Number> terms(curve);
  terms.advance_by(Number(t) + Number(step));
  return terms;
}
double step_to_surface(const exact::Curve& curve, double t) {
  const auto terms = terms_at<exact::Quick>(curve, t, 0);
  const double slope = 2 * exact::dot(terms.l, terms.d).value().hi,
               step = -power_at_origin(terms).value().hi / slope;
  return std::fabs(step) <= 4 * exact::u * t ? step
                                             : 0;  // else the curve touches, or the time cannot be improved
}

template <class Number>
void write_curved(const exact::InMotion& pair, const exact::LineTerms<Number>& line, double t, double step,
                  const Bounce& bounce, Impact& impact, double& elapsed) {
  using Real = decltype(real(Number()));
  constexpr bool at_origin = true;
  LongImpact<Number>(pair, line, at_origin, Real(t) + Real(step), bounce).write(impact, elapsed);
}

bool written_quickly(const exact::InMotion& pair, double restitution, Impact& impact, double& elapsed) {
  ImpactNumbers numbers;
  exact::with_arithmetic([&](auto arithmetic) SPHAERA_INLINE_LAMBDA {
    numbers = QuickImpact<decltype(arithmetic)>::numbers(ImpactTerms::of(arithmetic, pair), restitution);
  });
  if (!numbers.known()) return false;
  numbers.write(impact);
  elapsed = numbers.elapsed;
  return true;
}

/// Writes the numbers that `compute(quick, numbers)` computes; false, and nothing written, if it returns
/// false.
template <class Compute>
bool curve_written_quickly(const exact::InMotion& pair, const Vec3& gravity, Impact& impact, double& elapsed,
                           const Compute& compute) {
  bool written = false;
  exact::with_arithmetic([&](auto arithmetic) SPHAERA_INLINE_LAMBDA {
    const ImpactTerms terms = ImpactTerms::of(arithmetic, pair);
    QuickCurvedImpact<decltype(arithmetic)> quick(terms, gravity);
    ImpactNumbers numbers;
    written = compute(quick, numbers);
    if (!written) return;
    if (std::isnan(numbers.distance)) numbers.distance = arc_length(terms.flight, gravity, numbers.elapsed);
    numbers.write(impact);
    elapsed = numbers.elapsed;
  });
  return written;
}

/// The point of the sphere at which a curve leaves it.
Vec3 exit_point(const exact::InMotion& pair, const exact::Curve& curve, double exit) {
  if (!(exit < infinity)) return {Impact::none, Impact::none, Impact::none};
  const auto terms = terms_at<exact::Quick>(curve, exit, 0);
  const Vec3 v{real(terms.l[0]).hi, real(terms.l[1]).hi, real(terms.l[2]).hi};
  const double far = exact::length(v), share = far > 0 ? pair.sphere().radius / far : 0;
  return pair.sphere().center + ((pair.flight().start + exit) * pair.velocity() + share * v);
}

}  // namespace

Impact impact(const exact::InMotion& pair, std::int64_t sphere, Contact contact, const Bounce& bounce,
              double& elapsed) {
  Impact impact;
  impact.sphere = sphere, impact.contact = contact;
  const bool inside = contact == Contact::starts_inside;
  if (!inside && bounce.friction == 0 && written_quickly(pair, bounce.restitution, impact, elapsed))
    return impact;
  const auto quick = line_of<exact::Quick>(pair, inside);
  if (straight_terms_known(quick, pair.radius(), inside)) {
    write_straight(pair, quick, inside, bounce, impact, elapsed);
  } else {
    write_straight(pair, line_of<exact::Exact>(pair, inside), inside, bounce, impact, elapsed);
  }
  return impact;
}

bool quick_curved_impact(const exact::InMotion& pair, std::int64_t sphere, Contact contact,
                         const Vec3& gravity, double low, double high, const Bounce& bounce, Impact& impact,
                         double& elapsed) {
  if (bounce.friction != 0) return false;
  const bool inside = contact == Contact::starts_inside;
  const auto compute = [&](auto& quick, ImpactNumbers& numbers) SPHAERA_INLINE_LAMBDA {
    if (inside) return quick.write_inside(bounce.restitution, numbers);
    double time = 0;
    return quick.find_time(low, high, time) && quick.write(time, bounce.restitution, numbers);
  };
  if (!curve_written_quickly(pair, gravity, impact, elapsed, compute)) return false;
  impact.sphere = sphere, impact.contact = contact;
  return true;
}

Impact curved_impact(const exact::InMotion& pair, std::int64_t sphere, Contact contact,
                     const exact::Curve& curve, const exact::InsideInterval& interval, const Bounce& bounce,
                     double& elapsed) {
  Impact impact;
  impact.sphere = sphere, impact.contact = contact;
  exact::Counts counts;
  const bool inside = contact == Contact::starts_inside;
  const double t = inside ? 0 : exact::time(curve, interval.enter, counts);
  const auto compute = [&](auto& quick, ImpactNumbers& numbers) SPHAERA_INLINE_LAMBDA {
    return inside ? quick.write_inside(bounce.restitution, numbers)
                  : quick.write(t, bounce.restitution, numbers);
  };
  if (bounce.friction == 0 && curve_written_quickly(pair, curve.gravity, impact, elapsed, compute))
    return impact;
  const double step = inside ? 0 : step_to_surface(curve, t);
  const exact::LineTerms<exact::Quick> quick(terms_at<exact::Quick>(curve, t, step));
  if (curve_point_known(quick, pair.radius())) {
    write_curved(pair, quick, t, step, bounce, impact, elapsed);
  } else {
    write_curved(pair, exact::LineTerms<exact::Exact>(terms_at<exact::Exact>(curve, t, step)), t, step,
                 bounce, impact, elapsed);
  }
  impact.distance = arc_length(pair.flight().path.direction, curve.gravity, t);
  const double exit = exact::time(curve, interval.exit, counts);
  impact.exit_time = std::max(impact.time, pair.flight().start + exit);
  impact.exit_point = exit_point(pair, curve, exit);
  return impact;
}

}  // namespace sphaera::ballistics
