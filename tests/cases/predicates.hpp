#pragma once
/// \file The predicates of engine/exact put to a case: what is true (the oracle) and what the engine answers.

#include <array>
#include <exact/predicates/counts.hpp>
#include <exact/predicates/path.hpp>
#include <optional>
#include <tests/cases/cases.hpp>
#include <tests/oracle/decide.hpp>

namespace sphaera::test {

enum class Predicate : std::uint8_t {
  meets,
  contact,
  discriminant,
  power,
  slope,
  entries,
  distances,
  gap,
  nesting,
  last = nesting,
};

inline constexpr int predicate_count = static_cast<int>(Predicate::last) + 1;

const char* name(Predicate predicate);

/// The exact answer as a number (an enum's value, a truth value or a sign); nothing where the predicate has
/// no sense: entries of spheres that are not both met.
std::optional<int> truth(Predicate predicate, const Case& c);

/// The truth of each predicate.
struct Truths {
  std::array<std::optional<int>, predicate_count> signs;

  const std::optional<int>& operator[](Predicate predicate) const {
    return signs[static_cast<std::size_t>(predicate)];
  }
};
Truths truths(const Case& c);

/// The engine's answer: exact/predicates/decide.hpp.
int answer(Predicate predicate, const Case& c, exact::Counts& counts);

exact::Path path_of(const Case& c);
oracle::Sight sight_of(const Case& c, const Sphere& sphere);

/// Decisions of one predicate on one family, and the stages they needed.
struct Tally {
  struct Cell {
    std::uint64_t asked = 0, double_double = 0, exact = 0;

    Cell& operator+=(const Cell& other) {
      asked += other.asked;
      double_double += other.double_double;
      exact += other.exact;
      return *this;
    }
  };
  Cell cells[family_count][predicate_count];

  Cell& at(Family family, Predicate predicate) {
    return cells[static_cast<int>(family)][static_cast<int>(predicate)];
  }
  Tally& operator+=(const Tally& other);
  void print() const;
};

/// Puts all predicates to a case with these truths. Empty if every answer is right, else the first wrong one
/// with all inputs in hex.
std::string check(const Case& c, const Truths& truths, Tally& tally);

}  // namespace sphaera::test
