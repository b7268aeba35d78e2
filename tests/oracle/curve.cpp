#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <tests/oracle/curve.hpp>

namespace sphaera::oracle {
namespace {

void trim(Polynomial& p) {
  while (!p.empty() && p.back().is_zero()) p.pop_back();
}

Polynomial primitive(Polynomial p) {
  trim(p);
  Integer content = 0;
  for (const Integer& c : p) content = bmp::gcd(content, c);
  for (Integer& c : p) c /= content;
  return p;
}

/// A positive multiple of the polynomial, with integer coefficients.
Polynomial integral(std::span<const Dyadic> coefficients) {
  long lowest = 0;
  for (const Dyadic& c : coefficients) lowest = std::min(lowest, c.exponent());
  Polynomial p;
  for (const Dyadic& c : coefficients) p.push_back(c.mantissa() << (c.exponent() - lowest));
  trim(p);
  return p;
}

Polynomial derivative(const Polynomial& p) {
  Polynomial d;
  for (std::size_t k = 1; k < p.size(); ++k) d.push_back(p[k] * static_cast<int>(k));
  return d;
}

/// Quotient and remainder of lc(g)^n · f by g.
struct Division {
  Polynomial quotient, remainder;
};
Division divide(Polynomial f, const Polynomial& g) {
  Division d;
  while (f.size() >= g.size()) {
    const Integer lead = f.back();
    const std::size_t shift = f.size() - g.size();
    for (Integer& c : f) c *= g.back();
    for (Integer& c : d.quotient) c *= g.back();
    d.quotient.insert(d.quotient.begin(), lead);
    for (std::size_t k = 0; k < g.size(); ++k) f[shift + k] -= lead * g[k];
    f.pop_back();
  }
  trim(f);
  d.remainder = f;
  return d;
}

/// Arithmetic modulo the prime 2^61 − 1.
struct Modular {
  static constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;
  static std::uint64_t multiply(std::uint64_t x, std::uint64_t y) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(x) * y % prime);
  }
  static std::vector<std::uint64_t> reduce(const Polynomial& p) {
    std::vector<std::uint64_t> r;
    for (const Integer& c : p) {
      const Integer rest = c % Integer(prime);
      r.push_back(static_cast<std::uint64_t>(rest.sign() < 0 ? Integer(rest + prime) : rest));
    }
    return r;
  }
};

/// f and g are coprime if they are coprime modulo a prime that divides neither leading coefficient.
bool surely_coprime(const Polynomial& f, const Polynomial& g) {
  auto x = Modular::reduce(f), y = Modular::reduce(g);
  if (x.empty() || y.empty() || x.back() == 0 || y.back() == 0) return false;
  while (!y.empty()) {
    if (x.size() < y.size()) std::swap(x, y);
    const std::uint64_t lead = x.back(), scale = y.back();
    const std::size_t shift = x.size() - y.size();
    for (std::uint64_t& c : x) c = Modular::multiply(c, scale);
    for (std::size_t k = 0; k < y.size(); ++k)
      x[shift + k] = (x[shift + k] + Modular::prime - Modular::multiply(lead, y[k])) % Modular::prime;
    while (!x.empty() && x.back() == 0) x.pop_back();
    if (x.size() < y.size()) std::swap(x, y);
  }
  return x.size() == 1;
}

Polynomial divisor(Polynomial f, Polynomial g) {
  if (surely_coprime(f, g)) return {1};
  f = primitive(std::move(f)), g = primitive(std::move(g));
  if (f.empty()) return g;
  while (!g.empty()) {
    Polynomial rest = f.size() < g.size() ? f : divide(f, g).remainder;
    f = std::move(g), g = primitive(std::move(rest));
  }
  return f;
}

int sign_of(const Polynomial& p, const Dyadic& t) {
  Dyadic value;
  Dyadic power = 1.0;
  for (const Integer& c : p) value = value + Dyadic::scaled(c, 0) * power, power = power * t;
  return value.sign();
}

/// Roots in (0, 1) of a square-free polynomial by Descartes' rule. A place is the root j / 2^depth if it is
/// exact, else the interval from there to (j + 1) / 2^depth, which holds one root.
class Descartes {
 public:
  struct Place {
    Integer j;
    long depth;
    bool exact;
  };
  std::vector<Place> places;

