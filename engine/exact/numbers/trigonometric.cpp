#include <bit>
#include <cmath>
#include <cstdint>
#include <exact/numbers/double_double.hpp>
#include <exact/numbers/elementary.hpp>
#include <exact/numbers/elementary_tables.hpp>
#include <exact/numbers/instruction_sets.hpp>
#include <limits>

SPHAERA_SET_BEGIN
namespace sphaera::exact::inline SPHAERA_SET {
namespace {

constexpr auto arc_tangents = tables::arc_tangents();
constexpr auto sines = tables::sines();

using tables::round_shift;

/// A sum hi + lo; lo is small, and its rounding is below 2^-66 of the sum.
struct Sum {
  double hi, lo;
  double rounded() const { return hi + lo; }
};

/// atan(n/d) for 0 ≤ n ≤ d, both of 2^-600 … 2^600, as atan c + atan r with c = i/128 near n/d and r = (n −
/// cd)/(d + cn), |r| < 2^-7.9. The series atan r = r − r³/3 + … to r⁹ is cut off at 2^-83 of r; the terms
/// from r³ on are rounded to 2^-68.5 of r.
SPHAERA_INLINE Sum arc_tangent_of_quotient(TwoDouble n, TwoDouble d) {
  const double shifted = n.hi / d.hi * 128 + round_shift, c = (shifted - round_shift) * 0x1p-7;
  const TwoDouble whole = arc_tangents[std::bit_cast<std::uint64_t>(shifted) & 0xff];
  const TwoDouble cd = Arithmetic::two_product(c, d.hi), cn = Arithmetic::two_product(c, n.hi);
  const TwoDouble top = two_diff(n.hi, cd.hi), bottom = fast_two_sum(d.hi, cn.hi);
  const double top_lo = top.lo + (n.lo - (cd.lo + c * d.lo));
  const double bottom_lo = bottom.lo + (d.lo + (cn.lo + c * n.lo));
  const double r = top.hi / bottom.hi, inverse = 1 / bottom.hi;
  const TwoDouble back = Arithmetic::two_product(r, bottom.hi);
  const double r_lo = (((top.hi - back.hi) - back.lo) + (top_lo - r * bottom_lo)) * inverse;
  const double r2 = r * r;
  const double cubic = r * r2 * (-1.0 / 3 + r2 * (1.0 / 5 + r2 * (-1.0 / 7 + r2 * (1.0 / 9))));
  const TwoDouble sum = fast_two_sum(whole.hi, r);
  return {sum.hi, sum.lo + (whole.lo + (r_lo + cubic))};
}

/// base + sign·x, sign = ±1, for base = 0 or base > x.
double from_base(TwoDouble base, double sign, Sum x) {
  const TwoDouble sum = fast_two_sum(base.hi, sign * x.hi);
  return sum.hi + (sum.lo + (base.lo + sign * x.lo));
}

int exponent_of(double x) { return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff); }

/// The angle if a coordinate is 0, infinite or NaN.
double special_arc_tangent(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return x + y;
  const bool left = std::signbit(x);
  double angle = tables::half_pi.hi;
  if (std::isinf(x) && std::isinf(y)) {
    angle = left ? 3 * (tables::pi.hi / 4) : tables::pi.hi / 4;
  } else if (y == 0 || std::isinf(x)) {
    angle = left ? tables::pi.hi : 0;
  }
  return std::copysign(angle, y);
}

/// The angle for coordinates with a ratio above 2^100: the quotient itself, or a multiple of π/2.
double steep_arc_tangent(double y, double x) {
  if (std::fabs(y) > std::fabs(x)) return std::copysign(tables::half_pi.hi, y);
  return std::signbit(x) ? std::copysign(tables::pi.hi, y) : y / x;
}

}  // namespace

double arc_tangent_of(double y, double x) {
  const double across = std::fabs(x), up = std::fabs(y);
  const bool steep = up > across;
  const double lesser = steep ? across : up, greater = steep ? up : across;
  if (!(lesser > 0 && greater <= std::numeric_limits<double>::max())) return special_arc_tangent(y, x);
  const int exponent = exponent_of(greater);
  if (exponent - exponent_of(lesser) > 100) return steep_arc_tangent(y, x);
  // Scales both by 2^±500 if squares might leave the range: then 2^-574 ≤ d < 2^524.
  const double scale = exponent < 523 ? 0x1p500 : exponent > 1523 ? 0x1p-500 : 1;
  const double n = lesser * scale, d = greater * scale;
  const Sum angle = arc_tangent_of_quotient({n, 0}, {d, 0});
  const bool left = std::signbit(x);
  const TwoDouble base = steep ? tables::half_pi : left ? tables::pi : TwoDouble{0, 0};
  return std::copysign(from_base(base, steep != left ? -1 : 1, angle), y);
}

