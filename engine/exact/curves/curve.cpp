#include <algorithm>
#include <bit>
#include <exact/curves/curve.hpp>
#include <exact/curves/exact_curve.hpp>
#include <exact/predicates/staged_sign.hpp>

namespace sphaera::exact {
namespace {

/// roots_of in double-double; flattened, so that the compiler builds all of it with FMA.
[[gnu::flatten]] SPHAERA_TARGET_FMA bool bounded_fused(const Curve& curve, double end, double root_bound,
                                                       double nearest, Roots4& roots) {
  return roots_of(CurveBounds<Fused>(curve), end, root_bound, nearest, roots);
}
bool bounded_plain(const Curve& curve, double end, double root_bound, double nearest, Roots4& roots) {
  return roots_of(CurveBounds<Dekker>(curve), end, root_bound, nearest, roots);
}

/// The least power of two ≥ t, clamped to [least, most].
double clamped_power_of_two(double t, double least, double most) {
  if (!(t < most)) return most;
  int exponent;
  const double mantissa = std::frexp(std::max(t, least), &exponent);
  return std::ldexp(1.0, mantissa == 0.5 ? exponent - 1 : exponent);
}

/// Narrows the bounds of a root by a few Newton steps, as far as the filter is sure.
void tighten(const CurveFilter& filter, CurveRoot& root) {
  double low = root.below, high = root.above, t = 0.5 * (low + high);
  CurveFilter::Slope at = filter.slope(t);
  for (int step = 0; step < 10; ++step) {
    (at.f * root.slope < 0 ? low : high) = t;
    const double newton = t - at.f / at.df;
    const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
    const bool settled = std::fabs(next - t) <= 0x1p-40 * t;
    t = next;
    at = filter.slope(t);
    if (settled) break;
  }
  const double width = 2 * at.error / std::fabs(at.df) + 4 * u * t;
  const double below = t - width, above = t + width;
  if (below > root.below && filter.sign(below) == -root.slope) root.below = below;
  if (above < root.above && filter.sign(above) == root.slope) root.above = above;
}

Roots4 roots_of(const Curve& curve, Counts& counts) {
  const CurveFilter filter(curve);
  Roots4 roots;
  if (const double root_bound = filter.root_bound(); root_bound < infinity) {
    const double end = clamped_power_of_two(rounded_up(curve.end), 0x1p-40 * root_bound, root_bound);
    bool known = exact::roots_of(filter, end, root_bound, filter.nearest(end, 3), roots);
    if (!known) {
      const double nearest = filter.nearest(end, 12);
      known = has_fma() ? bounded_fused(curve, end, root_bound, nearest, roots)
                        : bounded_plain(curve, end, root_bound, nearest, roots);
      if (known) ++counts.double_double;
    }
    if (known) {
      for (int i = 0; i < roots.count; ++i) tighten(filter, roots.root[i]);
      return roots;
    }
  }
  ++counts.exact;
  return exact_roots(curve, filter.nearest(infinity, 12));
}

constexpr CurveRoot never{infinity, infinity, 1};

/// All inside intervals that do not end before 0.
InsideIntervals assemble(const Roots4& roots) {
  InsideIntervals s;
  const auto open = [&](const CurveRoot& enter) -> InsideInterval& {
    return s.interval[s.count++] = {enter, never};
  };
  const auto at_0 = [](int slope) { return CurveRoot{0, 0, static_cast<std::int8_t>(slope)}; };
  bool is_inside = roots.after <= 0;
  if (is_inside) open(at_0(-1)).starts_inside = roots.before <= 0;
  if (!is_inside && roots.starts_on) {
    open(at_0(0)).starts_inside = roots.before < 0;
    s.interval[0].exit = at_0(roots.before < 0 ? 1 : 0);
  }
  for (int i = 0; i < roots.count; ++i) {
    const CurveRoot& root = roots.root[i];
    if (!is_inside) open(root);
    if (root.slope > 0 || !is_inside) s.interval[s.count - 1].exit = root;
    if (root.slope != 0) is_inside = root.slope < 0;
    if (is_inside) s.interval[s.count - 1].exit = never;
  }
  return s;
}

InsideIntervals without_late_intervals(const Curve& curve, InsideIntervals s, Counts& counts) {
  while (s.count > 0 && compare(curve, s.interval[s.count - 1].enter, curve.end, counts) > 0) --s.count;
  return s;
}

int sign_power_at(const Curve& curve, const TwoDouble& t, Counts& counts) {
  return staged_sign(
      [&](auto tag) {
        using Number = typename decltype(tag)::type;
        const std::array<double, 2> sum{t.hi, t.lo};
        CurveTerms<Number> terms(curve);
        terms.advance_by(Number::sum(sum));
        return power_at_origin(terms).sign();
      },
      counts);
}

/// Signs of one curve's f, prepared for many evaluations.
class Signs {
 public:
  Signs(const Curve& curve, Counts& counts) : curve_(curve), filter_(curve), counts_(counts) {}
  int operator()(double t) const {
    const int sign = filter_.sign(t);
    return sign != unsure ? sign : sign_power_at(curve_, {t, 0}, counts_);
  }

