#pragma once
/// \file Parses the command line and runs a verb.

#include <span>
#include <stop_token>
#include <string>
#include <tools/options/verb.hpp>
#include <tools/terminal/exit.hpp>

namespace sphaera::tool {

/// Parses the command line, runs the verb and returns the exit code. Errors become messages on stderr and
/// exit codes.
Exit run_tool(int argc, char** argv, std::span<const VerbEntry* const> verbs, const std::stop_token& stop);

/// What `sphaera --help` says below the list of verbs: scene files, and an example.
std::string tool_help();

}  // namespace sphaera::tool
