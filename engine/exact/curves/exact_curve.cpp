#include <bit>
#include <exact/curves/exact_curve.hpp>
#include <exact/curves/sturm.hpp>

namespace sphaera::exact {
namespace {

class ExactCurve {
 public:
  explicit ExactCurve(const Curve& curve);
  ExactCurve(const ExactCurve&) = delete;
  ExactCurve& operator=(const ExactCurve&) = delete;

  /// All roots > 0, each between two adjacent doubles or equal to a double. The search for each starts
  /// near the guess.
  Roots4 roots(double guess) const;

  /// Number of distinct roots of f' in (0, root), where `root` is a root of f. Roots of f' between root.below
  /// and root.above do not count.
  int turns_before(const CurveRoot& root) const;
  int compare(const CurveRoot& root, const TwoDouble& t) const;
  Coefficients polynomial() const { return f_; }
  const RemainderSequence& sequence() const { return sequence_; }

 private:
  int roots_until(double t) const;
  /// The least double t with at least n roots in (0, t]; ∞ if no finite double has as many.
  double least_after(int n, double from, double guess) const;
  struct Bracket;
  bool is_simple(const Bracket& b) const;
  int sign_right_of_double(double t) const;
  int sign_left_of_double(double t) const;
  /// The sign of f between the n-th root in the gap (below, above) and the next root.
  int sign_after(int n, double below, double above) const;
  /// Adds the n roots in (below, above], where `below` is the double before `above`.
  void add_gap(int n, double above, Roots4& roots) const;

  std::array<Long, 5> coefficients_;
  Coefficients f_;
  RemainderSequence sequence_;
  int variations_at_0_ = 0, root_count_ = 0;  ///< sign variations just right of 0; number of roots > 0
};

/// An interval between two doubles, for exact bisection.
struct DeepGap {
  Deep low, width;

  /// Roots beyond the largest double lie below 2^4832 (engine/exact/proofs.md, proof 5).
  DeepGap(double below, double above) : low(below) {
    width = (above < infinity ? Deep(above) : Deep::power_of_two(4832)) - low;
  }
  Deep high() const { return low + width; }
  /// Keeps the lower half and returns its end. For the upper half set `low` to that end.
  Deep keep_lower_half() {
    width = Deep(0.5) * width;
    return high();
  }
};

/// Maps positive doubles to integers of the same order.
std::uint64_t rank_of(double t) { return std::bit_cast<std::uint64_t>(t); }
double of_rank(std::uint64_t rank) { return std::bit_cast<double>(rank); }

/// True if f and g, each with one root in (low, high], share that root. It is then the only root there of
/// their common divisor.
bool have_common_root(const ExactCurve& f, const ExactCurve& g, const Deep& low, const Deep& high) {
  const bool ordered = f.polynomial().size() >= g.polynomial().size();
  const ExactCurve &long_one = ordered ? f : g, &short_one = ordered ? g : f;
  const RemainderSequence common(long_one.polynomial(), short_one.polynomial());
  if (common.last().size() == 1) return false;
  const RemainderSequence divisor = sturm_sequence(common.last());
  return divisor.variations_right_of(low) > divisor.variations_right_of(high);
}

/// The position of one curve's root among its roots in a shrinking gap.
struct RootPosition {
  const RemainderSequence& sequence;
  int rank, at_low, at_high;

  RootPosition(const ExactCurve& f, int i, const DeepGap& gap)
      : sequence(f.sequence()),
        rank(i),
        at_low(sequence.variations_right_of(gap.low)),
        at_high(sequence.variations_right_of(gap.high())) {}

  bool is_alone() const { return at_low - at_high == 1; }
  bool is_left(int at_middle) const { return rank <= at_low - at_middle; }
  void descend(bool left, int at_middle) {
    if (left) {
      at_high = at_middle;
    } else {
      rank -= at_low - at_middle;
      at_low = at_middle;
    }
  }
};

ExactCurve::ExactCurve(const Curve& curve)
    : coefficients_(quartic(CurveTerms<Long>(curve))),
      f_(trimmed(coefficients_)),
      sequence_(sturm_sequence(f_)) {
  if (f_.empty()) return;
  variations_at_0_ = sequence_.variations_right_of(Long(0.0));
  root_count_ = variations_at_0_ - sequence_.variations_at_infinity();
}

/// Two doubles, as ranks, and the number of roots up to each.
struct ExactCurve::Bracket {
  std::uint64_t low, high;
  int until_low, until_high;

