#pragma once
/// \file What errors take: numbers as text, and what to throw when there is no memory left to throw with.

#include <string>

namespace sphaera::base {

/// Throws Error(out_of_memory). The error was made when the program started, so that it takes no memory now.
[[noreturn]] void throw_out_of_memory();

/// The shortest text that reads back as the same double.
std::string text_of(double x);

}  // namespace sphaera::base
