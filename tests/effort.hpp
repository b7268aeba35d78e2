#pragma once
/// \file How many cases a random test draws: in the long run, under sanitizers, without FMA and AVX2 (the
/// baseline).

#include <algorithm>
#include <concepts>
#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <tests/instruction_set.hpp>
#include <vector>

namespace sphaera::test {

/// Is the engine under test built with a sanitizer? (The tests themselves need not be: SPHAERA_PLAIN_TESTS.)
/// Or as slow as that: SPHAERA_CASES=few in the environment says so, for an emulator.
bool sanitized();

/// Does this run draw all cases? SPHAERA_CASES=all in the environment asks for that.
inline bool all_cases() {
  static const bool all = [] {
    const char* const text = std::getenv("SPHAERA_CASES");
    return text && std::string_view(text) == "all";
  }();
  return all;
}

/// Does this run make cases smaller that are no random ones? Under a sanitizer, unless all are asked for.
inline bool smaller() { return sanitized() && !all_cases(); }

/// All n cases; a tenth (at least one) where a sanitizer makes each about ten times as slow, a fifth without
/// FMA and AVX2. Both repeat the plain run, which proves the answers, and fewer cases run the same code.
template <std::integral Count>
Count fewer_in_repeats(Count n) {
  return smaller() ? std::max(n / 10, Count{1}) : baseline_only() ? std::max(n / 5, Count{1}) : n;
}

/// All n cases in the long run (tests/long); elsewhere a quarter, in repeated runs fewer still (at least
/// one). For tests that take seconds.
template <std::integral Count>
Count fewer_unless_all(Count n) {
  return fewer_in_repeats(all_cases() ? n : std::max(n / 4, Count{1}));
}

/// All settings of a list; only the middle one under a sanitizer or in a run without FMA and AVX2. For tests
/// that take long with each setting.
template <class Setting>
std::vector<Setting> one_in_short_runs(std::initializer_list<Setting> all) {
  if (sanitized() || baseline_only()) return {all.begin()[all.size() / 2]};
  return all;
}

}  // namespace sphaera::test