  /// Keeps the part that holds the n-th root.
  void cut(std::uint64_t middle, int until, int n) {
    (until >= n ? high : low) = middle;
    (until >= n ? until_high : until_low) = until;
  }
};

int ExactCurve::roots_until(double t) const {
  return t < infinity ? variations_at_0_ - sequence_.variations_right_of(Long(t)) : root_count_;
}

double ExactCurve::least_after(int n, double from, double guess) const {
  Bracket b{rank_of(from), rank_of(infinity), roots_until(from), root_count_};
  const auto try_at = [&](double t) {
    if (t > of_rank(b.low) && t < of_rank(b.high)) b.cut(rank_of(t), roots_until(t), n);
  };
  constexpr double near = 0x1p-30;
  try_at(guess * (1 - near)), try_at(guess * (1 + near));
  while (b.high - b.low > 1 && !is_simple(b)) {
    const std::uint64_t middle = b.low + (b.high - b.low) / 2;
    b.cut(middle, roots_until(of_rank(middle)), n);
  }
  // A single root at which f changes sign: the sign of f locates it.
  const int beyond = sign_right_of_double(of_rank(b.high));
  while (b.high - b.low > 1) {
    const std::uint64_t middle = b.low + (b.high - b.low) / 2;
    (sign_right_of_double(of_rank(middle)) == beyond ? b.high : b.low) = middle;
  }
  return of_rank(b.high);
}

bool ExactCurve::is_simple(const Bracket& b) const {
  return b.until_high - b.until_low == 1 &&
         sign_right_of_double(of_rank(b.low)) != sign_right_of_double(of_rank(b.high));
}

int ExactCurve::sign_right_of_double(double t) const {
  return t < infinity ? sign_right_of(f_, Long(t)) : *f_.back().sign();
}

int ExactCurve::sign_left_of_double(double t) const {
  return t < infinity ? sign_left_of(f_, Long(t)) : *f_.back().sign();
}

int ExactCurve::sign_after(int n, double below, double above) const {
  DeepGap gap(below, above);
  const int passed = sequence_.variations_right_of(gap.low);
  for (;;) {
    const Deep middle = gap.keep_lower_half();
    const int count = passed - sequence_.variations_right_of(middle);
    if (count == n) return sign_right_of(f_, middle);
    if (count < n) gap.low = middle;
  }
}

void ExactCurve::add_gap(int n, double above, Roots4& roots) const {
  const double below = of_rank(rank_of(above) - 1);
  const int end = sign_left_of_double(above), beyond = sign_right_of_double(above);
  const bool last_is_double = above < infinity && sign_at(f_, Long(above)) == 0;
  const int inner = last_is_double ? n - 1 : n;
  int sign = sign_right_of(f_, Long(below));
  for (int i = 1; i <= inner; ++i) {
    const int next = i < inner ? sign_after(i, below, above) : end;
    roots.add(below, above, (next - sign) / 2);
    roots.root[roots.count - 1].rank = static_cast<std::uint8_t>(i);
    roots.root[roots.count - 1].of = static_cast<std::uint8_t>(inner);
    sign = next;
  }
  if (last_is_double) roots.add(above, above, (beyond - end) / 2);
}

Roots4 ExactCurve::roots(double guess) const {
  Roots4 roots;
  if (f_.empty()) return roots;
  roots.before = sign_left_of(f_, Long(0.0)), roots.after = sign_right_of(f_, Long(0.0));
  roots.starts_on = *f_.front().sign() == 0;
  double from = 0;
  for (int passed = 0; passed < root_count_;) {
    const double above = least_after(passed + 1, from, guess);
    const int until = roots_until(above);
    add_gap(until - passed, above, roots);
    passed = until, from = above;
  }
  return roots;
}

int ExactCurve::turns_before(const CurveRoot& root) const {
  const Derivative derivative(f_);
  if (derivative.size < 2) return 0;
  const RemainderSequence sequence = sturm_sequence(derivative.polynomial());
  const int start = sequence.variations_right_of(Long(0.0));
  if (root.below == infinity) return start - sequence.variations_at_infinity();
  const Long t(root.below);
  const bool turns_there = root.is_double() && sign_at(derivative.polynomial(), t) == 0;
  return start - sequence.variations_right_of(t) - (turns_there ? 1 : 0);
}

/// Sign of root − t. Compares the number of distinct roots in (root.below, t] with the root's rank.
int ExactCurve::compare(const CurveRoot& root, const TwoDouble& t) const {
  const Long sum = Long(t.hi) + Long(t.lo);
  const int passed = sequence_.variations_right_of(Long(root.below)) - sequence_.variations_right_of(sum);
  if (passed < root.rank) return 1;
  return passed == root.rank && sign_at(f_, sum) == 0 ? 0 : -1;
}

/// Sign of the difference of the i-th root of f and the j-th of g between adjacent doubles.
int compare(const ExactCurve& f, int i, const ExactCurve& g, int j, double below, double above) {
  DeepGap gap(below, above);
  RootPosition x(f, i, gap), y(g, j, gap);
  for (bool distinct = false;;) {
    if (!distinct && x.is_alone() && y.is_alone()) {
      if (have_common_root(f, g, gap.low, gap.high())) return 0;
      distinct = true;
    }
    const Deep middle = gap.keep_lower_half();
    const int fx = x.sequence.variations_right_of(middle), gy = y.sequence.variations_right_of(middle);
    const bool left = x.is_left(fx);
    if (left != y.is_left(gy)) return left ? -1 : 1;
    x.descend(left, fx), y.descend(left, gy);
    if (!left) gap.low = middle;
  }
}

}  // namespace

Roots4 exact_roots(const Curve& curve, double guess) { return ExactCurve(curve).roots(guess); }

int exact_turns_before(const Curve& curve, const CurveRoot& root) {
  return ExactCurve(curve).turns_before(root);
}

int compare_in_gap(const Curve& curve, const CurveRoot& root, const TwoDouble& t) {
  return ExactCurve(curve).compare(root, t);
}

int compare_in_gap(const Curve& a, const CurveRoot& x, const Curve& b, const CurveRoot& y) {
  return compare(ExactCurve(a), x.rank, ExactCurve(b), y.rank, x.below, x.above);
}

}  // namespace sphaera::exact
