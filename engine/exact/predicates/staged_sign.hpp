#pragma once
/// \file Stages 2 and 3 of a decision, from one formula for any `Number`.

#include <exact/numbers/bounded.hpp>
#include <exact/numbers/integer.hpp>
#include <exact/predicates/counts.hpp>
#include <optional>

namespace sphaera::exact {

template <class Number>
struct Tag {
  using type = Number;
};

template <class Formula>
[[gnu::flatten]] SPHAERA_TARGET_FMA std::optional<int> stage2_fused(const Formula& formula) {
  return formula(Tag<Bounded<Fused>>{});
}

template <class Formula>
std::optional<int> stage2_plain(const Formula& formula) {
  return formula(Tag<Bounded<Dekker>>{});
}

/// The sign of the formula: from double-double if its bound suffices, else from integers.
template <class Formula>
int staged_sign(const Formula& formula, Counts& counts) {
  if (const std::optional<int> sign = has_fma() ? stage2_fused(formula) : stage2_plain(formula)) {
    ++counts.double_double;
    return *sign;
  }
  ++counts.exact;
  return *formula(Tag<Integer>{});
}

}  // namespace sphaera::exact