 private:
  const Curve& curve_;
  CurveFilter filter_;
  Counts& counts_;
};

double next_up(double t) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(t) + 1); }
double next_down(double t) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(t) - 1); }

bool is_narrow(const CurveRoot& root) { return root.is_double() || next_up(root.below) == root.above; }

/// A double between the bounds: their middle, or that of their bit patterns if the bounds are far apart.
double between_bounds(const CurveRoot& root) {
  if (root.above < 2 * root.below) return root.below + 0.5 * (root.above - root.below);
  const auto low = std::bit_cast<std::uint64_t>(root.below), high = std::bit_cast<std::uint64_t>(root.above);
  return std::bit_cast<double>(low + (high - low) / 2);
}

/// Moves one bound of a simple root to t, which lies between the bounds.
void narrow(CurveRoot& root, double t, const Signs& sign) {
  const int s = sign(t);
  if (s == 0) root.below = root.above = t;
  if (s == -root.slope) root.below = t;
  if (s == root.slope) root.above = t;
}

/// Sign of x − y, or `unsure`, by the bounds.
int order(const CurveRoot& x, const CurveRoot& y) {
  if (x.is_double() && y.is_double()) return x.below < y.below ? -1 : x.below > y.below ? 1 : 0;
  if (x.above <= y.below) return -1;
  if (y.above <= x.below) return 1;
  return unsure;
}

/// f(t) by double-double without a bound, for a Newton step.
double power_estimate(const Curve& curve, double t) {
  return static_cast<double>(CurveBounds<Dekker>(curve).power(t).value());
}

/// Narrows the bounds of a simple root to adjacent doubles, with Newton's method if it converges at once.
void narrow_fully(const Curve& curve, CurveRoot& root, Counts& counts) {
  if (is_narrow(root)) return;
  const Signs sign(curve, counts);
  const CurveFilter filter(curve);
  for (int step = 0; step < 3 && !is_narrow(root); ++step) {
    const double t = between_bounds(root), newton = t - power_estimate(curve, t) / filter.slope(t).df;
    if (!(newton > root.below && newton < root.above)) break;
    narrow(root, newton, sign);
    if (is_narrow(root)) return;
    const double beside = root.below == newton ? next_up(newton) : next_down(newton);
    if (beside > root.below && beside < root.above) narrow(root, beside, sign);
  }
  while (!is_narrow(root)) narrow(root, between_bounds(root), sign);
}

/// Sign of f'(0)/2 = L·D.
int sign_slope_at_0(const Curve& curve, Counts& counts) {
  return staged_sign(
      [&](auto tag) {
        const Terms<typename decltype(tag)::type> terms(curve.relative);
        return dot(terms.l, terms.d).sign();
      },
      counts);
}

