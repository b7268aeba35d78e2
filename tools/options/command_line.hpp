#pragma once
/// \file From the command line to an exit code.

#include <memory>
#include <span>
#include <stop_token>
#include <tools/terminal/exit.hpp>
#include <tools/verbs/verb.hpp>

namespace sphaera::tool {

/// A verb as the command line knows it.
struct VerbEntry {
  const char* name;
  const char* summary;
  std::unique_ptr<Verb> (*make)();
};

/// Reads the command line and runs what it asks for. Errors become messages on stderr and exit codes.
Exit run_tool(int argc, char** argv, std::span<const VerbEntry> verbs, const std::stop_token& stop);

}  // namespace sphaera::tool