/// asin x = atan(x/√(1 − x²)).
double arc_sine_of(double x) {
  using Number = DoubleDouble<Arithmetic>;
  const double sine = std::fabs(x);
  if (sine < 0x1p-34) return x;  // x³/6 is less than 2^-70 of x
  if (sine == 1) return std::copysign(tables::half_pi.hi, x);
  if (!(sine < 1)) return std::numeric_limits<double>::quiet_NaN();
  const Number cosine = sqrt(Number(two_diff(1, sine)) * Number(two_sum(1, sine)));
  if (sine <= cosine.hi) {
    const Sum angle = arc_tangent_of_quotient({sine, 0}, {cosine.hi, cosine.lo});
    return std::copysign(angle.rounded(), x);
  }
  const Sum rest = arc_tangent_of_quotient({cosine.hi, cosine.lo}, {sine, 0});
  return std::copysign(from_base(tables::half_pi, -1, rest), x);
}

/// sin(x + quarters·π/2). With x = kπ/256 + r, |r| ≤ π/512, S = sin kπ/256 and C = cos kπ/256 (for quarters =
/// 0) the sine is S + Cr + S(cos r − 1) + C(sin r − r); the last two terms are rounded to 2^-67 of the
/// result. π/256 is split into four parts: products of k with the first three are exact for |x| ≤ 1024. No
/// double ≠ 0 in that range is nearer to a multiple of π/2 than 2^-62.
double sine_of(double x, int quarters) {
  if (!(std::fabs(x) <= 1024)) return std::numeric_limits<double>::quiet_NaN();
  const double shifted = x * 0x1.45f306dc9c883p6 + round_shift, k = shifted - round_shift;
  const TwoDouble near = two_diff(x - k * 0x1.921fb5444p-7, k * 0x1.68c234c4cp-46),
                  nearer = two_diff(near.hi, k * 0x1.98a2e037p-84), sum = two_sum(nearer.hi, near.lo);
  const TwoDouble rest = fast_two_sum(sum.hi, sum.lo + (nearer.lo - k * 0x1.cd129024e088ap-122));
  const double r = rest.hi, r_lo = rest.lo, r2 = r * r;
  const double cosine =
      -0.5 * r2 + (r2 * r2 * (1.0 / 24 + r2 * (-1.0 / 720 + r2 * (1.0 / 40320))) - r * r_lo);
  const double cubic = r * r2 * (-1.0 / 6 + r2 * (1.0 / 120 + r2 * (-1.0 / 5040)));

  const auto table = [](int j) {
    const auto i = static_cast<std::size_t>(j & 128 ? 128 - (j & 127) : j & 127);
    const double sign = j & 256 ? -1 : 1;
    return TwoDouble{sign * sines[i].hi, sign * sines[i].lo};
  };
  const int j = static_cast<int>(std::bit_cast<std::uint64_t>(shifted) & 0x1ff) + 128 * quarters;
  const TwoDouble s = table(j), c = table(j + 128);
  const TwoDouble turn = Arithmetic::two_product(c.hi, r), whole = fast_two_sum(s.hi, turn.hi);
  const double small = (turn.lo + s.lo) + (s.hi * cosine + (c.hi * (r_lo + cubic) + c.lo * r));
  return whole.hi + (whole.lo + small);
}

}  // namespace sphaera::exact::inline SPHAERA_SET
SPHAERA_SET_END

#if SPHAERA_ONCE
namespace sphaera::exact {

SPHAERA_IN_BOTH_SETS(double arc_tangent_of(double y, double x); double arc_sine_of(double x);
                     double sine_of(double x, int quarters);)

double arc_tangent(double y, double x) { return SPHAERA_CHOSEN(arc_tangent_of(y, x)); }

/// The formula of arc_tangent_of_quotient in double, to r⁷. If c = 0, only r = |x| and `cubic` remain: two
/// roundings. Else the errors relative to the angle are ≤ 4u of r + cubic (|r| ≤ angle), ≤ 2u of the table
/// (whole ≤ twice the angle), and u of the sum.
double quick_arc_tangent(double x) {
  const double size = std::fabs(x);
  if (!(size <= 1)) return arc_tangent(x, 1);
  const double shifted = size * 128 + round_shift, c = (shifted - round_shift) * 0x1p-7;
  const double whole = arc_tangents[std::bit_cast<std::uint64_t>(shifted) & 0xff].hi;
  const double r = (size - c) / (1 + c * size), r2 = r * r;
  const double cubic = r * r2 * (-1.0 / 3 + r2 * (1.0 / 5 + r2 * (-1.0 / 7)));
  return std::copysign(whole + (r + cubic), x);
}

double arc_sine(double x) { return SPHAERA_CHOSEN(arc_sine_of(x)); }

double sine(double x) {
  if (std::fabs(x) < 0x1p-34) return x;  // x³/6 is less than 2^-70 of x
  return SPHAERA_CHOSEN(sine_of(x, 0));
}

double cosine(double x) { return SPHAERA_CHOSEN(sine_of(x, 1)); }

}  // namespace sphaera::exact
#endif