/// Sign of f''(0)/2 = D·D + L·G.
int sign_bend_at_0(const Curve& curve, Counts& counts) {
  return staged_sign(
      [&](auto tag) {
        const CurveTerms<typename decltype(tag)::type> terms(curve);
        return (dot(terms.d, terms.d) + dot(terms.l, terms.g)).sign();
      },
      counts);
}

/// Number of distinct roots of f' in (0, root), where `root` is a root of f. If `root` lies between two
/// adjacent doubles, the roots of f' between these doubles do not count.
int turns_until(const Curve& curve, CurveRoot root, Counts& counts) {
  narrow_fully(curve, root, counts);
  ++counts.exact;
  return exact_turns_before(curve, root);
}

/// True if gravity holds the bullet in its first inside interval (see `departure`). `slope` is the sign of
/// f'(0). If the signs of f'(0) and f''(0) do not decide, the roots of f' before the exit are counted.
bool is_held(const Curve& curve, const InsideInterval& contact, int slope, Counts& counts) {
  if (contact.exit.above == 0) return false;
  if (slope > 0 && CurveFilter(curve).rises_until(contact.exit.above)) return false;
  if (slope <= 0 && sign_bend_at_0(curve, counts) <= 0) return true;
  return turns_until(curve, contact.exit, counts) > (slope < 0 ? 1 : 0);
}

}  // namespace

InsideIntervals inside_intervals(const Curve& curve, Counts& counts) {
  return without_late_intervals(curve, assemble(roots_of(curve, counts)), counts);
}

Departure departure(const Curve& curve, Counts& counts) {
  InsideIntervals s = inside_intervals(curve, counts);
  if (s.count == 0) return {.intervals = s, .held = false, .omits_first = false};
  const InsideInterval first = s.interval[0];
  const int slope = sign_slope_at_0(curve, counts);
  const bool holds_0 = first.starts_inside || first.enter.above == 0;
  const auto falls = [&] { return slope < 0 || (slope == 0 && sign_bend_at_0(curve, counts) < 0); };
  if (!holds_0 && !(falls() && turns_until(curve, first.enter, counts) == 0))
    return {.intervals = s, .held = false, .omits_first = false};
  s.interval[0] = s.interval[1];
  --s.count;
  return {.intervals = s, .held = is_held(curve, first, slope, counts), .omits_first = true};
}

int sign_power(const Curve& curve, double t, Counts& counts) { return Signs(curve, counts)(t); }

int compare(const Curve& a, const CurveRoot& x, const Curve& b, const CurveRoot& y, Counts& counts) {
  if (const int known = order(x, y); known != unsure) return known;
  CurveRoot p = x, q = y;
  const Signs f(a, counts), g(b, counts);
  while (!is_narrow(p) || !is_narrow(q)) {
    if (!is_narrow(p)) narrow(p, between_bounds(p), f);
    if (!is_narrow(q)) narrow(q, between_bounds(q), g);
    if (const int known = order(p, q); known != unsure) return known;
  }
  ++counts.exact;
  return compare_in_gap(a, p, b, q);
}

/// If t is a double between the bounds of a root, the root is simple. If t is not a double, it lies between
/// two adjacent doubles, and roots of any multiplicity may lie there, too.
int compare(const Curve& curve, const CurveRoot& root, const TwoDouble& t, Counts& counts) {
  if (const int known = order(root, {rounded_down(t), rounded_up(t)}); known != unsure) return known;
  if (t.lo == 0) return -root.slope * sign_power(curve, t.hi, counts);
  if (root.slope != 0 && root.of == 1) return -root.slope * sign_power_at(curve, t, counts);
  ++counts.exact;
  return compare_in_gap(curve, root, t);
}

double time(const Curve& curve, const CurveRoot& root, Counts& counts) {
  CurveRoot r = root;
  narrow_fully(curve, r, counts);
  if (r.is_double() || r.above == infinity || r.slope == 0 || r.of > 1) return r.above;
  const double half = 0.5 * (r.above - r.below);
  const bool later = half > 0 && sign_power_at(curve, {r.below, half}, counts) == -r.slope;
  return later ? r.above : r.below;
}

}  // namespace sphaera::exact
