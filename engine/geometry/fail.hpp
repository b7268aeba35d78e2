#pragma once
/// \file Throwing when there is no memory left to throw with.

namespace sphaera::geometry {

/// Throws Error(out_of_memory). The error was made when the program started, so that it takes no memory now.
[[noreturn]] void throw_out_of_memory();

}  // namespace sphaera::geometry
