#pragma once
/// \file Two spheres relative to one line, as sums of up to four doubles a coordinate: the input of the
/// double-double and the integer stage.

#include <exact/predicates/relative.hpp>
#include <exact/predicates/sign_formulas.hpp>
#include <optional>
#include <tests/cases/cases.hpp>

namespace sphaera::test {

struct SplitPair {
  exact::Relative a, b;  ///< of the same direction
  double t = 0;          ///< finite
};

/// Both spheres of a case relative to its path.
SplitPair split_pair(const Case& c);

/// A case of the family. Half of the time its coordinates, directions and radii are split into more terms of
/// the same sum, some then moved by less than an ulp; else one answer is brought to its edge.
SplitPair make_sums(Family family, Random& random);

/// Every term any finite double: the widest integers there are.
SplitPair make_widest_sums(Random& random);

std::string describe(const SplitPair& s);

enum class Form : std::uint8_t { discriminant, power, slope, entries, distances, last = distances };
inline constexpr int form_count = static_cast<int>(Form::last) + 1;
const char* name(Form form);

/// By the oracle. Nothing where the form has no sense: entries of spheres that are not both met by the line.
std::optional<int> truth(Form form, const SplitPair& s);

/// By the formulas of exact/predicates/sign_formulas.hpp on one type of number; nothing where it is unsure.
template <class Number>
std::optional<int> sign_by(Form form, const SplitPair& s) {
  exact::Terms<Number> a(s.a);
  switch (form) {
    case Form::discriminant:
      return exact::discriminant(a).sign();
    case Form::power:
      exact::advance(a, s.t);
      return exact::power_at_origin(a).sign();
    case Form::slope:
      exact::advance(a, s.t);
      return exact::dot(a.l, a.d).sign();
    case Form::entries:
      return exact::sign_entry_difference(a, exact::Terms<Number>(s.b));
    case Form::distances:
      return exact::sign_distance_difference(a, exact::Terms<Number>(s.b));
  }
  return std::nullopt;
}

}  // namespace sphaera::test
