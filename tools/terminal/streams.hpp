#pragma once
/// \file Standard input, output and error: behavior if they are closed or not writable.

#include <initializer_list>
#include <string_view>

namespace sphaera::tool {

/// Call before any file is opened. It occupies closed standard descriptors, so that no file gets their
/// numbers; reading and writing them stay errors.
void hold_standard_streams();

/// Writes to standard error. Failures are ignored: a message changes neither result nor exit code. Safe in a
/// signal handler.
void say(std::initializer_list<std::string_view> parts) noexcept;

}  // namespace sphaera::tool