  void search(Polynomial q, const Integer& j, long depth) {
    if (!q.empty() && q.front().is_zero()) {
      places.push_back({j, depth, true});
      q.erase(q.begin());
    }
    const int changes = variations(q);
    if (changes == 0) return;
    if (changes == 1) {
      places.push_back({j, depth, false});
      return;
    }
    // q(x/2) and q((x + 1)/2), times 2^n.
    const std::size_t n = q.size() - 1;
    for (std::size_t k = 0; k <= n; ++k) q[k] <<= n - k;
    search(q, j * 2, depth + 1);
    shift(q);
    search(q, j * 2 + 1, depth + 1);
  }

  static void shift(Polynomial& q) {  // q(x + 1)
    for (std::size_t i = 0; i + 1 < q.size(); ++i) {
      for (std::size_t k = q.size() - 1; k-- > i;) q[k] += q[k + 1];
    }
  }
  static int variations(Polynomial q) {
    std::reverse(q.begin(), q.end());
    shift(q);
    int last = 0, changes = 0;
    for (const Integer& c : q) {
      if (c.is_zero()) continue;
      changes += c.sign() == -last ? 1 : 0;
      last = c.sign();
    }
    return changes;
  }
};

/// Fujiwara's bound as a power of two: all roots are below 2^bound(p).
long bound(const Polynomial& p) {
  const long n = static_cast<long>(p.size()) - 1, top = bit_length(p.back());
  long most = std::numeric_limits<long>::min();
  for (long k = 0; k < n; ++k) {
    if (p[k].is_zero()) continue;
    const long ratio = bit_length(p[k]) - top + 1, degree = n - k;
    most = std::max(most, ratio > 0 ? (ratio + degree - 1) / degree : -(-ratio / degree));
  }
  return most + 2;
}

Dyadic power_of_two(long exponent) { return Dyadic::scaled(1, exponent); }

/// The roots of p in [2^low, 2^high). The range of exponents is halved first: roots may lie orders of
/// magnitude apart.
void search(const Polynomial& p, long low, long high, std::vector<CurveRoot>& roots) {
  // q(x) = p(2^low (1 + (2^(high − low) − 1) x))
  const long n = static_cast<long>(p.size()) - 1;
  Polynomial q = p;
  for (long k = 0; k <= n; ++k) q[k] <<= low >= 0 ? low * k : -low * (n - k);
  Descartes::shift(q);
  const Integer width = (Integer(1) << (high - low)) - 1;
  Integer power = 1;
  for (long k = 0; k <= n; ++k) q[k] *= power, power *= width;
  if (high - low > 1 && Descartes::variations(q) > 1) {
    const long middle = low + (high - low) / 2;
    search(p, low, middle, roots);
    search(p, middle, high, roots);
    return;
  }
  Descartes descartes;
  descartes.search(q, 0, 0);
  const Dyadic start = power_of_two(low), size = power_of_two(high) - start;
  for (const auto& place : descartes.places) {
    const auto at = [&](const Integer& j) { return start + Dyadic::scaled(j, -place.depth) * size; };
    roots.push_back({&p, at(place.j), at(place.exact ? place.j : Integer(place.j + 1)), 1});
  }
}

std::vector<CurveRoot> positive_roots(const Polynomial& p) {
  Polynomial q = p;
  if (!q.empty() && q.front().is_zero()) q.erase(q.begin());
  if (q.size() < 2) return {};
  Polynomial reversed(q.rbegin(), q.rend());
  std::vector<CurveRoot> roots;
  search(p, std::min(-bound(reversed), bound(q) - 1), bound(q), roots);
  return roots;
}

bool is_exact(const CurveRoot& root) { return compare(root.low, root.high) == 0; }

Dyadic middle(const CurveRoot& root) { return Dyadic(0.5) * (root.low + root.high); }

/// The sign of p just right of t. t must not be a multiple root of p.
int sign_right_of(const Polynomial& p, const Dyadic& t) {
  const int sign = sign_of(p, t);
  return sign != 0 ? sign : sign_of(derivative(p), t);
}

void refine(CurveRoot& root, const Dyadic& t) {
  const int sign = sign_of(*root.polynomial, t);
  if (sign == 0) {
    root.low = root.high = t;
  } else {
    (sign == sign_right_of(*root.polynomial, root.low) ? root.low : root.high) = t;
  }
}

