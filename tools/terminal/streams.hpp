#pragma once
/// \file Standard input, output and error: what the tool does where they are closed or cannot be written to.

#include <initializer_list>
#include <string_view>

namespace sphaera::tool {

/// To be called before any file is opened. A standard descriptor that is closed is taken, so that no file
/// gets its number; reading and writing it stay errors.
void hold_standard_streams();

/// Writes to standard error. What cannot be written is left out: a message changes neither result nor exit
/// code. Safe in a signal handler.
void say(std::initializer_list<std::string_view> parts) noexcept;

}  // namespace sphaera::tool
