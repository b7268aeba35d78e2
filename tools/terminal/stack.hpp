#pragma once
/// \file The stack that the tool runs on.

namespace sphaera::tool {

/// Calls work() and returns its exit code: on this thread, or where the system limits its stack to less than
/// 8 MiB (ulimit -s), on a new thread with that much, as are all later threads. A verb needs up to 2 MiB.
/// Call it before other threads start. `work` may not throw.
int on_enough_stack(int (*work)(int argc, char** argv), int argc, char** argv);

}  // namespace sphaera::tool