/// Does h, a divisor of the root's polynomial, vanish at the root?
bool is_root_of(const Polynomial& h, const CurveRoot& root) {
  if (h.size() < 2) return false;
  if (is_exact(root)) return sign_of(h, root.low) == 0;
  const int low = sign_of(h, root.low), high = sign_of(h, root.high);
  return low * high < 0;
}

}  // namespace

Arc::Arc(const Terms& s) {
  const auto dot = [](const auto& x, const auto& y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; };
  const Dyadic quarter = 0.25, two = 2.0;
  const std::array<Dyadic, 5> c{dot(s.l, s.l) - s.r * s.r, two * dot(s.l, s.d), dot(s.d, s.d) + dot(s.l, s.g),
                                dot(s.d, s.g), quarter * dot(s.g, s.g)};
  f_ = integral(c);
  if (f_.empty()) return;
  Polynomial h = divisor(f_, derivative(f_));
  square_free_ = h.size() == 1 ? f_ : divide(f_, h).quotient;
  roots_ = positive_roots(square_free_);
  for (; h.size() > 1; h = divisor(h, derivative(h))) {
    const Polynomial simple = divisor(h, square_free_);
    for (CurveRoot& root : roots_) {
      while (!is_exact(root) &&
             (sign_of(*root.polynomial, root.low) == 0 || sign_of(*root.polynomial, root.high) == 0))
        refine(root, middle(root));
      root.multiplicity += is_root_of(simple, root) ? 1 : 0;
    }
  }
}

int Arc::sign_after_0() const {
  for (const Integer& c : f_) {
    if (!c.is_zero()) return c.sign();
  }
  return 0;
}

int Arc::sign_before_0() const {
  int side = 1;
  for (const Integer& c : f_) {
    if (!c.is_zero()) return side * c.sign();
    side = -side;
  }
  return 0;
}

int Arc::sign_of_derivative(std::size_t n) const { return n < f_.size() ? f_[n].sign() : 0; }

std::vector<CurveRoot> Arc::turns() {
  slope_ = derivative(f_);
  if (slope_.empty()) return {};
  const Polynomial h = divisor(slope_, derivative(slope_));
  if (h.size() > 1) slope_ = divide(slope_, h).quotient;
  return positive_roots(slope_);
}

int Arc::sign_at(const Dyadic& t) const { return sign_of(f_, t); }

int compare(CurveRoot& root, const Dyadic& t) {
  if (is_exact(root)) return compare(root.low, t);
  if (compare(root.low, t) >= 0) return 1;
  if (compare(root.high, t) <= 0) return -1;
  refine(root, t);
  if (is_exact(root)) return 0;
  return compare(root.low, t) >= 0 ? 1 : -1;
}

int compare(CurveRoot& x, CurveRoot& y) {
  if (is_exact(y)) return compare(x, y.low);
  if (is_exact(x)) return -compare(y, x.low);
  const auto apart = [&] { return compare(x.high, y.low) <= 0 ? -1 : compare(y.high, x.low) <= 0 ? 1 : 0; };
  if (const int order = apart()) return order;
  const Polynomial common = divisor(*x.polynomial, *y.polynomial);
  const auto wide = [](const CurveRoot& r) { return r.high - r.low; };
  for (;;) {
    // x = y if the common divisor changes sign in both intervals and its root in the interval of x also lies
    // in the interval of y.
    if (common.size() > 1 && is_root_of(common, x) && is_root_of(common, y)) {
      CurveRoot shared = x;
      shared.polynomial = &common;
      if (compare(shared, y.low) > 0 && compare(shared, y.high) < 0) return 0;
    }
    CurveRoot& wider = compare(wide(x), wide(y)) >= 0 ? x : y;
    refine(wider, middle(wider));
    if (is_exact(x) || is_exact(y)) return compare(x, y);
    if (const int order = apart()) return order;
  }
}

double distance(CurveRoot& root, double t, double unit) {
  if (!(unit > 0 && unit < std::numeric_limits<double>::infinity()))
    throw std::invalid_argument("a distance is counted in a unit");  // else the loop below never ends
  const Dyadic fine = Dyadic(unit) * Dyadic(0x1p-20);
  while (!is_exact(root) && compare(root.high - root.low, fine) > 0) refine(root, middle(root));
  const Dyadic apart = root.low - Dyadic(t);
  return static_cast<double>(std::fabs(approximate(apart)) / unit);
}

}  // namespace sphaera::oracle
