/// \file Curved flight against an oracle of exact integers.

#include <algorithm>
#include <chrono>
#include <exact/curves/curve.hpp>
#include <exact/predicates/decide.hpp>
#include <exact/roots/roots.hpp>
#include <tests/cases/curve_cases.hpp>
#include <tests/cases/predicates.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/oracle/curve.hpp>
#include <tests/seed.hpp>

using namespace sphaera;
using namespace sphaera::test;
using exact::Curve;

namespace {

const int cases_of_a_family = fewer_unless_all(5'000);  // of two curves each: 1e5 in all in a long run

oracle::Arc::Terms terms_of(const Curve& c) {
  oracle::Arc::Terms t;
  for (int i = 0; i < 3; ++i) {
    t.l[i] = oracle::Dyadic::sum(c.relative.offset[i]);
    t.d[i] = oracle::Dyadic::sum(c.relative.direction[i]);
    t.g[i] = c.gravity[i];
  }
  t.r = oracle::Dyadic::sum(c.relative.radius);
  return t;
}

/// An inside interval. `enter` and `exit` are indices into the oracle's list of roots. −1 means time 0; the
/// size of the list means never.
struct ExpectedInterval {
  int enter, exit;
  bool starts_inside;
};

std::vector<ExpectedInterval> expected_intervals(const oracle::Arc& arc, const exact::TwoDouble& end) {
  const int never = static_cast<int>(arc.roots().size());
  std::vector<ExpectedInterval> intervals;
  const int before = arc.sign_before_0();
  int now = arc.sign_after_0();
  if (now <= 0) intervals.push_back({-1, never, before <= 0});
  if (now > 0 && arc.sign_at(0.0) == 0) intervals.push_back({-1, -1, before < 0});
  for (int i = 0; i < never; ++i) {
    const int next = arc.roots()[i].multiplicity % 2 == 0 ? now : -now;
    if (now > 0) {
      oracle::CurveRoot root = arc.roots()[i];
      if (end.hi < infinity && oracle::compare(root, oracle::Dyadic(end.hi) + oracle::Dyadic(end.lo)) > 0)
        break;
      intervals.push_back({i, next > 0 ? i : never, false});
    } else if (next > 0) {
      intervals.back().exit = i;
    }
    now = next;
  }
  return intervals;
}

/// Do bounds and slope of `root` fit the oracle's root `number`?
bool is_root(const oracle::Arc& arc, int number, const exact::CurveRoot& root) {
  if (number < 0) return root.below == 0 && root.above == 0;
  if (number == static_cast<int>(arc.roots().size())) return root.below == infinity && root.above == infinity;
  oracle::CurveRoot truth = arc.roots()[number];
  if ((truth.multiplicity % 2 == 0) != (root.slope == 0)) return false;
  if (root.is_double()) return oracle::compare(truth, oracle::Dyadic(root.below)) == 0;
  if (oracle::compare(truth, oracle::Dyadic(root.below)) <= 0) return false;
  return root.above == infinity || oracle::compare(truth, oracle::Dyadic(root.above)) < 0;
}

std::string wrong_intervals(const Curve& c, const exact::InsideIntervals& got, const oracle::Arc& arc) {
  const std::vector<ExpectedInterval> expected = expected_intervals(arc, c.end);
  if (got.count != static_cast<int>(expected.size()))
    return "intervals " + std::to_string(got.count) + " for " + std::to_string(expected.size());
  for (int i = 0; i < got.count; ++i) {
    const exact::InsideInterval& interval = got.interval[i];
    if (interval.starts_inside != expected[i].starts_inside) return "starts_inside";
    if (!is_root(arc, expected[i].enter, interval.enter)) return "enter";
    if (!is_root(arc, expected[i].exit, interval.exit)) return "exit";
  }
  return "";
}

/// The ends of intervals that are roots, each with the oracle's root.
struct Ends {
  std::vector<exact::CurveRoot> root;
  std::vector<oracle::CurveRoot> truth;

  Ends(const Curve& c, const exact::InsideIntervals& got, const oracle::Arc& arc) {
    const std::vector<ExpectedInterval> expected = expected_intervals(arc, c.end);
    for (int i = 0; i < got.count; ++i) {
      add(got.interval[i].enter, expected[i].enter, arc);
      if (expected[i].exit != expected[i].enter) add(got.interval[i].exit, expected[i].exit, arc);
    }
  }

 private:
  void add(const exact::CurveRoot& r, int number, const oracle::Arc& arc) {
    if (number < 0 || number == static_cast<int>(arc.roots().size())) return;
    root.push_back(r), truth.push_back(arc.roots()[number]);
  }
};

struct CurveTally {
  exact::Counts stages;
  long curves = 0, comparisons = 0, ties = 0, by_integers = 0, times = 0, clusters = 0;
  double worst_ulps = 0;
};

std::string wrong_order(const CurveCase& c, Ends& a, Ends& b, CurveTally& tally) {
  exact::Counts counts;
  for (std::size_t i = 0; i < a.root.size(); ++i) {
    for (std::size_t j = 0; j < b.root.size(); ++j) {
      const int expected = oracle::compare(a.truth[i], b.truth[j]);
      if (exact::compare(c.a, a.root[i], c.b, b.root[j], counts) != expected) return "order";
      if (exact::compare(c.b, b.root[j], c.a, a.root[i], counts) != -expected) return "order, swapped";
      ++tally.comparisons, tally.ties += expected == 0 ? 1 : 0;
    }
  }
  tally.by_integers += static_cast<long>(counts.exact) / 2;
  return "";
}

/// Checks each time against the oracle. The allowed error is half an ulp. It is one ulp if f does not change
/// sign at the root, or if several roots lie between the same two doubles.
std::string wrong_times(const Curve& c, Ends& ends, CurveTally& tally, bool measured) {
  exact::Counts counts;
  for (std::size_t i = 0; i < ends.root.size(); ++i) {
    const double t = exact::time(c, ends.root[i], counts);
    if (t == infinity) {
      if (oracle::compare(ends.truth[i], oracle::Dyadic(std::numeric_limits<double>::max())) <= 0)
        return "time, infinite";
      continue;
    }
    const double up = step(t, 1), down = step(t, -1),
                 share = ends.root[i].slope == 0 || ends.root[i].of > 1 ? 1 : 0.5;
    const oracle::Dyadic at = t, part = share;
    ++tally.times, tally.clusters += ends.root[i].of > 1 ? 1 : 0;
    if (measured && t >= 0x1p-1000)
      tally.worst_ulps = std::max(tally.worst_ulps, oracle::distance(ends.truth[i], t, t - down));
    if (t < 0x1p-1000 || up == infinity) continue;
    if (oracle::compare(ends.truth[i], at + part * (oracle::Dyadic(up) - at)) > 0) return "time, too early";
    if (oracle::compare(ends.truth[i], at - part * (at - oracle::Dyadic(down))) < 0) return "time, too late";
  }
  return "";
}

/// An end of the flight, often next to an entry.
double choose_end(const Curve& c, const exact::InsideIntervals& s, Random& random) {
  exact::Counts counts;
  if (random.one_in(8)) return 0;
  if (s.count == 0 || random.one_in(3)) return random.log_uniform(1e-3, 1e3);
  const double t = exact::time(c, s.interval[random.below(s.count)].enter, counts);
  return t < infinity ? std::max(0.0, step(t, random.whole(-1, 1))) : t;
}

/// An end of the flight that is no double, between the same doubles as a root and often next to the root.
exact::TwoDouble choose_sum(Ends& ends, Random& random) {
  oracle::CurveRoot& root = ends.truth[random.below(static_cast<int>(ends.truth.size()))];
  const auto near = static_cast<double>(oracle::approximate(root.low));
  if (!(near >= 0x1p-1000 && near < 0x1p1000)) return {near, 0};  // a fraction of its ulp may be no double
  (void)oracle::distance(root, near, 0x1p-10 * (step(near, 1) - near));
  const auto hi = static_cast<double>(oracle::approximate(root.low));
  double lo = static_cast<double>(oracle::approximate(root.low - oracle::Dyadic(hi)));
  if (random.one_in(2)) lo = random.between(-0.2, 0.4) * (step(hi, 1) - hi);
  if (random.one_in(2)) lo = step(lo, random.whole(-2, 2));
  if (hi + lo != hi) return {hi + lo, 0};
  return {hi, lo};
}

std::string wrong_answer(CurveCase& c, Random& random, CurveTally& tally) {
  const oracle::Arc a(terms_of(c.a)), b(terms_of(c.b));
  const exact::InsideIntervals in_a = exact::inside_intervals(c.a, tally.stages),
                               in_b = exact::inside_intervals(c.b, tally.stages);
  tally.curves += 2;
  for (const std::string& wrong : {wrong_intervals(c.a, in_a, a), wrong_intervals(c.b, in_b, b)}) {
    if (!wrong.empty()) return wrong;
  }
  Ends ends_a(c.a, in_a, a), ends_b(c.b, in_b, b);
  const bool measured = random.one_in(16);
  if (std::string wrong = wrong_times(c.a, ends_a, tally, measured); !wrong.empty()) return wrong;
  if (std::string wrong = wrong_order(c, ends_a, ends_b, tally); !wrong.empty()) return wrong;
  exact::Counts counts;
  const double t = in_a.count == 0 ? random.log_uniform(1e-3, 1e3) : in_a.interval[0].enter.below;
  if (exact::sign_power(c.a, t, counts) != a.sign_at(oracle::Dyadic(t))) return "power";
  if (random.one_in(2)) return "";
  const bool between = !ends_a.truth.empty() && random.one_in(2);
  c.a.end = between ? choose_sum(ends_a, random) : exact::TwoDouble{choose_end(c.a, in_a, random), 0};
  if (!(c.a.end.hi >= 0 && c.a.end.hi < infinity)) c.a.end = {0, 0};
  const std::string wrong = wrong_intervals(c.a, exact::inside_intervals(c.a, counts), a);
  return wrong.empty() ? "" : wrong + ", to its end";
}

using Clock = std::chrono::steady_clock;

}  // namespace

TEST_CASE("intervals, their ends' order and times are the exact ones", "[exact][curve]") {
  for (int f = 0; f < curve_family_count; ++f) {
    Random random(seed(), 800 + static_cast<std::uint64_t>(f));
    CurveTally tally;
    std::string report;
    const auto start = Clock::now();
    for (int i = 0; i < cases_of_a_family && report.empty(); ++i) {
      CurveCase c = make_curve_case(static_cast<CurveFamily>(f), random);
      report = wrong_answer(c, random, tally);
      if (!report.empty()) report += "; case " + std::to_string(i) + ": " + describe(c);
    }
    const double share = 100.0 / static_cast<double>(tally.curves);
    std::printf(
        "curves, family %d: double-double %.2f %%, integers %.2f %%; %ld comparisons, %ld ties, %ld by "
        "integers; %ld times, worst %.3f ulp, %ld with another in the gap; %.2f s\n",
        f, share * static_cast<double>(tally.stages.double_double),
        share * static_cast<double>(tally.stages.exact), tally.comparisons, tally.ties, tally.by_integers,
        tally.times, tally.worst_ulps, tally.clusters,
        std::chrono::duration<double>(Clock::now() - start).count());
    INFO("family " << f << ": " << report);
    CHECK(report.empty());
  }
}

namespace {

/// Departure's definition, word for word.
struct ExpectedDeparture {
  std::vector<ExpectedInterval> intervals;
  bool held = false;
};

ExpectedDeparture expected_departure(oracle::Arc& arc, const exact::TwoDouble& end) {
  ExpectedDeparture d{expected_intervals(arc, end)};
  if (d.intervals.empty()) return d;
  const ExpectedInterval first = d.intervals[0];
  std::vector<oracle::CurveRoot> turns = arc.turns();
  const auto turns_until = [&](int number) {
    if (number == static_cast<int>(arc.roots().size())) return static_cast<int>(turns.size());
    oracle::CurveRoot last = arc.roots()[number];
    return static_cast<int>(
        std::count_if(turns.begin(), turns.end(), [&](auto& t) { return oracle::compare(t, last) < 0; }));
  };
  const int slope = arc.sign_of_derivative(1), bend = arc.sign_of_derivative(2);
  const bool falls = slope < 0 || (slope == 0 && bend < 0);
  if (first.enter >= 0 && !(falls && turns_until(first.enter) == 0)) return d;
  d.intervals.erase(d.intervals.begin());
  if (first.exit < 0) return d;
  d.held = (slope <= 0 && bend <= 0) || turns_until(first.exit) > (slope < 0 ? 1 : 0);
  return d;
}

}  // namespace

TEST_CASE("a bullet leaves the ball it bounced off, unless gravity holds it", "[exact][curve]") {
  int held = 0, hit_again = 0, left = 0;
  for (const CurveFamily family :
       {CurveFamily::start_on, CurveFamily::random, CurveFamily::tangent, CurveFamily::osculating}) {
    Random random(seed(), 820 + static_cast<std::uint64_t>(family));
    std::string report;
    for (int i = 0; i < fewer_in_repeats(4'000) && report.empty(); ++i) {
      const CurveCase c = make_curve_case(family, random);
      oracle::Arc arc(terms_of(c.a));
      exact::Counts counts;
      const exact::Departure got = exact::departure(c.a, counts);
      const ExpectedDeparture expected = expected_departure(arc, c.a.end);
      held += got.held, hit_again += !got.held && got.intervals.count > 0,
          left += !got.held && got.intervals.count == 0;
      if (got.held != expected.held || got.intervals.count != static_cast<int>(expected.intervals.size()))
        report = describe(c);
      for (int k = 0; report.empty() && k < got.intervals.count; ++k) {
        if (!is_root(arc, expected.intervals[k].enter, got.intervals.interval[k].enter))
          report = "enter, " + describe(c);
      }
    }
    INFO("family " << static_cast<int>(family) << ": " << report);
    CHECK(report.empty());
  }
  std::printf("departures: %d held, %d hit again, %d left\n", held, hit_again, left);
  CHECK(std::min({held, hit_again, left}) > fewer_in_repeats(100));
}

TEST_CASE("without gravity a curve is a straight path", "[exact][curve]") {
  std::string report;
  for (int f = 0; f < family_count; ++f) {
    Random random(seed(), 840 + static_cast<std::uint64_t>(f));
    for (int i = 0; i < fewer_in_repeats(2'000) && report.empty(); ++i) {
      const Case c = make_case(static_cast<Family>(f), random);
      exact::Path path = path_of(c);
      path.t_min = 0, path.t_max = std::fabs(path.t_max);
      const auto contact = [&](const Sphere& ball) {
        exact::Counts counts;
        const Curve curve{exact::relative(path, ball), {}, {path.t_max, 0}};
        const Contact got = exact::inside_intervals(curve, counts).contact();
        if (got != exact::contact(path, ball, counts)) report = describe(c);
        return curve;
      };
      const Curve a = contact(c.a), b = contact(c.b);
      exact::Counts counts;
      const exact::InsideIntervals in_a = exact::inside_intervals(a, counts),
                                   in_b = exact::inside_intervals(b, counts);
      if (in_a.contact() == Contact::miss || in_b.contact() == Contact::miss) continue;
      const int order = exact::compare(a, in_a.interval[0].enter, b, in_b.interval[0].enter, counts);
      if (order != exact::compare_entries(path, c.a, c.b, counts)) report = "order, " + describe(c);
      const double t = exact::time(a, in_a.interval[0].enter, counts);
      if (in_a.contact() == Contact::enters && path.direction != Vec3{}) {
        const double straight = exact::roots(path, c.a).t1;
        if (std::fabs(t - straight) > 1.01 * (std::nextafter(straight, infinity) - straight))
          report = "time, " + describe(c);
      }
    }
  }
  INFO(report);
  CHECK(report.empty());
}
