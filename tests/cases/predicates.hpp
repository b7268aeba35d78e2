#pragma once
/// \file The predicates of engine/exact put to a case, and how many decisions each stage took.

#include <array>
#include <optional>
#include <tests/cases/predicate_list.hpp>

namespace sphaera::test {

inline constexpr int predicate_count = Predicates::size;

/// The truth of each predicate, by its number.
using Truths = std::array<std::optional<int>, predicate_count>;
Truths truths(const Case& c);

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

  Cell& at(Family family, int predicate) { return cells[static_cast<int>(family)][predicate]; }
  Tally& operator+=(const Tally& other);
  void print() const;
};

/// Puts all predicates to a case with these truths. Empty if every answer is right, else the first wrong one
/// with all inputs in hex.
std::string check(const Case& c, const Truths& truths, Tally& tally);

}  // namespace sphaera::test
