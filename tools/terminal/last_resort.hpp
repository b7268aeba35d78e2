#pragma once
/// \file Ends the process if memory or threads are missing and no exception can report it.
///
/// Sphaera's own code throws std::bad_alloc, and so do Embree and CLI11. The C libraries (cairo, fontconfig,
/// zlib) crash on a null pointer in places, and oneTBB waits for ever for a task that it could not allocate.
/// So in the tool a failing malloc, calloc or realloc ends the process: temporaries are removed, stderr says
/// "not enough memory", and the exit code is 4. The same holds for mappings of oneTBB and for
/// std::bad_alloc where nothing may be thrown; if threads are missing, stderr says so. A size that no
/// program can have gives a null pointer as before. All of this is active before the first static initializer
/// runs. Builds with a sanitizer keep its malloc: there only uncaught exceptions are handled.

#include <cstddef>

namespace sphaera::tool {

/// Does nothing when it is called; a call links the last resort into the program.
void link_last_resort();

/// Call when all outputs have their names. If memory or threads are missing afterwards, for example while
/// threads end, the process ends with exit code 0.
void note_outputs_complete();

/// Number of threads, at most `wanted` ≥ 1, that the system allows at once; at least 1 (the current thread).
std::size_t possible_threads(std::size_t wanted);

}  // namespace sphaera::tool
