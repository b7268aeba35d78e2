#pragma once
/// \file The predicates of engine/exact, each once: what is true (the oracle), what the engine answers, and,
/// where it has them, its filter alone and its polynomial alone. Tests, mutation tests and the long run go
/// through this list.

#include <cmath>
#include <exact/numbers/integer.hpp>
#include <exact/predicates/decide.hpp>
#include <exact/predicates/filter.hpp>
#include <exact/predicates/later_stages.hpp>
#include <optional>
#include <tests/cases/split_pair.hpp>
#include <tests/oracle/decide.hpp>

namespace sphaera::test {

exact::Path path_of(const Case& c);
oracle::Sight sight_of(const Case& c, const Sphere& sphere);
oracle::Sight sight_of(const exact::Relative& sphere);

/// Both spheres of a case as its path sees them.
struct Seen {
  explicit Seen(const Case& c) : a(sight_of(c, c.a)), b(sight_of(c, c.b)) {}
  explicit Seen(const SplitPair& s) : a(sight_of(s.a)), b(sight_of(s.b)) {}

  oracle::ExpandedSight a, b;
};

/// A predicate has these members:
/// - `name`;
/// - truth(case, seen): the exact answer as a number (an enum's value, a truth value or a sign); nothing
/// where the
///   predicate has no sense;
/// - answer(case, counts): the engine's answer (exact/predicates/decide.hpp);
/// - filtered<Arithmetic>(case, share), if it has a filter of its own: the sign where the filter is sure, its
/// error bound
///   multiplied by `share`, which mutation tests set below 1; then also `edge`, a family in which a tenth of
///   the bound gives wrong signs;
/// - truth_of(pair, seen), sign_by<Number>(pair) and later(pair, counts), if it has a polynomial of its own:
/// the exact
///   sign, that of exact/predicates/sign_formulas.hpp on one type of number (nothing where it is unsure), and
///   that of exact/predicates/later_stages.hpp.
namespace predicates {

inline Ball ball(const Sphere& s) { return {s.center, s.radius}; }

inline exact::filter::Estimate spoiled(const exact::filter::Estimate& e, double share) {
  return {e.value, e.error * share};
}
inline std::optional<int> sign(const exact::filter::Estimate& estimate, double share) {
  const exact::filter::Estimate e = spoiled(estimate, share);
  return e.sure() ? std::optional(e.sign()) : std::nullopt;
}
/// Order of two estimates; nothing if their errors may hide it.
inline std::optional<int> order(const exact::filter::Estimate& a, const exact::filter::Estimate& b) {
  const double difference = a.value - b.value;
  if (!(std::fabs(difference) > 1.1 * (a.error + b.error))) return std::nullopt;
  return difference < 0 ? -1 : 1;
}

struct Meets {
  static constexpr const char* name = "meets";
  static std::optional<int> truth(const Case&, const Seen& seen) { return oracle::meets(seen.a); }
  static int answer(const Case& c, exact::Counts& counts) { return exact::meets(path_of(c), c.a, counts); }
};

struct Contact {
  static constexpr const char* name = "contact";
  static std::optional<int> truth(const Case&, const Seen& seen) {
    return static_cast<int>(oracle::contact(seen.a));
  }
  static int answer(const Case& c, exact::Counts& counts) {
    return static_cast<int>(exact::contact(path_of(c), c.a, counts));
  }
};

struct Discriminant {
  static constexpr const char* name = "discriminant";
  static constexpr Family edge = Family::near_tangent;
  static std::optional<int> truth(const Case&, const Seen& seen) { return oracle::sign_discriminant(seen.a); }
  static int answer(const Case& c, exact::Counts& counts) {
    return exact::sign_discriminant(path_of(c), c.a, counts);
  }
  template <class Arithmetic>
  static std::optional<int> filtered(const Case& c, double share) {
    const exact::Path path = path_of(c);
    return sign(exact::filter::discriminant<Arithmetic>(path.origin - c.a.center, path, c.a.radius), share);
  }
  static std::optional<int> truth_of(const SplitPair&, const Seen& seen) {
    return oracle::sign_discriminant(seen.a);
  }
  template <class Number>
  static std::optional<int> sign_by(const SplitPair& s) {
    return exact::discriminant(exact::Terms<Number>(s.a)).sign();
  }
  static int later(const SplitPair& s, exact::Counts& counts) {
    return exact::later_stages::discriminant(s.a, counts);
  }
};

struct Power {
  static constexpr const char* name = "power";
  static constexpr Family edge = Family::end_at_root;
  static std::optional<int> truth(const Case& c, const Seen& seen) { return oracle::sign_power(seen.a, c.t); }
  static int answer(const Case& c, exact::Counts& counts) {
    return exact::sign_power(path_of(c), c.a, c.t, counts);
  }
  template <class Arithmetic>
  static std::optional<int> filtered(const Case& c, double share) {
    if (std::isinf(c.t)) return std::nullopt;
    const exact::Path path = path_of(c);
    return sign(exact::filter::power<Arithmetic>(path.origin - c.a.center, path, c.a.radius, c.t), share);
  }
  static std::optional<int> truth_of(const SplitPair& s, const Seen& seen) {
    return oracle::sign_power(seen.a, s.t);
  }
  template <class Number>
  static std::optional<int> sign_by(const SplitPair& s) {
    exact::Terms<Number> a(s.a);
    exact::advance(a, s.t);
    return exact::power_at_origin(a).sign();
  }
  static int later(const SplitPair& s, exact::Counts& counts) {
    return exact::later_stages::power(s.a, {s.t, 0}, counts);
  }
};

struct Slope {
  static constexpr const char* name = "slope";
  static constexpr Family edge = Family::near_tangent;
  static std::optional<int> truth(const Case& c, const Seen& seen) { return oracle::sign_slope(seen.a, c.t); }
  static int answer(const Case& c, exact::Counts& counts) {
    return exact::sign_slope(path_of(c), c.a, c.t, counts);
  }
  template <class Arithmetic>
  static std::optional<int> filtered(const Case& c, double share) {
    if (std::isinf(c.t)) return std::nullopt;
    const exact::Path path = path_of(c);
    return sign(exact::filter::slope<Arithmetic>(path.origin - c.a.center, path, c.t), share);
  }
  static std::optional<int> truth_of(const SplitPair& s, const Seen& seen) {
    return oracle::sign_slope(seen.a, s.t);
  }
  template <class Number>
  static std::optional<int> sign_by(const SplitPair& s) {
    exact::Terms<Number> a(s.a);
    exact::advance(a, s.t);
    return exact::dot(a.l, a.d).sign();
  }
  static int later(const SplitPair& s, exact::Counts& counts) {
    return exact::later_stages::slope(s.a, {s.t, 0}, counts);
  }
};

/// No sense: spheres that are not both met.
struct Entries {
  static constexpr const char* name = "entries";
  static constexpr Family edge = Family::order_near_tie;
  static std::optional<int> truth(const Case&, const Seen& seen) {
    if (!oracle::meets(seen.a) || !oracle::meets(seen.b)) return std::nullopt;
    return oracle::compare_entries(seen.a, seen.b);
  }
  static int answer(const Case& c, exact::Counts& counts) {
    return exact::compare_entries(path_of(c), c.a, c.b, counts);
  }
  template <class Arithmetic>
  static std::optional<int> filtered(const Case& c, double share) {
    const exact::Path path = path_of(c);
    const auto entry = [&](const Sphere& s) {
      const Vec3 to = path.origin - s.center;
      const exact::filter::Estimate delta = exact::filter::discriminant<Arithmetic>(to, path, s.radius);
      const exact::filter::RootEstimates roots = exact::filter::root_estimates<Arithmetic>(to, path, delta);
      return spoiled({roots.t1, roots.error}, share);
    };
    const exact::filter::Estimate a = entry(c.a), b = entry(c.b);
    if (!(a.value - a.error > path.t_min) || !(b.value - b.error > path.t_min)) return std::nullopt;
    return order(a, b);
  }
  static std::optional<int> truth_of(const SplitPair& s, const Seen& seen) {
    const bool have_roots = oracle::sign_discriminant(seen.a) >= 0 && oracle::sign_discriminant(seen.b) >= 0;
    if (!have_roots || s.a.direction == decltype(s.a.direction){}) return std::nullopt;
    return oracle::compare_entries(seen.a, seen.b);
  }
  template <class Number>
  static std::optional<int> sign_by(const SplitPair& s) {
    return exact::sign_entry_difference(exact::Terms<Number>(s.a), exact::Terms<Number>(s.b));
  }
  static int later(const SplitPair& s, exact::Counts& counts) {
    return exact::later_stages::entries(s.a, s.b, counts);
  }
};

struct Distances {
  static constexpr const char* name = "distances";
  static constexpr Family edge = Family::distance_tie;
  static std::optional<int> truth(const Case& c, const Seen&) {
    return oracle::compare_distances(c.x, c.a, c.b);
  }
  static int answer(const Case& c, exact::Counts& counts) {
    return exact::compare_distances(c.x, c.a, c.b, counts);
  }
  template <class Arithmetic>
  static std::optional<int> filtered(const Case& c, double share) {
    const auto estimate = [&](const Sphere& s) {
      return spoiled(exact::filter::distance<Arithmetic>(c.x - s.center, s.radius), share);
    };
    return order(estimate(c.a), estimate(c.b));
  }
  static std::optional<int> truth_of(const SplitPair&, const Seen& seen) {
    return oracle::compare_distances(seen.a.sight, seen.b.sight);
  }
  template <class Number>
  static std::optional<int> sign_by(const SplitPair& s) {
    return exact::sign_distance_difference(exact::Terms<Number>(s.a), exact::Terms<Number>(s.b));
  }
  static int later(const SplitPair& s, exact::Counts& counts) {
    return exact::later_stages::distances(s.a, s.b, counts);
  }
};

struct Gap {
  static constexpr const char* name = "gap";
  static constexpr Family edge = Family::touching;
  static std::optional<int> truth(const Case& c, const Seen&) {
    return oracle::sign_gap(ball(c.a), ball(c.b));
  }
  static int answer(const Case& c, exact::Counts& counts) {
    return exact::sign_gap(ball(c.a), ball(c.b), counts);
  }
  template <class Arithmetic>
  static std::optional<int> filtered(const Case& c, double share) {
    return sign(
        exact::filter::square_difference<Arithmetic>(c.a.center - c.b.center, c.a.radius + c.b.radius),
        share);
  }
};

struct Nesting {
  static constexpr const char* name = "nesting";
  static constexpr Family edge = Family::touching;
  static std::optional<int> truth(const Case& c, const Seen&) {
    return oracle::sign_nesting(ball(c.a), ball(c.b));
  }
  static int answer(const Case& c, exact::Counts& counts) {
    return exact::sign_nesting(ball(c.a), ball(c.b), counts);
  }
  template <class Arithmetic>
  static std::optional<int> filtered(const Case& c, double share) {
    return sign(
        exact::filter::square_difference<Arithmetic>(c.a.center - c.b.center, c.a.radius - c.b.radius),
        share);
  }
};

}  // namespace predicates

template <class... Predicates>
struct PredicateList {
  static constexpr int size = sizeof...(Predicates);

  /// Calls visit(predicate, number) for each, numbered from 0.
  template <class Visit>
  static void each(const Visit& visit) {
    int number = 0;
    (visit(Predicates{}, number++), ...);
  }
  /// The number of a predicate.
  template <class Predicate>
  static constexpr int number_of() {
    int number = 0;
    const bool found = ((std::is_same_v<Predicate, Predicates> || (++number, false)) || ...);
    return found ? number : -1;
  }
};

using Predicates = PredicateList<predicates::Meets, predicates::Contact, predicates::Discriminant,
                                 predicates::Power, predicates::Slope, predicates::Entries,
                                 predicates::Distances, predicates::Gap, predicates::Nesting>;

template <class Predicate>
concept HasFilter = requires(const Case& c) { Predicate::template filtered<exact::Plain>(c, 1.0); };
template <class Predicate>
concept HasPolynomial = requires(const SplitPair& s) { Predicate::template sign_by<exact::Integer>(s); };

}  // namespace sphaera::test
