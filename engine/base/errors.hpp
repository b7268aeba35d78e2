#pragma once
/// \file Helpers for errors: numbers as text, and an out-of-memory error that needs no memory.

#include <string>

namespace sphaera::base {

/// Throws Error(out_of_memory). The error object is created at program start, so throwing it needs no memory.
[[noreturn]] void throw_out_of_memory();

/// The shortest text that reads back as the same double.
std::string text_of(double x);

}  // namespace sphaera::base
