#pragma once
/// \file The cases of the attack by names.

#include <functional>
#include <initializer_list>
#include <stdexcept>
#include <tests/attack/tool/attack.hpp>

namespace sphaera::attack {

/// Besides what `check` says, no case may end by a signal, with an internal error, or with messages that
/// steer a terminal.
struct Case {
  std::string what;
  Launch launch;                                     ///< tool and folder are set later
  std::function<void()> prepare{};                   ///< in the empty folder
  std::function<std::string(const Ended&)> check{};  ///< what is wrong; empty: nothing
};

std::vector<Case> cases_of_output_names(const AttackSetup& setup);
std::vector<Case> cases_of_input_names(const AttackSetup& setup);
std::vector<Case> cases_of_words(const AttackSetup& setup);
std::vector<Case> cases_of_special_files(const AttackSetup& setup);
std::vector<Case> cases_of_clashes(const AttackSetup& setup);

/// Empty if the exit code is one of `codes`, else the fault.
std::string code_is(const Ended& ended, std::initializer_list<int> codes);
const ToolCall& call_named(const AttackSetup& setup, std::string_view name);
const std::vector<std::string>& hostile_words();

}  // namespace sphaera::attack
